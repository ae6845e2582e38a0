/* Reductions and statistics. */
#include <string.h>

#include "python/bindings.h"
#include "python/library_call.h"

/* The operation or map that a number of the package stands for. */
static bool read_choice(PyObject *object, const char *argument, int end, int *out) {
    int64_t choice;
    if (!operand_int(object, argument, &choice)) return false;
    if (choice < 0 || choice >= end) {
        PyErr_Format(PyExc_ValueError, "%s %lld is out of range", argument, (long long)choice);
        return false;
    }
    *out = (int)choice;
    return true;
}

static const char workspace_name[] = "onefold.workspace";

static bool read_workspace(PyObject *object, of_workspace **out) {
    *out = NULL;
    if (object == Py_None) return true;
    PyObject *capsule = PyObject_GetAttrString(object, "_capsule");
    if (capsule == NULL) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "workspace %R was not made by onefold.workspace", object);
        return false;
    }
    *out = PyCapsule_GetPointer(capsule, workspace_name);
    Py_DECREF(capsule);
    return *out != NULL;
}

/* The arguments that all reductions have, at these places. */
enum {
    OPERATION,
    X,
    SECOND,
    DIMS,
    KEEPDIMS,
    ACCTYPE,
    INIT,
    N,
    MAP,
    ORD,
    WORKSPACE,
    REDUCE_ARGUMENTS
};

/* Reads them into a call. The element type of x is handed out as a new reference, also on
 * failure. */
static bool read_reduce(call *call, PyObject *const *args, dtype_object **element) {
    of_reduce_opts *opts = &call->opts.reduce;
    dtype_object *other = NULL;
    int map;
    bool given;
    if (!read_choice(args[OPERATION], "operation", OF_OPERATION_END, &call->operation) ||
        !read_choice(args[MAP], "map", OF_MAP_PRODUCT + 1, &map)) {
        return false;
    }
    call->source[0] = operand_source(args[X], "x", element);
    if (call->source[0] == NULL) return false;
    if (args[SECOND] != Py_None) {
        call->source[1] = operand_source(args[SECOND], "the second array", &other);
        Py_XDECREF((PyObject *)other);
        if (call->source[1] == NULL) return false;
    }
    int ndim = of_array_ndim(call->source[0]) - (*element)->rank;
    if (!operand_dims(args[DIMS], "dim", ndim, &opts->dims) ||
        !dtype_option(args[ACCTYPE], "acctype", &opts->acctype) ||
        !operand_optional_int(args[N], "n", &given, &call->n) ||
        !read_workspace(args[WORKSPACE], &opts->workspace)) {
        return false;
    }
    if (given) {
        call->n *= dtype_components(*element);
        opts->n = &call->n;
    }
    if (args[INIT] != Py_None) {
        if (!operand_scalar(args[INIT], "init", &call->init)) return false;
        opts->init = &call->init;
    }
    opts->second = call->source[1];
    opts->keepdims = args[KEEPDIMS] == Py_True;
    opts->map = (of_map)map;
    opts->ord = PyFloat_AsDouble(args[ORD]);
    return !PyErr_Occurred();
}

static of_status reduce_to_scalar(call *call, of_error *err) {
    return of_reduce_scalar(call->source[0], (of_operation)call->operation, &call->opts.reduce,
                            &call->value, err);
}

static of_status reduce_to_array(call *call, of_error *err) {
    return of_reduce(call->source[0], (of_operation)call->operation, &call->opts.reduce,
                     &call->result[0], err);
}

/* Where no dimensions are named, those of an element are reduced too. */
static PyObject *scalar_result(of_scalar value, bool as_array, bool keepdims,
                               const of_array *source, int rank) {
    if (!as_array) return scalar_to_python(value);
    int64_t ones[OF_MAX_DIMS];
    int ndim = keepdims ? of_array_ndim(source) - rank : 0;
    for (int i = 0; i < ndim; i++) ones[i] = 1;
    of_array *array = NULL;
    of_error err = {0};
    of_status status =
        of_array_create(of_array_device(source), value.dtype, ndim, ones, &array, &err);
    if (status != OF_OK) return raise_status(status, &err);
    of_scalar_store(value, of_array_mutable_data(array));
    return array_wrap_scalars(array);
}

