/*
 * Where the elements of an array, or of a slice of it, lie: shape and strides brought to the fewest
 * dimensions, and blocks of elements fetched from them.
 */
#ifndef ONEFOLD_REDUCE_LAYOUT_H
#define ONEFOLD_REDUCE_LAYOUT_H

#include "array/array_internal.h"

typedef struct of__layout {
    const char *data;
    int64_t element_size, size;
    int ndim;
    int64_t shape[OF_MAX_DIMS], strides[OF_MAX_DIMS];
} of__layout;

/* All elements in row-major order. */
of__layout of__layout_of(const of_array *array);

/* A layout without data and dimensions, to which dimensions are appended, the outermost first. */
of__layout of__layout_begin(int64_t element_size);
void of__layout_append(of__layout *layout, int64_t shape, int64_t stride);

/* Forgets the order of the elements, so that any dense array becomes contiguous. Moves `data`. */
void of__layout_forget_order(of__layout *layout);

bool of__layout_is_contiguous(const of__layout *layout);

/* Elements that of__layout_fetch hands over at most. */
#define OF__FETCH 2048

/* The bytes from `data` to the element at a position in row-major order. */
int64_t of__layout_offset(const of__layout *layout, int64_t position);

/* The n <= OF__FETCH elements from position `start`, contiguous: where they are, or copied into
 * `buffer`, which has room for OF__FETCH of them. */
const void *of__layout_fetch(const of__layout *layout, int64_t start, int64_t n, void *buffer);

/* Copies n elements that lie `stride` bytes apart. */
void of__copy_strided(void *to, const char *from, int64_t n, int64_t stride, int64_t element_size);

#endif
