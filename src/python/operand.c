#include "python/operand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "python/buffer.h"
#include "python/dlpack_object.h"

static of_array *no_scalars(const char *argument, const dtype_object *element) {
    char name[DTYPE_NAME_SIZE];
    PyErr_Format(PyExc_TypeError, "%s must have scalars as elements, not %s", argument,
                 dtype_write_name(element, name));
    return NULL;
}

/* Hands out the element's type where that is asked for. */
static of_array *with_element(of_array *whole, const dtype_object *dtype, dtype_object **element) {
    if (element != NULL) {
        Py_INCREF((PyObject *)dtype);
        *element = (dtype_object *)dtype;
    }
    return whole;
}

static of_array *with_scalars(of_array *whole, dtype_object **element) {
    if (whole == NULL || element == NULL) return whole;
    *element = dtype_make(of_array_dtype(whole), 0, NULL);
    if (*element != NULL) return whole;
    of_array_release(whole);
    return NULL;
}

static of_array *from_array(array_object *array, const char *argument, dtype_object **element) {
    if (element == NULL && array->dtype->rank > 0) return no_scalars(argument, array->dtype);
    of_array *whole = array_whole(array);
    return whole == NULL ? NULL : with_element(whole, array->dtype, element);
}

/* numpy's arrays of bfloat16, a type that only ml_dtypes gives it, offer no buffer; their bits do.
 * NULL without an exception for others. */
static of_array *from_bfloat16(PyObject *object, const char *argument) {
    of_array *array = NULL;
    PyObject *dtype = PyObject_GetAttrString(object, "dtype");
    PyObject *name = dtype != NULL ? PyObject_Str(dtype) : NULL;
    if (name != NULL && PyUnicode_CompareWithASCIIString(name, "bfloat16") == 0) {
        PyObject *bits = PyObject_CallMethod(object, "view", "s", "uint16");
        if (bits != NULL) array = buffer_borrow(bits, argument, false, OF_BF16);
        Py_XDECREF(bits);
    }
    Py_XDECREF(name);
    Py_XDECREF(dtype);
    PyErr_Clear();
    return array;
}

/* Of objects that have a buffer, but not for these elements, some lend them in other ways. Where
 * none does, the exception stays that says why the buffer cannot be taken. */
static of_array *from_buffer(PyObject *object, const char *argument) {
    of_array *array = buffer_borrow(object, argument, false, OF_DTYPE_NONE);
    if (array != NULL || !PyErr_ExceptionMatches(PyExc_TypeError)) return array;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (dlpack_is_offered(object)) array = dlpack_borrow(object, argument);
    PyErr_Clear();
    if (array == NULL) array = from_bfloat16(object, argument);
    if (array == NULL) {
        PyErr_Restore(type, value, traceback);
    } else {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    return array;
}

/* What numpy makes an array of by itself, without a copy where it can: columns of pandas. */
static of_array *from_array_like(PyObject *object, const char *argument) {
    PyObject *host = numpy_call("asarray", Py_NewRef(object), NULL);
    of_array *array = host != NULL ? from_buffer(host, argument) : NULL;
    Py_XDECREF(host);
    return array;
}

/* A copy of what no buffer holds: a number, a list. onefold.array knows the types. */
static of_array *from_values(PyObject *object, const char *argument) {
    if (!PyNumber_Check(object) && !PySequence_Check(object)) {
        PyErr_Format(PyExc_TypeError,
                     "%s must be an Array, an array of numpy's, a list or a number, not %R",
                     argument, (PyObject *)Py_TYPE(object));
        return NULL;
    }
    PyObject *module = PyImport_ImportModule("onefold");
    PyObject *copied = module != NULL ? PyObject_CallMethod(module, "array", "(O)", object) : NULL;
    Py_XDECREF(module);
    if (copied == NULL) return NULL;
    of_array *whole = array_whole((array_object *)copied);
    Py_DECREF(copied);
    return whole;
}

of_array *operand_source(PyObject *object, const char *argument, dtype_object **element) {
    if (is_array(object)) return from_array((array_object *)object, argument, element);
    of_array *array = NULL;
    if (PyObject_CheckBuffer(object) && !PyBytes_Check(object) && !PyByteArray_Check(object)) {
        array = from_buffer(object, argument);
    } else if (dlpack_is_offered(object)) {
        array = dlpack_borrow(object, argument);
    } else if (PyObject_HasAttrString(object, "__array__")) {
        array = from_array_like(object, argument);
    } else {
        array = from_values(object, argument);
    }
    return with_scalars(array, element);
}

of_array *operand_target(PyObject *object, const char *argument, dtype_object **element) {
    if (is_array(object)) {
        array_object *array = (array_object *)object;
        if (element == NULL && array->dtype->rank > 0) return no_scalars(argument, array->dtype);
        if (array->whole == NULL) {
            PyErr_Format(PyExc_NotImplementedError,
                         "%s is made of separate arrays (soa), which this function cannot write "
                         "to; write to its "
                         "components",
                         argument);
            return NULL;
        }
        return with_element(of_array_retain(array->whole), array->dtype, element);
    }
    of_array *whole = NULL;
    if (PyObject_CheckBuffer(object)) {
        whole = buffer_borrow(object, argument, true, OF_DTYPE_NONE);
    } else if (dlpack_is_offered(object)) {
        whole = dlpack_take(object, argument, DLPACK_NO_COPY); /* a copy would be written in vain */
        if (whole != NULL && of_array_is_read_only(whole)) {
            PyErr_Format(PyExc_ValueError, "%s is read-only", argument);
            of_array_release(whole);
            whole = NULL;
        }
    } else {
        PyErr_Format(PyExc_TypeError,
                     "%s must be an Array or an array of numpy's, which can be written to",
                     argument);
    }
    return with_scalars(whole, element);
}

/* ---- Numbers ---- */

static bool integer_scalar(PyObject *number, const char *argument, of_scalar *out) {
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0) {
        *out = of_scalar_i64(value);
        return !(value == -1 && PyErr_Occurred());
    }
    unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(number) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s %S does not fit 64 bits", argument, number);
        return false;
    }
    *out = of_scalar_u64(large);
    return true;
}

