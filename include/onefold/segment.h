/*
 * Segments: rows that carry the number of the segment they belong to, reduced segment by segment.
 *
 * In every function x has shape (N, ...), a row being what one index of the first dimension picks,
 * and ids has shape (N,). Ids need not be sorted. Rows whose id is negative, or num_segments or
 * more, are left out. Results are functions of the values alone, with the bits of of_reduce over
 * the rows of each segment (docs/contract.md, section 10).
 */
#ifndef ONEFOLD_SEGMENT_H
#define ONEFOLD_SEGMENT_H

#include <onefold/array.h>
#include <onefold/group.h>

OF_BEGIN_C

/* Options of the functions over segments. Zero means the default, and NULL all defaults. */
typedef struct of_segment_opts {
    bool sorted;               /* a hint: the ids ascend. A wrong one never changes the answer. */
    bool check_sorted;         /* for debugging: ids that do not ascend although `sorted` is set are
                                * OF_ERR_VALUE */
    const of_scalar *constant; /* min, max: what an empty segment gets, converted to x's type;
                                * NULL: the identity (of_empty_segment_identity) */
} of_segment_opts;

/**
 * Reduces the rows of each segment, element by element.
 *
 *     for each segment s: out[s, ...] = reduction of x[i, ...] over the rows i with ids[i] == s
 *
 * x             any type, shape (N, ...) and strides; only read.
 * ids           any integer type, shape (N,), any strides; only read.
 * num_segments  how many segments there are, 0 or more; never inferred.
 * operation     sum, min, max, mean, count, prod or variance (the population's).
 * opts          NULL: all defaults.
 * out           receives a new row-major array of shape (num_segments, ...) on x's device; the
 *               caller releases it. Its type: x's for sum, prod, min and max, but i64 for sum and
 *               prod of bool; i64 for count; x's float type, f64 for integers, for mean and
 *               variance. An empty segment: 0; prod 1; min and max the identity or opts->constant.
 *
 * Bits: contract 3 to 6 and 10. Sums, means and variances are exact and rounded once, products are
 * folded in the order of the rows; integers wrap at their width; a NaN stays in its segment.
 * Cost: one pass where ids ascend, else one to two passes and O(result) scratch a thread; prod and
 * variance, and sums whose terms lie too far apart for tables, O(x) scratch (docs/design.md).
 * OF_ERR_VALUE: x has no dimension; ids is not one-dimensional or not as long as x; num_segments is
 * negative; opts->constant with another operation than min and max; ids do not ascend and
 * check_sorted asks. OF_ERR_TYPE: ids is bool or a float. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_segment_reduce(const of_array *x, const of_array *ids,
                                               int64_t num_segments, of_group_operation operation,
                                               const of_segment_opts *opts, of_array **out,
                                               of_error *err);

/* Each operation by name: of_segment_sum(x, ids, n, opts, out, err) is of_segment_reduce(x, ids, n,
 * OF_GROUP_SUM, opts, out, err). */
#define OF_GROUP_OPERATION(SYMBOL, name, meaning)                                                  \
    OF_API OF_MUST_USE of_status of_segment_##name(                                                \
        const of_array *x, const of_array *ids, int64_t num_segments, const of_segment_opts *opts, \
        of_array **out, of_error *err);
#include <onefold/group_operations.def>
#undef OF_GROUP_OPERATION

/** of_segment_min with opts->constant: an empty segment gets `constant`, decided by its count. A
 * segment that has rows gets their minimum, be it an infinity or NaN. */
OF_API OF_MUST_USE of_status of_segment_min_or_constant(const of_array *x, const of_array *ids,
                                                        int64_t num_segments, of_scalar constant,
                                                        const of_segment_opts *opts, of_array **out,
                                                        of_error *err);

/** As of_segment_min_or_constant, for the maximum. */
OF_API OF_MUST_USE of_status of_segment_max_or_constant(const of_array *x, const of_array *ids,
                                                        int64_t num_segments, of_scalar constant,
                                                        const of_segment_opts *opts, of_array **out,
                                                        of_error *err);

/**
 * What an empty segment gets: sum, mean, count, variance 0; prod 1; min +inf or the integer's
 * largest value (bool: true); max -inf or its smallest (false).
 *
 * dtype   of the rows.
 * out     receives the value, of the type that of_segment_reduce gives.
 * OF_ERR_TYPE: dtype. OF_ERR_VALUE: operation.
 */
OF_API OF_MUST_USE of_status of_empty_segment_identity(of_dtype dtype, of_group_operation operation,
                                                       of_scalar *out, of_error *err);

OF_END_C

#endif
