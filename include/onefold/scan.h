/*
 * Prefix scans: every prefix of an array folded, in one pass.
 *
 * Sums of floats are exact: each value written is the exact sum of its prefix, rounded once, with
 * the same bits as of_sum of those elements.
 */
#ifndef ONEFOLD_SCAN_H
#define ONEFOLD_SCAN_H

#include <onefold/reduce.h>

OF_BEGIN_C

/* Options of a scan. Zero means the default, and a NULL pointer to the struct all defaults. */
typedef struct of_scan_opts {
    of_operation operation; /* OF_SUM (zero), OF_PROD, OF_MIN or OF_MAX */
    const of_scalar *init;  /* comes before the first element, converted to dst's type */
    const int64_t *n;       /* the first n elements; along a dim, of each row. NULL: all */
    const int *dim;         /* the dimension to scan along; negative counts from the end. NULL: the
                               whole array in row-major order */
} of_scan_opts;

/**
 * Writes the fold of each prefix, its last element included.
 *
 *     fold = init or nothing;
 *     for (i = 0; i < n; i++) dst[i] = fold = op(fold, convert(src[i]));    sums in real numbers,
 *     total = fold;                                                         rounded where written
 *
 * src     any type, shape and strides; only read, unless it is dst.
 * dst     writable, of any type and strides. The scan runs in its type: elements and init convert
 *         to it first. Without `dim` its shape may be another than src's; along a dim they are
 *         equal. May be src itself, or another array of the same type, data, shape and strides; any
 *         other overlap is refused. Elements past n are left alone.
 * opts    NULL: the sum of the whole array. n may not exceed the size of src or dst (along a dim
 *         the length of that dimension); when not given it is all of src, which must fit into dst.
 * total   receives the fold of init and all n elements, of dst's type. NULL: not asked for; along a
 *         dim it must be.
 *
 * Bits: contract 8. A float sum is the exact sum of its prefix, and of init as one more term,
 * rounded once, with contract 3's NaNs, infinities and zeros; integers wrap at dst's width. A
 * product is contract 6's fold of its prefix, then op(init, fold). min and max as of_min and
 * of_max; into bool they are all and any.
 *
 * Cost: one pass, with all threads. A scan of floats runs at about the speed of memory where each
 * thousand neighbours lie in some thirty binades, of others it takes some hundred ns an element.
 * Allocates O(threads) scratch along a dim other than the last, else nothing.
 *
 * OF_ERR_TYPE: a sum or product into bool; init has no type. OF_ERR_VALUE: another operation; n or
 * dim out of range; src does not fit into dst; unequal shapes along a dim; total along a dim; dst
 * is read-only, overlaps src, or has strides that lead to one element twice; another device.
 * OF_ERR_MEMORY. Nothing is written then.
 */
OF_API OF_MUST_USE of_status of_inclusive_scan(const of_array *src, of_array *dst,
                                               const of_scan_opts *opts, of_scalar *total,
                                               of_error *err);

/**
 * Writes the fold of what comes before each element.
 *
 *     fold = init or the value of nothing;
 *     for (i = 0; i < n; i++) { dst[i] = fold; fold = op(fold, convert(src[i])); }
 *     total = fold;
 *
 * The value of nothing is +0 for a sum, 1 for a product, for min the largest value of dst's type
 * (+inf, true), for max the smallest (-inf, false). Arguments, bits, cost and errors as
 * of_inclusive_scan.
 */
OF_API OF_MUST_USE of_status of_exclusive_scan(const of_array *src, of_array *dst,
                                               const of_scan_opts *opts, of_scalar *total,
                                               of_error *err);

OF_END_C

#endif
