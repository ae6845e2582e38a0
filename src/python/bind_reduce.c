/* Reductions and statistics. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "python/bindings.h"
#include "python/call_options.h"

/* The arguments that all reductions have, at these places. Those left off at the end are as
 * None. */
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
    REDUCE_ARGUMENTS,
    FEWEST = DIMS
};

/* What the arrays are called in messages. */
typedef struct source_names {
    const char *first, *second;
} source_names;

/* ---- Scratch memory ---- */

/* The capsule owns one, and so does every call that uses it: one at a time. */
typedef struct scratch {
    of_workspace *workspace;
    atomic_int owners;
    atomic_bool busy;
} scratch;

static const char capsule_name[] = "onefold.workspace";

static void scratch_drop(scratch *scratch) {
    if (atomic_fetch_sub(&scratch->owners, 1) > 1) return;
    of_workspace_free(scratch->workspace);
    free(scratch);
}

static void scratch_give_back(void *data, void *context) {
    (void)data;
    scratch *scratch = context;
    atomic_store(&scratch->busy, false);
    scratch_drop(scratch);
}

/* Lends it to a call, which may go on after Python has let go of all: an array without elements
 * gives it back. */
static bool scratch_lend(scratch *scratch, call *call) {
    of_error err = {0};
    if (atomic_exchange(&scratch->busy, true)) {
        PyErr_SetString(PyExc_ValueError, "workspace is in use by another call");
        return false;
    }
    atomic_fetch_add(&scratch->owners, 1);
    of_status status =
        of_array_wrap(NULL, OF_U8, 1, (int64_t[]){0}, NULL, NULL, 0, scratch_give_back, scratch,
                      &call->source[MOST_SOURCES - 1], &err);
    if (status != OF_OK) {
        scratch_give_back(NULL, scratch);
        raise_status(status, &err);
        return false;
    }
    call->opts.reduce.workspace = scratch->workspace;
    return true;
}

static bool read_workspace(PyObject *object, call *call) {
    PyObject *capsule = PyObject_GetAttrString(object, "_capsule");
    bool good = false;
    if (capsule != NULL && PyCapsule_IsValid(capsule, capsule_name)) {
        good = scratch_lend(PyCapsule_GetPointer(capsule, capsule_name), call);
    } else {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "workspace %R was not made by onefold.workspace", object);
    }
    Py_XDECREF(capsule);
    return good;
}

static void capsule_free(PyObject *capsule) {
    scratch_drop(PyCapsule_GetPointer(capsule, capsule_name));
}

/* Takes over the workspace. */
static PyObject *capsule_make(of_workspace *workspace) {
    scratch *made = calloc(1, sizeof *made);
    if (made == NULL) {
        of_workspace_free(workspace);
        return PyErr_NoMemory();
    }
    made->workspace = workspace;
    atomic_init(&made->owners, 1);
    PyObject *capsule = PyCapsule_New(made, capsule_name, capsule_free);
    if (capsule == NULL) scratch_drop(made);
    return capsule;
}

/* ---- Reading arguments ---- */

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

/* N and what follows. The workspace is taken last, when all else is known to be good. */
static bool read_rest(call *call, PyObject *const *args, Py_ssize_t count,
                      const dtype_object *element, const char *name) {
    of_reduce_opts *opts = &call->opts.reduce;
    int map = OF_MAP_NONE;
    if (count > N && !option_n(args[N], call, element, call->source[0], name, &opts->n))
        return false;
    if (count > MAP && !read_choice(args[MAP], "map", OF_MAP_PRODUCT + 1, &map)) return false;
    if (count > ORD && args[ORD] != Py_None) opts->ord = PyFloat_AsDouble(args[ORD]);
    if (PyErr_Occurred()) return false;
    opts->map = (of_map)map;
    return count <= WORKSPACE || args[WORKSPACE] == Py_None ||
           read_workspace(args[WORKSPACE], call);
}

/* Reads arguments into a call. The element type of the first array is handed out as a new
 * reference, also on failure. */
