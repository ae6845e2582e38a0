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
 * The softmax of each segment.
 *
 *     for each segment and column: m = max(x); e[i] = exp(x[i] - m); s = sum(e); out[i] = e[i] / s
 *
 * x, ids, num_segments, opts   as for of_segment_reduce, without a constant.
 * out   receives a new row-major array of x's shape and float type, f64 for integers; the caller
 *       releases it. Rows that are left out get 0.
 *
 * Bits (contract 10): x[i] - m is exact, e is rounded once to f64, s is the exact sum of the e
 * rounded once to f64, and e / s is rounded once to the type. A NaN or +inf in a segment makes all
 * of it NaN, as do -inf alone; beside numbers, -inf gives 0.
 * Cost: four passes; scratch of 8 bytes an element unless the result is f64, and 16 a segment.
 * Errors as of_segment_reduce.
 */
OF_API OF_MUST_USE of_status of_segment_softmax(const of_array *x, const of_array *ids,
                                                int64_t num_segments, const of_segment_opts *opts,
                                                of_array **out, of_error *err);

/**
 * Each row over the sum of its segment, as x / of_segment_sum(x)[ids] in the arithmetic of the
 * result's type.
 *
 *     for each row i, column c: out[i, c] = sum[ids[i], c] == 0 ? 0 : x[i, c] / sum[ids[i], c]
 *
 * out   as for of_segment_softmax. Rows that are left out get 0.
 *
 * Bits (contract 10): the exact sum is rounded once to the type, and the quotient once; integers are
 * converted to f64 first, their sum does not wrap. Cost: three passes; 8 bytes of scratch a segment.
 * Errors as of_segment_reduce.
 */
OF_API OF_MUST_USE of_status of_segment_normalize(const of_array *x, const of_array *ids,
                                                  int64_t num_segments, const of_segment_opts *opts,
                                                  of_array **out, of_error *err);

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

/* ---- Lengths, offsets, ids: three ways to say which rows belong to which segment ---- */

/**
 * The ids of rows that lie segment by segment.
 *
 *     for each segment s, lengths[s] times: append s to ids;
 *     cut ids off after total_length, or pad it with the last segment's number
 *
 * lengths       any integer type, shape (number of segments,).
 * total_length  the size of the result; where lengths do not add up to it, JAX's rule for
 *               total_repeat_length as above.
 * out           receives a new i64 array of shape (total_length,); the caller releases it.
 *
 * OF_ERR_VALUE: a negative length, or lengths that add up past 2^63 - 1; total_length is negative,
 * or not 0 where there is no segment; shapes. OF_ERR_TYPE: lengths is bool or a float.
 * OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_partition_ids(const of_array *lengths, int64_t total_length,
                                              of_array **out, of_error *err);

/** Where each of n segments begins, and where the last one ends: n + 1 numbers, i64, the first
 * being 0. Errors as of_partition_ids. */
OF_API OF_MUST_USE of_status of_lengths_to_offsets(const of_array *lengths, of_array **out,
                                                   of_error *err);

/**
 * The differences of n + 1 offsets: n lengths, i64.
 * OF_ERR_VALUE: no offset, a first one that is not 0, one less than that before it; shapes.
 * OF_ERR_TYPE: offsets is bool or a float. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_offsets_to_lengths(const of_array *offsets, of_array **out,
                                                   of_error *err);

/** The ids of the rows: offsets[i + 1] - offsets[i] times i, for each i; i64. Errors as
 * of_offsets_to_lengths. */
OF_API OF_MUST_USE of_status of_offsets_to_ids(const of_array *offsets, of_array **out,
                                               of_error *err);

/** How many rows each segment has, i64; ids out of range are left out. Errors as
 * of_segment_count. */
OF_API OF_MUST_USE of_status of_ids_to_lengths(const of_array *ids, int64_t num_segments,
                                               of_array **out, of_error *err);

/** Where each segment begins and the last one ends once the rows are put in the order of their ids:
 * of_lengths_to_offsets of of_ids_to_lengths. */
OF_API OF_MUST_USE of_status of_ids_to_offsets(const of_array *ids, int64_t num_segments,
                                               of_array **out, of_error *err);

/* Options of of_repeat. */
typedef struct of_repeat_opts {
    const int *dim;              /* the dimension repeated along; NULL: the array flat */
    const int64_t *total_length; /* the result's size there; NULL: the sum of the repeats */
} of_repeat_opts;

/**
 * Repeats each row.
 *
 *     for (i = 0; i < rows; i++) for (k = 0; k < repeats[i]; k++) append x[i] to out;
 *     with total_length: cut out off after so many rows, or pad it with x's last one
 *
 * x         any type, shape and strides; only read. A row is what one index of `dim` picks.
 * repeats   any integer type: one number for each row, shape (rows,), or one for all, shape () or
 *           (1,).
 * opts      NULL: all defaults.
 * out       receives a new row-major array of x's type; the caller releases it. Bits move unchanged.
 *
 * OF_ERR_VALUE: a negative repeat; repeats that add up past 2^63 - 1; another shape of repeats; dim;
 * total_length is negative, or not 0 where x has no row. OF_ERR_TYPE: repeats is bool or a float.
 * OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_repeat(const of_array *x, const of_array *repeats,
                                       const of_repeat_opts *opts, of_array **out, of_error *err);

/* ---- Adding into rows ---- */

/**
 * Adds rows to the rows of an array that indices name; any number may go to the same one.
 *
 *     for (i = 0; i < N; i++) into[indices[i], ...] += src[i, ...];    in real numbers, rounded once
 *
 * into      writable, shape (M, ...), any type but bool and any strides; overlaps neither of the
 *           others. Rows that no index names keep their bits.
 * indices   any integer type, shape (N,). One out of range is an error, unlike an id of a segment:
 *           ids out of range are how rows are left out, an index says where to write.
 * src       into's type, shape (N, ...); only read.
 *
 * Bits: contract 3, 4: the old element is one more exact term; integers wrap at their width. Cost:
 * two passes; O(rows named) scratch and a bit for each row of into.
 * OF_ERR_INDEX: an index is negative, or M or more; found before anything is written. OF_ERR_VALUE:
 * shapes do not match; into is read-only or overlaps. OF_ERR_TYPE: types. OF_ERR_MEMORY: into is
 * unchanged.
 */
OF_API OF_MUST_USE of_status of_index_add(of_array *into, const of_array *indices,
                                          const of_array *src, of_error *err);

OF_END_C

#endif
