/*
 * Runs of equal keys: distinct keys and how often they come, group-by, run-length code.
 *
 * A run is as many neighbours as are equal by ==: a NaN equals nothing, so each is a run of its
 * own; -0.0 and +0.0 are equal. Keys need only be grouped: [7, 7, 2, 2, 7] has three runs. Sort
 * first where equal keys are to meet. Arrays of any shape are taken flat, in row-major order.
 */
#ifndef ONEFOLD_RUNS_H
#define ONEFOLD_RUNS_H

#include <onefold/array.h>
#include <onefold/group.h>

OF_BEGIN_C

/* Options of the functions on runs. Zero means the default, and a NULL pointer to the struct all
 * defaults. */
typedef struct of_runs_opts {
    const int64_t *n;     /* look at the first n elements; NULL: at all of the first array */
    of_dtype index_dtype; /* of counts and indices: i32 or i64. Default: i32 up to 2^31 - 1
                             elements, else i64; results of OF_GROUP_COUNT: i64 */
} of_runs_opts;

/**
 * Finds the runs of equal keys. Keys and counts are the array's run-length code, which of_repeat
 * (segment.h) expands again.
 *
 *     runs = 0;
 *     for (i = 0; i < n; i++) {
 *         if (i == 0 || keys[i] != keys[i - 1]) {
 *             unique_keys[runs] = keys[i], counts[runs] = 0, first_index[runs] = i;
 *             runs++;
 *         }
 *         counts[runs - 1]++;
 *         inverse[i] = runs - 1;
 *     }
 *
 * keys          any type, shape and strides; only read.
 * opts          NULL: all defaults.
 * unique_keys   receives the first key of each run, its bits unchanged: payloads of NaNs and signs
 *               of zeros are kept.
 * counts        receives the length of each run.
 * first_index   receives the flat index where each run starts.
 * inverse       receives, for each of the n elements, the number of its run.
 * err           receives code and message on failure; NULL allowed.
 *
 * The results are new arrays of one dimension on the keys' device, which the caller releases; NULL
 * where one is not wanted. On failure none is made.
 *
 * Bits: contract 10. Cost: linear; O(runs) scratch, and O(n / 1024).
 * OF_ERR_VALUE: n is negative or larger than keys; index_dtype is i32 and n is 2^31 or more.
 * OF_ERR_TYPE: index_dtype is neither i32 nor i64. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_unique(const of_array *keys, const of_runs_opts *opts,
                                       of_array **unique_keys, of_array **counts,
                                       of_array **first_index, of_array **inverse, of_error *err);

/**
 * Reduces the values that belong to each run of equal keys.
 *
 *     for each run, of keys[first] to keys[last]:
 *         unique_keys[run] = keys[first];
 *         results[run] = operation of values[first] to values[last];
 *
 * keys, values   any type, shape and strides; only read. The first n values are taken, n being the
 *                keys' size unless opts say otherwise; there may be more.
 * operation      sum, min, max, mean, count, prod or variance (the population's).
 * opts           NULL: all defaults.
 * unique_keys    receives the first key of each run, as of_unique; NULL: not wanted.
 * results        receives one value a run. Sum, prod, min and max have the values' type, except
 *                that sums and products of bool are i64; integers wrap at their width. Means and
 *                variances have the values' float type, f64 for integers and bool. Counts are i64
 *                unless index_dtype is given.
 *
 * The results are new arrays of one dimension on the keys' device, which the caller releases.
 *
 * Bits: contract 10: those of of_reduce_scalar of each run's values, with the result's type as
 * acctype. Cost: linear, one pass over the values; O(runs) scratch, and O(n / 1024). Long runs are
 * shared among threads. OF_ERR_VALUE: n is negative or larger than keys or values; the arrays are
 * on different devices; there is no such operation; index_dtype is i32 and n is 2^31 or more.
 * OF_ERR_TYPE: index_dtype is neither i32 nor i64. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_reduce_by_key(const of_array *keys, const of_array *values,
                                              of_group_operation operation,
                                              const of_runs_opts *opts, of_array **unique_keys,
                                              of_array **results, of_error *err);

OF_END_C

#endif
