/* The module onefold._core. */
#include <stdarg.h>

#include "python/array_object.h"
#include "python/bindings.h"
#include "python/library_call.h"

PyObject *raise_status(of_status status, const of_error *err) {
    PyObject *type = PyExc_RuntimeError;
    switch (status) {
    case OF_ERR_VALUE:
    case OF_ERR_FORMAT: type = PyExc_ValueError; break;
    case OF_ERR_TYPE: type = PyExc_TypeError; break;
    case OF_ERR_INDEX: type = PyExc_IndexError; break;
    case OF_ERR_MEMORY: type = PyExc_MemoryError; break;
    case OF_ERR_UNSUPPORTED: type = PyExc_NotImplementedError; break;
    case OF_ERR_IO: type = PyExc_OSError; break;
    case OF_ERR_DEVICE:
    case OF_OK: break;
    }
    PyErr_SetString(type, err->message);
    return NULL;
}

PyObject *numpy_get(const char *name) {
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *found = numpy != NULL ? PyObject_GetAttrString(numpy, name) : NULL;
    Py_XDECREF(numpy);
    return found;
}

PyObject *numpy_call(const char *name, PyObject *first, ...) {
    PyObject *args = PyList_New(0);
    va_list list;
    va_start(list, first);
    for (PyObject *next = first; next != NULL; next = va_arg(list, PyObject *)) {
        if (args != NULL && PyList_Append(args, next) < 0) Py_CLEAR(args);
        Py_DECREF(next);
    }
    va_end(list);
    PyObject *tuple = args != NULL ? PyList_AsTuple(args) : NULL;
    Py_XDECREF(args);
    PyObject *function = tuple != NULL ? numpy_get(name) : NULL;
    PyObject *result = function != NULL ? PyObject_Call(function, tuple, NULL) : NULL;
    Py_XDECREF(function);
    Py_XDECREF(tuple);
    return result;
}

PyTypeObject *add_type(PyObject *module, PyType_Spec *spec, const char *name) {
    PyObject *type = PyType_FromSpec(spec);
    if (type == NULL || PyModule_AddObjectRef(module, name, type) < 0) return NULL;
    return (PyTypeObject *)type;
}

bool check_count(const char *function, Py_ssize_t count, Py_ssize_t least, Py_ssize_t most) {
    if (count >= least && count <= most) return true;
    PyErr_Format(PyExc_TypeError, "_core.%s takes %zd arguments, not %zd", function, most, count);
    return false;
}

static PyMethodDef functions[] = {
#define BINDING(name) {#name, (PyCFunction)(void (*)(void))bind_##name, METH_FASTCALL, NULL},
#include "python/bindings.def"
#undef BINDING
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "onefold._core",
    .m_doc =
        "Onefold's C library, with all arguments by position; the package's modules are its users.",
    .m_size = -1,
    .m_methods = functions,
};

/* The numbers of operations, as dictionaries by name. */
static bool add_numbers(PyObject *module) {
    PyObject *operations = PyDict_New(), *groups = PyDict_New();
    bool good = operations != NULL && groups != NULL;
    for (int i = 0; good && i < OF_OPERATION_END; i++) {
        PyObject *number = PyLong_FromLong(i);
        good = number != NULL &&
               PyDict_SetItemString(operations, of_operation_name((of_operation)i), number) == 0;
        Py_XDECREF(number);
    }
    for (int i = 0; good && i < OF_GROUP_OPERATION_END; i++) {
        PyObject *number = PyLong_FromLong(i);
        good = number != NULL &&
               PyDict_SetItemString(groups, of_group_operation_name((of_group_operation)i),
                                    number) == 0;
        Py_XDECREF(number);
    }
    good = good && PyModule_AddObjectRef(module, "OPERATIONS", operations) == 0 &&
           PyModule_AddObjectRef(module, "GROUP_OPERATIONS", groups) == 0;
    Py_XDECREF(operations);
    Py_XDECREF(groups);
    return good;
}

PyMODINIT_FUNC PyInit__core(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) return NULL;
    if (dtype_register(module) && array_register(module) && call_register() &&
        add_numbers(module) &&
        PyModule_AddStringConstant(module, "__version__", of_version()) == 0) {
        return module;
    }
    Py_DECREF(module);
    return NULL;
}
