/* Copying and filling the first elements of arrays that are there. */
#include "python/bindings.h"
#include "python/call_options.h"

static of_status run_copy(call *call, of_error *err) {
    return of_copy_with_offset(call->source[0], call->source[1], call->number, call->n, err);
}

/* Makes an offset in vectors or matrices one in components, where the call has that many. */
static bool scale_offset(call *call, const dtype_object *element) {
    int64_t components = dtype_components(element), n = call->n / components;
    int64_t size = element_count(call->source[1], element);
    if (call->number >= 0 && call->number <= size - n) {
        call->number *= components;
        return true;
    }
    PyErr_Format(PyExc_ValueError, "dst_offset %lld and n %lld reach past the %lld elements of dst",
                 (long long)call->number, (long long)n, (long long)size);
    return false;
}

static bool read_copy(call *call, PyObject *const *args, dtype_object **from, dtype_object **to) {
    const int64_t *n = NULL;
    call->source[0] = operand_source(args[0], "src", from);
    if (call->source[0] == NULL) return false;
    call->source[1] = operand_target(args[1], "dst", to);
    if (call->source[1] == NULL || !same_element(*from, "src", *to, "dst", false) ||
        !operand_int(args[2], "dst_offset", &call->number) ||
        !option_n(args[3], call, *from, call->source[0], "src", &n)) {
        return false;
    }
    if (n == NULL) call->n = of_array_size(call->source[0]);
    return (*from)->rank == 0 || scale_offset(call, *from);
}

/* copy(src, dst, dst_offset, n) */
PyObject *bind_copy(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("copy", count, 4, 4)) return NULL;
    call *call = call_create(run_copy);
    if (call == NULL) return NULL;
    dtype_object *from = NULL, *to = NULL;
    bool done = read_copy(call, args, &from, &to) && call_perform(&call);
    call_release(call);
    Py_XDECREF((PyObject *)from);
    Py_XDECREF((PyObject *)to);
    return done ? Py_NewRef(Py_None) : NULL;
}

static of_status run_fill(call *call, of_error *err) {
    return of_fill_value(call->source[0], call->value, call->n, err);
}

/* fill_value(dst, value, n) */
PyObject *bind_fill_value(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("fill_value", count, 3, 3)) return NULL;
    call *call = call_create(run_fill);
    if (call == NULL) return NULL;
    dtype_object *element = NULL;
    const int64_t *n = NULL;
    bool done = false;
    call->source[0] = operand_target(args[0], "dst", &element);
    if (call->source[0] != NULL && operand_scalar(args[1], "value", &call->value) &&
        option_n(args[2], call, element, call->source[0], "dst", &n)) {
        if (n == NULL) call->n = of_array_size(call->source[0]);
        done = call_perform(&call);
    }
    call_release(call);
    Py_XDECREF((PyObject *)element);
    return done ? Py_NewRef(Py_None) : NULL;
}