static bool read_reduce(call *call, PyObject *const *args, Py_ssize_t count, source_names names,
                        dtype_object **element) {
    of_reduce_opts *opts = &call->opts.reduce;
    if (!read_choice(args[OPERATION], "operation", OF_OPERATION_END, &call->operation))
        return false;
    call->source[0] = operand_source(args[X], names.first, element);
    if (call->source[0] == NULL) return false;
    if (count > SECOND && args[SECOND] != Py_None) {
        dtype_object *other = NULL;
        call->source[1] = operand_source(args[SECOND], names.second, &other);
        Py_XDECREF((PyObject *)other);
        if (call->source[1] == NULL) return false;
        opts->second = call->source[1];
    }
    int ndim = of_array_ndim(call->source[0]) - (*element)->rank;
    if (count > DIMS && !operand_dims(args[DIMS], "dim", ndim, &opts->dims)) return false;
    if (count > KEEPDIMS && !option_flag(args[KEEPDIMS], &opts->keepdims)) return false;
    if (count > ACCTYPE && !dtype_option(args[ACCTYPE], "acctype", &opts->acctype)) return false;
    if (count > INIT && args[INIT] != Py_None) {
        if (!operand_scalar(args[INIT], "init", &call->init)) return false;
        opts->init = &call->init;
    }
    return read_rest(call, args, count, *element, names.first);
}

/* ---- To a value or a new array ---- */

static of_status reduce_to_scalar(call *call, of_error *err) {
    return of_reduce_scalar(call->source[0], (of_operation)call->operation, &call->opts.reduce,
                            &call->value, err);
}

static of_status reduce_to_array(call *call, of_error *err) {
    return of_reduce(call->source[0], (of_operation)call->operation, &call->opts.reduce,
                     &call->result[0], err);
}

/* A value in an array of no dimensions, or of as many of size 1 as the source has. */
static PyObject *wrapped_value(const call *call, const dtype_object *element) {
    static const int64_t ones[OF_MAX_DIMS] = {1, 1, 1, 1, 1, 1, 1, 1};
    int ndim = call->opts.reduce.keepdims ? of_array_ndim(call->source[0]) - element->rank : 0;
    of_array *array = NULL;
    of_error err = {0};
    of_status status = of_array_create(of_array_device(call->source[0]), call->value.dtype, ndim,
                                       ones, &array, &err);
    if (status != OF_OK) return raise_status(status, &err);
    of_scalar_store(call->value, of_array_mutable_data(array));
    return array_wrap_scalars(array);
}

/* With dims an Array. Without, one value, the components of elements being reduced too: an Array
 * where that is asked for, else a Python number; or init as it came, when there is no element. */
static PyObject *reduced(PyObject *const *args, Py_ssize_t count, source_names names,
                         bool as_array) {
    bool along = count > DIMS && args[DIMS] != Py_None;
    call *call = call_create(along ? reduce_to_array : reduce_to_scalar);
    if (call == NULL) return NULL;
    dtype_object *element = NULL;
    PyObject *result = NULL;
    if (read_reduce(call, args, count, names, &element) && call_perform(&call)) {
        bool only_init = call->opts.reduce.init != NULL && of_array_size(call->source[0]) == 0;
        result = along       ? call_result(call, 0, element)
                 : as_array  ? wrapped_value(call, element)
                 : only_init ? Py_NewRef(args[INIT])
                             : scalar_to_python(call->value);
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return result;
}

/* reduce(operation, x, second, dims, keepdims, acctype, init, n, map, ord, workspace, as_array):
 * without dims a number, or with as_array an Array. */
PyObject *bind_reduce(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("reduce", count, FEWEST, REDUCE_ARGUMENTS + 1)) return NULL;
    bool as_array = count > REDUCE_ARGUMENTS && args[REDUCE_ARGUMENTS] == Py_True;
    return reduced(args, count, (source_names){"src", "the second src"}, as_array);
}

/* reduce_array(the arguments of reduce up to workspace): always an Array. */
PyObject *bind_reduce_array(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("reduce_array", count, FEWEST, REDUCE_ARGUMENTS)) return NULL;
    return reduced(args, count, (source_names){"input", "the second input"}, true);
}

/* ---- Into an array that is there ---- */

