#include "python/dtype_object.h"

#include <stdio.h>
#include <string.h>

static PyTypeObject *dtype_type;

/* Every type that was asked for; the scalars at rank 0. The sides of a vector are (n, 0). */
static dtype_object *made[OF_DTYPE_END][MOST_COMPONENTS + 1][MOST_COMPONENTS + 1];

dtype_object *dtype_make(of_dtype scalar, int rank, const int64_t *extent) {
    int64_t rows = rank > 0 ? extent[0] : 0, columns = rank > 1 ? extent[1] : 0;
    dtype_object **place = &made[scalar][rows][columns];
    if (*place == NULL) {
        dtype_object *dtype = PyObject_New(dtype_object, dtype_type);
        if (dtype == NULL) return NULL;
        dtype->scalar = scalar;
        dtype->rank = rank;
        dtype->extent[0] = rows;
        dtype->extent[1] = columns;
        *place = dtype;
    }
    Py_INCREF((PyObject *)*place);
    return *place;
}

dtype_object *dtype_with_scalar(const dtype_object *element, of_dtype scalar) {
    return dtype_make(scalar, element->rank, element->extent);
}

bool is_dtype(PyObject *object) {
    return Py_TYPE(object) == dtype_type;
}

int64_t dtype_components(const dtype_object *dtype) {
    int64_t count = 1;
    for (int i = 0; i < dtype->rank; i++) count *= dtype->extent[i];
    return count;
}

const char *dtype_write_name(const dtype_object *dtype, char *text) {
    const char *scalar = of_dtype_name(dtype->scalar);
    int rows = (int)dtype->extent[0], columns = (int)dtype->extent[1];
    if (dtype->rank == 0) {
        snprintf(text, DTYPE_NAME_SIZE, "%s", scalar);
    } else if (dtype->rank == 1) {
        snprintf(text, DTYPE_NAME_SIZE, "vec%d(%s)", rows, scalar);
    } else if (rows == columns && rows > 1) {
        snprintf(text, DTYPE_NAME_SIZE, "mat%d(%s)", rows, scalar);
    } else {
        snprintf(text, DTYPE_NAME_SIZE, "mat(%d, %d, %s)", rows, columns, scalar);
    }
    return text;
}

/* ---- What numpy calls them ---- */

static const struct {
    const char *numpy, *format;
} foreign_names[OF_DTYPE_END] = {
    [OF_BOOL] = {"bool", "?"},   [OF_I8] = {"int8", "b"},       [OF_I16] = {"int16", "h"},
    [OF_I32] = {"int32", "i"},   [OF_I64] = {"int64", "q"},     [OF_U8] = {"uint8", "B"},
    [OF_U16] = {"uint16", "H"},  [OF_U32] = {"uint32", "I"},    [OF_U64] = {"uint64", "Q"},
    [OF_F16] = {"float16", "e"}, [OF_BF16] = {"float32", NULL}, [OF_F32] = {"float32", "f"},
    [OF_F64] = {"float64", "d"},
};

const char *dtype_format(of_dtype scalar) {
    return foreign_names[scalar].format;
}

PyObject *dtype_of_numpy(of_dtype scalar) {
    return numpy_call("dtype", PyUnicode_FromString(foreign_names[scalar].numpy), NULL);
}

/* ---- From other objects ---- */

static dtype_object *from_name(const char *name, const char *argument, PyObject *object) {
    of_dtype scalar;
    if (of_dtype_parse(name, &scalar, NULL) == OF_OK) return dtype_make(scalar, 0, NULL);
    PyErr_Format(PyExc_TypeError, "%s %R is no type that Onefold has", argument, object);
    return NULL;
}

dtype_object *dtype_from(PyObject *object, const char *argument) {
    if (is_dtype(object)) {
        Py_INCREF(object);
        return (dtype_object *)object;
    }
    PyObject *name = NULL;
    if (PyUnicode_Check(object)) {
        const char *text = PyUnicode_AsUTF8AndSize(object, NULL);
        of_dtype scalar;
        if (text == NULL) return NULL;
        if (of_dtype_parse(text, &scalar, NULL) == OF_OK) return dtype_make(scalar, 0, NULL);
    }
    Py_INCREF(object);
    PyObject *numpy = numpy_call("dtype", object, NULL);
    if (numpy != NULL) name = PyObject_GetAttrString(numpy, "name");
    Py_XDECREF(numpy);
    const char *text = name != NULL ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    dtype_object *dtype = NULL;
    if (text != NULL) {
        dtype = from_name(text, argument, object);
    } else if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s %R is no type that Onefold has", argument, object);
    }
    Py_XDECREF(name);
    return dtype;
}

bool dtype_option(PyObject *object, const char *argument, of_dtype *out) {
    *out = OF_DTYPE_NONE;
    if (object == Py_None) return true;
    dtype_object *dtype = dtype_from(object, argument);
    if (dtype == NULL) return false;
    bool scalar = dtype->rank == 0;
    if (scalar) {
        *out = dtype->scalar;
    } else {
        PyErr_Format(PyExc_TypeError, "%s %S must be a type of scalars", argument, object);
    }
    Py_DECREF(dtype);
    return scalar;
}

/* ---- The object ---- */

static PyObject *dtype_repr(PyObject *self) {
    char name[DTYPE_NAME_SIZE];
    return PyUnicode_FromFormat("onefold.%s", dtype_write_name((dtype_object *)self, name));
}

