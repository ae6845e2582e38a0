#include "python/call_options.h"

#include <string.h>

int64_t element_count(const of_array *array, const dtype_object *element) {
    int64_t count = 1;
    for (int i = 0; i < of_array_ndim(array) - element->rank; i++)
        count *= of_array_shape(array)[i];
    return count;
}

bool option_n(PyObject *object, call *call, const dtype_object *element, const of_array *array,
              const char *name, const int64_t **out) {
    bool given;
    if (!operand_optional_int(object, "n", &given, &call->n)) return false;
    if (!given) return true;
    *out = &call->n;
    if (element == NULL || element->rank == 0) return true;
    int64_t size = element_count(array, element);
    if (call->n < 0) {
        PyErr_Format(PyExc_ValueError, "n is %lld, which is negative", (long long)call->n);
    } else if (call->n > size) {
        PyErr_Format(PyExc_ValueError, "n is %lld, but the size of %s is %lld", (long long)call->n,
                     name, (long long)size);
    } else {
        call->n *= dtype_components(element);
        return true;
    }
    return false;
}

bool option_dim(PyObject *object, call *call, int ndim, const int **out) {
    if (object == Py_None) return true;
    int64_t dim;
    if (!operand_int(object, "dim", &dim)) return false;
    if (dim < -ndim || dim >= ndim) {
        PyErr_Format(PyExc_ValueError, "dim %lld is out of range for an array of %d dimension%s",
                     (long long)dim, ndim, ndim == 1 ? "" : "s");
        return false;
    }
    call->dim = (int)(dim < 0 ? dim + ndim : dim);
    *out = &call->dim;
    return true;
}

bool option_flag(PyObject *object, bool *out) {
    int truth = PyObject_IsTrue(object);
    *out = truth > 0;
    return truth >= 0;
}

const char *option_name(PyObject *object, const char *argument) {
    if (PyUnicode_Check(object)) return PyUnicode_AsUTF8AndSize(object, NULL);
    PyErr_Format(PyExc_TypeError, "%s %R is no name", argument, object);
    return NULL;
}

bool option_group_operation(PyObject *object, const char *argument, int *out) {
    const char *name = option_name(object, argument);
    of_group_operation operation;
    of_error err = {0};
    if (name == NULL) return false;
    of_status status = of_group_operation_parse(name, &operation, &err);
    if (status != OF_OK) {
        raise_status(status, &err);
        return false;
    }
    *out = (int)operation;
    return true;
}

bool same_element(const dtype_object *a, const char *a_name, const dtype_object *b,
                  const char *b_name, bool scalars_fit) {
    if (a->rank == 0 && scalars_fit) return true;
    if (a->rank == b->rank && memcmp(a->extent, b->extent, sizeof a->extent) == 0) return true;
    char a_text[DTYPE_NAME_SIZE], b_text[DTYPE_NAME_SIZE];
    PyErr_Format(PyExc_TypeError, "%s has elements of %s, but %s of %s", a_name,
                 dtype_write_name(a, a_text), b_name, dtype_write_name(b, b_text));
    return false;
}

bool has_rows(const of_array *array, const dtype_object *element, const char *name) {
    if (of_array_ndim(array) > element->rank) return true;
    PyErr_Format(PyExc_ValueError, "%s has no dimensions; its rows need one", name);
    return false;
}

int64_t integer_reduced(const of_array *array, of_operation operation) {
    of_scalar value;
    if (of_reduce_scalar(array, operation, NULL, &value, NULL) != OF_OK) return 0;
    return of_scalar_convert(value, OF_I64).as.i64;
}

PyObject *call_result(call *call, int k, const dtype_object *element) {
    of_array *made = call->result[k];
    call->result[k] = NULL;
    if (element == NULL || element->rank == 0) return array_wrap_scalars(made);
    dtype_object *dtype = dtype_with_scalar(element, of_array_dtype(made));
    PyObject *array = array_wrap(made, dtype);
    Py_XDECREF((PyObject *)dtype);
    return array;
}

of_status flat_elements(of_array *array, int rank, of_array **out, of_error *err) {
    int ndim = of_array_ndim(array) - rank;
    int64_t shape[OF_MAX_DIMS + 1] = {1};
    for (int i = 0; i < ndim; i++) shape[0] *= of_array_shape(array)[i];
    for (int i = 0; i < rank; i++) shape[1 + i] = of_array_shape(array)[ndim + i];
    if (of_array_reshape(array, 1 + rank, shape, out, NULL) == OF_OK) return OF_OK;
    of_array *copy = NULL;
    of_status status = of_array_copy(array, &copy, err);
    if (status == OF_OK) status = of_array_reshape(copy, 1 + rank, shape, out, err);
    of_array_release(copy);
    return status;
}
