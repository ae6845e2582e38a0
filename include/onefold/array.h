/*
 * Typed arrays of up to 8 dimensions: memory on a device, a type, a shape and strides.
 *
 * An array is a reference counted handle. Views (slice, reshape, transpose) share the memory of the
 * array they were made from and keep it alive. A handle's shape and type never change. Any number
 * of threads may read an array at once; a call that writes one must be the only user of those
 * elements.
 */
#ifndef ONEFOLD_ARRAY_H
#define ONEFOLD_ARRAY_H

#include <onefold/device.h>
#include <onefold/dtype.h>

OF_BEGIN_C

/* The most dimensions that an array can have. */
#define OF_MAX_DIMS 8

/* A handle of an array. */
typedef struct of_array of_array;

/* Called once, when the last view of borrowed memory goes. */
typedef void (*of_deleter)(void *data, void *context);

/**
 * Makes a new row-major array. Its elements are unspecified until written.
 *
 * device   NULL: the default device.
 * dtype    any of the 13 types.
 * ndim     0 to OF_MAX_DIMS; 0 makes an array of one element.
 * shape    ndim sizes, each 0 or more; may be NULL when ndim is 0.
 * out      receives the array; the caller releases it.
 *
 * OF_ERR_TYPE: dtype. OF_ERR_VALUE: ndim, a negative size, or a size in bytes past 2^63 - 1.
 * OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_array_create(of_device *device, of_dtype dtype, int ndim,
                                             const int64_t *shape, of_array **out, of_error *err);

/** As of_array_create, with every byte zero. */
OF_API OF_MUST_USE of_status of_array_zeros(of_device *device, of_dtype dtype, int ndim,
                                            const int64_t *shape, of_array **out, of_error *err);

/* How of_array_wrap treats memory; OR them together. */
enum { OF_WRAP_READ_ONLY = 1 };

/**
 * Makes an array over memory that somebody else owns, without a copy.
 *
 * data      the element at index (0, ..., 0); any alignment. May be NULL only when the array has
 *           no elements.
 * strides   bytes from one index to the next along each dimension; may be negative or zero.
 *           NULL: row-major.
 * flags     OF_WRAP_READ_ONLY: writing calls refuse the array.
 * deleter   called with (data, context) once, when the last view of the memory is released, on
 *           the thread that does it; not called when this function fails. NULL: nothing to do.
 *
 * Errors as of_array_create; OF_ERR_VALUE too for strides whose reach overflows or leads past
 * either end of all addresses, and for a missing `data`.
 */
OF_API OF_MUST_USE of_status of_array_wrap(of_device *device, of_dtype dtype, int ndim,
                                           const int64_t *shape, const int64_t *strides, void *data,
                                           unsigned flags, of_deleter deleter, void *context,
                                           of_array **out, of_error *err);

/** Adds an owner. Returns `array`. NULL is allowed and returned. */
OF_API of_array *of_array_retain(of_array *array);

/** Gives up one ownership; the last one frees the array. NULL is allowed. */
OF_API void of_array_release(of_array *array);

/** Where its memory is. */
OF_API of_device *of_array_device(const of_array *array);
/** The type of its elements. */
OF_API of_dtype of_array_dtype(const of_array *array);
/** The number of dimensions. */
OF_API int of_array_ndim(const of_array *array);
/** of_array_ndim sizes; lives as long as the array. */
OF_API const int64_t *of_array_shape(const of_array *array);
/** of_array_ndim strides in bytes; lives as long as the array. */
OF_API const int64_t *of_array_strides(const of_array *array);
/** The number of elements: the product of the shape. */
OF_API int64_t of_array_size(const of_array *array);
/** The bytes that its elements take: size times element size. */
OF_API int64_t of_array_nbytes(const of_array *array);
/** True when calls that write refuse it. */
OF_API bool of_array_is_read_only(const of_array *array);
/** True when the elements lie one after another in row-major order. */
OF_API bool of_array_is_contiguous(const of_array *array);
/** The element at index (0, ..., 0), for reading. NULL when there is no element. */
OF_API const void *of_array_data(const of_array *array);
/** As of_array_data, for writing; NULL too when the array is read-only. */
OF_API void *of_array_mutable_data(of_array *array);

/**
 * A view of part of one dimension.
 *
 *     for (i = 0; i < length; i++) out[..., i, ...] is src[..., start + i * step, ...];
 *
 * dim      the dimension; negative counts from the end.
 * start    index of the first element taken, 0 <= start < size (from 0 to size when length is 0).
 * length   how many.
 * step     the distance between them, negative to go backwards, not 0.
 *
 * OF_ERR_VALUE: dim, step or length. OF_ERR_INDEX: an element outside the dimension.
 */
OF_API OF_MUST_USE of_status of_array_slice(of_array *src, int dim, int64_t start, int64_t length,
                                            int64_t step, of_array **out, of_error *err);

/**
 * A view with another shape over the same elements in row-major order. One size may be -1:
 * inferred.
 *
 * OF_ERR_VALUE: the sizes do not multiply to the array's size, or the strides of `src` allow no
 * such view (make a copy with of_array_copy first).
 */
OF_API OF_MUST_USE of_status of_array_reshape(of_array *src, int ndim, const int64_t *shape,
                                              of_array **out, of_error *err);

/**
 * A view with the dimensions in another order: dimension i of the result is dimension axes[i] of
 * `src`.
 *
 * axes   ndim numbers, a permutation (negative ones count from the end); NULL reverses the order.
 * OF_ERR_VALUE: not a permutation.
 */
OF_API OF_MUST_USE of_status of_array_transpose(of_array *src, const int *axes, of_array **out,
                                                of_error *err);

/**
 * A new row-major array on the same device with the same elements.
 * OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_array_copy(const of_array *src, of_array **out, of_error *err);

/**
 * A new row-major array with every element converted (contract 1).
 * OF_ERR_TYPE: dtype. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_array_convert(const of_array *src, of_dtype dtype, of_array **out,
                                              of_error *err);

/**
 * Reads one element.
 *
 * index   ndim indices; negative ones count from the end. May be NULL when ndim is 0.
 * OF_ERR_INDEX: out of range.
 */
OF_API OF_MUST_USE of_status of_array_get(const of_array *array, const int64_t *index,
                                          of_scalar *out, of_error *err);

/**
 * Sets every element to a value, converted to the array's type (contract 1).
 * OF_ERR_VALUE: the array is read-only.
 */
OF_API OF_MUST_USE of_status of_array_fill(of_array *array, of_scalar value, of_error *err);

OF_END_C

#endif
