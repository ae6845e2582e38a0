/*
 * Copying and filling: the first n elements of arrays that are there, in flat (row-major) order,
 * converted to the type of where they go (contract 1).
 */
#ifndef ONEFOLD_COPY_H
#define ONEFOLD_COPY_H

#include <onefold/array.h>

OF_BEGIN_C

/**
 * Copies the first n elements of one array to the first n of another.
 *
 *     for (i = 0; i < n; i++) dst[i] = src[i];
 *
 * src   any type, shape and strides; only read.
 * dst   writable, of any type, shape and strides; elements from n on are left alone. May be src, or
 *       overlap it, where both have the same type and lie contiguous: then as memmove. Arrays of
 *       one type with the same data, shape and strides may be any. No two of its indices may share
 *       memory.
 * n     0 to the size of the smaller array.
 *
 * Bits: between unlike types contract 1's conversion; between like types bits move unchanged, a
 * NaN's payload too. Cost: one pass, with all threads; allocates nothing.
 * OF_ERR_VALUE: n is negative or larger than an array; dst is read-only, repeats its own elements,
 * overlaps src in another way, or is on another device.
 */
OF_API OF_MUST_USE of_status of_copy(const of_array *src, of_array *dst, int64_t n, of_error *err);

/**
 * Copies the first n elements of one array to n elements of another from dst_offset on.
 *
 *     for (i = 0; i < n; i++) dst[dst_offset + i] = src[i];
 *
 * dst_offset   0 to the size of dst minus n, counted in elements in flat order.
 * Otherwise as of_copy. OF_ERR_VALUE also: dst_offset is negative or reaches past dst.
 */
OF_API OF_MUST_USE of_status of_copy_with_offset(const of_array *src, of_array *dst,
                                                 int64_t dst_offset, int64_t n, of_error *err);

/**
 * Sets the first n elements of an array to one value, converted to its type.
 *
 *     for (i = 0; i < n; i++) dst[i] = value;
 *
 * dst     writable, of any type, shape and strides.
 * value   of any type.
 * n       0 to the size of dst.
 *
 * Bits: contract 1. Cost: one pass, with all threads; allocates nothing.
 * OF_ERR_VALUE: n is negative or larger than dst; dst is read-only. OF_ERR_TYPE: value has no type.
 */
OF_API OF_MUST_USE of_status of_fill_value(of_array *dst, of_scalar value, int64_t n,
                                           of_error *err);

OF_END_C

#endif
