/* Reducing data that arrives in pieces. */
#include "core/alloc.h"
#include "core/fail.h"
#include "core/fpenv.h"
#include "reduce/call.h"

struct of_reducer {
    of__reduction reduction;
    of_scalar init;
    of__partial partial;
};

of_status of_reducer_create(of_operation operation, of_dtype dtype, const of_reduce_opts *opts,
                            of_reducer **out, of_error *err) {
    static const of_reduce_opts defaults;
    if (!opts) opts = &defaults;
    of__reduction r;
    if (!of_dtype_size(dtype))
        return of__fail(err, OF_ERR_TYPE, "dtype is %d, which is no element type", (int)dtype);
    if (opts->map == OF_MAP_PRODUCT)
        return of__fail(err, OF_ERR_VALUE,
                        "map is the product, which takes two sources; pieces come from one");
    if (of_operation_sources(operation) == 2)
        return of__fail(err, OF_ERR_VALUE,
                        "operation is %s, which takes two sources; pieces come from one",
                        of_operation_name(operation));
    if (opts->dims.given || opts->keepdims || opts->second || opts->overwrite || opts->workspace ||
        opts->n)
        return of__fail(err, OF_ERR_VALUE,
                        "%s is set, but a reducer takes acctype, init, ord and map only",
                        opts->dims.given  ? "dims"
                        : opts->keepdims  ? "keepdims"
                        : opts->second    ? "second"
                        : opts->overwrite ? "overwrite"
                        : opts->n         ? "n"
                                          : "workspace");
    OF_TRY(of__reduction_resolve(dtype, OF_DTYPE_NONE, operation, opts, false, &r, err));
    of_reducer *reducer = of__alloc(sizeof *reducer);
    if (!reducer) return of__fail(err, OF_ERR_MEMORY, "no memory for a reducer");
    reducer->reduction = r;
    if (opts->init) {
        reducer->init = *opts->init;
        reducer->reduction.finish.init = &reducer->init;
    }
    of__partial_begin(&reducer->partial, r.operation, r.term, r.in_floats);
    *out = reducer;
    return OF_OK;
}

/* Products in floats depend on the order, and a piece may end within a run of 16: its terms are
 * added one after another. All else is reduced with threads and merged. */
of_status of_reducer_update(of_reducer *reducer, const of_array *piece, of_error *err) {
    of__reduction r = reducer->reduction;
    if (piece->dtype != r.source)
        return of__fail(err, OF_ERR_TYPE, "piece has type %s, but the reducer takes %s",
                        of_dtype_name(piece->dtype), of_dtype_name(r.source));
    if (piece->size == 0) return OF_OK;
    r.kernels = of__kernels_current();
    of__terms terms = {.x = of__layout_of(piece)};
    int workers = r.in_floats ? 1 : of__reduction_workers(&r, piece->size);
    void *scratch = NULL;
    if (workers > 1) {
        scratch = of__alloc((size_t)of__reduction_scratch(&r, piece->size, workers));
        if (!scratch)
            return of__fail(err, OF_ERR_MEMORY, "no memory for the partial results of %d threads",
                            workers);
    }
    of__fpenv saved = of__fpenv_enter();
    if (r.in_floats) {
        of__reduction_feed(&r, &terms, 0, piece->size, &reducer->partial);
    } else {
        of__partial partial;
        of__reduction_run(&r, &terms, workers, scratch, &partial);
        if (r.operation == OF_ARGMIN || r.operation == OF_ARGMAX)
            partial.as.best.index += reducer->partial.count;
        of__partial_merge(&reducer->partial, &partial);
    }
    of__fpenv_leave(saved);
    of__free(scratch);
    return OF_OK;
}

of_status of_reducer_result(const of_reducer *reducer, of_scalar *out, of_error *err) {
    const of__reduction *r = &reducer->reduction;
    if (!reducer->partial.count && !r->finish.init && !of__has_empty_value(r->operation))
        return of__fail(err, OF_ERR_VALUE, "%s reduction requires a nonempty array",
                        of_operation_name(r->asked));
    of__fpenv saved = of__fpenv_enter();
    *out = of__partial_finish(&reducer->partial, &r->finish);
    of__fpenv_leave(saved);
    return OF_OK;
}

void of_reducer_free(of_reducer *reducer) {
    of__free(reducer);
}
