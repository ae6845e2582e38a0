/*
 * Selecting elements by flags, in order. Flags are of any type; a flag is true when it is not zero:
 * NaN is true, -0.0 false.
 */
#ifndef ONEFOLD_COMPACT_H
#define ONEFOLD_COMPACT_H

#include <onefold/array.h>

OF_BEGIN_C

/* Options of the functions below. Zero means the default, and a NULL pointer to the struct all
 * defaults. */
typedef struct of_compact_opts {
    const int64_t *n;     /* look at the first n flags; NULL: at all */
    of_dtype index_dtype; /* of_nonzero only: i32 or i64. Default: i32 up to 2^31 - 1 flags, else
                             i64 */
} of_compact_opts;

/**
 * Keeps what is flagged.
 *
 *     kept = 0;
 *     for (i = 0; i < n; i++)
 *         if (flags[i] != 0) out[kept++] = src[i];
 *
 * src     any type, shape and strides; only read.
 * flags   any type and strides; only read. Of one dimension: a flag for each row of src, which is
 *         its first dimension. Or of src's shape: a flag for each element, in row-major order.
 * opts    NULL: all defaults. With n, the first n rows or elements are looked at, and src and
 *         flags may have different numbers of rows.
 * out     receives a new row-major array on src's device, of shape (kept, ...) with the rows' shape,
 *         or (kept,) where flags have src's shape; the caller releases it. Bits are moved unchanged.
 * err     receives code and message on failure; NULL allowed.
 *
 * Cost: one pass over src, two over flags; O(threads) scratch. OF_ERR_VALUE: shapes do not match; n
 * is negative or larger than flags or src; the arrays are on different devices; src has no
 * dimension for rows. OF_ERR_TYPE: index_dtype is given. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_compact(const of_array *src, const of_array *flags,
                                        const of_compact_opts *opts, of_array **out, of_error *err);

/**
 * The flat indices of the flags that are true, in order: what of_compact would keep of 0, 1, 2, ...
 *
 *     count = 0;
 *     for (i = 0; i < n; i++)
 *         if (flags[i] != 0) indices[count++] = i;
 *
 * flags     any type, shape and strides; only read.
 * opts      NULL: all defaults.
 * indices   receives a new array of one dimension on the flags' device; the caller releases it.
 *
 * Cost: two passes over flags; O(threads) scratch. OF_ERR_VALUE: n is negative or larger than
 * flags; index_dtype is i32 and n is 2^31 or more. OF_ERR_TYPE: index_dtype is neither i32 nor i64.
 * OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_nonzero(const of_array *flags, const of_compact_opts *opts,
                                        of_array **indices, of_error *err);

/**
 * Puts what is flagged first and the rest after it, each in order.
 *
 *     out = of_compact(src, flags), followed by of_compact(src, !flags)
 *
 * src, flags, opts   as for of_compact.
 * out                receives a new row-major array on src's device: of shape (n, ...) with the
 *                    rows' shape, or (n,) where flags have src's shape; the caller releases it.
 * true_count         receives how many flags are true; NULL allowed.
 *
 * Cost and errors as of_compact.
 */
OF_API OF_MUST_USE of_status of_partition(const of_array *src, const of_array *flags,
                                          const of_compact_opts *opts, of_array **out,
                                          int64_t *true_count, of_error *err);

OF_END_C

#endif
