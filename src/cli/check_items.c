#include "cli/check_items.h"

/* ---- Adding to a hash ---- */

static void add_bytes(XXH3_state_t *hash, const void *bytes, size_t count) {
    (void)XXH3_64bits_update(hash, bytes, count);
}

/* That there is no minimum of nothing is a result too; other failures end the check. */
static of_status add_failure(XXH3_state_t *hash, of_status status) {
    add_bytes(hash, &status, sizeof status);
    return status == OF_ERR_VALUE ? OF_OK : status;
}

/* Adds what a call has made, and releases it. */
static of_status add_array(XXH3_state_t *hash, of_status status, of_array *result) {
    if (status != OF_OK) return add_failure(hash, status);
    add_bytes(hash, of_array_data(result), (size_t)of_array_nbytes(result));
    of_array_release(result);
    return OF_OK;
}

/* ---- Reductions ---- */

static of_status hash_scalar(XXH3_state_t *hash, const of_array *array, of_operation operation,
                             const of_reduce_opts *opts, of_error *err) {
    of_scalar result;
    of_status status = of_reduce_scalar(array, operation, opts, &result, err);
    if (status != OF_OK) return add_failure(hash, status);
    add_bytes(hash, &result.as, of_dtype_size(result.dtype));
    return OF_OK;
}

static of_status hash_dims(XXH3_state_t *hash, const of_array *array, of_operation operation,
                           const of_reduce_opts *opts, of_error *err) {
    of_array *result = NULL;
    of_status status = of_reduce(array, operation, opts, &result, err);
    return add_array(hash, status, result);
}

/* An array whole, along each dimension, along two, and with a type for the result. */
static of_status hash_reduction(XXH3_state_t *hash, const struct check_item *item,
                                const struct check_source *source, of_error *err) {
    const of_array *array = source->array;
    of_operation operation = item->operation;
    bool gives_index = operation == OF_ARGMIN || operation == OF_ARGMAX;
    bool takes_acctype = operation == OF_SUM || operation == OF_MEAN || operation == OF_PROD ||
                         operation == OF_ABSMAX;
    int dims = source->is_large ? 0 : of_array_ndim(array);
    if (operation == OF_PROD && source->is_large && source->is_wide) return OF_OK;
    of_status status = hash_scalar(hash, array, operation, NULL, err);
    if (status == OF_OK && takes_acctype && !source->is_large)
        status = hash_scalar(hash, array, operation, &(of_reduce_opts){.acctype = OF_F32}, err);
    for (int dim = 0; dim < dims && status == OF_OK; dim++)
        status = hash_dims(hash, array, operation, &(of_reduce_opts){.dims = OF_DIMS(dim)}, err);
    if (status == OF_OK && dims == 3 && !gives_index)
        status = hash_dims(hash, array, operation, &(of_reduce_opts){.dims = OF_DIMS(0, 2)}, err);
    return status;
}

/* ---- By segment ---- */

enum { SEGMENTS = 5 };

/* The segment of each row, in no order; some rows have none. */
static of_status create_ids(int64_t count, of_array **out, of_error *err) {
    of_status status = of_array_create(NULL, OF_I32, 1, &count, out, err);
    if (status != OF_OK) return status;
    int32_t *ids = of_array_mutable_data(*out);
    for (int64_t i = 0; i < count; i++) ids[i] = (int32_t)(i * i % 11 % (SEGMENTS + 2)) - 1;
    return OF_OK;
}

static of_status hash_segment_sum(XXH3_state_t *hash, const struct check_item *item,
                                  const struct check_source *source, of_error *err) {
    (void)item;
    of_array *ids = NULL, *sums = NULL;
    of_status status = create_ids(of_array_shape(source->array)[0], &ids, err);
    if (status == OF_OK) {
        status = of_segment_sum(source->array, ids, SEGMENTS, NULL, &sums, err);
        status = add_array(hash, status, sums);
    }
    of_array_release(ids);
    return status;
}

const struct check_item check_items[CHECK_ITEM_COUNT] = {
#define OF_OPERATION(SYMBOL, name, meaning) {#name, hash_reduction, OF_##SYMBOL},
#include <onefold/operations.def>
#undef OF_OPERATION
    {.name = "segment_sum", .hash = hash_segment_sum},
};
