/* Making, filling and copying arrays. */
#include <string.h>

#include "python/array_parts.h"
#include "python/bindings.h"
#include "python/library_call.h"

static bool read_layout(PyObject *object, const dtype_object *dtype, bool *soa) {
    *soa = PyUnicode_Check(object) && PyUnicode_CompareWithASCIIString(object, "soa") == 0;
    if (!*soa &&
        !(PyUnicode_Check(object) && PyUnicode_CompareWithASCIIString(object, "aos") == 0)) {
        PyErr_Format(PyExc_ValueError, "layout %R is neither \"aos\" nor \"soa\"", object);
        return false;
    }
    if (*soa && dtype->rank == 0) {
        PyErr_SetString(PyExc_ValueError,
                        "layout \"soa\" is for vectors and matrices, not for scalars");
        return false;
    }
    return true;
}

/* A new array whose elements are unspecified. Structures of arrays have the element's dimensions
 * first in memory. */
static of_array *allocate(of_device *device, const dtype_object *dtype, int ndim,
                          const int64_t *shape, bool soa) {
    int64_t full[OF_MAX_DIMS], stored[OF_MAX_DIMS];
    int axes[OF_MAX_DIMS];
    int count = full_shape(ndim, shape, dtype, full), rank = dtype->rank;
    if (count < 0) return NULL;
    of_array *array = NULL, *turned = NULL;
    of_error err = {0};
    for (int i = 0; i < count; i++) {
        stored[i] = soa ? full[(i + ndim) % count] : full[i];
        axes[i] = soa ? (i + rank) % count : i;
    }
    of_status status = of_array_create(device, dtype->scalar, count, stored, &array, &err);
    if (status == OF_OK && soa) {
        status = of_array_transpose(array, axes, &turned, &err);
        of_array_release(array);
        array = turned;
    }
    if (status == OF_OK) return array;
    raise_status(status, &err);
    return NULL;
}

/* empty(shape, dtype, layout, device) */
PyObject *bind_empty(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    int ndim;
    int64_t shape[OF_MAX_DIMS];
    of_device *device;
    bool soa;
    if (!check_count("empty", count, 4, 4) || !operand_shape(args[0], "shape", &ndim, shape))
        return NULL;
    dtype_object *dtype = dtype_from(args[1], "dtype");
    PyObject *array = NULL;
    if (dtype != NULL && read_layout(args[2], dtype, &soa) && operand_device(args[3], &device)) {
        of_array *whole = allocate(device, dtype, ndim, shape, soa);
        if (whole != NULL) array = (PyObject *)array_make(dtype, whole, NULL, soa);
    }
    Py_XDECREF((PyObject *)dtype);
    return array;
}

/* ---- Copying with conversion ---- */

/* The element type that a copy has: as asked for, or as it is; a type of scalars changes only
 * the components. */
static dtype_object *converted_type(PyObject *asked, dtype_object *element) {
    if (asked == Py_None) return (dtype_object *)Py_NewRef((PyObject *)element);
    dtype_object *dtype = dtype_from(asked, "dtype");
    if (dtype == NULL || element->rank == 0) return dtype;
    dtype_object *result = NULL;
    if (dtype->rank == 0) {
        result = dtype_with_scalar(element, dtype->scalar);
    } else if (memcmp(dtype->extent, element->extent, sizeof dtype->extent) == 0) {
        return dtype;
    } else {
        char from[DTYPE_NAME_SIZE], to[DTYPE_NAME_SIZE];
        PyErr_Format(PyExc_TypeError, "elements of %s do not convert to %s",
                     dtype_write_name(element, from), dtype_write_name(dtype, to));
    }
    Py_DECREF((PyObject *)dtype);
    return result;
}

/* How many dimensions of the source count elements, when its last ones are to be those of an
 * element. */
static int element_dims(const of_array *source, const dtype_object *dtype) {
    int ndim = of_array_ndim(source) - dtype->rank;
    bool match = ndim >= 0;
    for (int i = 0; match && i < dtype->rank; i++)
        match = of_array_shape(source)[ndim + i] == dtype->extent[i];
    if (match) return ndim;
    char name[DTYPE_NAME_SIZE];
    PyErr_Format(PyExc_ValueError, "the last sizes of the values are not those of %s",
                 dtype_write_name(dtype, name));
    return -1;
}

/* Where an array's bytes begin and end. */
static void extent_of(const of_array *array, uintptr_t *begin, uintptr_t *end) {
    *begin = *end = (uintptr_t)of_array_data(array);
    *end += of_dtype_size(of_array_dtype(array));
    for (int i = 0; i < of_array_ndim(array); i++) {
        int64_t reach = (of_array_shape(array)[i] - 1) * of_array_strides(array)[i];
        *(reach < 0 ? begin : end) += (uintptr_t)reach;
    }
}

