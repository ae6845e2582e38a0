#include "python/dlpack_object.h"

#include <stdio.h>

#include "python/array_object.h"
#include "python/operand.h"

/* The names of capsules, which say whose turn it is to delete what they hold.
 * https://dmlc.github.io/dlpack/latest/python_spec.html */
static const char fresh[] = "dltensor_versioned", used[] = "used_dltensor_versioned";
static const char fresh_unversioned[] = "dltensor", used_unversioned[] = "used_dltensor";

/* DLPack's numbers of what the CPU can read. */
enum { KIND_CPU = 1, KIND_CUDA_HOST = 3 };

/* ---- Lending ---- */

/* A capsule that nobody took gives its tensor back. */
static void capsule_destroy(PyObject *capsule) {
    if (PyCapsule_IsValid(capsule, fresh))
        of_dlpack_release(PyCapsule_GetPointer(capsule, fresh));
    else if (PyCapsule_IsValid(capsule, fresh_unversioned))
        of_dlpack_release_unversioned(PyCapsule_GetPointer(capsule, fresh_unversioned));
}

/* The protocol has one exception for what cannot be lent. */
static PyObject *cannot_lend(of_status status, const of_error *err) {
    if (status == OF_ERR_VALUE || status == OF_ERR_DEVICE)
        PyErr_SetString(PyExc_BufferError, err->message);
    else
        raise_status(status, err);
    return NULL;
}

static PyObject *lend_versioned(of_array *whole, unsigned flags) {
    struct DLManagedTensorVersioned *tensor;
    of_error err = {0};
    of_status status = of_dlpack_export(whole, flags, &tensor, &err);
    if (status != OF_OK) return cannot_lend(status, &err);
    PyObject *capsule = PyCapsule_New(tensor, fresh, capsule_destroy);
    if (capsule == NULL) of_dlpack_release(tensor);
    return capsule;
}

static PyObject *lend_unversioned(of_array *whole) {
    struct DLManagedTensor *tensor;
    of_error err = {0};
    of_status status = of_dlpack_export_unversioned(whole, &tensor, &err);
    if (status != OF_OK) return cannot_lend(status, &err);
    PyObject *capsule = PyCapsule_New(tensor, fresh_unversioned, capsule_destroy);
    if (capsule == NULL) of_dlpack_release_unversioned(tensor);
    return capsule;
}

/* None or a pair of ints. */
static bool read_pair(PyObject *object, const char *argument, int64_t pair[2]) {
    if (object == Py_None) return true;
    if (!PyTuple_Check(object) || PyTuple_Size(object) != 2) {
        PyErr_Format(PyExc_TypeError, "%s %R is neither None nor a tuple of two integers", argument,
                     object);
        return false;
    }
    return operand_int(PyTuple_GetItem(object, 0), argument, &pair[0]) &&
           operand_int(PyTuple_GetItem(object, 1), argument, &pair[1]);
}

bool dlpack_read_copy(PyObject *object, bool *must, bool *may) {
    if (object != Py_None && !PyBool_Check(object)) {
        PyErr_Format(PyExc_TypeError, "copy %R is neither None nor a bool", object);
        return false;
    }
    *must = object == Py_True;
    *may = object != Py_False;
    return true;
}

of_array *dlpack_replace_by_copy(of_array *array) {
    of_array *copy = NULL;
    of_error err = {0};
    of_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = of_array_copy(array, &copy, &err);
    of_array_release(array);
    Py_END_ALLOW_THREADS;
    if (status != OF_OK) raise_status(status, &err);
    return copy;
}

PyObject *array_dlpack(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *stream = Py_None, *max_version = Py_None, *device = Py_None, *copy = Py_None;
    int64_t version[2] = {0, 0}, kind[2] = {KIND_CPU, 0};
    bool must_copy, may_copy;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$OOOO:__dlpack__", names, &stream,
                                     &max_version, &device, &copy) ||
        !read_pair(max_version, "max_version", version) || !read_pair(device, "dl_device", kind) ||
        !dlpack_read_copy(copy, &must_copy, &may_copy))
        return NULL;
    array_object *array = (array_object *)self;
    if (stream != Py_None)
        return PyErr_Format(PyExc_ValueError, "stream %R must be None for an array on the CPU",
                            stream);
    if (kind[0] != KIND_CPU)
        return PyErr_Format(PyExc_BufferError,
                            "dl_device %R is not (1, 0), the CPU, where the array is", device);
    if (array->soa || array->parts != NULL) {
        PyErr_SetString(PyExc_BufferError,
                        "the array has layout 'soa', with no one buffer; lend its "
                        "components, or onefold.array(a, layout='aos')");
        return NULL;
    }
    of_array *whole = of_array_retain(array->whole);
    if (must_copy) whole = dlpack_replace_by_copy(whole);
    if (whole == NULL) return NULL;
    PyObject *capsule = version[0] >= 1 ? lend_versioned(whole, must_copy ? OF_DLPACK_COPIED : 0)
                                        : lend_unversioned(whole);
    of_array_release(whole);
    return capsule;
}

PyObject *array_dlpack_device(PyObject *self, PyObject *unused) {
    (void)self;
    (void)unused;
    return Py_BuildValue("(ii)", KIND_CPU, 0);
}

/* ---- Taking ---- */

