/* What all files of the extension begin with: Python's stable interface, from 3.11 on, and
 * Onefold's public one. */
#ifndef ONEFOLD_PYTHON_EXTENSION_H
#define ONEFOLD_PYTHON_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <onefold/onefold.h>

/* Raises the exception that a status stands for: TypeError, ValueError, IndexError, MemoryError,
 * NotImplementedError, OSError or RuntimeError, with the message of the library. Returns NULL,
 * to be returned. */
PyObject *raise_status(of_status status, const of_error *err);

/* What numpy offers by name, as a new reference. numpy is imported when it is first needed. */
PyObject *numpy_get(const char *name);

/* Calls numpy's function with the arguments, whose references it takes, and a NULL at their end.
 * An argument that is NULL at its place ends the list too: test it before. */
PyObject *numpy_call(const char *name, PyObject *first, ...);

/* Adds a type made from its specification to the module under `name`. Returns the type, or NULL. */
PyTypeObject *add_type(PyObject *module, PyType_Spec *spec, const char *name);

/* Fails unless from `least` to `most` arguments came; for functions that take them as an array. */
bool check_count(const char *function, Py_ssize_t count, Py_ssize_t least, Py_ssize_t most);

#endif
