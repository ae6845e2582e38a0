/* Selecting rows by flags. */
#include <string.h>

#include "python/bindings.h"
#include "python/call_options.h"

/* Vectors and matrices of an array of several dimensions are rows of a flat one, and their flags
 * are flat too. */
static of_status flatten_both(call *call, of_error *err) {
    for (int i = 0; i < 2; i++) {
        of_array *flat = NULL;
        of_status status = flat_elements(call->source[i], i == 0 ? call->dim : 0, &flat, err);
        if (status != OF_OK) return status;
        of_array_release(call->source[i]);
        call->source[i] = flat;
    }
    return OF_OK;
}

static of_status run_compact(call *call, of_error *err) {
    of_status status = call->dim > 0 ? flatten_both(call, err) : OF_OK;
    if (status != OF_OK) return status;
    of_array *src = call->source[0], *flags = call->source[1];
    if (call->operation != 0) {
        return of_partition(src, flags, &call->opts.compact, &call->result[0], &call->number, err);
    }
    return of_compact(src, flags, &call->opts.compact, &call->result[0], err);
}

/* Flags of one dimension are one a row, which is what of_compact takes too; others must be one an
 * element. */
static bool check_flags(call *call, const dtype_object *element) {
    const of_array *src = call->source[0], *flags = call->source[1];
    int ndim = of_array_ndim(flags);
    if (element->rank == 0 || (ndim == 1 && of_array_ndim(src) > element->rank)) return true;
    call->dim = element->rank;
    if (ndim == of_array_ndim(src) - element->rank &&
        memcmp(of_array_shape(flags), of_array_shape(src), (size_t)ndim * sizeof(int64_t)) == 0) {
        return true;
    }
    PyErr_SetString(
        PyExc_ValueError,
        "flags has another shape than src; flags are of one dimension, one a row, or of "
        "src's shape");
    return false;
}

static bool read_compact(call *call, PyObject *const *args, dtype_object **element) {
    call->source[0] = operand_source(args[0], "src", element);
    if (call->source[0] == NULL) return false;
    call->source[1] = operand_source(args[1], "flags", NULL);
    return call->source[1] != NULL && check_flags(call, *element) &&
           option_n(args[2], call, NULL, NULL, NULL, &call->opts.compact.n);
}

/* The rows kept, or all of them in another order with how many were flagged. */
static PyObject *select_rows(PyObject *const *args, bool is_partition) {
    call *call = call_create(run_compact);
    if (call == NULL) return NULL;
    call->operation = is_partition;
    dtype_object *element = NULL;
    PyObject *result = NULL;
    if (read_compact(call, args, &element) && call_perform(&call)) {
        result = call_result(call, 0, element);
        if (is_partition) result = Py_BuildValue("(NL)", result, (long long)call->number);
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return result;
}

/* compact(src, flags, n) */
PyObject *bind_compact(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    return check_count("compact", count, 3, 3) ? select_rows(args, false) : NULL;
}

/* partition(src, flags, n): the rows, and how many were flagged. */
PyObject *bind_partition(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    return check_count("partition", count, 3, 3) ? select_rows(args, true) : NULL;
}

static of_status run_nonzero(call *call, of_error *err) {
    return of_nonzero(call->source[0], &call->opts.compact, &call->result[0], err);
}

/* nonzero(flags, n, index_dtype) */
PyObject *bind_nonzero(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("nonzero", count, 3, 3)) return NULL;
    call *call = call_create(run_nonzero);
    if (call == NULL) return NULL;
    of_compact_opts *opts = &call->opts.compact;
    PyObject *result = NULL;
    if ((call->source[0] = operand_source(args[0], "flags", NULL)) != NULL &&
        option_n(args[1], call, NULL, NULL, NULL, &opts->n) &&
        dtype_option(args[2], "index_dtype", &opts->index_dtype) && call_perform(&call)) {
        result = call_result(call, 0, NULL);
    }
    call_release(call);
    return result;
}
