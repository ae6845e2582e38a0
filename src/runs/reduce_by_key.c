/* The values of each run of equal keys, reduced. */
#include <onefold/runs.h>

#include "array/checks.h"
#include "core/alloc.h"
#include "core/fail.h"
#include "core/fpenv.h"
#include "reduce/reduction.h"
#include "runs/run_batch.h"
#include "runs/run_lists.h"

/* Runs from so many values on are shared among threads, one after the other. */
#ifdef ONEFOLD_TEST_SMALL
enum { SHARED_RUN = 40 };
#else
enum { SHARED_RUN = 1 << 17 };
#endif

/* A call that has passed every check. */
typedef struct by_key {
    of__run_lists lists; /* the keys, and the counts when they are the results */
    of__reduction reduction;
    of__terms values;
    const of__run_kernels *kernels;
    char *results; /* NULL: none but counts */
    int64_t result_size;
    int64_t shared_from; /* values of a run that is left for all threads together */
} by_key;

/* ---- One run ---- */

/* A run's values, where they are as one slice of at most one dimension. */
static of__terms run_of(const by_key *call, int64_t start, int64_t n) {
    of__terms terms = call->values;
    terms.x.data += of__layout_offset(&terms.x, start);
    terms.x.size = n;
    if (terms.x.ndim) terms.x.shape[0] = n;
    return terms;
}

static bool can_slice(const by_key *call) {
    return call->values.x.ndim <= 1;
}

static of_scalar reduce_run(const by_key *call, int64_t start, int64_t n) {
    const of__reduction *r = &call->reduction;
    if (can_slice(call)) {
        of__terms terms = run_of(call, start, n);
        return of__reduction_answer(r, &terms, 1, NULL, &r->finish);
    }
    of__partial partial;
    of__partial_begin(&partial, r->operation, r->term, r->in_floats);
    of__reduction_feed(r, &call->values, start, n, &partial);
    return of__partial_finish(&partial, &r->finish);
}

static void write_result(const by_key *call, int64_t run, of_scalar result) {
    of_scalar_store(result, call->results + run * call->result_size);
}

/* ---- The runs of a tile ---- */

/* Reduces `count` short runs, number `first` and on; run k is values start + at[k] to
 * start + at[k + 1] - 1. */
static void reduce_batches(const by_key *call, const of__tile_view *view, int64_t count) {
    const of__layout *values = &call->values.x;
    uint64_t buffer[2 * OF__TILE];
    int16_t unsure[OF__BATCH];
    of__run_values runs = {.readable = values->size - view->start};
    if (of__layout_is_contiguous(values)) {
        runs.x = values->data + view->start * values->element_size;
    } else {
        runs.readable = view->at[count];
        runs.x = of__tile_fetch(values, view->start, runs.readable, buffer);
    }
    for (int64_t k = 0; k < count; k += runs.count) {
        runs.at = view->at + k;
        runs.count = count - k < OF__BATCH ? count - k : OF__BATCH;
        int64_t first = view->first_run + k;
        int64_t singly = of__reduce_batch(&call->reduction, call->kernels, &runs,
                                          call->results + first * call->result_size, unsure);
        for (int64_t i = 0; i < singly; i++) {
            const uint16_t *run = runs.at + unsure[i];
            write_result(call, first + unsure[i],
                         reduce_run(call, view->start + run[0], run[1] - run[0]));
        }
    }
}

/* All runs but the last end in the tile. The last one goes with them if it is short. */
static void reduce_tile(void *context, const of__tile_view *view) {
    const by_key *call = context;
    of__list_tile(&call->lists, view);
    if (!call->results || view->count == 0) return;
    int64_t last = view->count - 1, last_start = view->start + view->at[last];
    int64_t last_size = view->end - last_start, count = view->count;
    if (last_size <= OF__TILE)
        view->at[count] = (uint16_t)(view->end - view->start);
    else
        count--;
    reduce_batches(call, view, count);
    if (last_size > OF__TILE && last_size < call->shared_from)
        write_result(call, view->first_run + last, reduce_run(call, last_start, last_size));
}

/* ---- Long runs ---- */

/* The only long run that a tile can start is its last. */
static int64_t long_run(const of__run_tiles *runs, const by_key *call, int64_t index,
                        int64_t *start) {
    const of__run_tile *tile = &runs->tile[index];
    *start = index * OF__TILE + tile->last;
    return tile->count && tile->end - *start >= call->shared_from ? tile->end - *start : 0;
}

static int64_t shared_scratch(const of__run_tiles *runs, const by_key *call) {
    int64_t most = 0, start;
    for (int64_t i = 0; i < runs->tiles; i++) {
        int64_t n = long_run(runs, call, i, &start);
        if (n == 0) continue;
        int workers = of__reduction_workers(&call->reduction, n);
        int64_t scratch = of__reduction_scratch(&call->reduction, n, workers);
        most = scratch > most ? scratch : most;
    }
    return most;
}

