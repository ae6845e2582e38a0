/* Which type a reduction answers in, and what it refuses. */
#include <math.h>

#include "core/fail.h"
#include "core/isa.h"
#include "reduce/reduction.h"

const of__kernels *of__kernels_current(void) {
    switch (of__isa_current()) {
#if defined(__x86_64__)
    case OF__ISA_AVX512: return &of__kernels_avx512;
    case OF__ISA_AVX2: return &of__kernels_avx2;
#endif
    default: return &of__kernels_baseline;
    }
}

static bool is_float(of_dtype dtype) {
    return of_dtype_is_float(dtype);
}

/* Integers meet modulo 2^64. */
static of_dtype wide_integer(of_dtype dtype) {
    return dtype == OF_BOOL || of_dtype_is_signed(dtype) ? OF_I64 : OF_U64;
}

/* Floats that multiply exactly in f64. */
static bool is_short(of_dtype dtype) {
    return dtype == OF_F16 || dtype == OF_BF16 || dtype == OF_F32;
}

static bool is_statistic(of_operation operation) {
    switch (operation) {
#define OF_OPERATION(SYMBOL, name, meaning)
#define OF_STATISTIC(SYMBOL, name, meaning) case OF_##SYMBOL:
#define OF_STATISTIC_OF_TWO                 OF_STATISTIC
#include <onefold/operations.def>
#undef OF_OPERATION
        return true;
    default: return false;
    }
}

/* Without a map terms are the elements. See map.c for the others. */
static of_dtype term_type(of_map map, of_dtype source, of_dtype joined) {
    if (map == OF_MAP_NONE) return source;
    if (!is_float(joined)) return wide_integer(joined);
    return map == OF_MAP_ABS ? source : OF_F64;
}

/* Says how a statistic is had: by which operation of which terms. */
static void resolve_statistic(of__reduction *r, double ord) {
    switch (r->asked) {
    case OF_STD: r->finish.root = true; /* fall through */
    case OF_VAR:
        r->operation = OF_VAR;
        r->term = r->source;
        return;
    case OF_NORM:
        if (ord == 1 || isinf(ord)) {
            r->operation = ord == 1 ? OF_SUM : OF_ABSMAX;
            r->map = ord == 1 ? OF_MAP_ABS : OF_MAP_NONE;
            r->term = ord != 1 || is_float(r->source) ? r->source : OF_U64;
            return;
        }
        r->map = OF_MAP_SQUARE;
        r->finish.root = true;
        break;
    default: r->map = OF_MAP_PRODUCT;
    }
    if (r->asked != OF_WEIGHTED_MEAN) r->operation = OF_SUM;
    r->term = OF_F64;
}

/* What the answer is called when no acctype is given. */
static of_dtype default_type(of_operation operation, of_map map, of_dtype joined, bool along_dims) {
    switch (operation) {
    case OF_SUM:
    case OF_PROD: return is_float(joined) ? joined : wide_integer(joined);
    case OF_MIN:
    case OF_MAX: return map != OF_MAP_NONE && !is_float(joined) ? wide_integer(joined) : joined;
    case OF_ANY:
    case OF_ALL: return OF_BOOL;
    case OF_ARGMIN:
    case OF_ARGMAX:
    case OF_COUNT_NONZERO: return OF_I64;
    default: return along_dims && is_float(joined) ? joined : OF_F64; /* mean, statistics */
    }
}

static of_status check_acctype(of_operation operation, of_dtype joined, of_dtype acctype,
                               of_error *err) {
    const char *name = of_operation_name(operation);
    if (acctype < OF_DTYPE_NONE || acctype >= OF_DTYPE_END)
        return of__fail(err, OF_ERR_TYPE, "acctype is %d, which is no element type", (int)acctype);
    switch (operation) {
    case OF_SUM:
    case OF_PROD:
    case OF_MIN:
    case OF_MAX:
        if (is_float(joined) && !is_float(acctype))
            return of__fail(err, OF_ERR_TYPE, "acctype is %s, which cannot hold a %s of %s",
                            of_dtype_name(acctype), name, of_dtype_name(joined));
        if (acctype == OF_BOOL)
            return of__fail(err, OF_ERR_TYPE, "acctype is bool, which cannot hold a %s", name);
        return OF_OK;
    case OF_ARGMIN:
    case OF_ARGMAX:
    case OF_COUNT_NONZERO:
    case OF_ANY:
    case OF_ALL:
        return of__fail(err, OF_ERR_TYPE, "acctype is %s, but %s takes none",
                        of_dtype_name(acctype), name);
    default:
        if (!is_float(acctype))
            return of__fail(err, OF_ERR_TYPE, "acctype is %s; %s takes a float type",
                            of_dtype_name(acctype), name);
        return OF_OK;
    }
}