static bool may_share(const of_array *a, const of_array *b) {
    uintptr_t a_begin, a_end, b_begin, b_end;
    if (of_array_size(a) == 0 || of_array_size(b) == 0) return false;
    extent_of(a, &a_begin, &a_end);
    extent_of(b, &b_begin, &b_end);
    return a_begin < b_end && b_begin < a_end;
}

/* What is read may be part of what is written, as the components of one array are, or its elements
 * in another order: it is copied first then. */
static of_status copy_all(call *call, of_error *err) {
    of_array *from = of_array_retain(call->source[0]), *to = call->source[1];
    of_status status = OF_OK;
    if (may_share(from, to)) {
        of_array_release(from);
        status = of_array_copy(call->source[0], &from, err);
    }
    if (status != OF_OK) return status;
    status = of_copy(from, to, of_array_size(to), err);
    of_array_release(from);
    return status;
}

/* convert(values, dtype or None, layout): a new array. */
PyObject *bind_convert(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("convert", count, 3, 3)) return NULL;
    dtype_object *element = NULL, *dtype = NULL;
    PyObject *array = NULL;
    bool soa;
    int ndim = -1;
    call *call = call_create(copy_all);
    if (call == NULL) return NULL;
    call->source[0] = operand_source(args[0], "values", &element);
    if (call->source[0] != NULL) dtype = converted_type(args[1], element);
    if (dtype != NULL && read_layout(args[2], dtype, &soa))
        ndim = element_dims(call->source[0], dtype);
    if (ndim >= 0) {
        const of_array *source = call->source[0];
        call->source[1] =
            allocate(of_array_device(source), dtype, ndim, of_array_shape(source), soa);
    }
    if (call->source[1] != NULL) {
        of_array *whole = of_array_retain(call->source[1]);
        if (call_perform(&call)) {
            array = (PyObject *)array_make(dtype, whole, NULL, soa);
        } else {
            of_array_release(whole);
        }
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    Py_XDECREF((PyObject *)dtype);
    return array;
}

/* A view of values in a shape that they broadcast to, as numpy does: sizes of 1 repeat, missing
 * ones are in front. It takes over the reference to the values. */
static void release_base(void *data, void *context) {
    (void)data;
    of_array_release(context);
}

static of_array *broadcast(of_array *values, int ndim, const int64_t *shape) {
    int missing = ndim - of_array_ndim(values);
    int64_t strides[OF_MAX_DIMS] = {0};
    bool match = missing >= 0;
    for (int i = 0; match && i < of_array_ndim(values); i++) {
        int64_t size = of_array_shape(values)[i];
        match = size == shape[missing + i] || size == 1;
        strides[missing + i] = size == 1 ? 0 : of_array_strides(values)[i];
    }
    of_array *view = NULL;
    of_error err = {0};
    if (!match) {
        PyErr_SetString(
            PyExc_ValueError,
            "the values have neither the shape of the array nor one that broadcasts to it");
        of_array_release(values);
        return NULL;
    }
    of_status status = of_array_wrap(of_array_device(values), of_array_dtype(values), ndim, shape,
                                     strides, (void *)of_array_data(values), OF_WRAP_READ_ONLY,
                                     release_base, values, &view, &err);
    if (status == OF_OK) return view;
    raise_status(status, &err);
    of_array_release(values);
    return NULL;
}

/* Copies values to the array, or their components to its parts. */
static bool store_values(array_object *array, of_array *values) {
    int64_t parts = array->whole != NULL ? 1 : dtype_components(array->dtype);
    for (int64_t k = 0; k < parts; k++) {
        call *call = call_create(copy_all);
        if (call == NULL) return false;
        call->source[0] =
            array->whole != NULL ? of_array_retain(values) : component_of(values, array->dtype, k);
        call->source[1] =
            array->whole != NULL ? of_array_retain(array->whole) : array_component(array, k);
        bool stored = call->source[0] != NULL && call->source[1] != NULL && call_perform(&call);
        call_release(call);
        if (!stored) return false;
    }
    return true;
}

/* Copies values of the array's full shape into it. Where it has parts, what one writes the next may
 * read, so that values which share memory with any are copied first. */
static bool store(array_object *array, of_array *values) {
    bool shared = false;
    for (int64_t k = 0; array->whole == NULL && k < dtype_components(array->dtype); k++) {
        of_array *part = array_component(array, k);
        shared = shared || may_share(values, part);
        of_array_release(part);
    }
    if (!shared) return store_values(array, values);
    of_array *copy = NULL;
    of_error err = {0};
    of_status status = of_array_copy(values, &copy, &err);
    if (status != OF_OK) raise_status(status, &err);
    bool stored = status == OF_OK && store_values(array, copy);
    of_array_release(copy);
    return stored;
}

