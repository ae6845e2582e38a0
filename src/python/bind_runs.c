/* Runs of equal keys. */
#include "python/bindings.h"
#include "python/call_options.h"

static bool read_runs(call *call, PyObject *keys, PyObject *n, PyObject *index_dtype) {
    of_runs_opts *opts = &call->opts.runs;
    call->source[0] = operand_source(keys, "keys", NULL);
    return call->source[0] != NULL && option_n(n, call, NULL, NULL, NULL, &opts->n) &&
           dtype_option(index_dtype, "index_dtype", &opts->index_dtype);
}

/* What each result of of_unique is. */
enum { KEYS, COUNTS, FIRST_INDEX, INVERSE, UNIQUE_RESULTS };

static of_status run_unique(call *call, of_error *err) {
    of_array **out[UNIQUE_RESULTS];
    for (int k = 0; k < UNIQUE_RESULTS; k++) out[k] = call->wanted[k] ? &call->result[k] : NULL;
    return of_unique(call->source[0], &call->opts.runs, out[KEYS], out[COUNTS], out[FIRST_INDEX],
                     out[INVERSE], err);
}

/* The results that are wanted, in order. */
static PyObject *wanted_results(call *call, int most) {
    PyObject *list = PyList_New(0);
    for (int k = 0; list != NULL && k < most; k++) {
        if (!call->wanted[k]) continue;
        PyObject *array = call_result(call, k, NULL);
        if (array == NULL || PyList_Append(list, array) < 0) Py_CLEAR(list);
        Py_XDECREF(array);
    }
    PyObject *tuple = list != NULL ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}

/* unique(keys, n, index_dtype, first index?, inverse?): keys, counts, and what else is asked for. */
PyObject *bind_unique(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("unique", count, 5, 5)) return NULL;
    call *call = call_create(run_unique);
    if (call == NULL) return NULL;
    call->wanted[KEYS] = call->wanted[COUNTS] = true;
    PyObject *result = NULL;
    if (read_runs(call, args[0], args[1], args[2]) &&
        option_flag(args[3], &call->wanted[FIRST_INDEX]) &&
        option_flag(args[4], &call->wanted[INVERSE]) && call_perform(&call)) {
        result = wanted_results(call, UNIQUE_RESULTS);
    }
    call_release(call);
    return result;
}

static of_status run_reduce_by_key(call *call, of_error *err) {
    return of_reduce_by_key(call->source[0], call->source[1], (of_group_operation)call->operation,
                            &call->opts.runs, &call->result[0], &call->result[1], err);
}

/* Vectors and matrices, by components: runs are segments whose ids ascend. */
static of_status run_reduce_rows_by_key(call *call, of_error *err) {
    of_array *inverse = NULL, *rows = NULL, *first = NULL;
    int64_t n = call->opts.runs.n != NULL ? call->n : of_array_size(call->source[0]);
    of_status status =
        of_unique(call->source[0], &call->opts.runs, &call->result[0], NULL, NULL, &inverse, err);
    if (status == OF_OK) status = flat_elements(call->source[1], call->dim, &rows, err);
    if (status == OF_OK) status = of_array_slice(rows, 0, 0, n, 1, &first, err);
    if (status == OF_OK) {
        of_segment_opts opts = {.sorted = true};
        status =
            of_segment_reduce(first, inverse, of_array_size(call->result[0]),
                              (of_group_operation)call->operation, &opts, &call->result[1], err);
    }
    of_array_release(inverse);
    of_array_release(rows);
    of_array_release(first);
    return status;
}

/* Whether there is a value for each key, for those that are no scalars. */
static bool enough_values(call *call, const dtype_object *element) {
    if (element->rank == 0) return true;
    call->run = run_reduce_rows_by_key;
    call->dim = element->rank;
    int64_t n = call->opts.runs.n != NULL ? call->n : of_array_size(call->source[0]);
    int64_t size = element_count(call->source[1], element);
    if (n <= size) return true;
    PyErr_Format(PyExc_ValueError, "values has %lld elements, but keys has %lld", (long long)size,
                 (long long)n);
    return false;
}

/* reduce_by_key(keys, values, operation's name, n, index_dtype): keys and results. */
PyObject *bind_reduce_by_key(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("reduce_by_key", count, 5, 5)) return NULL;
    call *call = call_create(run_reduce_by_key);
    if (call == NULL) return NULL;
    dtype_object *element = NULL;
    PyObject *result = NULL;
    if (read_runs(call, args[0], args[3], args[4]) &&
        (call->source[1] = operand_source(args[1], "values", &element)) != NULL &&
        option_group_operation(args[2], "op", &call->operation) && enough_values(call, element) &&
        call_perform(&call)) {
        PyObject *keys = call_result(call, 0, NULL), *results = call_result(call, 1, element);
        result = Py_BuildValue("(NN)", keys, results);
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return result;
}
