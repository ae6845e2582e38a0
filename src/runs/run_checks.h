/* What the calls on runs and selections check alike. */
#ifndef ONEFOLD_RUNS_RUN_CHECKS_H
#define ONEFOLD_RUNS_RUN_CHECKS_H

#include "array/array_internal.h"

/* How many elements to look at: *n, or without one the array's size. OF_ERR_VALUE: more than there
 * are. `name` is the array's, `size` its elements, or its rows. */
of_status of__check_limit(const int64_t *n, const char *name, int64_t size, int64_t *out,
                          of_error *err);

/* The type of indices into n elements (contract 10). OF_ERR_TYPE, OF_ERR_VALUE. */
of_status of__index_type(of_dtype wanted, int64_t n, of_dtype *out, of_error *err);

/* OF_ERR_VALUE when an array is NULL. */
of_status of__check_given(const of_array *array, const char *name, of_error *err);

/* OF_ERR_VALUE when two arrays are on different devices. */
of_status of__check_same_device(const of_array *a, const char *a_name, const of_array *b,
                                const char *b_name, of_error *err);

/* A new array of one dimension on the device of another. */
of_status of__create_list(const of_array *like, of_dtype dtype, int64_t size, of_array **out,
                          of_error *err);

#endif
