#include "python/array_object.h"

#include <stddef.h>
#include <string.h>

#include "python/array_parts.h"

/* Of members of objects, which Python.h has only from 3.12 on. */
#include <structmember.h>

static PyTypeObject *array_type;

bool is_array(PyObject *object) {
    return Py_TYPE(object) == array_type;
}

/* ---- Making one ---- */

array_object *array_make(const dtype_object *dtype, of_array *whole, PyObject *parts, bool soa) {
    array_object *array = PyObject_New(array_object, array_type);
    if (array == NULL) {
        of_array_release(whole);
        Py_XDECREF(parts);
        return NULL;
    }
    array->whole = whole;
    array->parts = parts;
    array->dtype = (dtype_object *)Py_NewRef((PyObject *)dtype);
    array->soa = soa;
    array->weak_references = NULL;
    return array;
}

PyObject *array_wrap(of_array *whole, const dtype_object *dtype) {
    if (whole == NULL || dtype == NULL) {
        of_array_release(whole);
        return NULL;
    }
    return (PyObject *)array_make(dtype, whole, NULL, false);
}

PyObject *array_wrap_scalars(of_array *whole) {
    if (whole == NULL) return NULL;
    dtype_object *dtype = dtype_make(of_array_dtype(whole), 0, NULL);
    PyObject *array = array_wrap(whole, dtype);
    Py_XDECREF((PyObject *)dtype);
    return array;
}

