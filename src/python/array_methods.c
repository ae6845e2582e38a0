/* The methods of an Array. */
#include <string.h>

#include "python/array_parts.h"
#include "python/dlpack_object.h"
#include "python/library_call.h"
#include "python/operand.h"

static array_object *self_of(PyObject *self) {
    return (array_object *)self;
}

/* ---- Reading ---- */

/* Into an array of numpy's with the same bytes, in row-major order. */
static of_status copy_to_buffer(call *call, of_error *err) {
    return of_copy(call->source[0], call->source[1], of_array_size(call->source[0]), err);
}

/* A new array of numpy's with the values of a handle, which it takes over. */
static PyObject *to_numpy(of_array *whole) {
    if (whole == NULL) return NULL;
    int ndim = of_array_ndim(whole);
    PyObject *shape = PyTuple_New(ndim), *result = NULL;
    call *call = NULL;
    for (int i = 0; shape != NULL && i < ndim; i++) {
        PyObject *size = PyLong_FromLongLong(of_array_shape(whole)[i]);
        if (size == NULL || PyTuple_SetItem(shape, i, size) < 0) goto done;
    }
    PyObject *dtype = dtype_of_numpy(of_array_dtype(whole));
    if (shape == NULL || dtype == NULL) {
        Py_XDECREF(dtype);
        goto done;
    }
    result = numpy_call("empty", Py_NewRef(shape), dtype, NULL);
    call = result != NULL ? call_create(copy_to_buffer) : NULL;
    if (call == NULL) goto done;
    call->source[0] = of_array_retain(whole);
    call->source[1] = operand_target(result, "numpy's array", NULL);
    if (call->source[1] != NULL && call_perform(&call)) goto done;
    Py_DECREF(result);
    result = NULL;
done:
    if (PyErr_Occurred()) Py_CLEAR(result);
    call_release(call);
    Py_XDECREF(shape);
    of_array_release(whole);
    return result;
}

static PyObject *array_numpy(PyObject *self, PyObject *unused) {
    (void)unused;
    return to_numpy(array_whole(self_of(self)));
}

static PyObject *array_array(PyObject *self, PyObject *args, PyObject *names) {
    PyObject *dtype = Py_None, *copy = Py_None;
    static char *keywords[] = {"dtype", "copy", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, names, "|OO:__array__", keywords, &dtype, &copy))
        return NULL;
    if (copy == Py_False) {
        PyErr_SetString(PyExc_ValueError,
                        "numpy's view of an Array is a copy; numpy.from_dlpack shares its memory");
        return NULL;
    }
    PyObject *values = array_numpy(self, NULL);
    if (values == NULL || dtype == Py_None) return values;
    PyObject *converted = PyObject_CallMethod(values, "astype", "O", dtype);
    Py_DECREF(values);
    return converted;
}

static PyObject *array_item(PyObject *self, PyObject *unused) {
    (void)unused;
    of_scalar value;
    return array_only_element(self_of(self), &value) ? scalar_to_python(value) : NULL;
}

static PyObject *array_tolist(PyObject *self, PyObject *unused) {
    (void)unused;
    PyObject *values = array_numpy(self, NULL);
    PyObject *list = values != NULL ? PyObject_CallMethod(values, "tolist", NULL) : NULL;
    Py_XDECREF(values);
    return list;
}

/* One index a dimension, or a single flat one; negative ones count from the end. */
static bool read_index(const array_object *array, PyObject *object, int64_t *index) {
    int ndim = array_ndim(array), count = 1;
    bool is_tuple = PyTuple_Check(object);
    if (is_tuple) count = (int)PyTuple_Size(object);
    if (count > OF_MAX_DIMS) count = OF_MAX_DIMS + 1;
    for (int i = 0; i < count && i < OF_MAX_DIMS; i++) {
        PyObject *item = is_tuple ? PyTuple_GetItem(object, i) : object;
        if (!PyIndex_Check(item) || PyBool_Check(item)) {
            PyErr_Format(PyExc_TypeError,
                         "an Array is read one element at a time, with an integer a dimension, not "
                         "%R; numpy() has all "
                         "values at once",
                         item);
            return false;
        }
        if (!operand_int(item, "index", &index[i])) return false;
    }
    if (count == ndim) return true;
    if (count == 1 && ndim > 1) {
        int64_t size = array_size(array), flat = index[0] < 0 ? index[0] + size : index[0];
        if (flat < 0 || flat >= size) {
            PyErr_Format(PyExc_IndexError, "index %lld is out of range for %lld elements",
                         (long long)index[0], (long long)size);
            return false;
        }
        for (int i = ndim - 1; i >= 0; i--) {
            index[i] = flat % array_shape(array)[i];
            flat /= array_shape(array)[i];
        }
        return true;
    }
    PyErr_Format(PyExc_IndexError, "an array of %d dimensions takes %d indices, not %d", ndim, ndim,
                 count);
    return false;
}