bool operand_scalar(PyObject *object, const char *argument, of_scalar *out) {
    if (PyBool_Check(object)) {
        *out = of_scalar_bool(object == Py_True);
        return true;
    }
    if (PyLong_Check(object)) return integer_scalar(object, argument, out);
    if (PyFloat_CheckExact(object)) {
        *out = of_scalar_f64(PyFloat_AsDouble(object));
        return true;
    }
    of_array *array = NULL;
    if (is_array(object) || PyObject_CheckBuffer(object) || dlpack_is_offered(object))
        array = operand_source(object, argument, NULL);
    if (array != NULL) {
        bool one = of_array_size(array) == 1;
        int64_t origin[OF_MAX_DIMS] = {0};
        if (one) {
            of_error err = {0};
            one = of_array_get(array, origin, out, &err) == OF_OK;
        } else {
            PyErr_Format(PyExc_ValueError, "%s must be one number, not %lld", argument,
                         (long long)of_array_size(array));
        }
        of_array_release(array);
        return one;
    }
    if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "%s %R is no number", argument, object);
    }
    return false;
}

bool operand_int(PyObject *object, const char *argument, int64_t *out) {
    if (PyBool_Check(object) || !PyIndex_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s %R is no integer", argument, object);
        return false;
    }
    PyObject *number = PyNumber_Index(object);
    if (number == NULL) return false;
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow != 0)
        PyErr_Format(PyExc_ValueError, "%s %S does not fit 64 bits", argument, number);
    Py_DECREF(number);
    *out = value;
    return overflow == 0;
}

bool operand_optional_int(PyObject *object, const char *argument, bool *given, int64_t *out) {
    *given = object != Py_None;
    return !*given || operand_int(object, argument, out);
}

/* ---- Dimensions ---- */

/* The ints of a sequence, at most `most`; -1 with an exception. */
static int read_ints(PyObject *object, const char *argument, int most, int64_t *out) {
    if (PyUnicode_Check(object) || !PySequence_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s %R is neither an integer nor a sequence of them",
                     argument, object);
        return -1;
    }
    Py_ssize_t count = PySequence_Size(object);
    if (count < 0) return -1;
    if (count > most) {
        PyErr_Format(PyExc_ValueError, "%s %R names %zd dimensions; an array has at most %d",
                     argument, object, count, most);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(object, i);
        bool good = item != NULL && operand_int(item, argument, &out[i]);
        Py_XDECREF(item);
        if (!good) return -1;
    }
    return (int)count;
}

bool operand_dims(PyObject *object, const char *argument, int ndim, of_dims *out) {
    *out = (of_dims){0};
    if (object == Py_None) return true;
    int64_t axis[OF_MAX_DIMS];
    int count = 1;
    if (PyIndex_Check(object)) {
        if (!operand_int(object, argument, &axis[0])) return false;
    } else if ((count = read_ints(object, argument, OF_MAX_DIMS, axis)) < 0) {
        return false;
    }
    out->given = true;
    out->count = count;
    for (int i = 0; i < count; i++) {
        if (axis[i] < -ndim || axis[i] >= ndim) {
            PyErr_Format(PyExc_ValueError, "%s %lld is out of range for an array of %d dimensions",
                         argument, (long long)axis[i], ndim);
            return false;
        }
        out->axis[i] = (int)(axis[i] < 0 ? axis[i] + ndim : axis[i]);
    }
    return true;
}

bool operand_shape(PyObject *object, const char *argument, int *ndim, int64_t *shape) {
    if (PyIndex_Check(object)) {
        *ndim = 1;
        return operand_int(object, argument, &shape[0]);
    }
    *ndim = read_ints(object, argument, OF_MAX_DIMS, shape);
    return *ndim >= 0;
}

bool operand_device(PyObject *object, of_device **out) {
    *out = NULL;
    if (object == Py_None) return true;
    PyObject *name =
        PyUnicode_Check(object) ? Py_NewRef(object) : PyObject_GetAttrString(object, "name");
    const char *text = name != NULL ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    of_error err = {0};
    of_status status = OF_OK;
    if (text == NULL) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "device %R is neither a name nor a device", object);
    } else if ((status = of_device_find(text, out, &err)) != OF_OK) {
        raise_status(status, &err);
    }
    Py_XDECREF(name);
    return text != NULL && status == OF_OK;
}
