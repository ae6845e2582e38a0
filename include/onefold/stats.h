/*
 * Statistics: variance, standard deviation, norms, dot products, sums and means with weights.
 *
 * They are reductions, so all that reduce.h says holds for them too. Each function here gives one
 * value for a whole array; of_reduce and of_reduce_into with OF_VAR, OF_STD, OF_NORM, OF_DOT and
 * OF_WEIGHTED_MEAN give many, along any dimensions. of_absmax, the norm of order infinity, and
 * of_count_nonzero are in reduce.h.
 *
 * Every answer is made from exact sums, of exact squares and products, and rounded once.
 */
#ifndef ONEFOLD_STATS_H
#define ONEFOLD_STATS_H

#include <onefold/reduce.h>

OF_BEGIN_C

/**
 * The population variance.
 *
 *     S = x[0] + x[1] + ...; Q = x[0]^2 + x[1]^2 + ...; result = (Q - S^2 / n) / n    exactly
 *
 * x      any type, shape and strides; only read. Integers and bool count with their exact values.
 * opts   NULL: all defaults. acctype: a float type; else the result is f64. n: the first n elements
 *        in row-major order. workspace. With of_reduce also dims and keepdims: the result then has
 *        x's float type, f64 for integers.
 * out    receives the value.
 * err    receives code and message on failure; NULL allowed.
 *
 * Bits: contract 11: rounded once, never negative. NaN when an element is NaN or infinite, or there
 * is none. Cost: one pass over x; O(threads) scratch.
 * OF_ERR_VALUE: n negative or larger than x, or given with dims; init, a map or a second array
 * given. OF_ERR_TYPE: acctype is no float type. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_var(const of_array *x, const of_reduce_opts *opts, of_scalar *out,
                                    of_error *err);

/**
 * The standard deviation: the correctly rounded root of the exact variance.
 *
 *     result = sqrt(exact variance)    rounded once
 *
 * Parameters, bits, cost and errors as of_var.
 */
OF_API OF_MUST_USE of_status of_std(const of_array *x, const of_reduce_opts *opts, of_scalar *out,
                                    of_error *err);

/**
 * The norm of order 1, 2 or infinity.
 *
 *     1:         for (i = 0; i < n; i++) result += |x[i]|;                          exactly
 *     2:         for (i = 0; i < n; i++) sum += x[i] * x[i]; result = sqrt(sum);    exactly
 *     infinity:  for (i = 0; i < n; i++) result = max(result, |x[i]|);
 *
 * x      any type, shape and strides; only read.
 * ord    1, 2 or INFINITY. Takes the place of opts->ord, which of_reduce reads, and in which 0, the
 *        default, means 2.
 * opts   as for of_var.
 * out    receives the value.
 *
 * Bits: contract 11: rounded once. No square overflows or underflows on the way: the norm of
 * (1e-200) is 1e-200. NaN when an element is NaN, else infinity when one is infinite; 0.0 when
 * there is none. Cost: one pass over x; O(threads) scratch.
 * OF_ERR_VALUE: another ord ("Unsupported norm order"). Others as of_var.
 */
OF_API OF_MUST_USE of_status of_norm(const of_array *x, double ord, const of_reduce_opts *opts,
                                     of_scalar *out, of_error *err);

/**
 * The dot product.
 *
 *     for (i = 0; i < n; i++) result += a[i] * b[i];    in real numbers
 *
 * a, b   any types, which may differ, shapes and strides; only read; they may be one array. The
 *        elements are taken in row-major order, whatever the shapes. b may be longer than a, but
 *        not shorter.
 * opts   as for of_var; n may be no larger than either array and is a's size by default. `second`
 *        must be NULL. Along dims, which is of_reduce(a, OF_DOT, ...) with b as opts->second, the
 *        shapes must be the same, and the result has the float type in which the types meet, f64
 *        for integers.
 * out    receives the value.
 *
 * Bits: contract 3 and 11: rounded once; products of integers are exact too, not modulo 2^64. NaN
 * and infinities as IEEE products and sums give them; 0.0 when there is no element.
 * Cost: one pass over both; O(threads) scratch.
 * OF_ERR_VALUE: b shorter than n. Others as of_var.
 */
OF_API OF_MUST_USE of_status of_dot(const of_array *a, const of_array *b,
                                    const of_reduce_opts *opts, of_scalar *out, of_error *err);

/**
 * The sum with weights: of_dot under the name that it has in statistics.
 *
 *     for (i = 0; i < n; i++) result += w[i] * x[i];    in real numbers
 *
 * Parameters, bits, cost and errors as of_dot.
 */
OF_API OF_MUST_USE of_status of_weighted_sum(const of_array *x, const of_array *w,
                                             const of_reduce_opts *opts, of_scalar *out,
                                             of_error *err);

/**
 * The mean with weights.
 *
 *     for (i = 0; i < n; i++) { sum += w[i] * x[i]; all += w[i]; }    result = sum / all    exactly
 *
 * x, w   the values and their weights, of any sign; as a and b of of_dot.
 * opts   as for of_dot; along dims it is of_reduce(x, OF_WEIGHTED_MEAN, ...) with w as
 *        opts->second.
 * out    receives the value.
 *
 * Bits: contract 11: the exact quotient, rounded once. NaN when the weights add up to 0, as those
 * of no elements do, or when a value or a weight is not finite. A sum of 0 gives +0.0. Cost: one
 * pass over both; O(threads) scratch. Errors as of_dot.
 */
OF_API OF_MUST_USE of_status of_weighted_mean(const of_array *x, const of_array *w,
                                              const of_reduce_opts *opts, of_scalar *out,
                                              of_error *err);

OF_END_C

#endif