static bool check_writable(const array_object *array, const char *argument) {
    if (!array_is_read_only(array)) return true;
    PyErr_Format(PyExc_ValueError, "%s is read-only", argument);
    return false;
}

/* Stores what broadcasts to the array's full shape. Takes over the reference to the values,
 * which may be NULL. */
static bool store_broadcast(array_object *array, of_array *values) {
    int64_t full[OF_MAX_DIMS];
    int ndim = full_shape(array_ndim(array), array_shape(array), array->dtype, full);
    if (values == NULL || ndim < 0) {
        of_array_release(values);
        return false;
    }
    of_array *view = broadcast(values, ndim, full);
    bool stored = view != NULL && store(array, view);
    of_array_release(view);
    return stored;
}

/* copyto(dst, src) */
PyObject *bind_copyto(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("copyto", count, 2, 2)) return NULL;
    if (!is_array(args[0])) {
        PyErr_SetString(PyExc_TypeError,
                        "dst must be an Array; between arrays of numpy's, use numpy.copyto");
        return NULL;
    }
    array_object *dst = (array_object *)args[0];
    dtype_object *element = NULL;
    if (!check_writable(dst, "dst")) return NULL;
    of_array *values = operand_source(args[1], "src", &element);
    if (values != NULL && element->rank > 0 &&
        memcmp(element->extent, dst->dtype->extent, sizeof element->extent) != 0) {
        char from[DTYPE_NAME_SIZE], to[DTYPE_NAME_SIZE];
        PyErr_Format(PyExc_ValueError, "src has elements of %s, dst of %s",
                     dtype_write_name(element, from), dtype_write_name(dst->dtype, to));
        of_array_release(values);
        values = NULL;
    }
    Py_XDECREF((PyObject *)element);
    if (!store_broadcast(dst, values)) return NULL;
    Py_RETURN_NONE;
}

/* Whether values of any shape are those of one element, or one number. */
static bool fits_element(const of_array *values, const dtype_object *dtype) {
    if (of_array_ndim(values) == 0) return true;
    bool fits = of_array_ndim(values) == dtype->rank;
    for (int i = 0; fits && i < dtype->rank; i++)
        fits = of_array_shape(values)[i] == dtype->extent[i];
    if (!fits) {
        char name[DTYPE_NAME_SIZE];
        PyErr_Format(PyExc_ValueError, "value is neither a number nor one element of %s",
                     dtype_write_name(dtype, name));
    }
    return fits;
}

/* A value to fill with: a number with all its digits, or an array. */
static of_array *fill_values(PyObject *object) {
    if (!PyFloat_Check(object) && !PyLong_Check(object))
        return operand_source(object, "value", NULL);
    of_scalar value;
    if (!operand_scalar(object, "value", &value)) return NULL;
    of_array *values = NULL;
    of_error err = {0};
    of_status status = of_array_create(NULL, value.dtype, 0, NULL, &values, &err);
    if (status == OF_OK) status = of_array_fill(values, value, &err);
    if (status == OF_OK) return values;
    of_array_release(values);
    raise_status(status, &err);
    return NULL;
}

/* fill(array, value) */
PyObject *bind_fill(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("fill", count, 2, 2)) return NULL;
    if (!is_array(args[0])) {
        PyErr_SetString(PyExc_TypeError, "only an Array is filled");
        return NULL;
    }
    array_object *array = (array_object *)args[0];
    if (!check_writable(array, "the array")) return NULL;
    of_array *values = fill_values(args[1]);
    if (values != NULL && !fits_element(values, array->dtype)) {
        of_array_release(values);
        values = NULL;
    }
    if (!store_broadcast(array, values)) return NULL;
    Py_RETURN_NONE;
}

/* ---- Putting together ---- */

static bool check_part(PyObject *part, Py_ssize_t i, const array_object *first) {
    if (!is_array(part)) {
        PyErr_Format(
            PyExc_TypeError,
            "component %zd is no Array; onefold.from_dlpack makes one that shares its memory", i);
        return false;
    }
    const array_object *array = (array_object *)part;
    if (array->dtype->rank > 0 || array->dtype != first->dtype) {
        PyErr_Format(PyExc_TypeError,
                     "components must be scalars of one type; component %zd is of another", i);
        return false;
    }
    bool same = array_ndim(array) == array_ndim(first);
    for (int k = 0; same && k < array_ndim(first); k++)
        same = array_shape(array)[k] == array_shape(first)[k];
    if (!same) PyErr_Format(PyExc_ValueError, "component %zd has another shape than the first", i);
    return same;
}

