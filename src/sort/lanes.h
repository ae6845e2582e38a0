/* A sort of a whole array or along a dimension, as lanes: contiguous lines of elements, each sorted
 * by itself. A whole array is one lane. */
#ifndef ONEFOLD_SORT_LANES_H
#define ONEFOLD_SORT_LANES_H

#include <onefold/sort.h>

#include "array/array_internal.h"

typedef struct of__lanes {
    int dim;               /* -1: one lane of the first elements in row-major order */
    int64_t count, length; /* lanes, and elements of one */
    int ndim;              /* of results */
    int64_t shape[OF_MAX_DIMS];
} of__lanes;

/* The lanes that options ask for, of an array called `name`. OF_ERR_VALUE. */
of_status of__lanes_of(const of_array *array, const char *name, const int64_t *n, const int *dim,
                       of__lanes *out, of_error *err);

/* The elements of an array lane after lane, contiguous: a view or a copy, to be released.
 * OF_ERR_MEMORY. */
of_status of__lanes_take(const of__lanes *lanes, const of_array *array, of_array **out,
                         of_error *err);

/* A result, and the memory in which its lanes are contiguous: its own, or that of another array. */
typedef struct of__lanes_result {
    of_array *result, *lanes;
} of__lanes_result;

/* OF_ERR_MEMORY. */
of_status of__lanes_result_create(const of__lanes *lanes, of_device *device, of_dtype dtype,
                                  of__lanes_result *out, of_error *err);

/* Puts the elements into their places and hands over the result. */
of_array *of__lanes_result_finish(const of__lanes *lanes, of__lanes_result *result);

void of__lanes_result_release(of__lanes_result *result);

/* Sorts each lane of contiguous keys into `sorted` and `order`, either of which may be NULL.
 * OF_ERR_MEMORY: nothing was written. */
of_status of__lanes_sort(const of__lanes *lanes, of_dtype dtype, bool descending, const void *keys,
                         void *sorted, void *order, of_dtype index_dtype, of_error *err);

#endif