static of_status check_init(const of__reduction *r, of_error *err) {
    const of_scalar *init = r->finish.init;
    const char *name = of_operation_name(r->operation);
    char text[OF_SCALAR_TEXT_SIZE];
    if (!of_dtype_size(init->dtype))
        return of__fail(err, OF_ERR_TYPE, "init has type %d, which is no element type",
                        (int)init->dtype);
    switch (r->operation) {
    case OF_ANY:
    case OF_ALL: return OF_OK;
    case OF_COUNT_NONZERO:
        if (is_float(init->dtype))
            return of__fail(err, OF_ERR_TYPE, "init is %s, but a count is an integer",
                            of_scalar_format(*init, text));
        return OF_OK;
    case OF_SUM:
    case OF_PROD:
    case OF_MIN:
    case OF_MAX: break;
    default: return of__fail(err, OF_ERR_VALUE, "init is given, but %s takes none", name);
    }
    if (is_float(init->dtype) && !is_float(r->finish.result))
        return of__fail(err, OF_ERR_TYPE,
                        "init is %s, a float, but the %s of %s is an integer; give a float acctype",
                        of_scalar_format(*init, text), name, of_dtype_name(r->source));
    bool extreme = r->operation == OF_MIN || r->operation == OF_MAX;
    if (extreme && !is_float(r->finish.result)) {
        of_scalar there = of_scalar_convert(*init, r->finish.result);
        of_scalar back = of_scalar_convert(there, init->dtype);
        bool negative =
            of_dtype_is_signed(init->dtype) && of_scalar_convert(*init, OF_I64).as.i64 < 0;
        bool still = of_dtype_is_signed(there.dtype) && of_scalar_convert(there, OF_I64).as.i64 < 0;
        if (back.as.bits != init->as.bits || negative != still)
            return of__fail(err, OF_ERR_VALUE, "init is %s, which %s cannot hold",
                            of_scalar_format(*init, text), of_dtype_name(r->finish.result));
    }
    return OF_OK;
}

static of_status check_statistic(of_operation operation, const of_reduce_opts *opts,
                                 of_error *err) {
    if (operation == OF_NORM && opts->ord != 0 && opts->ord != 1 && opts->ord != 2 &&
        opts->ord != INFINITY)
        return of__fail(err, OF_ERR_VALUE,
                        "Unsupported norm order: ord is %g; it may be 1, 2 or infinity", opts->ord);
    if (opts->map != OF_MAP_NONE)
        return of__fail(err, OF_ERR_VALUE, "map is given, but %s takes none",
                        of_operation_name(operation));
    return OF_OK;
}

of_status of__reduction_resolve(of_dtype source, of_dtype second, of_operation operation,
                                const of_reduce_opts *opts, bool along_dims, of__reduction *out,
                                of_error *err) {
    if ((int)operation < 0 || operation >= OF_OPERATION_END)
        return of__fail(err, OF_ERR_VALUE, "operation is %d, which is none", (int)operation);
    if (opts->map < OF_MAP_NONE || opts->map > OF_MAP_PRODUCT)
        return of__fail(err, OF_ERR_VALUE, "map is %d, which is none", (int)opts->map);
    of_dtype joined = second == OF_DTYPE_NONE ? source : of_dtype_join(source, second);
    of__reduction r = {.asked = operation,
                       .operation = operation,
                       .map = opts->map,
                       .source = source,
                       .second = second};
    if (is_statistic(operation)) OF_TRY(check_statistic(operation, opts, err));
    if (operation != OF_NORM && opts->ord != 0)
        return of__fail(err, OF_ERR_VALUE, "ord is %g, but %s takes none", opts->ord,
                        of_operation_name(operation));
    r.term = term_type(opts->map, source, joined);
    r.finish.init = opts->init;
    r.finish.result = default_type(operation, opts->map, joined, along_dims);
    if (opts->acctype != OF_DTYPE_NONE) {
        OF_TRY(check_acctype(operation, joined, opts->acctype, err));
        r.finish.result = opts->acctype;
    }
    if (r.finish.init) OF_TRY(check_init(&r, err));
    bool arg = operation == OF_ARGMIN || operation == OF_ARGMAX;
    r.wide_products = arg && r.map == OF_MAP_PRODUCT && is_float(joined) &&
                      !(is_short(source) && is_short(second));
    r.in_floats = operation == OF_PROD && is_float(r.finish.result);
    if (is_statistic(operation)) resolve_statistic(&r, opts->ord);
    r.kernels = of__kernels_current();
    *out = r;
    return OF_OK;
}
