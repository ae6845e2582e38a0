/*
 * Sorting, and what goes with it: permutations, gathering, scattering, searching, merging.
 *
 * One order everywhere (contract 9), for all 13 types: integers and bool by value; floats -inf ...
 * -0.0, +0.0 ... +inf, then NaNs, which are all equal. Descending is the reverse order. Every sort
 * is stable in either direction: equal keys keep their order. Elements are moved, so NaNs keep
 * their payloads.
 *
 * A result is a new row-major array on the device of the first argument, which the caller releases.
 * Arguments may have any strides and alignment. A call that fails has written nothing.
 */
#ifndef ONEFOLD_SORT_H
#define ONEFOLD_SORT_H

#include <onefold/array.h>

OF_BEGIN_C

/* Options of sorting. Zero means the default, and a NULL pointer to the struct all defaults. */
typedef struct of_sort_opts {
    bool descending;
    of_dtype index_dtype; /* of argsort: OF_I32 or OF_I64; none: OF_I32 up to 2^31 - 1 elements */
    const int64_t *n;     /* sort the first n elements in row-major order; NULL: all */
    const int *dim;       /* sort along a dimension; NULL: the elements in row-major order */
} of_sort_opts;

/**
 * Sorts.
 *
 *     perm = argsort(keys);
 *     for (i = 0; i < n; i++) out[i] = keys[perm[i]];
 *
 * keys   any type and shape; only read.
 * opts   NULL: all defaults. Without `dim` the result has one dimension, of n elements. With `dim`
 *        (negative counts from the end) it has the shape of keys, and each line of elements along
 *        that dimension is sorted by itself; `n` must then be NULL. index_dtype is not used.
 * out    receives the sorted elements.
 *
 * Bits: contract 9. Cost: a pass to find the spread of the keys, then one for each 8 bits of it;
 * none when they are in order already. Allocates the result and up to one copy of the keys, two
 * where they are not contiguous or not sorted along the last dimension.
 * OF_ERR_VALUE: n is negative or larger than keys, n and dim are both given, or dim is out of
 * range. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_sort(const of_array *keys, const of_sort_opts *opts, of_array **out,
                                     of_error *err);

/**
 * Finds the order in which keys would be sorted.
 *
 *     out[0 .. n) is the permutation of 0 .. n - 1 for which keys[out[0]], keys[out[1]], ... rise,
 *     out[i] < out[i + 1] wherever keys[out[i]] and keys[out[i + 1]] are equal
 *
 * keys, opts   as for of_sort; along a dim the indices count from 0 in each line, and the length of
 *              a line decides their default type.
 * out          receives the indices, of the shape of of_sort's result.
 *
 * Bits: contract 9. Cost: as of_sort. Allocates the result and up to two records of 8 bytes a key
 * (16, for keys too far apart), and what of_sort does for keys that are not contiguous.
 * Errors as of_sort; OF_ERR_TYPE: index_dtype is neither i32 nor i64. OF_ERR_VALUE: it is i32, and
 * there are more than 2^31 - 1 elements.
 */
OF_API OF_MUST_USE of_status of_argsort(const of_array *keys, const of_sort_opts *opts,
                                        of_array **out, of_error *err);

/**
 * Sorts keys and carries values along.
 *
 *     perm = argsort(keys);
 *     for (i = 0; i < n; i++) keys_out[i] = keys[perm[i]], values_out[i] = values[perm[i]];
 *
 * keys, opts   as for of_sort.
 * values       any type. Along a dim: of the shape of keys. Else of that shape too, or with the n
 *              values as the first of its first dimension: of shape (n or more, ...).
 * keys_out     receives the sorted keys, as of_sort; NULL: not wanted.
 * values_out   receives the values, of the shape (n, ...), or along a dim that of keys; NULL: not
 *              wanted.
 *
 * Bits: contract 9. Cost and memory: as of_argsort, and one gather of the values in that order.
 * Errors as of_sort; OF_ERR_VALUE: values has another shape.
 */
OF_API OF_MUST_USE of_status of_sort_by_key(const of_array *keys, const of_array *values,
                                            const of_sort_opts *opts, of_array **keys_out,
                                            of_array **values_out, of_error *err);

/* Options of gathering and scattering. */
typedef struct of_gather_opts {
    bool unchecked;   /* do not look whether indices are in range; any that is not is undefined */
    const int64_t *n; /* the first n indices in row-major order; NULL: all */
} of_gather_opts;

/**
 * Takes rows by number.
 *
 *     for (i = 0; i < n; i++) out[i] = src[indices[i]];
 *
 * src       any type, of one dimension or more; a row is what one index of the first leaves.
 * indices   any integer type and shape; only read.
 * opts      NULL: all defaults.
 * out       receives the rows, of shape indices.shape + src.shape[1:], or with `n` (n,) +
 *           src.shape[1:].
 *
 * Bits: those of src. Cost: one pass over the indices to check them, one to move. Allocates the
 * result, and a copy of an argument whose rows or indices are not contiguous.
 * OF_ERR_INDEX: an index is negative or not below the number of rows. OF_ERR_TYPE: indices are no
 * integers. OF_ERR_VALUE: src has no dimension, the result would have more than OF_MAX_DIMS, or n
 * is negative or larger than indices. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_gather(const of_array *src, const of_array *indices,
                                       const of_gather_opts *opts, of_array **out, of_error *err);

/**
 * Puts rows by number.
 *
 *     for (i = 0; i < n; i++) dst[indices[i]] = src[i];
 *
 * src       of dst's type, of shape indices.shape + dst.shape[1:]; only read.
 * indices   any integer type and shape; only read.
 * dst       writable, of one dimension or more; may overlap neither of the two. Of equal indices
 *           the last wins; rows that no index names are left as they are.
 * opts      NULL: all defaults. With `n` the first n indices and rows, and src may also be of shape
 *           (n or more,) + dst.shape[1:].
 *
 * Bits: those of src. Cost: one pass over the indices to check them, one to move. Allocates only a
 * copy of an argument whose rows or indices are not contiguous.
 * Errors as of_gather; OF_ERR_TYPE: src and dst have different types. OF_ERR_VALUE: their shapes do
 * not match, dst is read-only or overlaps an argument.
 */
OF_API OF_MUST_USE of_status of_scatter(const of_array *src, const of_array *indices, of_array *dst,
                                        const of_gather_opts *opts, of_error *err);

OF_END_C

#endif
