/* The public reductions. */
#include <onefold/reduce.h>

#include "core/fail.h"
#include "core/fpenv.h"
#include "reduce/call.h"

static const of_reduce_opts defaults;

/* Small contiguous arrays and plain options need no layout: less than 100 ns in all. */
static bool is_plain(const of_array *src, of_operation operation, const of_reduce_opts *opts) {
    return src && src->size > 0 && src->size <= OF__SMALL_SUM && opts->map == OF_MAP_NONE &&
           of_operation_sources(operation) == 1 && !opts->second && !opts->dims.given &&
           !opts->workspace && !opts->n && of_array_is_contiguous(src);
}

static of_status reduce_plain(const of_array *src, of_operation operation,
                              const of_reduce_opts *opts, of_scalar *out, of_error *err) {
    of__reduction r;
    of__terms terms;
    OF_TRY(of__reduction_resolve(src->dtype, OF_DTYPE_NONE, operation, opts, false, &r, err));
    terms.x.data = src->data;
    terms.x.size = src->size;
    terms.x.ndim = 1;
    terms.x.shape[0] = src->size;
    terms.x.strides[0] = terms.x.element_size = (int64_t)of_dtype_size(src->dtype);
    of__fpenv saved = of__fpenv_enter();
    *out = of__reduction_answer(&r, &terms, 1, NULL, &r.finish);
    of__fpenv_leave(saved);
    return OF_OK;
}

of_status of_reduce_scalar(const of_array *src, of_operation operation, const of_reduce_opts *opts,
                           of_scalar *out, of_error *err) {
    of__call call;
    void *scratch;
    if (!opts) opts = &defaults;
    if (is_plain(src, operation, opts)) return reduce_plain(src, operation, opts, out, err);
    OF_TRY(of__call_prepare(src, operation, opts, OF__TO_SCALAR, NULL, &call, err));
    OF_TRY(of__call_acquire(&call, &scratch, err));
    of__terms terms = of__call_slice(&call, 0);
    of__fpenv saved = of__fpenv_enter();
    *out = of__reduction_answer(&call.reduction, &terms, scratch ? call.workers : 1, scratch,
                                &call.reduction.finish);
    of__fpenv_leave(saved);
    of__call_release(&call, scratch);
    return OF_OK;
}

/* The source's dimensions without the reduced ones, or with 1 for them. */
static int output_shape(const of_array *src, const of__call *call, bool keepdims, int64_t *shape) {
    int ndim = 0;
    for (int i = 0; i < src->ndim; i++)
        if (!call->reduced[i] || keepdims) shape[ndim++] = call->reduced[i] ? 1 : src->shape[i];
    return ndim;
}

static void run(const of__call *call, of_array *array, bool fold, void *scratch) {
    of__answers answers = {of__layout_of(array), array->data, array->dtype, fold};
    of__fpenv saved = of__fpenv_enter();
    of__call_run(call, &answers, scratch);
    of__fpenv_leave(saved);
}

of_status of_reduce(const of_array *src, of_operation operation, const of_reduce_opts *opts,
                    of_array **out, of_error *err) {
    of__call call;
    int64_t shape[OF_MAX_DIMS];
    void *scratch;
    if (!opts) opts = &defaults;
    OF_TRY(of__call_prepare(src, operation, opts, OF__TO_ARRAY, NULL, &call, err));
    int ndim = output_shape(src, &call, opts->keepdims, shape);
    of_array *result;
    OF_TRY(of_array_create(src->storage->device, call.reduction.finish.result, ndim, shape, &result,
                           err));
    of_status status = of__call_acquire(&call, &scratch, err);
    if (status != OF_OK) {
        of_array_release(result);
        return status;
    }
    if (call.outputs) run(&call, result, false, scratch);
    of__call_release(&call, scratch);
    *out = result;
    return OF_OK;
}

of_status of_reduce_into(of_array *into, const of_array *src, of_operation operation,
                         const of_reduce_opts *opts, of_error *err) {
    of__call call;
    void *scratch;
    if (!into) return of__fail(err, OF_ERR_VALUE, "into is NULL");
    if (!opts) opts = &defaults;
    OF_TRY(of__call_prepare(src, operation, opts, OF__INTO_ARRAY, into, &call, err));
    if (!call.outputs || (!call.slice.x.size && !opts->init)) return OF_OK; /* nothing to write */
    OF_TRY(of__call_acquire(&call, &scratch, err));
    run(&call, into, !opts->init && !opts->overwrite, scratch);
    of__call_release(&call, scratch);
    return OF_OK;
}

#define OF_STATISTIC(SYMBOL, name, meaning)
#define OF_STATISTIC_OF_TWO(SYMBOL, name, meaning)
#define OF_OPERATION(SYMBOL, name, meaning)                                                        \
    of_status of_##name(const of_array *src, const of_reduce_opts *opts, of_scalar *out,           \
                        of_error *err) {                                                           \
        return of_reduce_scalar(src, OF_##SYMBOL, opts, out, err);                                 \
    }
#include <onefold/operations.def>
#undef OF_OPERATION