/* The vector or matrix at an index, as an array of numpy's. */
static PyObject *read_element(array_object *array, const int64_t *index) {
    of_error err = {0};
    of_status status = OF_OK;
    of_array *view = array_whole(array);
    for (int i = 0; view != NULL && status == OF_OK && i < array_ndim(array); i++) {
        int64_t size = array_shape(array)[i], at = index[i] < 0 ? index[i] + size : index[i];
        if (at < 0 || at >= size) {
            PyErr_Format(PyExc_IndexError,
                         "index %lld is out of range for dimension %d of size %lld",
                         (long long)index[i], i, (long long)size);
            of_array_release(view);
            return NULL;
        }
        of_array *part = NULL;
        status = of_array_slice(view, i, at, 1, 1, &part, &err);
        of_array_release(view);
        view = part;
    }
    if (status != OF_OK) return raise_status(status, &err);
    PyObject *values = to_numpy(view);
    PyObject *shape =
        values != NULL ? PyObject_GetAttrString((PyObject *)array->dtype, "shape") : NULL;
    PyObject *element = shape != NULL ? PyObject_CallMethod(values, "reshape", "O", shape) : NULL;
    Py_XDECREF(shape);
    Py_XDECREF(values);
    return element;
}

PyObject *array_subscript(PyObject *self, PyObject *object) {
    array_object *array = self_of(self);
    int64_t index[OF_MAX_DIMS];
    if (!read_index(array, object, index)) return NULL;
    if (array->dtype->rank > 0) return read_element(array, index);
    of_scalar value;
    of_error err = {0};
    of_status status = of_array_get(array->whole, index, &value, &err);
    return status == OF_OK ? scalar_to_python(value) : raise_status(status, &err);
}

/* What is longer is only described: the values would have to be fetched from the device. */
static const int64_t MOST_SHOWN = 1000;

PyObject *array_repr(PyObject *self) {
    array_object *array = self_of(self);
    char name[DTYPE_NAME_SIZE];
    dtype_write_name(array->dtype, name);
    if (array_size(array) > MOST_SHOWN) {
        PyObject *shape = PyObject_GetAttrString(self, "shape");
        PyObject *text =
            shape != NULL
                ? PyUnicode_FromFormat("<onefold.Array of shape %S, dtype=%s>", shape, name)
                : NULL;
        Py_XDECREF(shape);
        return text;
    }
    PyObject *values = array_numpy(self, NULL);
    PyObject *print = values != NULL ? numpy_get("array2string") : NULL;
    PyObject *args = print != NULL ? Py_BuildValue("(O)", values) : NULL;
    PyObject *names =
        args != NULL ? Py_BuildValue("{s:s,s:s}", "separator", ", ", "prefix", "onefold.array(")
                     : NULL;
    PyObject *shown = names != NULL ? PyObject_Call(print, args, names) : NULL;
    PyObject *text =
        shown != NULL ? PyUnicode_FromFormat("onefold.array(%U, dtype=%s)", shown, name) : NULL;
    Py_XDECREF(shown);
    Py_XDECREF(names);
    Py_XDECREF(args);
    Py_XDECREF(print);
    Py_XDECREF(values);
    return text;
}

/* ---- Reducing: over all components, to a Python float ---- */

static of_status reduce_all(call *call, of_error *err) {
    return of_reduce_scalar(call->source[0], (of_operation)call->operation, NULL, &call->value,
                            err);
}