static PyObject *array_result(call *call, const dtype_object *element) {
    of_array *made = call->result[0];
    call->result[0] = NULL;
    dtype_object *dtype = dtype_with_scalar(element, of_array_dtype(made));
    PyObject *array = array_wrap(made, dtype);
    Py_XDECREF((PyObject *)dtype);
    return array;
}

/*
 * reduce(operation, x, second, dims, keepdims, acctype, init, n, map, ord, workspace, as_array)
 *
 * Without dims one value: a Python number, or with as_array an Array. With dims an Array.
 */
PyObject *bind_reduce(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("reduce", count, REDUCE_ARGUMENTS + 1, REDUCE_ARGUMENTS + 1)) return NULL;
    bool along = args[DIMS] != Py_None, as_array = args[REDUCE_ARGUMENTS] == Py_True;
    call *call = call_create(along ? reduce_to_array : reduce_to_scalar);
    if (call == NULL) return NULL;
    dtype_object *element = NULL;
    PyObject *result = NULL;
    if (read_reduce(call, args, &element) && call_perform(&call)) {
        if (along) {
            result = array_result(call, element);
        } else {
            result = scalar_result(call->value, as_array, call->opts.reduce.keepdims,
                                   call->source[0], element->rank);
        }
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return result;
}

static of_status reduce_to_existing(call *call, of_error *err) {
    return of_reduce_into(call->source[2], call->source[0], (of_operation)call->operation,
                          &call->opts.reduce, err);
}

/* reduce_into(the arguments of reduce up to workspace, into, overwrite) */
PyObject *bind_reduce_into(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("reduce_into", count, REDUCE_ARGUMENTS + 2, REDUCE_ARGUMENTS + 2)) return NULL;
    PyObject *target = args[REDUCE_ARGUMENTS];
    call *call = call_create(reduce_to_existing);
    if (call == NULL) return NULL;
    dtype_object *element = NULL, *into = NULL;
    bool done = false;
    if (read_reduce(call, args, &element)) {
        call->source[2] = operand_target(target, "into", &into);
        call->opts.reduce.overwrite = args[REDUCE_ARGUMENTS + 1] == Py_True;
        if (call->source[2] != NULL &&
            memcmp(into->extent, element->extent, sizeof into->extent) != 0) {
            PyErr_Format(PyExc_TypeError, "into has elements of %S, the source of %S", into,
                         element);
        } else {
            done = call->source[2] != NULL && call_perform(&call);
        }
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    Py_XDECREF((PyObject *)into);
    return done ? Py_NewRef(Py_None) : NULL;
}

static void free_workspace(PyObject *capsule) {
    of_workspace_free(PyCapsule_GetPointer(capsule, workspace_name));
}

/* workspace(the arguments of reduce up to workspace, into or None): a capsule, and its bytes. */
PyObject *bind_workspace(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("workspace", count, REDUCE_ARGUMENTS + 1, REDUCE_ARGUMENTS + 1)) return NULL;
    PyObject *target = args[REDUCE_ARGUMENTS], *result = NULL;
    call *call = call_create(NULL);
    if (call == NULL) return NULL;
    dtype_object *element = NULL, *into = NULL;
    if (read_reduce(call, args, &element) &&
        (target == Py_None || (call->source[2] = operand_target(target, "into", &into)) != NULL)) {
        of_workspace *workspace = NULL;
        of_error err = {0};
        of_status status =
            of_workspace_create(call->source[0], (of_operation)call->operation, &call->opts.reduce,
                                call->source[2], &workspace, &err);
        if (status != OF_OK) {
            raise_status(status, &err);
        } else {
            result = Py_BuildValue("(NL)", PyCapsule_New(workspace, workspace_name, free_workspace),
                                   (long long)of_workspace_size(workspace));
        }
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    Py_XDECREF((PyObject *)into);
    return result;
}
