/* of_sort, of_argsort, of_sort_by_key: checks, then lanes. */
#include <onefold/sort.h>

#include "array/checks.h"
#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "sort/lanes.h"
#include "sort/radix.h"
#include "sort/rows.h"

static const of_sort_opts defaults = {0};

of_status of_sort(const of_array *keys, const of_sort_opts *opts, of_array **out, of_error *err) {
    if (opts == NULL) opts = &defaults;
    of__lanes lanes;
    OF_TRY(of__check_given(keys, "keys", err));
    OF_TRY(of__lanes_of(keys, "keys", opts->n, opts->dim, &lanes, err));

    of_array *taken = NULL;
    of__lanes_result sorted = {0};
    of_status status = of__lanes_take(&lanes, keys, &taken, err);
    if (status != OF_OK) goto done;
    status = of__lanes_result_create(&lanes, keys->storage->device, keys->dtype, &sorted, err);
    if (status != OF_OK) goto done;
    status = of__lanes_sort(&lanes, keys->dtype, opts->descending, taken->data, sorted.lanes->data,
                            NULL, OF_DTYPE_NONE, err);
    if (status == OF_OK) *out = of__lanes_result_finish(&lanes, &sorted);
done:
    of__lanes_result_release(&sorted);
    of_array_release(taken);
    return status;
}

of_status of_argsort(const of_array *keys, const of_sort_opts *opts, of_array **out,
                     of_error *err) {
    if (opts == NULL) opts = &defaults;
    of__lanes lanes;
    of_dtype index_dtype;
    OF_TRY(of__check_given(keys, "keys", err));
    OF_TRY(of__lanes_of(keys, "keys", opts->n, opts->dim, &lanes, err));
    OF_TRY(of__check_index_dtype(opts->index_dtype, lanes.length, &index_dtype, err));

    of_array *taken = NULL;
    of__lanes_result order = {0};
    of_status status = of__lanes_take(&lanes, keys, &taken, err);
    if (status != OF_OK) goto done;
    status = of__lanes_result_create(&lanes, keys->storage->device, index_dtype, &order, err);
    if (status != OF_OK) goto done;
    status = of__lanes_sort(&lanes, keys->dtype, opts->descending, taken->data, NULL,
                            order.lanes->data, index_dtype, err);
    if (status == OF_OK) *out = of__lanes_result_finish(&lanes, &order);
done:
    of__lanes_result_release(&order);
    of_array_release(taken);
    return status;
}

/* ---- By key ---- */

/* How values go with keys: as the lanes do, or as rows. */
static of_status match_values(const of__lanes *lanes, const of_array *keys, const of_array *values,
                              bool *are_rows, of_error *err) {
    char keys_text[OF__SHAPE_TEXT_SIZE], values_text[OF__SHAPE_TEXT_SIZE];
    bool same = of__same_shape(keys, values);
    *are_rows = !same || keys->ndim == 1;
    if (lanes->dim >= 0) *are_rows = false;
    if (same || (*are_rows && values->ndim > 0 && values->shape[0] >= lanes->length)) return OF_OK;
    of__shape_text(keys->ndim, keys->shape, keys_text);
    of__shape_text(values->ndim, values->shape, values_text);
    if (lanes->dim >= 0)
        return of__fail(err, OF_ERR_VALUE, "values has shape %s, but keys has %s", values_text,
                        keys_text);
    return of__fail(err, OF_ERR_VALUE,
                    "values has shape %s, which is neither that of keys, %s, nor (%lld or more, "
                    "...)",
                    values_text, keys_text, (long long)lanes->length);
}

typedef struct by_key {
    of__lanes lanes;
    of_dtype index_dtype;
    of_array *keys; /* lane after lane */
    of__lanes_result sorted, moved;
    of__rows rows; /* of the values, as many as a lane has elements, lane after lane */
    void *order;
} by_key;

static void by_key_release(by_key *call) {
    of_array_release(call->keys);
    of__lanes_result_release(&call->sorted);
    of__lanes_result_release(&call->moved);
    of__rows_release(&call->rows);
    of__free(call->order);
}

/* Makes the result of the values, and finds their rows. */
static of_status prepare_values(by_key *call, const of_array *values, bool are_rows,
                                of_error *err) {
    of__lanes shape = call->lanes;
    if (are_rows) {
        shape.ndim = values->ndim;
        for (int i = 1; i < values->ndim; i++) shape.shape[i] = values->shape[i];
    }
    OF_TRY(
        of__lanes_result_create(&shape, values->storage->device, values->dtype, &call->moved, err));
    if (are_rows) return of__rows_take(values, 1, call->lanes.length, &call->rows, err);
    OF_TRY(of__lanes_take(&call->lanes, values, &call->rows.copy, err));
    call->rows.data = call->rows.copy->data;
    call->rows.count = call->lanes.count * call->lanes.length;
    call->rows.bytes = call->rows.stride = (int64_t)of_dtype_size(values->dtype);
    return OF_OK;
}

