/* Histograms. */
#include "python/bindings.h"
#include "python/call_options.h"

static of_status run_histogram(call *call, of_error *err) {
    return of_histogram(call->source[0], call->number, &call->opts.histogram, &call->result[0],
                        &call->result[1], err);
}

/* None or two numbers. */
static bool read_range(PyObject *object, call *call) {
    if (object == Py_None) return true;
    if (!PySequence_Check(object) || PySequence_Size(object) != 2) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "range %R is not a pair of numbers", object);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        of_scalar end;
        PyObject *item = PySequence_GetItem(object, i);
        bool good = item != NULL && operand_scalar(item, "range", &end);
        Py_XDECREF(item);
        if (!good) return false;
        call->range[i] = of_scalar_to_f64(end);
    }
    call->opts.histogram.range = call->range;
    return true;
}

static bool read_outside(PyObject *object, of_outside *out) {
    bool is_text = PyUnicode_Check(object);
    *out = OF_OUTSIDE_DROP;
    if (is_text && PyUnicode_CompareWithASCIIString(object, "drop") == 0) return true;
    *out = OF_OUTSIDE_CLAMP;
    if (is_text && PyUnicode_CompareWithASCIIString(object, "clamp") == 0) return true;
    PyErr_Format(PyExc_ValueError, "outside %R is neither \"clamp\" nor \"drop\"", object);
    return false;
}

enum { X, BINS, RANGE, N, OUTSIDE, WEIGHTS, HISTOGRAM_ARGUMENTS };

static bool read_histogram(call *call, PyObject *const *args, dtype_object **element) {
    of_histogram_opts *opts = &call->opts.histogram;
    call->source[0] = operand_source(args[X], "data", element);
    if (call->source[0] == NULL || !operand_int(args[BINS], "bins", &call->number) ||
        !read_range(args[RANGE], call) ||
        !option_n(args[N], call, *element, call->source[0], "data", &opts->n) ||
        !read_outside(args[OUTSIDE], &opts->outside)) {
        return false;
    }
    call_expect(call, call->number);
    if (args[WEIGHTS] == Py_None) return true;
    opts->weights = call->source[1] = operand_source(args[WEIGHTS], "weights", NULL);
    return opts->weights != NULL;
}

/* histogram(x, bins, range, n, outside, weights): counts and edges. */
PyObject *bind_histogram(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("histogram", count, HISTOGRAM_ARGUMENTS, HISTOGRAM_ARGUMENTS)) return NULL;
    call *call = call_create(run_histogram);
    if (call == NULL) return NULL;
    dtype_object *element = NULL;
    PyObject *result = NULL;
    if (read_histogram(call, args, &element) && call_perform(&call)) {
        PyObject *counts = call_result(call, 0, NULL), *edges = call_result(call, 1, NULL);
        result = Py_BuildValue("(NN)", counts, edges);
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return result;
}