static void reduce_shared(const of__run_tiles *runs, const by_key *call, void *scratch) {
    const of__reduction *r = &call->reduction;
    for (int64_t i = 0; i < runs->tiles; i++) {
        int64_t start, n = long_run(runs, call, i, &start);
        if (n == 0) continue;
        of__terms terms = run_of(call, start, n);
        of__fpenv saved = of__fpenv_enter();
        of_scalar result =
            of__reduction_answer(r, &terms, of__reduction_workers(r, n), scratch, &r->finish);
        of__fpenv_leave(saved);
        write_result(call, runs->tile[i].runs_before + runs->tile[i].count - 1, result);
    }
}

/* ---- The call ---- */

static of_status check_operation(of_group_operation operation, of_error *err) {
    if ((int)operation < 0 || operation >= OF_GROUP_OPERATION_END)
        return of__fail(err, OF_ERR_VALUE, "operation is %d, which is none", (int)operation);
    return OF_OK;
}

/* Results have the values' type where a whole array's would be wider (contract 10). */
static of_status resolve(of_dtype values, of_group_operation operation, of__reduction *out,
                         of_error *err) {
    static const of_operation operations[] = {
        [OF_GROUP_SUM] = OF_SUM,   [OF_GROUP_MIN] = OF_MIN,   [OF_GROUP_MAX] = OF_MAX,
        [OF_GROUP_MEAN] = OF_MEAN, [OF_GROUP_PROD] = OF_PROD, [OF_GROUP_VARIANCE] = OF_VAR,
    };
    bool narrow = (operation == OF_GROUP_SUM || operation == OF_GROUP_PROD) && values != OF_BOOL;
    of_reduce_opts opts = {.acctype = narrow ? values : OF_DTYPE_NONE};
    return of__reduction_resolve(values, OF_DTYPE_NONE, operations[operation], &opts, true, out,
                                 err);
}

static of_status check(const of_array *keys, const of_array *values, of_group_operation operation,
                       const of_runs_opts *opts, of_array **results, int64_t *n, of_error *err) {
    OF_TRY(of__check_given(keys, "keys", err));
    OF_TRY(of__check_given(values, "values", err));
    if (!results) return of__fail(err, OF_ERR_VALUE, "results is NULL");
    OF_TRY(of__check_same_device(keys, "keys", values, "values", err));
    OF_TRY(check_operation(operation, err));
    OF_TRY(of__check_limit(opts->n, keys->size, "keys", n, err));
    if (opts->n) return of__check_limit(opts->n, values->size, "values", n, err);
    if (values->size < *n)
        return of__fail(err, OF_ERR_VALUE, "values has %lld elements, but keys has %lld",
                        (long long)values->size, (long long)*n);
    return OF_OK;
}

static of_status reduce_runs(const of__run_tiles *runs, by_key *call, of_error *err) {
    call->shared_from = runs->workers > 1 && can_slice(call) ? SHARED_RUN : INT64_MAX;
    int64_t bytes = call->results ? shared_scratch(runs, call) : 0;
    void *scratch = bytes ? of__alloc((size_t)bytes) : NULL;
    if (bytes && !scratch)
        return of__fail(err, OF_ERR_MEMORY, "no memory for %lld bytes of scratch",
                        (long long)bytes);
    of__run_tiles_visit(runs, reduce_tile, call);
    if (call->results) reduce_shared(runs, call, scratch);
    of__free(scratch);
    return OF_OK;
}

of_status of_reduce_by_key(const of_array *keys, const of_array *values,
                           of_group_operation operation, const of_runs_opts *opts,
                           of_array **unique_keys, of_array **results, of_error *err) {
    static const of_runs_opts defaults;
    by_key call = {0};
    int64_t n;
    if (!opts) opts = &defaults;
    OF_TRY(check(keys, values, operation, opts, results, &n, err));
    of_dtype index, type;
    OF_TRY(of__check_index_dtype(opts->index_dtype, n, &index, err));
    bool counting = operation == OF_GROUP_COUNT;
    if (counting) {
        type = opts->index_dtype ? index : OF_I64;
    } else {
        OF_TRY(resolve(values->dtype, operation, &call.reduction, err));
        type = call.reduction.finish.result;
    }
    call.result_size = (int64_t)of_dtype_size(type);
    call.values.x = of__layout_of(values);
    call.kernels = of__run_kernels_current();
    int64_t bytes = (int64_t)of_dtype_size(keys->dtype);
    if (!counting) bytes += call.values.x.element_size;

    of__run_tiles runs;
    of_array *made_keys = NULL, *made_results = NULL;
    OF_TRY(of__run_tiles_find(keys, n, bytes, &runs, err));
    of_status status = of__create_list(keys, type, runs.runs, &made_results, err);
    if (status == OF_OK && unique_keys)
        status = of__create_list(keys, keys->dtype, runs.runs, &made_keys, err);
    if (status == OF_OK) {
        call.lists = (of__run_lists){
            .kernels = runs.kernels, .key_size = runs.keys.element_size, .wide = type == OF_I64};
        if (made_keys) call.lists.keys = made_keys->data;
        *(counting ? &call.lists.counts : &call.results) = made_results->data;
        status = reduce_runs(&runs, &call, err);
    }
    of__run_tiles_free(&runs);
    if (status != OF_OK) {
        of_array_release(made_keys);
        of_array_release(made_results);
        return status;
    }
    if (unique_keys) *unique_keys = made_keys;
    *results = made_results;
    return OF_OK;
}
