/* Prefix scans. */
#include "python/bindings.h"
#include "python/call_options.h"

static of_status run_scan(call *call, of_error *err) {
    of_scalar *total = call->wanted[0] ? &call->value : NULL;
    of_array *src = call->source[0], *dst = call->source[1];
    if (call->number != 0) return of_exclusive_scan(src, dst, &call->opts.scan, total, err);
    return of_inclusive_scan(src, dst, &call->opts.scan, total, err);
}

static bool read_operation(PyObject *object, of_operation *out) {
    const char *name = option_name(object, "op");
    of_error err = {0};
    if (name == NULL) return false;
    of_status status = of_operation_parse(name, out, &err);
    if (status != OF_OK) raise_status(status, &err);
    return status == OF_OK;
}

enum { EXCLUSIVE, SRC, DST, N, TOTAL, INIT, OPERATION, DIM, SCAN_ARGUMENTS };

static bool read_scan(call *call, PyObject *const *args) {
    of_scan_opts *opts = &call->opts.scan;
    bool exclusive = false;
    call->source[0] = operand_source(args[SRC], "src", NULL);
    if (call->source[0] == NULL) return false;
    call->source[1] = operand_target(args[DST], "dst", NULL);
    if (call->source[1] == NULL) return false;
    int ndim = of_array_ndim(call->source[0]);
    if (!option_flag(args[EXCLUSIVE], &exclusive) || !option_flag(args[TOTAL], &call->wanted[0]) ||
        !option_n(args[N], call, NULL, NULL, NULL, &opts->n) ||
        !option_dim(args[DIM], call, ndim, &opts->dim) ||
        !read_operation(args[OPERATION], &opts->operation)) {
        return false;
    }
    call->number = exclusive;
    if (args[INIT] != Py_None) {
        if (!operand_scalar(args[INIT], "init", &call->init)) return false;
        opts->init = &call->init;
    }
    return true;
}

/* scan(exclusive, src, dst, n, total, init, operation's name, dim): the total, or None where it is
 * not asked for. */
PyObject *bind_scan(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!check_count("scan", count, SCAN_ARGUMENTS, SCAN_ARGUMENTS)) return NULL;
    call *call = call_create(run_scan);
    if (call == NULL) return NULL;
    PyObject *result = NULL;
    if (read_scan(call, args) && call_perform(&call))
        result = call->wanted[0] ? scalar_to_python(call->value) : Py_NewRef(Py_None);
    call_release(call);
    return result;
}
