/* DLPack: arrays of other libraries without a copy, both ways. */
#ifndef ONEFOLD_PYTHON_DLPACK_OBJECT_H
#define ONEFOLD_PYTHON_DLPACK_OBJECT_H

#include "python/extension.h"

/* Whether the object has __dlpack__. */
bool dlpack_is_offered(PyObject *object);

/* A handle, owned by the caller, over what the object offers. */
of_array *dlpack_borrow(PyObject *object, const char *argument);

#endif