/* soa(tuple of Arrays): vectors with those components. */
PyObject *bind_soa(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("soa", count, 1, 1)) return NULL;
    PyObject *parts = args[0];
    Py_ssize_t size = PyTuple_Size(parts);
    if (size < 2 || size > MOST_COMPONENTS) {
        PyErr_Format(PyExc_ValueError, "a vector has 2 to %d components, not %zd", MOST_COMPONENTS,
                     size);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *first = PyTuple_GetItem(parts, 0), *part = PyTuple_GetItem(parts, i);
        if (!check_part(part, i, (array_object *)(is_array(first) ? first : part))) return NULL;
    }
    of_dtype scalar = ((array_object *)PyTuple_GetItem(parts, 0))->dtype->scalar;
    dtype_object *dtype = dtype_make(scalar, 1, (int64_t[]){size});
    array_object *array = dtype != NULL ? array_make(dtype, NULL, Py_NewRef(parts), true) : NULL;
    Py_XDECREF((PyObject *)dtype);
    return (PyObject *)array;
}

/* concat(sequence of one-dimensional arrays of one type) */
PyObject *bind_concat(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("concat", count, 1, 1)) return NULL;
    PyObject *parts = PySequence_Tuple(args[0]), *joined = NULL;
    if (parts == NULL) return NULL;
    int64_t total = 0, at = 0;
    dtype_object *dtype = NULL, *element = NULL;
    of_array *whole = NULL, *source = NULL;
    Py_ssize_t size = PyTuple_Size(parts);
    if (size == 0) PyErr_SetString(PyExc_ValueError, "concat needs an array");
    for (Py_ssize_t i = 0; i < size; i++) {
        source = operand_source(PyTuple_GetItem(parts, i), "arrays", &element);
        if (source == NULL) goto done;
        if (of_array_ndim(source) - element->rank != 1) {
            PyErr_Format(PyExc_ValueError,
                         "arrays[%zd] has %d dimensions; concat joins arrays of one", i,
                         of_array_ndim(source) - element->rank);
            goto done;
        }
        if (dtype != NULL && element != dtype) {
            PyErr_Format(PyExc_TypeError,
                         "arrays[%zd] is of %S, the first of %S; convert one with astype", i,
                         element, dtype);
            goto done;
        }
        if (dtype == NULL) dtype = (dtype_object *)Py_NewRef((PyObject *)element);
        total += of_array_shape(source)[0];
        of_array_release(source);
        Py_CLEAR(element);
        source = NULL;
    }
    if (dtype != NULL) whole = allocate(NULL, dtype, 1, &total, false);
    for (Py_ssize_t i = 0; whole != NULL && i < size; i++) {
        call *call = call_create(copy_all);
        if (call == NULL) goto done;
        call->source[0] = operand_source(PyTuple_GetItem(parts, i), "arrays", &element);
        Py_CLEAR(element);
        int64_t length = call->source[0] != NULL ? of_array_shape(call->source[0])[0] : 0;
        of_error err = {0};
        bool copied = call->source[0] != NULL &&
                      of_array_slice(whole, 0, at, length, 1, &call->source[1], &err) == OF_OK &&
                      call_perform(&call);
        call_release(call);
        at += length;
        if (!copied) goto done;
    }
    if (whole != NULL) joined = array_wrap(of_array_retain(whole), dtype);
done:
    of_array_release(source);
    of_array_release(whole);
    Py_XDECREF((PyObject *)element);
    Py_XDECREF((PyObject *)dtype);
    Py_DECREF(parts);
    return joined;
}

/* dtype(name, shape): the element type with components of that name. */
PyObject *bind_dtype(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    int rank;
    int64_t extent[OF_MAX_DIMS];
    if (!check_count("dtype", count, 2, 2) || !operand_shape(args[1], "shape", &rank, extent))
        return NULL;
    of_dtype scalar;
    if (!dtype_option(args[0], "dtype", &scalar)) return NULL;
    int least = rank == 1 ? 2 : 1;
    for (int i = 0; i < rank; i++) {
        if (rank > 2 || extent[i] < least || extent[i] > MOST_COMPONENTS) {
            PyErr_Format(
                PyExc_ValueError,
                "a vector has 2 to %d components, a matrix up to %d rows and columns, not %R",
                MOST_COMPONENTS, MOST_COMPONENTS, args[1]);
            return NULL;
        }
    }
    if (scalar == OF_DTYPE_NONE) {
        PyErr_SetString(PyExc_TypeError, "dtype None is no type of scalars");
        return NULL;
    }
    return (PyObject *)dtype_make(scalar, rank, extent);
}
