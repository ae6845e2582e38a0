/* Arrays over memory of others: what they lend through DLPack, and what is known by its address. */
#include <stdlib.h>

#include "python/array_parts.h"
#include "python/bindings.h"
#include "python/buffer.h"
#include "python/dlpack_object.h"

/* Memory as it was handed over. */
typedef struct place {
    void *data;
    Py_buffer *view; /* NULL: known by its address only */
} place;

/* NumPy's numbers offer a buffer, and its arrays an index, so neither tells them apart. */
static int is_single_number(PyObject *ptr) {
    if (PyLong_Check(ptr)) return 1;
    PyObject *generic = numpy_get("generic");
    int is_number = generic != NULL ? PyObject_IsInstance(ptr, generic) : -1;
    Py_XDECREF(generic);
    return is_number;
}

static bool place_of_address(PyObject *ptr, place *out) {
    PyObject *number = PyNumber_Index(ptr);
    if (number == NULL) return false;
    unsigned long long address = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    if ((PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError)) ||
        address > UINTPTR_MAX) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "ptr %R is no address", ptr);
    }
    *out = (place){.data = (void *)(uintptr_t)address};
    return !PyErr_Occurred();
}

static bool place_of_buffer(PyObject *ptr, bool writable, place *out) {
    Py_buffer *view = malloc(sizeof *view);
    if (view == NULL) {
        PyErr_NoMemory();
        return false;
    }
    if (PyObject_GetBuffer(ptr, view, PyBUF_SIMPLE) < 0) {
        free(view);
        if (PyErr_ExceptionMatches(PyExc_MemoryError)) return false;
        PyErr_Clear();
        PyErr_SetString(PyExc_ValueError,
                        "ptr is an array whose elements do not lie one after another");
        return false;
    }
    if (writable && view->readonly) {
        buffer_free(view);
        PyErr_SetString(PyExc_ValueError, "writable is True but ptr is a read-only array");
        return false;
    }
    *out = (place){.data = view->buf, .view = view};
    return true;
}

static bool read_place(PyObject *ptr, bool writable, place *out) {
    int is_number = is_single_number(ptr);
    if (is_number < 0) return false;
    if (!is_number && PyObject_CheckBuffer(ptr)) return place_of_buffer(ptr, writable, out);
    if (PyIndex_Check(ptr) && !PyBool_Check(ptr)) return place_of_address(ptr, out);
    PyErr_Format(PyExc_TypeError, "ptr %R is neither an address nor an array in the CPU's memory",
                 ptr);
    return false;
}

/* A handle that owns the place; on failure the place is let go. */
static of_array *wrap_place(const place *place, of_dtype dtype, int ndim, const int64_t *shape,
                            bool writable) {
    of_array *whole = NULL;
    of_error err = {0};
    of_status status =
        of_array_wrap(NULL, dtype, ndim, shape, NULL, place->data, writable ? 0 : OF_WRAP_READ_ONLY,
                      place->view != NULL ? buffer_give_back : NULL, place->view, &whole, &err);
    if (status != OF_OK) {
        raise_status(status, &err);
        buffer_free(place->view);
    } else if (place->view != NULL && of_array_nbytes(whole) > place->view->len) {
        PyErr_Format(PyExc_ValueError,
                     "ptr has %zd bytes, fewer than the %lld that shape and dtype take",
                     place->view->len, (long long)of_array_nbytes(whole));
        of_array_release(whole);
        whole = NULL;
    }
    return whole;
}

/* array_from_ptr(ptr, shape, dtype, writable) */
PyObject *bind_array_from_ptr(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("array_from_ptr", count, 4, 4)) return NULL;
    PyObject *ptr = args[0], *array = NULL;
    int writable = PyObject_IsTrue(args[3]), ndim;
    int64_t shape[OF_MAX_DIMS];
    place place;
    dtype_object *dtype = writable >= 0 ? dtype_from(args[2], "dtype") : NULL;
    if (dtype == NULL) return NULL;
    if (operand_shape(args[1], "shape", &ndim, shape) &&
        (ndim = full_shape(ndim, shape, dtype, shape)) >= 0 && read_place(ptr, writable, &place)) {
        of_array *whole = wrap_place(&place, dtype->scalar, ndim, shape, writable);
        array = array_wrap(whole, dtype);
    }
    Py_DECREF((PyObject *)dtype);
    return array;
}

/* Old versions of numpy do not lend what is read-only or bool, and none what has odd strides; their
 * buffer does. */
static of_array *take_or_borrow(PyObject *object, unsigned how) {
    of_array *array = dlpack_take(object, "x", how);
    if (array != NULL || (how & DLPACK_TO_CPU) != 0 || !PyObject_CheckBuffer(object)) return array;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    array = buffer_borrow(object, "x", false, OF_DTYPE_NONE);
    if (array == NULL) {
        PyErr_Clear();
        PyErr_Restore(type, value, traceback);
    } else {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    return array;
}

/* from_dlpack(x, device or None, copy or None, read_only) */
PyObject *bind_from_dlpack(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    of_device *device;
    bool must_copy, may_copy, elsewhere = false;
    if (!check_count("from_dlpack", count, 4, 4) || !operand_device(args[1], &device) ||
        !dlpack_read_copy(args[2], &must_copy, &may_copy))
        return NULL;
    bool is_capsule = Py_TYPE(args[0]) == &PyCapsule_Type;
    if (!is_capsule && !dlpack_is_offered(args[0]))
        return PyErr_Format(PyExc_TypeError, "x %R has no __dlpack__ and is no capsule", args[0]);
    if (!is_capsule && args[1] != Py_None && !dlpack_is_elsewhere(args[0], &elsewhere)) return NULL;
    unsigned how = (elsewhere ? DLPACK_TO_CPU : 0) | (may_copy ? 0 : DLPACK_NO_COPY) |
                   (args[3] == Py_True ? DLPACK_READ_ONLY : 0);
    of_array *array = take_or_borrow(args[0], how);
    if (array != NULL && must_copy) array = dlpack_replace_by_copy(array);
    return array_wrap_scalars(array);
}
