#include "python/dlpack_object.h"

bool dlpack_is_offered(PyObject *object) {
    return PyObject_HasAttrString(object, "__dlpack__");
}

/* Through numpy, which knows the protocol. */
of_array *dlpack_borrow(PyObject *object, const char *argument) {
    (void)object;
    PyErr_Format(PyExc_NotImplementedError, "%s: DLPack", argument);
    return NULL;
}
