/*
 * Arrays as rows of elements in flat (row-major) order, whatever their shapes: how far one stride
 * leads, and what lies behind it.
 */
#ifndef ONEFOLD_ARRAY_FLAT_H
#define ONEFOLD_ARRAY_FLAT_H

#include "array/array_internal.h"

/* An array with its dimensions merged as far as its strides allow. */
typedef struct of__flat {
    char *data;
    int64_t size;
    int ndim;
    int64_t shape[OF_MAX_DIMS], strides[OF_MAX_DIMS]; /* of more than one index each */
} of__flat;

of__flat of__flat_of(const of_array *array);

/* Whether one stride leads through all elements: *stride, that of an element when there are fewer
 * than two. */
bool of__flat_is_line(const of__flat *flat, int64_t element_size, int64_t *stride);

/* A place in a flat array: the next element, and how many follow it, it included, with one stride.
 */
typedef struct of__cursor {
    const of__flat *flat;
    char *at;
    int64_t run, stride;
    int64_t index[OF_MAX_DIMS];
} of__cursor;

/* At element number `position`, which exists. */
of__cursor of__cursor_at(const of__flat *flat, int64_t position);

/* Goes on by `count` elements, at most cursor->run. */
void of__cursor_step(of__cursor *cursor, int64_t count);

/* Copies `count` elements between places that each have one stride. */
void of__move_elements(char *to, int64_t to_stride, const char *from, int64_t from_stride,
                       int64_t count, size_t size);

/* Copies the next n elements to packed memory, or from it, and goes on behind them. */
void of__cursor_read(of__cursor *cursor, void *packed, int64_t n, size_t size);
void of__cursor_write(of__cursor *cursor, const void *packed, int64_t n, size_t size);

/* Whether two indices of an array may share memory: each stride, from the smallest on, must step
 * over all that the smaller ones reach. */
bool of__array_may_repeat(const of_array *array);

#endif
