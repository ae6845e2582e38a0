/* of_top_k: of a whole array by selection, along a dimension by sorting. */
#include <onefold/sort.h>

#include "array/checks.h"
#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "sort/lanes.h"
#include "sort/rows.h"
#include "sort/sort_first.h"

typedef struct top_k {
    of__lanes lanes, first; /* of the source, and of the results */
    bool descending;
    int64_t k;
    of_dtype index_dtype;
    of_array *taken;
    int64_t *index; /* k for each lane */
    of__lanes_result values, indices;
} top_k;

static of_status check(const of_array *src, int64_t k, const of_top_k_opts *opts, top_k *call,
                       of_error *err) {
    OF_TRY(of__check_given(src, "src", err));
    OF_TRY(of__lanes_of(src, "src", opts->n, opts->dim, &call->lanes, err));
    OF_TRY(of__check_index_dtype(opts->index_dtype, call->lanes.length, &call->index_dtype, err));
    if (k < 0) return of__fail(err, OF_ERR_VALUE, "k is %lld, which is negative", (long long)k);
    if (k > call->lanes.length)
        return of__fail(err, OF_ERR_VALUE, "k is %lld, but there are %lld elements", (long long)k,
                        (long long)call->lanes.length);
    call->k = k;
    call->descending = !opts->smallest;
    call->first = call->lanes;
    call->first.length = k;
    call->first.shape[call->lanes.dim < 0 ? 0 : call->lanes.dim] = k;
    return OF_OK;
}

/* The whole order of every lane, of which the first k are kept. */
static of_status order_lanes(top_k *call, of_dtype dtype, of_error *err) {
    const of__lanes *lanes = &call->lanes;
    int64_t *order = of__alloc((size_t)(lanes->count * lanes->length) * sizeof *order);
    if (order == NULL)
        return of__fail(err, OF_ERR_MEMORY, "no memory for the order of %lld elements",
                        (long long)(lanes->count * lanes->length));
    of_status status =
        of__lanes_sort(lanes, dtype, call->descending, call->taken->data, NULL, order, OF_I64, err);
    for (int64_t lane = 0; lane < lanes->count && status == OF_OK; lane++)
        memcpy(call->index + lane * call->k, order + lane * lanes->length,
               (size_t)call->k * sizeof *order);
    of__free(order);
    return status;
}

static void write_values(const top_k *call, int64_t size) {
    const int64_t n = call->lanes.length, k = call->k;
    for (int64_t lane = 0; lane < call->lanes.count; lane++) {
        of__rows rows = {call->taken->data + lane * n * size, n, size, size, NULL};
        of__gather_rows(call->values.lanes->data + lane * k * size, &rows, OF_I64,
                        call->index + lane * k, k, of__workers_for_elements(k, 8 + size));
    }
}

static void write_indices(const top_k *call) {
    const int bits = 8 * (int)of_dtype_size(call->index_dtype);
    for (int64_t i = 0; i < call->lanes.count * call->k; i++)
        of__put_bits(bits, call->indices.lanes->data, i, (uint64_t)call->index[i]);
}

static of_status run(top_k *call, const of_array *src, of_array **values, of_array **indices,
                     of_error *err) {
    of_device *device = src->storage->device;
    OF_TRY(of__lanes_take(&call->lanes, src, &call->taken, err));
    if (values != NULL)
        OF_TRY(of__lanes_result_create(&call->first, device, src->dtype, &call->values, err));
    if (indices != NULL)
        OF_TRY(
            of__lanes_result_create(&call->first, device, call->index_dtype, &call->indices, err));
    call->index = of__alloc((size_t)(call->lanes.count * call->k) * sizeof *call->index);
    if (call->index == NULL)
        return of__fail(err, OF_ERR_MEMORY, "no memory for %lld indices",
                        (long long)(call->lanes.count * call->k));
    if (call->k > 0 && call->lanes.dim < 0)
        OF_TRY(of__sort_first(src->dtype, call->descending, call->taken->data, call->lanes.length,
                              call->k, call->index, err));
    else if (call->k > 0)
        OF_TRY(order_lanes(call, src->dtype, err));
    if (values != NULL) {
        write_values(call, (int64_t)of_dtype_size(src->dtype));
        *values = of__lanes_result_finish(&call->first, &call->values);
    }
    if (indices != NULL) {
        write_indices(call);
        *indices = of__lanes_result_finish(&call->first, &call->indices);
    }
    return OF_OK;
}

of_status of_top_k(const of_array *src, int64_t k, const of_top_k_opts *opts, of_array **values,
                   of_array **indices, of_error *err) {
    static const of_top_k_opts defaults = {0};
    top_k call = {0};
    OF_TRY(check(src, k, opts == NULL ? &defaults : opts, &call, err));
    of_status status = run(&call, src, values, indices, err);
    of_array_release(call.taken);
    of__lanes_result_release(&call.values);
    of__lanes_result_release(&call.indices);
    of__free(call.index);
    return status;
}