bool dlpack_is_offered(PyObject *object) {
    return PyObject_HasAttrString(object, "__dlpack__");
}

bool dlpack_is_elsewhere(PyObject *object, bool *elsewhere) {
    PyObject *device = PyObject_CallMethod(object, "__dlpack_device__", NULL);
    PyObject *kind = device != NULL ? PySequence_GetItem(device, 0) : NULL;
    PyObject *number = kind != NULL ? PyNumber_Index(kind) : NULL; /* an enumeration, or an int */
    long value = number != NULL ? PyLong_AsLong(number) : -1;
    *elsewhere = value != KIND_CPU && value != KIND_CUDA_HOST;
    Py_XDECREF(device);
    Py_XDECREF(kind);
    Py_XDECREF(number);
    return !PyErr_Occurred();
}

static of_array *cannot_take(of_status status, const of_error *err, const char *argument) {
    of_error named = {.code = status};
    snprintf(named.message, sizeof named.message, "%s: %.400s", argument, err->message);
    raise_status(status, &named);
    return NULL;
}

/* The handle belongs to the caller, and the tensor to the handle; on failure it stays with the
 * capsule. */
static of_array *take_capsule(PyObject *capsule, const char *argument, unsigned flags) {
    of_array *array = NULL;
    of_error err = {0};
    of_status status;
    const char *after;
    if (PyCapsule_IsValid(capsule, fresh)) {
        after = used;
        status = of_dlpack_import(PyCapsule_GetPointer(capsule, fresh), flags, &array, &err);
    } else if (PyCapsule_IsValid(capsule, fresh_unversioned)) {
        after = used_unversioned;
        status = of_dlpack_import_unversioned(PyCapsule_GetPointer(capsule, fresh_unversioned),
                                              flags, &array, &err);
    } else {
        if (PyCapsule_IsValid(capsule, used) || PyCapsule_IsValid(capsule, used_unversioned))
            PyErr_Format(PyExc_ValueError, "%s is a DLPack capsule that was taken already",
                         argument);
        else
            PyErr_Format(PyExc_TypeError, "%s %R is no DLPack capsule", argument, capsule);
        return NULL;
    }
    if (status != OF_OK) return cannot_take(status, &err, argument);
    PyCapsule_SetName(capsule, after); /* cannot fail: it is valid */
    return array;
}

/* Calls __dlpack__ in the way of DLPack 1, and as it was before for those who do not know that. The
 * latter only when nothing else is asked for. */
static PyObject *ask_for_capsule(PyObject *object, const char *argument, unsigned how) {
    PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
    PyObject *nothing = PyTuple_New(0);
    PyObject *options = Py_BuildValue("{s(ii)}", "max_version", 1, 0);
    PyObject *capsule = NULL;
    if (method == NULL || nothing == NULL || options == NULL) goto done;
    if ((how & DLPACK_TO_CPU) != 0) {
        PyObject *cpu = Py_BuildValue("(ii)", KIND_CPU, 0);
        int failed = cpu == NULL || PyDict_SetItemString(options, "dl_device", cpu) < 0;
        Py_XDECREF(cpu);
        if (failed) goto done;
    }
    if ((how & DLPACK_NO_COPY) != 0 && PyDict_SetItemString(options, "copy", Py_False) < 0)
        goto done;
    capsule = PyObject_Call(method, nothing, options);
    if (capsule == NULL && (how & DLPACK_TO_CPU) == 0 && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        capsule = PyObject_Call(method, nothing, NULL);
    }
    if (capsule != NULL && Py_TYPE(capsule) != &PyCapsule_Type) {
        PyErr_Format(PyExc_TypeError, "%s has a __dlpack__ that gives %R, not a capsule", argument,
                     capsule);
        Py_CLEAR(capsule);
    }
done:
    Py_XDECREF(method);
    Py_XDECREF(nothing);
    Py_XDECREF(options);
    return capsule;
}

/* PyTorch may keep a tensor as the negative of its memory, which DLPack cannot say. The tensor of
 * the values themselves, nearly always the same one, as a new reference. */
static PyObject *resolve_sign(PyObject *object, unsigned how) {
    if (!PyObject_HasAttrString(object, "resolve_neg")) return Py_NewRef(object);
    PyObject *resolved = PyObject_CallMethod(object, "resolve_neg", NULL);
    if (resolved == NULL || resolved == object || (how & DLPACK_NO_COPY) == 0) return resolved;
    Py_DECREF(resolved);
    PyErr_SetString(PyExc_BufferError, "the tensor is the negative of its memory; it needs a copy");
    return NULL;
}

of_array *dlpack_take(PyObject *object, const char *argument, unsigned how) {
    unsigned flags = (how & DLPACK_READ_ONLY) != 0 ? OF_WRAP_READ_ONLY : 0;
    if (Py_TYPE(object) == &PyCapsule_Type) return take_capsule(object, argument, flags);
    PyObject *lender = resolve_sign(object, how);
    PyObject *capsule = lender != NULL ? ask_for_capsule(lender, argument, how) : NULL;
    of_array *array = capsule != NULL ? take_capsule(capsule, argument, flags) : NULL;
    Py_XDECREF(capsule);
    Py_XDECREF(lender);
    return array;
}

of_array *dlpack_borrow(PyObject *object, const char *argument) {
    return dlpack_take(object, argument, 0);
}