static PyObject *reduced(PyObject *self, of_operation operation) {
    call *call = call_create(reduce_all);
    if (call == NULL) return NULL;
    call->operation = (int)operation;
    call->source[0] = array_whole(self_of(self));
    PyObject *result = NULL;
    if (call->source[0] != NULL && call_perform(&call)) result = scalar_to_float(call->value);
    call_release(call);
    return result;
}

static PyObject *array_sum(PyObject *self, PyObject *unused) {
    (void)unused;
    return reduced(self, OF_SUM);
}

static PyObject *array_min(PyObject *self, PyObject *unused) {
    (void)unused;
    return reduced(self, OF_MIN);
}

static PyObject *array_max(PyObject *self, PyObject *unused) {
    (void)unused;
    return reduced(self, OF_MAX);
}

static PyObject *array_mean(PyObject *self, PyObject *unused) {
    (void)unused;
    return reduced(self, OF_MEAN);
}

/* ---- Copies and views ---- */

static PyObject *core_call(const char *function, PyObject *args) {
    PyObject *module = args != NULL ? PyImport_ImportModule("onefold._core") : NULL;
    PyObject *called = module != NULL ? PyObject_GetAttrString(module, function) : NULL;
    PyObject *result = called != NULL ? PyObject_Call(called, args, NULL) : NULL;
    Py_XDECREF(called);
    Py_XDECREF(module);
    Py_XDECREF(args);
    return result;
}

static PyObject *array_copy(PyObject *self, PyObject *unused) {
    (void)unused;
    return core_call("convert",
                     Py_BuildValue("(OOs)", self, Py_None, self_of(self)->soa ? "soa" : "aos"));
}

static PyObject *array_deepcopy(PyObject *self, PyObject *memo) {
    (void)memo;
    return array_copy(self, NULL);
}

static PyObject *array_astype(PyObject *self, PyObject *dtype) {
    return core_call("convert",
                     Py_BuildValue("(OOs)", self, dtype, self_of(self)->soa ? "soa" : "aos"));
}

static PyObject *array_fill(PyObject *self, PyObject *value) {
    return core_call("fill", Py_BuildValue("(OO)", self, value));
}

static of_array *reshaped(of_array *from, const dtype_object *dtype, int ndim,
                          const int64_t *shape) {
    int64_t full[OF_MAX_DIMS];
    of_array *view = NULL;
    of_error err = {0};
    int count = full_shape(ndim, shape, dtype, full);
    if (count < 0) return NULL;
    of_status status = of_array_reshape(from, count, full, &view, &err);
    if (status != OF_OK) raise_status(status, &err);
    return view;
}

static PyObject *array_reshape(PyObject *self, PyObject *args) {
    array_object *array = self_of(self);
    int64_t shape[OF_MAX_DIMS];
    int ndim;
    PyObject *sizes = PyTuple_Size(args) == 1 ? PyTuple_GetItem(args, 0) : args;
    if (!operand_shape(sizes, "shape", &ndim, shape)) return NULL;
    if (array->whole != NULL) {
        of_array *view = reshaped(array->whole, array->dtype, ndim, shape);
        return view == NULL ? NULL : (PyObject *)array_make(array->dtype, view, NULL, array->soa);
    }
    Py_ssize_t count = PyTuple_Size(array->parts);
    PyObject *parts = PyTuple_New(count);
    for (Py_ssize_t i = 0; parts != NULL && i < count; i++) {
        array_object *part = (array_object *)PyTuple_GetItem(array->parts, i);
        PyObject *view = array_wrap_scalars(reshaped(part->whole, part->dtype, ndim, shape));
        if (view == NULL || PyTuple_SetItem(parts, i, view) < 0) {
            Py_DECREF(parts);
            parts = NULL;
        }
    }
    return parts == NULL ? NULL : (PyObject *)array_make(array->dtype, NULL, parts, true);
}