/* Moves the values of each lane into the lane's order. */
static void move_values(const by_key *call) {
    const int64_t n = call->lanes.length, index_size = (int64_t)of_dtype_size(call->index_dtype);
    const int workers = of__workers_for_elements(n, call->rows.bytes + index_size);
    for (int64_t lane = 0; lane < call->lanes.count; lane++) {
        of__rows rows = call->rows;
        rows.data += lane * n * rows.stride;
        of__gather_rows(call->moved.lanes->data + lane * n * rows.bytes, &rows, call->index_dtype,
                        (const char *)call->order + lane * n * index_size, n, workers);
    }
}

static of_status allocate_order(by_key *call, of_error *err) {
    int64_t n = call->lanes.count * call->lanes.length;
    call->order = of__alloc((size_t)n * of_dtype_size(call->index_dtype));
    if (call->order != NULL) return OF_OK;
    return of__fail(err, OF_ERR_MEMORY, "no memory for the order of %lld elements", (long long)n);
}

/* One lane: short values travel with their keys where both fit into a word. */
static of_status run_lane(by_key *call, of_dtype dtype, bool descending, void *sorted,
                          of_error *err) {
    const of__rows *rows = &call->rows;
    bool is_short =
        rows->stride == rows->bytes && (rows->bytes == 1 || rows->bytes == 2 || rows->bytes == 4);
    of__sort_request request = {.dtype = dtype,
                                .descending = descending,
                                .keys = call->keys->data,
                                .n = call->lanes.length,
                                .sorted = sorted,
                                .index_dtype = call->index_dtype,
                                .workers = of__sort_workers(call->lanes.length)};
    if (is_short) {
        request.values = rows->data;
        request.moved = call->moved.lanes->data;
        request.value_bits = 8 * (int)rows->bytes;
    } else {
        OF_TRY(allocate_order(call, err));
        request.order = call->order;
    }
    of__sort_plan plan = of__sort_plan_for(&request);
    if (is_short && !plan.carries) {
        OF_TRY(allocate_order(call, err));
        plan.request.order = call->order;
    }
    OF_TRY(of__sort_allocate_and_run(&plan, err));
    if (!plan.carries) move_values(call);
    return OF_OK;
}

static of_status by_key_run(by_key *call, const of_array *keys, const of_array *values,
                            bool are_rows, bool descending, of_array **keys_out,
                            of_array **values_out, of_error *err) {
    const of__lanes *lanes = &call->lanes;
    void *sorted = NULL;
    OF_TRY(of__lanes_take(lanes, keys, &call->keys, err));
    if (keys_out != NULL) {
        OF_TRY(
            of__lanes_result_create(lanes, keys->storage->device, keys->dtype, &call->sorted, err));
        sorted = call->sorted.lanes->data;
    }
    if (values_out != NULL) OF_TRY(prepare_values(call, values, are_rows, err));
    if (values_out != NULL && lanes->count == 1) {
        OF_TRY(run_lane(call, keys->dtype, descending, sorted, err));
    } else {
        if (values_out != NULL) OF_TRY(allocate_order(call, err));
        OF_TRY(of__lanes_sort(lanes, keys->dtype, descending, call->keys->data, sorted, call->order,
                              call->index_dtype, err));
        if (values_out != NULL) move_values(call);
    }
    if (values_out != NULL) *values_out = of__lanes_result_finish(lanes, &call->moved);
    if (keys_out != NULL) *keys_out = of__lanes_result_finish(lanes, &call->sorted);
    return OF_OK;
}

of_status of_sort_by_key(const of_array *keys, const of_array *values, const of_sort_opts *opts,
                         of_array **keys_out, of_array **values_out, of_error *err) {
    if (opts == NULL) opts = &defaults;
    by_key call = {0};
    bool are_rows;
    OF_TRY(of__check_given(keys, "keys", err));
    OF_TRY(of__check_given(values, "values", err));
    OF_TRY(of__check_same_device(keys, "keys", values, "values", err));
    OF_TRY(of__lanes_of(keys, "keys", opts->n, opts->dim, &call.lanes, err));
    OF_TRY(match_values(&call.lanes, keys, values, &are_rows, err));
    OF_TRY(of__check_index_dtype(opts->index_dtype, call.lanes.length, &call.index_dtype, err));
    of_status status =
        by_key_run(&call, keys, values, are_rows, opts->descending, keys_out, values_out, err);
    by_key_release(&call);
    return status;
}
