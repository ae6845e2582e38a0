/* Segments: reductions, softmax, and the three ways to say which rows belong to which. */
#include "python/bindings.h"
#include "python/call_options.h"

/* ---- Reductions ---- */

/* How many segments there are: never inferred. */
static bool read_num_segments(call *call, PyObject *object) {
    if (object == Py_None) {
        PyErr_SetString(PyExc_TypeError,
                        "num_segments is None; it must be given, since ids do not tell it");
        return false;
    }
    if (!operand_int(object, "num_segments", &call->number)) return false;
    call_expect(call, call->number);
    return true;
}

/* x, ids, num_segments, sorted, check_sorted */
static bool read_segments(call *call, PyObject *const *args, dtype_object **element) {
    call->source[0] = operand_source(args[0], "x", element);
    if (call->source[0] == NULL || !has_rows(call->source[0], *element, "x")) return false;
    call->source[1] = operand_source(args[1], "ids", NULL);
    return call->source[1] != NULL && read_num_segments(call, args[2]) &&
           option_flag(args[3], &call->opts.segment.sorted) &&
           option_flag(args[4], &call->opts.segment.check_sorted);
}

static PyObject *perform_segments(call *call, bool ready, dtype_object *element) {
    PyObject *result = NULL;
    if (ready && call_perform(&call)) result = call_result(call, 0, element);
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return result;
}

static of_status run_segment_reduce(call *call, of_error *err) {
    return of_segment_reduce(call->source[0], call->source[1], call->number,
                             (of_group_operation)call->operation, &call->opts.segment,
                             &call->result[0], err);
}

/* segment_reduce(x, ids, num_segments, sorted, check_sorted, operation's name, constant or None) */
PyObject *bind_segment_reduce(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("segment_reduce", count, 7, 7)) return NULL;
    call *call = call_create(run_segment_reduce);
    if (call == NULL) return NULL;
    dtype_object *element = NULL;
    bool ready = read_segments(call, args, &element) &&
                 option_group_operation(args[5], "operation", &call->operation);
    if (ready && args[6] != Py_None) {
        ready = operand_scalar(args[6], "constant", &call->init);
        call->opts.segment.constant = &call->init;
    }
    return perform_segments(call, ready, element);
}

static of_status run_segment_within(call *call, of_error *err) {
    bool normalize = call->operation != 0;
    of_array *x = call->source[0], *ids = call->source[1];
    of_segment_opts *opts = &call->opts.segment;
    if (normalize) return of_segment_normalize(x, ids, call->number, opts, &call->result[0], err);
    return of_segment_softmax(x, ids, call->number, opts, &call->result[0], err);
}

static PyObject *segment_within(PyObject *const *args, bool normalize) {
    call *call = call_create(run_segment_within);
    if (call == NULL) return NULL;
    call->operation = normalize;
    dtype_object *element = NULL;
    bool ready = read_segments(call, args, &element);
    return perform_segments(call, ready, element);
}

/* segment_softmax(x, ids, num_segments, sorted, check_sorted) */
PyObject *bind_segment_softmax(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    return check_count("segment_softmax", count, 5, 5) ? segment_within(args, false) : NULL;
}

/* segment_normalize(x, ids, num_segments, sorted, check_sorted) */
PyObject *bind_segment_normalize(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    return check_count("segment_normalize", count, 5, 5) ? segment_within(args, true) : NULL;
}

/* ---- Lengths, offsets, ids ---- */

/* Runs a call of one array of integers, which gives another. */
static PyObject *from_integers(call_body run, PyObject *integers, const char *argument,
                               PyObject *number, const char *number_name) {
    call *call = call_create(run);
    if (call == NULL) return NULL;
    bool ready = (call->source[0] = operand_source(integers, argument, NULL)) != NULL;
    if (ready && number == Py_None) {
        PyErr_Format(PyExc_TypeError, "%s is None; it must be given", number_name);
        ready = false;
    } else if (ready && number != NULL) {
        ready = operand_int(number, number_name, &call->number);
        call_expect(call, call->number);
    }
    return perform_segments(call, ready, NULL);
}

static of_status run_partition_ids(call *call, of_error *err) {
    return of_partition_ids(call->source[0], call->number, &call->result[0], err);
}

/* partition_ids(lengths, total_length) */
PyObject *bind_partition_ids(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("partition_ids", count, 2, 2)) return NULL;
    return from_integers(run_partition_ids, args[0], "lengths", args[1], "total_length");
}

static of_status run_lengths_to_offsets(call *call, of_error *err) {
    return of_lengths_to_offsets(call->source[0], &call->result[0], err);
}

/* lengths_to_offsets(lengths) */
PyObject *bind_lengths_to_offsets(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("lengths_to_offsets", count, 1, 1)) return NULL;
    return from_integers(run_lengths_to_offsets, args[0], "lengths", NULL, NULL);
}

static of_status run_offsets_to_lengths(call *call, of_error *err) {
    return of_offsets_to_lengths(call->source[0], &call->result[0], err);
}

/* offsets_to_lengths(offsets) */
PyObject *bind_offsets_to_lengths(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("offsets_to_lengths", count, 1, 1)) return NULL;
    return from_integers(run_offsets_to_lengths, args[0], "offsets", NULL, NULL);
}

static of_status run_offsets_to_ids(call *call, of_error *err) {
    return of_offsets_to_ids(call->source[0], &call->result[0], err);
}

/* offsets_to_ids(offsets) */
PyObject *bind_offsets_to_ids(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("offsets_to_ids", count, 1, 1)) return NULL;
    call *call = call_create(run_offsets_to_ids);
    if (call == NULL) return NULL;
    bool ready = (call->source[0] = operand_source(args[0], "offsets", NULL)) != NULL;
    if (ready) call_expect(call, integer_reduced(call->source[0], OF_MAX));
    return perform_segments(call, ready, NULL);
}

static of_status run_ids_to_lengths(call *call, of_error *err) {
    return of_ids_to_lengths(call->source[0], call->number, &call->result[0], err);
}

/* ids_to_lengths(ids, num_segments) */
PyObject *bind_ids_to_lengths(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("ids_to_lengths", count, 2, 2)) return NULL;
    return from_integers(run_ids_to_lengths, args[0], "ids", args[1], "num_segments");
}

static of_status run_ids_to_offsets(call *call, of_error *err) {
    return of_ids_to_offsets(call->source[0], call->number, &call->result[0], err);
}

/* ids_to_offsets(ids, num_segments) */
PyObject *bind_ids_to_offsets(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("ids_to_offsets", count, 2, 2)) return NULL;
    return from_integers(run_ids_to_offsets, args[0], "ids", args[1], "num_segments");
}