static of_status reduce_to_existing(call *call, of_error *err) {
    return of_reduce_into(call->source[2], call->source[0], (of_operation)call->operation,
                          &call->opts.reduce, err);
}

/* How many of R's dimensions count elements, when it is to hold elements of that type: an Array
 * of such, or scalars with the element's sizes last. */
static int element_dims(const of_array *into, const dtype_object *own,
                        const dtype_object *element) {
    int ndim = of_array_ndim(into) - element->rank;
    bool match = ndim >= 0 && (own->rank == 0 || own->rank == element->rank);
    for (int i = 0; match && i < element->rank; i++)
        match = of_array_shape(into)[ndim + i] == element->extent[i];
    if (match) return ndim;
    PyErr_Format(PyExc_TypeError, "R has elements of %S, the source of %S", own, element);
    return -1;
}

/* R may leave off trailing dimensions of size 1: they come back before those of an element. Takes
 * over R's handle. */
static of_array *with_all_dims(of_array *into, int ndim, int source_ndim,
                               const dtype_object *element) {
    if (element->rank == 0 || ndim >= source_ndim) return into;
    int64_t shape[OF_MAX_DIMS];
    for (int i = 0; i < source_ndim; i++) shape[i] = i < ndim ? of_array_shape(into)[i] : 1;
    for (int i = 0; i < element->rank; i++) shape[source_ndim + i] = element->extent[i];
    of_array *view = NULL;
    of_error err = {0};
    of_status status = of_array_reshape(into, source_ndim + element->rank, shape, &view, &err);
    of_array_release(into);
    if (status != OF_OK) raise_status(status, &err);
    return view;
}

static bool read_into(call *call, PyObject *target, const dtype_object *element) {
    dtype_object *own = NULL;
    of_array *into = operand_target(target, "R", &own);
    int ndim = into != NULL ? element_dims(into, own, element) : -1;
    if (ndim >= 0) {
        into = with_all_dims(into, ndim, of_array_ndim(call->source[0]) - element->rank, element);
    } else {
        of_array_release(into);
        into = NULL;
    }
    call->source[2] = into;
    Py_XDECREF((PyObject *)own);
    return into != NULL;
}

/* reduce_into(the arguments of reduce, R, overwrite) */
PyObject *bind_reduce_into(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("reduce_into", count, REDUCE_ARGUMENTS + 2, REDUCE_ARGUMENTS + 2)) return NULL;
    call *call = call_create(reduce_to_existing);
    if (call == NULL) return NULL;
    dtype_object *element = NULL;
    bool done = read_reduce(call, args, REDUCE_ARGUMENTS, (source_names){"src", "the second src"},
                            &element) &&
                option_flag(args[REDUCE_ARGUMENTS + 1], &call->opts.reduce.overwrite) &&
                read_into(call, args[REDUCE_ARGUMENTS], element) && call_perform(&call);
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return done ? Py_NewRef(Py_None) : NULL;
}

/* workspace(the arguments of reduce_into): a capsule, and its bytes. R is None for a reduction to
 * a new array. */
PyObject *bind_workspace(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("workspace", count, REDUCE_ARGUMENTS + 2, REDUCE_ARGUMENTS + 2)) return NULL;
    PyObject *target = args[REDUCE_ARGUMENTS], *result = NULL;
    call *call = call_create(NULL);
    if (call == NULL) return NULL;
    dtype_object *element = NULL;
    if (read_reduce(call, args, REDUCE_ARGUMENTS, (source_names){"src", "the second src"},
                    &element) &&
        option_flag(args[REDUCE_ARGUMENTS + 1], &call->opts.reduce.overwrite) &&
        (target == Py_None || read_into(call, target, element))) {
        of_workspace *workspace = NULL;
        of_error err = {0};
        of_status status =
            of_workspace_create(call->source[0], (of_operation)call->operation, &call->opts.reduce,
                                call->source[2], &workspace, &err);
        if (status != OF_OK) {
            raise_status(status, &err);
        } else {
            int64_t size = of_workspace_size(workspace);
            PyObject *capsule = capsule_make(workspace);
            if (capsule != NULL) result = Py_BuildValue("(NL)", capsule, (long long)size);
        }
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return result;
}
