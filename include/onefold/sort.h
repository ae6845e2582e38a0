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
 * Bits: contract 9. Cost: a pass to find the spread of the keys, and none more when they are in
 * order already; then linear, one or two passes through memory and the rest in caches. Allocates
 * the result, two words of 64 bits a key, of which the second half is used only where keys are
 * crowded, and a copy of keys that are not contiguous or not sorted along the last dimension. Where
 * keys have few values, 2^16 at most, it counts them instead and allocates counters.
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
 * Bits: contract 9. Cost and memory: as of_sort, but that keys of few values are not counted.
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
 * Bits: contract 9. Cost and memory: as of_argsort. Values of up to 32 bits go with keys that leave
 * them room in a word; others are gathered by an order that is allocated too.
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

/* ---- Searching ---- */

/* Options of searching. Zero means the default, and a NULL pointer to the struct all defaults. */
typedef struct of_search_opts {
    bool right;           /* behind elements that are equal, instead of before them */
    bool descending;      /* the elements fall */
    of_dtype index_dtype; /* OF_I32 or OF_I64; none: OF_I32 up to 2^31 - 1 elements */
    const int64_t *n;     /* search the first n elements in row-major order; NULL: all */
} of_search_opts;

/**
 * Finds where values belong among sorted elements.
 *
 *     for (i = 0; i < size of values; i++)
 *         out[i] = number of elements before values[i]; with `right`, also of those equal to it
 *
 * sorted   any type and shape, in the order of of_sort with the same `descending`; only read. Of
 *          elements that are not, the answer is some number from 0 to n.
 * values   any type and shape; of another type than sorted, they are compared exactly, an integer 0
 *          being +0.0; only read.
 * opts     NULL: all defaults.
 * out      receives the positions, of the shape of values.
 *
 * Bits: contract 9. Cost: log2 n steps a value. Allocates the result, and a copy of an argument that
 * is not contiguous.
 * OF_ERR_VALUE: n is negative or larger than sorted; index_dtype is i32, and n larger than 2^31 - 1.
 * OF_ERR_TYPE: index_dtype is neither i32 nor i64. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_searchsorted(const of_array *sorted, const of_array *values,
                                             const of_search_opts *opts, of_array **out,
                                             of_error *err);

/* Options of of_top_k. Zero means the default, and a NULL pointer to the struct all defaults. */
typedef struct of_top_k_opts {
    bool smallest;        /* the first of the ascending order, instead of the descending one */
    of_dtype index_dtype; /* OF_I32 or OF_I64; none: OF_I32 up to 2^31 - 1 elements */
    const int64_t *n;     /* of the first n elements in row-major order; NULL: all */
    const int *dim;       /* along a dimension; NULL: the elements in row-major order */
} of_top_k_opts;

/**
 * Finds the k largest elements, the largest first, and where they are.
 *
 *     perm = argsort(src, descending);
 *     for (i = 0; i < k; i++) values[i] = src[perm[i]], indices[i] = perm[i];
 *
 * src       any type and shape; only read. NaNs are larger than all else; of equal elements those of
 *           lower index come first.
 * k         from 0 to the number of elements, or along a dim to its size.
 * opts      NULL: all defaults; `n` and `dim` as for of_sort.
 * values    receives the elements, k of one dimension, or along a dim src's shape with k in its
 *           place; NULL: not wanted.
 * indices   receives where they are, of the same shape; NULL: not wanted.
 *
 * Bits: contract 9. Cost: of a whole array three passes, and sorting as many elements as begin with
 * the same digits as the last of the k; along a dim that of of_argsort. Allocates the results and
 * memory for those elements, or along a dim that of of_sort_by_key.
 * OF_ERR_VALUE: k is negative or too large; otherwise errors as of_argsort.
 */
OF_API OF_MUST_USE of_status of_top_k(const of_array *src, int64_t k, const of_top_k_opts *opts,
                                      of_array **values, of_array **indices, of_error *err);

/* ---- Merging and reversing ---- */

/* Options of of_merge. */
typedef struct of_merge_opts {
    bool descending; /* the elements fall */
} of_merge_opts;

/**
 * Merges two sorted arrays into one.
 *
 *     for (k = 0; k < size of a + size of b; k++)
 *         out[k] = b is used up or a[i] is not after b[j] ? a[i++] : b[j++];
 *
 * a, b   of one type, any shape, taken in row-major order, each in the order of of_sort with the
 *        same `descending`; only read. Of elements that are not, the result holds some of them, in
 *        some order.
 * opts   NULL: all defaults.
 * out    receives the elements, in one dimension. Of equal ones those of `a` come first.
 *
 * Bits: contract 9: those of the stable sort of both, one after the other. Cost: one pass. Allocates
 * the result, and a copy of an argument that is not contiguous.
 * OF_ERR_TYPE: a and b have different types. OF_ERR_VALUE: more than 2^63 - 1 bytes. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_merge(const of_array *a, const of_array *b,
                                      const of_merge_opts *opts, of_array **out, of_error *err);

/* Options of of_reverse. */
typedef struct of_reverse_opts {
    const int64_t *n; /* the first n elements in row-major order; NULL: all */
    const int *dim;   /* along a dimension; NULL: the elements in row-major order */
} of_reverse_opts;

/**
 * Turns the order of elements round.
 *
 *     for (i = 0; i < n; i++) out[i] = src[n - 1 - i];
 *
 * src    any type and shape; only read.
 * opts   NULL: all defaults; `n` and `dim` as for of_sort.
 * out    receives the elements: in one dimension, or along a dim of src's shape.
 *
 * Bits: those of src. Cost: one pass. Allocates the result, and a copy of a prefix that is not
 * contiguous. of_array_slice with step -1 gives the same along a dim as a view.
 * Errors as of_sort.
 */
OF_API OF_MUST_USE of_status of_reverse(const of_array *src, const of_reverse_opts *opts,
                                        of_array **out, of_error *err);

OF_END_C

#endif
