/* Sorting, searching, merging, reversing. */
#include <string.h>

#include "python/bindings.h"
#include "python/call_options.h"

/* ---- Sorting ---- */

/* Keys with what all sorts take: n, dim, descending. */
static bool read_keys(call *call, PyObject *const *args) {
    of_sort_opts *opts = &call->opts.sort;
    call->source[0] = operand_source(args[0], "keys", NULL);
    return call->source[0] != NULL && option_n(args[1], call, NULL, NULL, NULL, &opts->n) &&
           option_dim(args[2], call, of_array_ndim(call->source[0]), &opts->dim) &&
           option_flag(args[3], &opts->descending);
}

static of_status run_sort(call *call, of_error *err) {
    return of_sort(call->source[0], &call->opts.sort, &call->result[0], err);
}

/* sort(keys, n, dim, descending) */
PyObject *bind_sort(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("sort", count, 4, 4)) return NULL;
    call *call = call_create(run_sort);
    if (call == NULL) return NULL;
    PyObject *result = NULL;
    if (read_keys(call, args) && call_perform(&call)) result = call_result(call, 0, NULL);
    call_release(call);
    return result;
}

static of_status run_argsort(call *call, of_error *err) {
    return of_argsort(call->source[0], &call->opts.sort, &call->result[0], err);
}

/* argsort(keys, n, dim, descending, index_dtype) */
PyObject *bind_argsort(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("argsort", count, 5, 5)) return NULL;
    call *call = call_create(run_argsort);
    if (call == NULL) return NULL;
    PyObject *result = NULL;
    if (read_keys(call, args) &&
        dtype_option(args[4], "index_dtype", &call->opts.sort.index_dtype) && call_perform(&call)) {
        result = call_result(call, 0, NULL);
    }
    call_release(call);
    return result;
}

/* ---- Sorting values by keys ---- */

static of_status run_sort_by_key(call *call, of_error *err) {
    return of_sort_by_key(call->source[0], call->source[1], &call->opts.sort, &call->result[0],
                          &call->result[1], err);
}

/* Vectors and matrices as rows: the keys flat, and so are the values where they have their shape. */
static of_status run_sort_rows(call *call, of_error *err) {
    of_array *keys = NULL, *values = NULL;
    of_status status = flat_elements(call->source[0], 0, &keys, err);
    if (status == OF_OK && call->wanted[0]) {
        status = flat_elements(call->source[1], (int)call->number, &values, err);
    } else {
        values = of_array_retain(call->source[1]);
    }
    if (status == OF_OK) {
        status =
            of_sort_by_key(keys, values, &call->opts.sort, &call->result[0], &call->result[1], err);
    }
    of_array_release(keys);
    of_array_release(values);
    return status;
}

static void release_keys(void *data, void *context) {
    (void)data;
    of_array_release(context);
}

/* Along a dimension of vectors or matrices: each component goes by keys that are the same for all
 * components of an element. */
static of_status run_sort_components(call *call, of_error *err) {
    of_array *keys = call->source[0], *values = call->source[1], *spread = NULL;
    int64_t strides[OF_MAX_DIMS] = {0};
    for (int i = 0; i < of_array_ndim(keys); i++) strides[i] = of_array_strides(keys)[i];
    of_status status = of_array_wrap(
        of_array_device(keys), of_array_dtype(keys), of_array_ndim(values), of_array_shape(values),
        strides, (void *)of_array_data(keys), OF_WRAP_READ_ONLY, release_keys, keys, &spread, err);
    if (status != OF_OK) return status;
    of_array_retain(keys);
    status = of_sort_by_key(spread, values, &call->opts.sort, NULL, &call->result[1], err);
    of_array_release(spread);
    return status == OF_OK ? of_sort(keys, &call->opts.sort, &call->result[0], err) : status;
}

static bool has_shape_of(const of_array *values, const dtype_object *element,
                         const of_array *keys) {
    int ndim = of_array_ndim(keys);
    return of_array_ndim(values) - element->rank == ndim &&
           memcmp(of_array_shape(values), of_array_shape(keys), (size_t)ndim * sizeof(int64_t)) ==
               0;
}

/* How values go by their keys, which depends on what they are. */
static bool choose_way(call *call, const dtype_object *element) {
    if (element->rank == 0) return true;
    bool same = has_shape_of(call->source[1], element, call->source[0]);
    call->run = call->opts.sort.dim != NULL ? run_sort_components : run_sort_rows;
    call->number = element->rank;
    call->wanted[0] = same;
    if (call->opts.sort.dim == NULL && !same) return has_rows(call->source[1], element, "values");
    if (!same) PyErr_SetString(PyExc_ValueError, "values has another shape than keys");
    return same;
}

/* sort_by_key(keys, n, dim, descending, values): both. */
PyObject *bind_sort_by_key(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("sort_by_key", count, 5, 5)) return NULL;
    call *call = call_create(run_sort_by_key);
    if (call == NULL) return NULL;
    dtype_object *element = NULL;
    PyObject *result = NULL;
    if (read_keys(call, args) &&
        (call->source[1] = operand_source(args[4], "values", &element)) != NULL &&
        choose_way(call, element) && call_perform(&call)) {
        PyObject *keys = call_result(call, 0, NULL), *values = call_result(call, 1, element);
        result = Py_BuildValue("(NN)", keys, values);
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return result;
}

