/* The attributes of an Array, and what its buffer is. */
#include <stdlib.h>

#include "python/array_parts.h"

static array_object *self_of(PyObject *self) {
    return (array_object *)self;
}

static PyObject *tuple_of(int count, const int64_t *numbers) {
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple != NULL && i < count; i++) {
        PyObject *number = PyLong_FromLongLong(numbers[i]);
        if (number == NULL || PyTuple_SetItem(tuple, i, number) < 0) {
            Py_DECREF(tuple);
            tuple = NULL;
        }
    }
    return tuple;
}

static PyObject *get_shape(PyObject *self, void *closure) {
    (void)closure;
    return tuple_of(array_ndim(self_of(self)), array_shape(self_of(self)));
}

static PyObject *get_dtype(PyObject *self, void *closure) {
    (void)closure;
    return Py_NewRef((PyObject *)self_of(self)->dtype);
}

static PyObject *get_size(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromLongLong(array_size(self_of(self)));
}

static int64_t scalar_size(const array_object *array) {
    return array_size(array) * dtype_components(array->dtype);
}

static PyObject *get_scalar_size(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromLongLong(scalar_size(self_of(self)));
}

static PyObject *get_ndim(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromLong(array_ndim(self_of(self)));
}

static PyObject *get_nbytes(PyObject *self, void *closure) {
    (void)closure;
    const array_object *array = self_of(self);
    return PyLong_FromLongLong(scalar_size(array) * (int64_t)of_dtype_size(array->dtype->scalar));
}

static PyObject *get_layout(PyObject *self, void *closure) {
    (void)closure;
    return PyUnicode_FromString(self_of(self)->soa ? "soa" : "aos");
}

static PyObject *get_components(PyObject *self, void *closure) {
    (void)closure;
    array_object *array = self_of(self);
    if (array->parts != NULL) return Py_NewRef(array->parts);
    if (array->dtype->rank == 0) {
        PyErr_SetString(PyExc_AttributeError, "an array of scalars has no components");
        return NULL;
    }
    int64_t count = dtype_components(array->dtype);
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (int64_t k = 0; tuple != NULL && k < count; k++) {
        PyObject *part = array_wrap_scalars(array_component(array, k));
        if (part == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)k, part) < 0) {
            Py_DECREF(tuple);
            tuple = NULL;
        }
    }
    return tuple;
}

static PyObject *get_writable(PyObject *self, void *closure) {
    (void)closure;
    return PyBool_FromLong(!array_is_read_only(self_of(self)));
}

static PyObject *get_device(PyObject *self, void *closure) {
    (void)closure;
    of_array *part = array_component(self_of(self), 0);
    if (part == NULL) return NULL;
    PyObject *name = PyUnicode_FromString(of_device_name(of_array_device(part)));
    of_array_release(part);
    return name;
}

PyGetSetDef array_properties[] = {
    {"shape", get_shape, NULL, "The sizes of its dimensions, in elements.", NULL},
    {"dtype", get_dtype, NULL, "What an element is: onefold.f32, onefold.vec3(onefold.f64), ...",
     NULL},
    {"size", get_size, NULL, "The number of elements.", NULL},
    {"scalar_size", get_scalar_size, NULL,
     "The number of scalars: size times the components of an element.", NULL},
    {"ndim", get_ndim, NULL, "The number of dimensions; those of an element do not count.", NULL},
    {"nbytes", get_nbytes, NULL, "The bytes that its elements take.", NULL},
    {"layout", get_layout, NULL,
     "\"aos\": the components of an element lie together. \"soa\": each component has an array of "
     "its own.",
     NULL},
    {"components", get_components, NULL,
     "The arrays of the components of vectors or matrices (by rows), which share its memory. "
     "AttributeError: its\n"
     "elements are scalars.",
     NULL},
    {"writable", get_writable, NULL, "False when copyto and fill refuse it.", NULL},
    {"device", get_device, NULL, "The name of the device that holds it.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* ---- The buffer: a copy of the values, as numpy() is one ---- */

/* The copy is held by `internal`, with shape and strides behind it. */
typedef struct snapshot {
    of_array *array;
    Py_ssize_t shape[OF_MAX_DIMS], strides[OF_MAX_DIMS];
} snapshot;

static bool copy_out(array_object *array, of_array **out) {
    of_array *whole = array_whole(array);
    if (whole == NULL) return false;
    of_error err = {0};
    of_status status = OF_OK;
    Py_BEGIN_ALLOW_THREADS status = of_array_copy(whole, out, &err);
    Py_END_ALLOW_THREADS of_array_release(whole);
    if (status != OF_OK) raise_status(status, &err);
    return status == OF_OK;
}

int array_get_buffer(PyObject *self, Py_buffer *view, int flags) {
    array_object *array = self_of(self);
    of_dtype scalar = array->dtype->scalar;
    view->obj = NULL;
    if (dtype_format(scalar) == NULL) {
        PyErr_SetString(PyExc_BufferError, "a buffer cannot hold bf16; numpy() widens it");
        return -1;
    }
    snapshot *copy = calloc(1, sizeof *copy);
    if (copy == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (!copy_out(array, &copy->array)) {
        free(copy);
        return -1;
    }
    int ndim = of_array_ndim(copy->array);
    for (int i = 0; i < ndim; i++) {
        copy->shape[i] = (Py_ssize_t)of_array_shape(copy->array)[i];
        copy->strides[i] = (Py_ssize_t)of_array_strides(copy->array)[i];
    }
    *view = (Py_buffer){
        .buf = of_array_mutable_data(copy->array),
        .obj = Py_NewRef(self),
        .len = (Py_ssize_t)of_array_nbytes(copy->array),
        .itemsize = (Py_ssize_t)of_dtype_size(scalar),
        .ndim = ndim,
        .format = flags & PyBUF_FORMAT ? (char *)dtype_format(scalar) : NULL,
        .shape = (flags & PyBUF_ND) == PyBUF_ND ? copy->shape : NULL,
        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? copy->strides : NULL,
        .internal = copy,
    };
    return 0;
}

void array_release_buffer(PyObject *self, Py_buffer *view) {
    (void)self;
    snapshot *copy = view->internal;
    of_array_release(copy->array);
    free(copy);
}
