/* What onefold._core offers to the Python files of the package: the library's functions with all
 * their arguments by position. Names, defaults and documentation are the package's. */
#ifndef ONEFOLD_PYTHON_BINDINGS_H
#define ONEFOLD_PYTHON_BINDINGS_H

#include "python/operand.h"

#define BINDING(name)                                                                              \
    PyObject *bind_##name(PyObject *module, PyObject *const *args, Py_ssize_t count);
#include "python/bindings.def"
#undef BINDING

#endif
