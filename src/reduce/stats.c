/* The statistics by name. */
#include <onefold/stats.h>

#include "core/fail.h"

static const of_reduce_opts defaults;

of_status of_var(const of_array *x, const of_reduce_opts *opts, of_scalar *out, of_error *err) {
    return of_reduce_scalar(x, OF_VAR, opts, out, err);
}

of_status of_std(const of_array *x, const of_reduce_opts *opts, of_scalar *out, of_error *err) {
    return of_reduce_scalar(x, OF_STD, opts, out, err);
}

of_status of_norm(const of_array *x, double ord, const of_reduce_opts *opts, of_scalar *out,
                  of_error *err) {
    of_reduce_opts own = opts ? *opts : defaults;
    if (ord == 0) /* which in the options stands for none given */
        return of__fail(err, OF_ERR_VALUE,
                        "Unsupported norm order: ord is 0; it may be 1, 2 or infinity");
    own.ord = ord;
    return of_reduce_scalar(x, OF_NORM, &own, out, err);
}

static of_status reduce_two(const of_array *a, const of_array *b, of_operation operation,
                            const of_reduce_opts *opts, of_scalar *out, of_error *err) {
    of_reduce_opts own = opts ? *opts : defaults;
    if (own.second)
        return of__fail(err, OF_ERR_VALUE, "second is given, but %s has its second array already",
                        of_operation_name(operation));
    own.second = b;
    return of_reduce_scalar(a, operation, &own, out, err);
}

of_status of_dot(const of_array *a, const of_array *b, const of_reduce_opts *opts, of_scalar *out,
                 of_error *err) {
    return reduce_two(a, b, OF_DOT, opts, out, err);
}

of_status of_weighted_sum(const of_array *x, const of_array *w, const of_reduce_opts *opts,
                          of_scalar *out, of_error *err) {
    return reduce_two(x, w, OF_DOT, opts, out, err);
}

of_status of_weighted_mean(const of_array *x, const of_array *w, const of_reduce_opts *opts,
                           of_scalar *out, of_error *err) {
    return reduce_two(x, w, OF_WEIGHTED_MEAN, opts, out, err);
}
