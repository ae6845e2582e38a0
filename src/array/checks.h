/* Checks that calls of every family make, so that one mistake has one message. */
#ifndef ONEFOLD_ARRAY_CHECKS_H
#define ONEFOLD_ARRAY_CHECKS_H

#include "array/array_internal.h"

/* OF_ERR_VALUE when an array is NULL. */
of_status of__check_given(const of_array *array, const char *name, of_error *err);

/* OF_ERR_VALUE when two arrays are on different devices. */
of_status of__check_same_device(const of_array *a, const char *a_name, const of_array *b,
                                const char *b_name, of_error *err);

/* The option n, how many elements to look at: *n, or without one `size`, which is that of `name`.
 * OF_ERR_VALUE when it is negative or larger than that. */
of_status of__check_limit(const int64_t *n, int64_t size, const char *name, int64_t *out,
                          of_error *err);

/* The option index_dtype, the type of indices into `count` elements (contract 9). OF_ERR_TYPE,
 * OF_ERR_VALUE. */
of_status of__check_index_dtype(of_dtype wanted, int64_t count, of_dtype *out, of_error *err);

/* OF_ERR_TYPE unless an array holds integers. */
of_status of__check_integers(const of_array *array, const char *name, of_error *err);

/* OF_ERR_VALUE when an array that is to be written is read-only, or has strides that lead to one
 * element twice. */
of_status of__check_writable(const of_array *array, const char *name, of_error *err);

/* OF_ERR_VALUE when an array that is to be written overlaps another. */
of_status of__check_apart(const of_array *written, const char *name, const of_array *other,
                          const char *other_name, of_error *err);

#endif
