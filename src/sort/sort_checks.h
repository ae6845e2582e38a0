/* Checks that the functions of sort.h share. */
#ifndef ONEFOLD_SORT_SORT_CHECKS_H
#define ONEFOLD_SORT_SORT_CHECKS_H

#include "array/array_internal.h"

/* How many elements of `array`, called `name`, the option n takes. OF_ERR_VALUE. */
of_status of__check_n(const int64_t *n, const of_array *array, const char *name, int64_t *out,
                      of_error *err);

/* OF_ERR_VALUE when an argument is NULL, or on another device than `first`, unless that is NULL. */
of_status of__check_array(const of_array *array, const char *name, const of_array *first,
                          of_error *err);

/* The type of indices into `count` elements. OF_ERR_TYPE, OF_ERR_VALUE. */
of_status of__check_index_dtype(of_dtype wanted, int64_t count, of_dtype *out, of_error *err);

/* OF_ERR_VALUE when an array that is to be written is read-only, or has elements that share memory
 * with each other or with `other`. */
of_status of__check_writable(const of_array *array, const char *name, const of_array *other,
                             const char *other_name, of_error *err);

/* What a pass over n elements of `size` bytes is worth, without overflow. */
int of__workers_for_elements(int64_t n, int64_t size);

#endif
