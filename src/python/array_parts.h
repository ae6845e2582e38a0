/* What the files of Array share: how its elements lie. */
#ifndef ONEFOLD_PYTHON_ARRAY_PARTS_H
#define ONEFOLD_PYTHON_ARRAY_PARTS_H

#include "python/array_object.h"

/* An Array of what is given, whose references it takes over even on failure. */
array_object *array_make(const dtype_object *dtype, of_array *whole, PyObject *parts, bool soa);

bool array_is_read_only(const array_object *array);

/* A view of component k of a handle whose last dimensions are the element's; owned by the
 * caller. */
of_array *component_of(of_array *whole, const dtype_object *dtype, int64_t k);

/* The sizes of an array, then those of an element, into `full`. Returns how many, or -1 with
 * ValueError when they are too many. */
int full_shape(int ndim, const int64_t *shape, const dtype_object *dtype, int64_t *full);

#endif