static void array_dealloc(PyObject *self) {
    array_object *array = (array_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (array->weak_references != NULL) PyObject_ClearWeakRefs(self);
    of_array_release(array->whole);
    Py_XDECREF(array->parts);
    Py_DECREF((PyObject *)array->dtype);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---- What it is made of ---- */

/* The handle that tells the shape: the whole, or the first part, which is one component of it. */
static const of_array *shape_holder(const array_object *array) {
    if (array->whole != NULL) return array->whole;
    return ((array_object *)PyTuple_GetItem(array->parts, 0))->whole;
}

int array_ndim(const array_object *array) {
    int trailing = array->whole != NULL ? array->dtype->rank : 0;
    return of_array_ndim(shape_holder(array)) - trailing;
}

const int64_t *array_shape(const array_object *array) {
    return of_array_shape(shape_holder(array));
}

int64_t array_size(const array_object *array) {
    int64_t size = 1;
    for (int i = 0; i < array_ndim(array); i++) size *= array_shape(array)[i];
    return size;
}

bool array_is_read_only(const array_object *array) {
    if (array->whole != NULL) return of_array_is_read_only(array->whole);
    for (Py_ssize_t i = 0; i < PyTuple_Size(array->parts); i++) {
        if (array_is_read_only((array_object *)PyTuple_GetItem(array->parts, i))) return true;
    }
    return false;
}

/* Component k of a whole, or of any handle with the element's dimensions last: an index of each
 * of them. */
of_array *component_of(of_array *whole, const dtype_object *dtype, int64_t k) {
    int ndim = of_array_ndim(whole) - dtype->rank;
    int64_t at[2] = {k, 0};
    if (dtype->rank == 2) at[0] = k / dtype->extent[1], at[1] = k % dtype->extent[1];
    of_error err = {0};
    of_status status = OF_OK;
    of_array *view = of_array_retain(whole);
    for (int i = 0; status == OF_OK && i < dtype->rank; i++) {
        of_array *part = NULL;
        status = of_array_slice(view, ndim + i, at[i], 1, 1, &part, &err);
        of_array_release(view);
        view = part;
    }
    if (status == OF_OK && dtype->rank > 0) {
        of_array *dropped = NULL;
        status = of_array_reshape(view, ndim, of_array_shape(view), &dropped, &err);
        of_array_release(view);
        view = dropped;
    }
    if (status == OF_OK) return view;
    raise_status(status, &err);
    return NULL;
}

of_array *array_component(array_object *array, int64_t k) {
    if (array->whole != NULL) return component_of(array->whole, array->dtype, k);
    return of_array_retain(((array_object *)PyTuple_GetItem(array->parts, (Py_ssize_t)k))->whole);
}

/* The sizes of the whole: those of the array, then those of an element. Returns how many. */
int full_shape(int ndim, const int64_t *shape, const dtype_object *dtype, int64_t *full) {
    if (ndim + dtype->rank > OF_MAX_DIMS) {
        char name[DTYPE_NAME_SIZE];
        PyErr_Format(PyExc_ValueError, "an array of %s has at most %d dimensions, not %d",
                     dtype_write_name(dtype, name), OF_MAX_DIMS - dtype->rank, ndim);
        return -1;
    }
    for (int i = 0; i < ndim; i++) full[i] = shape[i];
    for (int i = 0; i < dtype->rank; i++) full[ndim + i] = dtype->extent[i];
    return ndim + dtype->rank;
}

/* A copy of parts that lie apart into one whole. */
static of_array *gather_parts(array_object *array) {
    int64_t full[OF_MAX_DIMS];
    int ndim = full_shape(array_ndim(array), array_shape(array), array->dtype, full);
    of_array *whole = NULL;
    of_error err = {0};
    if (ndim < 0) return NULL;
    of_status status = of_array_create(of_array_device(shape_holder(array)), array->dtype->scalar,
                                       ndim, full, &whole, &err);
    for (int64_t k = 0; status == OF_OK && k < dtype_components(array->dtype); k++) {
        of_array *from = array_component(array, k), *to = component_of(whole, array->dtype, k);
        if (to != NULL) status = of_copy(from, to, of_array_size(to), &err);
        of_array_release(from);
        of_array_release(to);
        if (to == NULL) goto failed;
    }
    if (status == OF_OK) return whole;
    raise_status(status, &err);
failed:
    of_array_release(whole);
    return NULL;
}

of_array *array_whole(array_object *array) {
    return array->whole != NULL ? of_array_retain(array->whole) : gather_parts(array);
}

/* ---- Single values ---- */

PyObject *scalar_to_float(of_scalar value) {
    return PyFloat_FromDouble(of_scalar_to_f64(value));
}

PyObject *scalar_to_python(of_scalar value) {
    if (value.dtype == OF_BOOL) return PyBool_FromLong(value.as.b != 0);
    if (of_dtype_is_float(value.dtype)) return scalar_to_float(value);
    if (of_dtype_is_signed(value.dtype))
        return PyLong_FromLongLong(of_scalar_convert(value, OF_I64).as.i64);
    return PyLong_FromUnsignedLongLong(of_scalar_convert(value, OF_U64).as.u64);
}

bool array_only_element(array_object *array, of_scalar *out) {
    if (array->dtype->rank > 0 || array_size(array) != 1) {
        char name[DTYPE_NAME_SIZE];
        PyErr_Format(PyExc_ValueError,
                     "an array of %lld elements of %s is not one number; use numpy()",
                     (long long)array_size(array), dtype_write_name(array->dtype, name));
        return false;
    }
    of_error err = {0};
    int64_t origin[OF_MAX_DIMS] = {0};
    of_status status = of_array_get(array->whole, origin, out, &err);
    if (status != OF_OK) raise_status(status, &err);
    return status == OF_OK;
}

static PyObject *as_number(PyObject *self, PyObject *(*type)(PyObject *)) {
    of_scalar value;
    if (!array_only_element((array_object *)self, &value)) return NULL;
    PyObject *number = scalar_to_python(value);
    PyObject *result = number != NULL ? type(number) : NULL;
    Py_XDECREF(number);
    return result;
}

static PyObject *array_as_int(PyObject *self) {
    return as_number(self, PyNumber_Long);
}

static PyObject *array_as_float(PyObject *self) {
    return as_number(self, PyNumber_Float);
}

static PyObject *array_as_index(PyObject *self) {
    if (!of_dtype_is_integer(((array_object *)self)->dtype->scalar)) {
        PyErr_SetString(PyExc_TypeError, "only an array of one integer can be an index");
        return NULL;
    }
    return as_number(self, PyNumber_Index);
}

static int array_as_bool(PyObject *self) {
    of_scalar value;
    if (!array_only_element((array_object *)self, &value)) return -1;
    return of_scalar_convert(value, OF_BOOL).as.b != 0;
}

/* ---- Refusals that say what to do ---- */

static int refuse_assignment(PyObject *self, PyObject *index, PyObject *value) {
    (void)self, (void)index, (void)value;
    PyErr_SetString(PyExc_TypeError,
                    "elements are not assigned one by one; build the values in an array of numpy's "
                    "and onefold.copyto(array, values), or fill the array");
    return -1;
}

static PyObject *refuse_iteration(PyObject *self) {
    (void)self;
    PyErr_SetString(PyExc_TypeError,
                    "an Array is not iterated over; array.numpy() has all its values at once");
    return NULL;
}

static Py_ssize_t array_length(PyObject *self) {
    array_object *array = (array_object *)self;
    if (array_ndim(array) > 0) return (Py_ssize_t)array_shape(array)[0];
    PyErr_SetString(PyExc_TypeError, "an array without dimensions has no length");
    return -1;
}

static PyMemberDef array_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(array_object, weak_references), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot array_slots[] = {
    {Py_tp_doc, "A typed array on a device.\n\n"
                "Made by onefold.array, empty, zeros and their kin, never by Array(). `shape` "
                "counts elements; `dtype` says what\n"
                "one is: a scalar, a vector or a matrix. numpy() copies the values out, "
                "onefold.copyto copies values in."},
    {Py_tp_dealloc, array_dealloc},
    {Py_tp_repr, array_repr},
    {Py_tp_iter, refuse_iteration},
    {Py_tp_methods, array_methods},
    {Py_tp_getset, array_properties},
    {Py_tp_members, array_members},
    {Py_mp_length, array_length},
    {Py_mp_subscript, array_subscript},
    {Py_mp_ass_subscript, refuse_assignment},
    {Py_nb_int, array_as_int},
    {Py_nb_float, array_as_float},
    {Py_nb_index, array_as_index},
    {Py_nb_bool, array_as_bool},
    {Py_bf_getbuffer, array_get_buffer},
    {Py_bf_releasebuffer, array_release_buffer},
    {0, NULL},
};

static PyType_Spec array_spec = {
    .name = "onefold.Array",
    .basicsize = sizeof(array_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = array_slots,
};

bool array_register(PyObject *module) {
    array_type = add_type(module, &array_spec, "Array");
    return array_type != NULL;
}
