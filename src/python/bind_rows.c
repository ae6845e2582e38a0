/* Rows by number: gathering, scattering, adding, repeating. */
#include "python/bindings.h"
#include "python/call_options.h"

/* ---- Gathering and scattering ---- */

/* Indices, with what gathering and scattering take besides: n, unchecked. */
static bool read_indices(call *call, PyObject *indices, PyObject *n, PyObject *unchecked) {
    call->source[1] = operand_source(indices, "indices", NULL);
    return call->source[1] != NULL && option_n(n, call, NULL, NULL, NULL, &call->opts.gather.n) &&
           option_flag(unchecked, &call->opts.gather.unchecked);
}

static of_status run_gather(call *call, of_error *err) {
    return of_gather(call->source[0], call->source[1], &call->opts.gather, &call->result[0], err);
}

/* gather(src, indices, n, unchecked) */
PyObject *bind_gather(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("gather", count, 4, 4)) return NULL;
    call *call = call_create(run_gather);
    if (call == NULL) return NULL;
    dtype_object *element = NULL;
    PyObject *result = NULL;
    if ((call->source[0] = operand_source(args[0], "src", &element)) != NULL &&
        has_rows(call->source[0], element, "src") &&
        read_indices(call, args[1], args[2], args[3])) {
        const of_array *src = call->source[0];
        int64_t rows = of_array_shape(src)[0], row = rows > 0 ? of_array_size(src) / rows : 0, made;
        bool large = __builtin_mul_overflow(of_array_size(call->source[1]), row, &made);
        call_expect(call, large ? INT64_MAX : made);
        if (call_perform(&call)) result = call_result(call, 0, element);
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return result;
}

static of_status run_scatter(call *call, of_error *err) {
    return of_scatter(call->source[0], call->source[1], call->source[2], &call->opts.gather, err);
}

static of_status run_index_add(call *call, of_error *err) {
    return of_index_add(call->source[2], call->source[1], call->source[0], err);
}

/* Rows, and an array whose rows they go to. */
static bool read_target(call *call, PyObject *src, PyObject *target, const char *name) {
    dtype_object *from = NULL, *to = NULL;
    bool good = (call->source[0] = operand_source(src, "src", &from)) != NULL &&
                (call->source[2] = operand_target(target, name, &to)) != NULL &&
                has_rows(call->source[2], to, name) && same_element(from, "src", to, name, true);
    Py_XDECREF((PyObject *)from);
    Py_XDECREF((PyObject *)to);
    return good;
}

/* scatter(src, indices, dst, n, unchecked) */
PyObject *bind_scatter(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("scatter", count, 5, 5)) return NULL;
    call *call = call_create(run_scatter);
    if (call == NULL) return NULL;
    bool done = read_target(call, args[0], args[2], "dst") &&
                read_indices(call, args[1], args[3], args[4]) && call_perform(&call);
    call_release(call);
    return done ? Py_NewRef(Py_None) : NULL;
}

/* index_add(into, indices, src) */
PyObject *bind_index_add(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("index_add", count, 3, 3)) return NULL;
    call *call = call_create(run_index_add);
    if (call == NULL) return NULL;
    bool done = read_target(call, args[2], args[0], "into") &&
                (call->source[1] = operand_source(args[1], "indices", NULL)) != NULL &&
                call_perform(&call);
    call_release(call);
    return done ? Py_NewRef(Py_None) : NULL;
}

/* ---- Repeating ---- */

static of_status run_repeat(call *call, of_error *err) {
    return of_repeat(call->source[0], call->source[1], &call->opts.repeat, &call->result[0], err);
}

/* Vectors and matrices of a flat array, as rows. */
static of_status run_repeat_rows(call *call, of_error *err) {
    of_array *rows = NULL;
    of_status status = flat_elements(call->source[0], call->operation, &rows, err);
    if (status == OF_OK)
        status = of_repeat(rows, call->source[1], &call->opts.repeat, &call->result[0], err);
    of_array_release(rows);
    return status;
}

static void expect_repeats(call *call) {
    const of_array *x = call->source[0], *repeats = call->source[1];
    if (call->opts.repeat.total_length != NULL) {
        call_expect(call, call->number);
    } else {
        int64_t times = integer_reduced(repeats, OF_SUM), each = of_array_size(x), made;
        if (of_array_size(repeats) > 1) each /= of_array_size(repeats);
        call_expect(call, __builtin_mul_overflow(times, each, &made) ? INT64_MAX : made);
    }
}

static bool read_repeat(call *call, PyObject *const *args, dtype_object **element) {
    of_repeat_opts *opts = &call->opts.repeat;
    bool given;
    call->source[0] = operand_source(args[0], "x", element);
    if (call->source[0] == NULL) return false;
    int rank = (*element)->rank;
    call->source[1] = operand_source(args[1], "repeats", NULL);
    if (call->source[1] == NULL ||
        !operand_optional_int(args[2], "total_length", &given, &call->number) ||
        !option_dim(args[3], call, of_array_ndim(call->source[0]) - rank, &opts->dim)) {
        return false;
    }
    if (given) opts->total_length = &call->number;
    expect_repeats(call);
    if (rank == 0 || opts->dim != NULL) return true;
    call->run = run_repeat_rows;
    call->operation = rank;
    call->dim = 0;
    opts->dim = &call->dim;
    return true;
}

/* repeat(x, repeats, total_length, dim) */
PyObject *bind_repeat(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("repeat", count, 4, 4)) return NULL;
    call *call = call_create(run_repeat);
    if (call == NULL) return NULL;
    dtype_object *element = NULL;
    PyObject *result = NULL;
    if (read_repeat(call, args, &element) && call_perform(&call)) {
        result = call_result(call, 0, element);
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return result;
}
