#include "cli/check_items.h"

#include <math.h>

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

/* An array whole, along each dimension, along two, and with a type for the result. Operations of two
 * arrays take it twice. */
static of_status hash_reduction(XXH3_state_t *hash, const struct check_item *item,
                                const struct check_source *source, of_error *err) {
    const of_array *array = source->array;
    of_operation operation = item->operation;
    bool gives_index = operation == OF_ARGMIN || operation == OF_ARGMAX;
    bool takes_acctype = operation == OF_SUM || operation == OF_MEAN || operation == OF_PROD ||
                         operation == OF_ABSMAX || operation >= OF_VAR;
    const of_array *second = of_operation_sources(operation) == 2 ? array : NULL;
    int dims = source->is_large ? 0 : of_array_ndim(array);
    if (operation == OF_PROD && source->is_large && source->is_wide) return OF_OK;
    of_status status =
        hash_scalar(hash, array, operation, &(of_reduce_opts){.second = second}, err);
    if (status == OF_OK && operation == OF_NORM && !source->is_large)
        status = hash_scalar(hash, array, operation, &(of_reduce_opts){.ord = 1}, err);
    if (status == OF_OK && operation == OF_NORM && !source->is_large)
        status = hash_scalar(hash, array, operation, &(of_reduce_opts){.ord = INFINITY}, err);
    if (status == OF_OK && takes_acctype && !source->is_large)
        status = hash_scalar(hash, array, operation,
                             &(of_reduce_opts){.acctype = OF_F32, .second = second}, err);
    for (int dim = 0; dim < dims && status == OF_OK; dim++)
        status = hash_dims(hash, array, operation,
                           &(of_reduce_opts){.dims = OF_DIMS(dim), .second = second}, err);
    if (status == OF_OK && dims == 3 && !gives_index)
        status = hash_dims(hash, array, operation,
                           &(of_reduce_opts){.dims = OF_DIMS(0, 2), .second = second}, err);
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

/* Of the large arrays one is enough for what is no reduction. */
static bool is_spared(const struct check_source *source) {
    return source->is_large && !source->is_wide;
}

/* ---- Scans ---- */

/* Sums of all elements as one row, and of small arrays sums and largest values along each dimension;
 * in the type of the elements, but bool, which holds no sum. */
static of_status hash_scan(XXH3_state_t *hash, const struct check_item *item,
                           const struct check_source *source, of_error *err) {
    const of_array *array = source->array;
    of_dtype dtype = of_array_dtype(array) == OF_BOOL ? OF_I32 : of_array_dtype(array);
    int dims = source->is_large ? 0 : of_array_ndim(array);
    of_status status = OF_OK;
    (void)item;
    if (source->is_large && source->is_wide) return OF_OK; /* several hundred ns an element */
    for (int dim = -1; dim < dims && status == OF_OK; dim++) {
        of_array *result = NULL;
        const of_scan_opts opts = {.operation = dim == 0 ? OF_MAX : OF_SUM,
                                   .dim = dim >= 0 ? &dim : NULL};
        status =
            of_array_create(NULL, dtype, of_array_ndim(array), of_array_shape(array), &result, err);
        if (status != OF_OK) break;
        status =
            (dim == 1 ? of_exclusive_scan : of_inclusive_scan)(array, result, &opts, NULL, err);
        if (status == OF_OK)
            status = add_array(hash, status, result);
        else
            of_array_release(result);
    }
    return status;
}

/* ---- Sorting ---- */

typedef of_status (*sorter)(const of_array *keys, const of_sort_opts *opts, of_array **out,
                            of_error *err);

/* Of a large array, rows with as many elements as two threads sort, whatever their type. */
enum { SORTED_ROWS = 4200 };

static of_status take_rows(const struct check_source *source, of_array **out, of_error *err) {
    int64_t rows = of_array_shape(source->array)[0];
    if (source->is_large && rows > SORTED_ROWS) rows = SORTED_ROWS;
    return of_array_slice(source->array, 0, 0, rows, 1, out, err);
}

/* All elements upwards, and small arrays downwards along each dimension. */
static of_status hash_order(XXH3_state_t *hash, const struct check_source *source, sorter sort,
                            of_error *err) {
    if (is_spared(source)) return OF_OK;
    of_array *array;
    of_status status = take_rows(source, &array, err);
    if (status != OF_OK) return status;
    int dims = source->is_large ? 0 : of_array_ndim(array);
    for (int dim = -1; dim < dims && status == OF_OK; dim++) {
        of_array *result = NULL;
        const of_sort_opts opts = {.descending = dim >= 0, .dim = dim >= 0 ? &dim : NULL};
        status = sort(array, &opts, &result, err);
        status = add_array(hash, status, result);
    }
    of_array_release(array);
    return status;
}

static of_status hash_sort(XXH3_state_t *hash, const struct check_item *item,
                           const struct check_source *source, of_error *err) {
    (void)item;
    return hash_order(hash, source, of_sort, err);
}

static of_status hash_argsort(XXH3_state_t *hash, const struct check_item *item,
                              const struct check_source *source, of_error *err) {
    (void)item;
    return hash_order(hash, source, of_argsort, err);
}

/* ---- Runs ---- */

/* Keys of long runs with a few short ones between. */
static of_status create_keys(int64_t count, of_array **out, of_error *err) {
    of_status status = of_array_create(NULL, OF_I32, 1, &count, out, err);
    if (status != OF_OK) return status;
    int32_t *keys = of_array_mutable_data(*out);
    for (int64_t i = 0; i < count; i++) keys[i] = (int32_t)(i % 700 < 20 ? i : -(i / 700));
    return OF_OK;
}

/* Of the elements themselves: keys and counts, and where each run starts. */
static of_status hash_unique(XXH3_state_t *hash, const struct check_item *item,
                             const struct check_source *source, of_error *err) {
    of_array *results[3] = {NULL};
    (void)item;
    if (is_spared(source)) return OF_OK;
    of_status status =
        of_unique(source->array, NULL, &results[0], &results[1], &results[2], NULL, err);
    for (int i = 0; i < 3 && status == OF_OK; i++) status = add_array(hash, status, results[i]);
    return status;
}

static of_status hash_reduce_by_key(XXH3_state_t *hash, const struct check_item *item,
                                    const struct check_source *source, of_error *err) {
    of_array *keys = NULL;
    (void)item;
    if (is_spared(source)) return OF_OK;
    of_status status = create_keys(of_array_size(source->array), &keys, err);
    for (int operation = 0; operation < OF_GROUP_VARIANCE && status == OF_OK; operation++) {
        of_array *results = NULL;
        if (operation != OF_GROUP_SUM && source->is_large) continue;
        status = of_reduce_by_key(keys, source->array, (of_group_operation)operation, NULL, NULL,
                                  &results, err);
        status = add_array(hash, status, results);
    }
    of_array_release(keys);
    return status;
}

/* ---- Histograms ---- */

/* Counts, and of small arrays sums in which the elements are their own weights. */
static of_status hash_histogram(XXH3_state_t *hash, const struct check_item *item,
                                const struct check_source *source, of_error *err) {
    static const double range[] = {-3, 3};
    enum { BINS = 7 };
    (void)item;
    of_status status = OF_OK;
    if (is_spared(source)) return OF_OK;
    for (int weighted = 0; weighted < (source->is_large ? 1 : 2) && status == OF_OK; weighted++) {
        of_array *counts = NULL;
        const of_histogram_opts opts = {.range = range,
                                        .outside = weighted ? OF_OUTSIDE_DROP : OF_OUTSIDE_CLAMP,
                                        .weights = weighted ? source->array : NULL};
        status = of_histogram(source->array, BINS, &opts, &counts, NULL, err);
        status = add_array(hash, status, counts);
    }
    return status;
}

const struct check_item check_items[CHECK_ITEM_COUNT] = {
#define OF_OPERATION(SYMBOL, name, meaning) {#name, hash_reduction, OF_##SYMBOL},
#include <onefold/operations.def>
#undef OF_OPERATION
    {.name = "scan", .hash = hash_scan},
    {.name = "sort", .hash = hash_sort},
    {.name = "argsort", .hash = hash_argsort},
    {.name = "unique", .hash = hash_unique},
    {.name = "reduce_by_key", .hash = hash_reduce_by_key},
    {.name = "histogram", .hash = hash_histogram},
    {.name = "segment_sum", .hash = hash_segment_sum},
};
