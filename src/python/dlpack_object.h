/* DLPack: arrays of other libraries without a copy, both ways. */
#ifndef ONEFOLD_PYTHON_DLPACK_OBJECT_H
#define ONEFOLD_PYTHON_DLPACK_OBJECT_H

#include "python/extension.h"

/* Whether the object has __dlpack__. */
bool dlpack_is_offered(PyObject *object);

/* A handle, owned by the caller, over what the object offers. */
of_array *dlpack_borrow(PyObject *object, const char *argument);

/* How to take it; OR them together. */
enum {
    DLPACK_TO_CPU = 1,   /* the object's library is to copy it to the CPU's memory */
    DLPACK_NO_COPY = 2,  /* it is not to copy it at all */
    DLPACK_READ_ONLY = 4 /* nothing may be written to it, whatever the library says */
};

/* The same, of an object or of a capsule that one gave. */
of_array *dlpack_take(PyObject *object, const char *argument, unsigned how);

/* Whether an object says that it is in memory that the CPU cannot read. */
bool dlpack_is_elsewhere(PyObject *object, bool *elsewhere);

/* The argument copy: True (must), False (may not), None. */
bool dlpack_read_copy(PyObject *object, bool *must, bool *may);

/* A copy of a handle, which is released, made without Python's lock. */
of_array *dlpack_replace_by_copy(of_array *array);

/* Methods of Array. */
PyObject *array_dlpack(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *array_dlpack_device(PyObject *self, PyObject *unused);

#endif
