/* The options that many functions take, and the arrays that they hand out. */
#ifndef ONEFOLD_PYTHON_CALL_OPTIONS_H
#define ONEFOLD_PYTHON_CALL_OPTIONS_H

#include "python/library_call.h"
#include "python/operand.h"

/* How many elements a handle has whose last dimensions are the element's. */
int64_t element_count(const of_array *array, const dtype_object *element);

/*
 * None, which leaves *out, or the first n elements, which *out then points to in the call.
 *
 * element, array, name   of an array of vectors or matrices, which n may not be larger than: n is
 *                        checked and then counts components. Of scalars, where `element` may be
 *                        NULL, the function itself checks.
 */
bool option_n(PyObject *object, call *call, const dtype_object *element, const of_array *array,
              const char *name, const int64_t **out);

/* None, which leaves *out, or a dimension of an array of `ndim`, which *out then points to in the
 * call, counted from the front. */
bool option_dim(PyObject *object, call *call, int ndim, const int **out);

/* Whether an object is true. */
bool option_flag(PyObject *object, bool *out);

/* The text of a name; TypeError when it is none. NULL then. */
const char *option_name(PyObject *object, const char *argument);

/* The number of an operation on groups, by its name. */
bool option_group_operation(PyObject *object, const char *argument, int *out);

/* TypeError unless two arrays have the same element; where `scalars_fit`, an array of scalars may
 * stand for the first, with the components in its last dimensions. */
bool same_element(const dtype_object *a, const char *a_name, const dtype_object *b,
                  const char *b_name, bool scalars_fit);

/* ValueError when a handle has no dimension but those of its element. */
bool has_rows(const of_array *array, const dtype_object *element, const char *name);

/* The sum or largest of integers, where it tells how much a call will make; 0 when there is none. */
int64_t integer_reduced(const of_array *array, of_operation operation);

/* Result k as an Array of scalars, or of elements like those of `element`. */
PyObject *call_result(call *call, int k, const dtype_object *element);

/*
 * The elements of a handle one after another: of one dimension and then the last `rank`, those of
 * an element. A view where its strides allow it, else a copy; owned by the caller. For bodies of
 * calls: it touches no Python object.
 */
of_status flat_elements(of_array *array, int rank, of_array **out, of_error *err);

#endif
