/* Devices, threads, instruction sets. */
#include "python/bindings.h"

static PyObject *none_or_raise(of_status status, const of_error *err) {
    if (status != OF_OK) return raise_status(status, err);
    Py_RETURN_NONE;
}

PyObject *bind_device_names(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module, (void)args;
    if (!check_count("device_names", count, 0, 0)) return NULL;
    PyObject *names = PyTuple_New(of_device_count());
    for (int i = 0; names != NULL && i < of_device_count(); i++) {
        PyObject *name = PyUnicode_FromString(of_device_name(of_device_at(i)));
        if (name == NULL || PyTuple_SetItem(names, i, name) < 0) Py_CLEAR(names);
    }
    return names;
}

/* device_find(name or None): the name of the device that is meant. */
PyObject *bind_device_find(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    of_device *device;
    of_error err = {0};
    if (!check_count("device_find", count, 1, 1) || !operand_device(args[0], &device)) return NULL;
    if (device == NULL) {
        of_status status = of_device_find(NULL, &device, &err);
        if (status != OF_OK) return raise_status(status, &err);
    }
    return PyUnicode_FromString(of_device_name(device));
}

PyObject *bind_device_describe(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    of_device *device;
    if (!check_count("device_describe", count, 1, 1) || !operand_device(args[0], &device))
        return NULL;
    return PyUnicode_FromString(of_device_description(device));
}

PyObject *bind_device_set_default(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    of_device *device;
    if (!check_count("device_set_default", count, 1, 1) || !operand_device(args[0], &device))
        return NULL;
    of_device_set_default(device);
    Py_RETURN_NONE;
}

PyObject *bind_device_sync(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    of_device *device;
    of_error err = {0};
    if (!check_count("device_sync", count, 1, 1) || !operand_device(args[0], &device)) return NULL;
    return none_or_raise(of_device_sync(device, &err), &err);
}

PyObject *bind_threads_get(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module, (void)args;
    return check_count("threads_get", count, 0, 0) ? PyLong_FromLong(of_threads_get()) : NULL;
}

PyObject *bind_threads_set(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    int64_t threads;
    of_error err = {0};
    if (!check_count("threads_set", count, 1, 1) || !operand_int(args[0], "threads", &threads))
        return NULL;
    int asked = threads < -1 ? -1 : threads > INT16_MAX ? INT16_MAX : (int)threads;
    return none_or_raise(of_threads_set(asked, &err), &err);
}

PyObject *bind_isa_get(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module, (void)args;
    return check_count("isa_get", count, 0, 0) ? PyUnicode_FromString(of_isa_get()) : NULL;
}

PyObject *bind_isa_set(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    of_error err = {0};
    if (!check_count("isa_set", count, 1, 1)) return NULL;
    const char *name = args[0] == Py_None ? NULL : PyUnicode_AsUTF8AndSize(args[0], NULL);
    if (name == NULL && args[0] != Py_None) return NULL;
    return none_or_raise(of_isa_set(name, &err), &err);
}

PyObject *bind_isa_names(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module, (void)args;
    if (!check_count("isa_names", count, 0, 0)) return NULL;
    int names = 0;
    while (of_isa_at(names) != NULL) names++;
    PyObject *tuple = PyTuple_New(names);
    for (int i = 0; tuple != NULL && i < names; i++) {
        PyObject *name = PyUnicode_FromString(of_isa_at(i));
        if (name == NULL || PyTuple_SetItem(tuple, i, name) < 0) Py_CLEAR(tuple);
    }
    return tuple;
}