static PyObject *dtype_name(PyObject *self, void *closure) {
    (void)closure;
    char name[DTYPE_NAME_SIZE];
    return PyUnicode_FromString(dtype_write_name((dtype_object *)self, name));
}

static PyObject *dtype_str(PyObject *self) {
    return dtype_name(self, NULL);
}

static PyObject *dtype_scalar(PyObject *self, void *closure) {
    (void)closure;
    return (PyObject *)dtype_make(((dtype_object *)self)->scalar, 0, NULL);
}

static PyObject *dtype_shape(PyObject *self, void *closure) {
    (void)closure;
    const dtype_object *dtype = (dtype_object *)self;
    if (dtype->rank == 0) return PyTuple_New(0);
    if (dtype->rank == 1) return Py_BuildValue("(L)", (long long)dtype->extent[0]);
    return Py_BuildValue("(LL)", (long long)dtype->extent[0], (long long)dtype->extent[1]);
}

static PyObject *dtype_itemsize(PyObject *self, void *closure) {
    (void)closure;
    const dtype_object *dtype = (dtype_object *)self;
    return PyLong_FromLongLong((int64_t)of_dtype_size(dtype->scalar) * dtype_components(dtype));
}

static PyObject *dtype_kind(PyObject *self, void *closure) {
    (void)closure;
    of_dtype scalar = ((dtype_object *)self)->scalar;
    const char *kind = of_dtype_is_float(scalar)     ? "f"
                       : of_dtype_is_signed(scalar)  ? "i"
                       : of_dtype_is_integer(scalar) ? "u"
                                                     : "b";
    return PyUnicode_FromString(kind);
}

/* numpy.dtype(object) asks for this attribute. */
static PyObject *dtype_numpy(PyObject *self, void *closure) {
    (void)closure;
    const dtype_object *dtype = (dtype_object *)self;
    if (dtype->scalar == OF_BF16) {
        PyErr_SetString(PyExc_AttributeError, "numpy has no type bf16");
        return NULL;
    }
    PyObject *scalar = dtype_of_numpy(dtype->scalar);
    if (scalar == NULL || dtype->rank == 0) return scalar;
    PyObject *shape = dtype_shape(self, NULL);
    if (shape == NULL) {
        Py_DECREF(scalar);
        return NULL;
    }
    return numpy_call("dtype", Py_BuildValue("(NN)", scalar, shape), NULL);
}

/* Equal to all that names the same type, as numpy's types are: f32 == numpy.float32. */
static PyObject *dtype_compare(PyObject *self, PyObject *other, int operation) {
    if (operation != Py_EQ && operation != Py_NE) Py_RETURN_NOTIMPLEMENTED;
    bool equal = self == other;
    if (!equal && !is_dtype(other) && other != Py_None) {
        dtype_object *same = dtype_from(other, "dtype");
        if (same == NULL) {
            PyErr_Clear();
            Py_RETURN_NOTIMPLEMENTED;
        }
        equal = (PyObject *)same == self;
        Py_DECREF(same);
    }
    return PyBool_FromLong(equal == (operation == Py_EQ));
}

static Py_hash_t dtype_hash(PyObject *self) {
    return (Py_hash_t)((uintptr_t)self >> 4);
}

static PyObject *dtype_reduce(PyObject *self, PyObject *unused) {
    (void)unused;
    const dtype_object *dtype = (dtype_object *)self;
    PyObject *module = PyImport_ImportModule("onefold._core");
    PyObject *maker = module != NULL ? PyObject_GetAttrString(module, "dtype") : NULL;
    Py_XDECREF(module);
    PyObject *shape = dtype_shape(self, NULL);
    if (maker == NULL || shape == NULL) {
        Py_XDECREF(maker);
        Py_XDECREF(shape);
        return NULL;
    }
    return Py_BuildValue("(N(sN))", maker, of_dtype_name(dtype->scalar), shape);
}

static void dtype_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyGetSetDef dtype_properties[] = {
    {"name", dtype_name, NULL, "The name: \"f32\", \"vec3(f32)\".", NULL},
    {"scalar", dtype_scalar, NULL, "The type of a component; of a scalar the type itself.", NULL},
    {"shape", dtype_shape, NULL, "(), (n,) of a vector, (rows, columns) of a matrix.", NULL},
    {"itemsize", dtype_itemsize, NULL, "Bytes of an element.", NULL},
    {"kind", dtype_kind, NULL,
     "Of a component: \"b\" bool, \"i\" signed, \"u\" unsigned, \"f\" float.", NULL},
    {"dtype", dtype_numpy, NULL,
     "The numpy.dtype of the same elements. AttributeError: bf16 has none.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef dtype_methods[] = {
    {"__reduce__", dtype_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dtype_slots[] = {
    {Py_tp_doc, "The type of an array's elements: a scalar, a vector or a matrix. There is one "
                "object a type."},
    {Py_tp_dealloc, dtype_dealloc},
    {Py_tp_repr, dtype_repr},
    {Py_tp_str, dtype_str},
    {Py_tp_hash, dtype_hash},
    {Py_tp_richcompare, dtype_compare},
    {Py_tp_getset, dtype_properties},
    {Py_tp_methods, dtype_methods},
    {0, NULL},
};

static PyType_Spec dtype_spec = {
    .name = "onefold.DType",
    .basicsize = sizeof(dtype_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = dtype_slots,
};

bool dtype_register(PyObject *module) {
    dtype_type = add_type(module, &dtype_spec, "DType");
    return dtype_type != NULL;
}
