/* onefold.Array: a typed array, a view of one, or a row of arrays that hold the components of
 * vectors. */
#ifndef ONEFOLD_PYTHON_ARRAY_OBJECT_H
#define ONEFOLD_PYTHON_ARRAY_OBJECT_H

#include "python/dtype_object.h"

/* An array of vectors or matrices has their dimensions behind its own in `whole`, interleaved
 * or, where its layout is "soa", with the components far apart. soa(x, y, z) of arrays that lie
 * anywhere has no such whole: it has `parts`. */
typedef struct array_object {
    PyObject_HEAD of_array *whole; /* NULL: there are parts */
    PyObject *parts;               /* NULL, or a tuple of Arrays of scalars, one a component */
    dtype_object *dtype;           /* of an element */
    bool soa;
    PyObject *weak_references;
} array_object;

bool array_register(PyObject *module);

bool is_array(PyObject *object);

/* An Array over a handle, which it takes over even on failure; NULL is passed on, for a failure
 * before. The element's dimensions are the handle's last. */
PyObject *array_wrap(of_array *whole, const dtype_object *dtype);

/* An Array of scalars of the handle's type. */
PyObject *array_wrap_scalars(of_array *whole);

/* The number of dimensions, and one of the sizes, of an array's elements. */
int array_ndim(const array_object *array);
const int64_t *array_shape(const array_object *array);
int64_t array_size(const array_object *array);

/* A handle of all components of all elements, owned by the caller: the array itself, or a copy
 * where the parts lie apart. */
of_array *array_whole(array_object *array);

/* A view of component k, or the part itself, owned by the caller. */
of_array *array_component(array_object *array, int64_t k);

/* A value as a Python bool, int or float. */
PyObject *scalar_to_python(of_scalar value);

/* A value as a Python float. */
PyObject *scalar_to_float(of_scalar value);

/* The element where an array has only one. ValueError when it has more. */
bool array_only_element(array_object *array, of_scalar *out);

/* What the type's table of methods takes from elsewhere. */
extern PyMethodDef array_methods[];
extern PyGetSetDef array_properties[];

PyObject *array_subscript(PyObject *self, PyObject *index);
PyObject *array_repr(PyObject *self);
int array_get_buffer(PyObject *self, Py_buffer *view, int flags);
void array_release_buffer(PyObject *self, Py_buffer *view);

#endif