/* ---- Searching ---- */

static of_status run_searchsorted(call *call, of_error *err) {
    return of_searchsorted(call->source[0], call->source[1], &call->opts.search, &call->result[0],
                           err);
}

/* searchsorted(sorted, values, n, right, descending, index_dtype) */
PyObject *bind_searchsorted(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("searchsorted", count, 6, 6)) return NULL;
    call *call = call_create(run_searchsorted);
    if (call == NULL) return NULL;
    of_search_opts *opts = &call->opts.search;
    PyObject *result = NULL;
    if ((call->source[0] = operand_source(args[0], "sorted", NULL)) != NULL &&
        (call->source[1] = operand_source(args[1], "values", NULL)) != NULL &&
        option_n(args[2], call, NULL, NULL, NULL, &opts->n) && option_flag(args[3], &opts->right) &&
        option_flag(args[4], &opts->descending) &&
        dtype_option(args[5], "index_dtype", &opts->index_dtype) && call_perform(&call)) {
        result = call_result(call, 0, NULL);
    }
    call_release(call);
    return result;
}

static of_status run_top_k(call *call, of_error *err) {
    return of_top_k(call->source[0], call->number, &call->opts.top_k, &call->result[0],
                    &call->result[1], err);
}

/* top_k(src, k, n, dim, smallest, index_dtype): values and indices. */
PyObject *bind_top_k(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("top_k", count, 6, 6)) return NULL;
    call *call = call_create(run_top_k);
    if (call == NULL) return NULL;
    of_top_k_opts *opts = &call->opts.top_k;
    PyObject *result = NULL;
    if ((call->source[0] = operand_source(args[0], "src", NULL)) != NULL &&
        operand_int(args[1], "k", &call->number) &&
        option_n(args[2], call, NULL, NULL, NULL, &opts->n) &&
        option_dim(args[3], call, of_array_ndim(call->source[0]), &opts->dim) &&
        option_flag(args[4], &opts->smallest) &&
        dtype_option(args[5], "index_dtype", &opts->index_dtype) && call_perform(&call)) {
        PyObject *values = call_result(call, 0, NULL), *indices = call_result(call, 1, NULL);
        result = Py_BuildValue("(NN)", values, indices);
    }
    call_release(call);
    return result;
}

/* ---- Merging and reversing ---- */

static of_status run_merge(call *call, of_error *err) {
    return of_merge(call->source[0], call->source[1], &call->opts.merge, &call->result[0], err);
}

/* merge(a, b, descending) */
PyObject *bind_merge(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("merge", count, 3, 3)) return NULL;
    call *call = call_create(run_merge);
    if (call == NULL) return NULL;
    PyObject *result = NULL;
    if ((call->source[0] = operand_source(args[0], "a", NULL)) != NULL &&
        (call->source[1] = operand_source(args[1], "b", NULL)) != NULL &&
        option_flag(args[2], &call->opts.merge.descending) && call_perform(&call)) {
        result = call_result(call, 0, NULL);
    }
    call_release(call);
    return result;
}

static of_status run_reverse(call *call, of_error *err) {
    return of_reverse(call->source[0], &call->opts.reverse, &call->result[0], err);
}

/* The first vectors or matrices, as rows. */
static of_status run_reverse_rows(call *call, of_error *err) {
    of_array *rows = NULL, *first = NULL;
    int along_rows = 0;
    of_status status = flat_elements(call->source[0], (int)call->number, &rows, err);
    if (status == OF_OK) status = of_array_slice(rows, 0, 0, call->n, 1, &first, err);
    if (status == OF_OK) {
        of_reverse_opts opts = {.dim = &along_rows};
        status = of_reverse(first, &opts, &call->result[0], err);
    }
    of_array_release(rows);
    of_array_release(first);
    return status;
}

static bool read_reverse(call *call, PyObject *const *args, dtype_object **element) {
    of_reverse_opts *opts = &call->opts.reverse;
    call->source[0] = operand_source(args[0], "src", element);
    if (call->source[0] == NULL) return false;
    int rank = (*element)->rank;
    if (!option_n(args[1], call, *element, call->source[0], "src", &opts->n) ||
        !option_dim(args[2], call, of_array_ndim(call->source[0]) - rank, &opts->dim)) {
        return false;
    }
    if (rank == 0 || opts->dim != NULL) return true;
    call->run = run_reverse_rows;
    call->number = rank;
    call->n = opts->n != NULL ? call->n / dtype_components(*element)
                              : element_count(call->source[0], *element);
    return true;
}

/* reverse(src, n, dim) */
PyObject *bind_reverse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("reverse", count, 3, 3)) return NULL;
    call *call = call_create(run_reverse);
    if (call == NULL) return NULL;
    dtype_object *element = NULL;
    PyObject *result = NULL;
    if (read_reverse(call, args, &element) && call_perform(&call)) {
        result = call_result(call, 0, element);
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return result;
}