static PyObject *array_pickled(PyObject *self, PyObject *unused) {
    (void)unused;
    PyObject *module = PyImport_ImportModule("onefold");
    PyObject *maker = module != NULL ? PyObject_GetAttrString(module, "array") : NULL;
    PyObject *values = maker != NULL ? array_numpy(self, NULL) : NULL;
    Py_XDECREF(module);
    if (values == NULL) {
        Py_XDECREF(maker);
        return NULL;
    }
    return Py_BuildValue("(N(NO))", maker, values, (PyObject *)self_of(self)->dtype);
}

PyMethodDef array_methods[] = {
    {"numpy", array_numpy, METH_NOARGS,
     "numpy($self, /)\n--\n\n"
     "The values, copied into a new array of numpy's.\n\n"
     "Components of vectors and matrices are its last dimensions; bf16, which numpy lacks, widens "
     "to float32."},
    {"__array__", (PyCFunction)(void (*)(void))array_array, METH_VARARGS | METH_KEYWORDS, NULL},
    {"item", array_item, METH_NOARGS,
     "item($self, /)\n--\n\nThe only element, as a Python number. ValueError: there is not exactly "
     "one."},
    {"tolist", array_tolist, METH_NOARGS,
     "tolist($self, /)\n--\n\nThe values as nested lists of Python numbers."},
    {"sum", array_sum, METH_NOARGS,
     "sum($self, /)\n--\n\n"
     "The sum of all components, as a float.\n\n"
     "Sums of floats are exact and rounded once to the array's type, sums of integers are taken "
     "modulo 2**64; 0.0 when\n"
     "there is none. onefold.sum keeps integers and reduces along dimensions."},
    {"min", array_min, METH_NOARGS,
     "min($self, /)\n--\n\nThe smallest component, as a float; NaN if there is one. ValueError: "
     "there is none."},
    {"max", array_max, METH_NOARGS,
     "max($self, /)\n--\n\nThe largest component, as a float; NaN if there is one. ValueError: "
     "there is none."},
    {"mean", array_mean, METH_NOARGS,
     "mean($self, /)\n--\n\nThe exact mean of all components, rounded once to a float; NaN when "
     "there is none."},
    {"copy", array_copy, METH_NOARGS,
     "copy($self, /)\n--\n\nA new array with the same values and layout."},
    {"astype", array_astype, METH_O,
     "astype($self, dtype, /)\n--\n\n"
     "A new array with every value converted.\n\n"
     "Floats round to nearest even; float to integer truncates and saturates, NaN gives 0; "
     "integers keep the low bits.\n"
     "A type of scalars converts the components of vectors and matrices. TypeError: elements of "
     "another shape."},
    {"fill", array_fill, METH_O,
     "fill($self, value, /)\n--\n\n"
     "Sets every element to a value: a number for every component, or the components of one "
     "element.\n\n"
     "ValueError: the array is read-only, or the value has another shape than an element."},
    {"reshape", array_reshape, METH_VARARGS,
     "reshape($self, *shape)\n--\n\n"
     "The same elements, in row-major order, in another shape; shares memory. One size may be "
     "-1.\n\n"
     "ValueError: the number of elements differs."},
    {"__dlpack__", (PyCFunction)(void (*)(void))array_dlpack, METH_VARARGS | METH_KEYWORDS,
     "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "A capsule by which another library takes the array's memory without a copy.\n\n"
     "stream       None: work on the CPU is not queued.\n"
     "max_version  the newest version of DLPack that the receiver knows, as (major, minor); None:\n"
     "             one before 1.0, which cannot take read-only arrays.\n"
     "dl_device    None or (1, 0), the CPU.\n"
     "copy         True: of a copy. None, False: of the array itself.\n\n"
     "Vectors and matrices show their components as last dimensions.\n\n"
     "BufferError: the array is read-only and the receiver too old to be told; its components\n"
     "have no buffer in common (layout \"soa\"); another device is asked for."},
    {"__dlpack_device__", array_dlpack_device, METH_NOARGS,
     "__dlpack_device__($self, /)\n--\n\n"
     "Where the array is, as DLPack numbers it: (1, 0), the CPU."},
    {"__copy__", array_copy, METH_NOARGS, NULL},
    {"__deepcopy__", array_deepcopy, METH_O, NULL},
    {"__reduce__", array_pickled, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
