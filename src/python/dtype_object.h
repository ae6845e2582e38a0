/* Element types in Python: the 13 scalars, vectors of 2 to 4 and matrices of up to 4x4 of them.
 * There is one object a type, so that `is` compares them. */
#ifndef ONEFOLD_PYTHON_DTYPE_OBJECT_H
#define ONEFOLD_PYTHON_DTYPE_OBJECT_H

#include "python/extension.h"

/* The most components along one side of a vector or matrix. */
enum { MOST_COMPONENTS = 4 };

typedef struct dtype_object {
    PyObject_HEAD of_dtype scalar; /* the type of a component */
    int rank;                      /* 0 scalar, 1 vector, 2 matrix */
    int64_t extent[2];             /* of each of its dimensions */
} dtype_object;

bool dtype_register(PyObject *module);

/* The type's one object, as a new reference. The extents must be in range. */
dtype_object *dtype_make(of_dtype scalar, int rank, const int64_t *extent);

/* The same element with another type of components, as a new reference. */
dtype_object *dtype_with_scalar(const dtype_object *element, of_dtype scalar);

/* The element type that an object stands for, as a new reference: a dtype, or what numpy takes
 * for one. `argument` is its name in messages. */
dtype_object *dtype_from(PyObject *object, const char *argument);

/* A type of scalars or None (OF_DTYPE_NONE), as options take it. */
bool dtype_option(PyObject *object, const char *argument, of_dtype *out);

bool is_dtype(PyObject *object);

/* How many components an element has. */
int64_t dtype_components(const dtype_object *dtype);

/* The name as text, for messages. Room for any name. */
enum { DTYPE_NAME_SIZE = 32 };
const char *dtype_write_name(const dtype_object *dtype, char *text);

/* The type of numpy that a type of scalars is, as a new reference; that of bf16, which numpy
 * lacks, is float32. */
PyObject *dtype_of_numpy(of_dtype scalar);

/* The code of the struct module; NULL for bf16, which has none. */
const char *dtype_format(of_dtype scalar);

#endif
