#include "python/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "python/dtype_object.h"

/* The codes of the struct module, which name C types; how many bytes an item has tells their
 * width. */
static of_dtype type_of_format(const char *format, Py_ssize_t itemsize) {
    if (format == NULL) return OF_U8;
    if (*format == '@' || *format == '=' || *format == (PY_BIG_ENDIAN ? '>' : '<')) format++;
    if (itemsize == 1 && (*format == '>' || *format == '<')) format++;
    if (*format == '\0' || format[1] != '\0') return OF_DTYPE_NONE;
    static const of_dtype is_signed[] = {[1] = OF_I8, [2] = OF_I16, [4] = OF_I32, [8] = OF_I64};
    static const of_dtype is_unsigned[] = {[1] = OF_U8, [2] = OF_U16, [4] = OF_U32, [8] = OF_U64};
    static const of_dtype is_float[] = {[2] = OF_F16, [4] = OF_F32, [8] = OF_F64};
    if (itemsize > 8) return OF_DTYPE_NONE;
    if (*format == '?') return itemsize == 1 ? OF_BOOL : OF_DTYPE_NONE;
    if (strchr("bhilqn", *format) != NULL) return is_signed[itemsize];
    if (strchr("BHILQN", *format) != NULL) return is_unsigned[itemsize];
    if (strchr("efd", *format) != NULL) return is_float[itemsize];
    return OF_DTYPE_NONE;
}

void buffer_free(Py_buffer *view) {
    if (view == NULL) return;
    PyBuffer_Release(view);
    free(view);
}

/* The last view of the handle may go on any thread, and when Python has ended. */
void buffer_give_back(void *data, void *view) {
    (void)data;
    if (!Py_IsInitialized()) return;
    PyGILState_STATE state = PyGILState_Ensure();
    buffer_free(view);
    PyGILState_Release(state);
}

static bool check_view(const Py_buffer *view, const char *argument, of_dtype dtype) {
    if (dtype == OF_DTYPE_NONE) {
        PyErr_Format(
            PyExc_TypeError,
            "%s has elements of format '%s', which Onefold does not have; convert them with astype",
            argument, view->format);
    } else if (view->ndim > OF_MAX_DIMS) {
        PyErr_Format(PyExc_ValueError, "%s has %d dimensions; an array has at most %d", argument,
                     view->ndim, OF_MAX_DIMS);
    } else if (view->suboffsets != NULL) {
        PyErr_Format(PyExc_TypeError, "%s has its rows behind pointers; make a copy of it",
                     argument);
    } else {
        return true;
    }
    return false;
}

of_array *buffer_borrow(PyObject *object, const char *argument, bool writable, of_dtype dtype) {
    Py_buffer *view = malloc(sizeof(Py_buffer));
    if (view == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (PyObject_GetBuffer(object, view, writable ? PyBUF_FULL : PyBUF_FULL_RO) < 0) {
        free(view);
        if (writable && (PyErr_ExceptionMatches(PyExc_BufferError) ||
                         PyErr_ExceptionMatches(PyExc_ValueError))) {
            PyErr_Clear();
            PyErr_Format(PyExc_ValueError, "%s is read-only", argument);
        } else if (!PyErr_ExceptionMatches(PyExc_MemoryError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError,
                         "%s has elements that Onefold does not have; convert them with astype",
                         argument);
        }
        return NULL;
    }
    of_array *array = NULL;
    if (dtype == OF_DTYPE_NONE) dtype = type_of_format(view->format, view->itemsize);
    if (check_view(view, argument, dtype)) {
        int64_t shape[OF_MAX_DIMS], strides[OF_MAX_DIMS];
        for (int i = 0; i < view->ndim; i++) {
            shape[i] = view->shape != NULL ? view->shape[i] : view->len / view->itemsize;
            strides[i] = view->strides != NULL ? view->strides[i] : view->itemsize;
        }
        of_error err = {0};
        of_status status = of_array_wrap(of_device_at(0), dtype, view->ndim, shape, strides,
                                         view->buf, view->readonly ? OF_WRAP_READ_ONLY : 0,
                                         buffer_give_back, view, &array, &err);
        if (status == OF_OK) return array;
        raise_status(status, &err);
    }
    buffer_free(view);
    return NULL;
}
