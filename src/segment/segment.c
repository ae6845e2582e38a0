/* The reductions of segments. */
#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/fpenv.h"
#include "core/round.h"
#include "group/group_extreme.h"
#include "group/group_fold.h"
#include "group/group_order.h"
#include "group/group_sums.h"
#include "segment/segment_call.h"

static const of_segment_opts defaults;

/* ---- Types, and what empty segments get ---- */

static of_dtype result_type(of_dtype dtype, of_group_operation operation) {
    switch (operation) {
    case OF_GROUP_COUNT: return OF_I64;
    case OF_GROUP_MEAN:
    case OF_GROUP_VARIANCE: return of_dtype_is_float(dtype) ? dtype : OF_F64;
    case OF_GROUP_MIN:
    case OF_GROUP_MAX: return dtype;
    default: return dtype == OF_BOOL ? OF_I64 : dtype;
    }
}

static of_scalar identity(of_dtype dtype, of_group_operation operation) {
    of_scalar value = {.dtype = result_type(dtype, operation)};
    if (operation == OF_GROUP_PROD) return of_scalar_convert(of_scalar_i64(1), value.dtype);
    if (operation != OF_GROUP_MIN && operation != OF_GROUP_MAX) return value;
    bool is_min = operation == OF_GROUP_MIN;
    uint64_t ones = UINT64_MAX >> (64 - 8 * of_dtype_size(dtype));
    if (dtype == OF_BOOL)
        value.as.b = is_min;
    else if (of_dtype_is_float(dtype))
        value.as.bits = of__infinity_bits(dtype, !is_min);
    else if (of_dtype_is_signed(dtype))
        value.as.bits = is_min ? ones >> 1 : ones - (ones >> 1);
    else
        value.as.bits = is_min ? ones : 0;
    return value;
}

static of_status check_operation(of_group_operation operation, of_error *err) {
    if ((int)operation >= 0 && operation < OF_GROUP_OPERATION_END) return OF_OK;
    return of__fail(err, OF_ERR_VALUE, "operation is %d, which is none", (int)operation);
}

of_status of_empty_segment_identity(of_dtype dtype, of_group_operation operation, of_scalar *out,
                                    of_error *err) {
    OF_TRY(of__check_dtype(dtype, err));
    OF_TRY(check_operation(operation, err));
    *out = identity(dtype, operation);
    return OF_OK;
}

static of_status check_constant(of_group_operation operation, const of_scalar *constant,
                                of_error *err) {
    if (!constant) return OF_OK;
    if (operation != OF_GROUP_MIN && operation != OF_GROUP_MAX)
        return of__fail(err, OF_ERR_VALUE, "constant is given, but %s takes none",
                        of_group_operation_name(operation));
    if (!of_dtype_size(constant->dtype))
        return of__fail(err, OF_ERR_TYPE, "constant has type %d, which is no element type",
                        (int)constant->dtype);
    return OF_OK;
}

/* ---- The work ---- */

/* A count is the same for every element of a row. */
static of_status count_segments(const of__segment_call *call, int64_t *out, of_error *err) {
    int64_t groups = call->num_segments, width = call->width;
    OF_TRY(of__group_count(&call->rows, out, err));
    if (width == 1) return OF_OK;
    for (int64_t g = groups - 1; g >= 0; g--) { /* from the end, where nothing is yet to be read */
        int64_t count = out[g];
        for (int64_t c = 0; c < width; c++) out[g * width + c] = count;
    }
    return OF_OK;
}

static of_status run(const of__segment_call *call, of_group_operation operation, of_scalar empty,
                     void *out, of_error *err) {
    switch (operation) {
    case OF_GROUP_COUNT: return count_segments(call, out, err);
    case OF_GROUP_SUM: return of__group_sums(&call->rows, empty.dtype, out, err);
    case OF_GROUP_MEAN: return of__group_means(&call->rows, empty.dtype, out, err);
    case OF_GROUP_MIN: return of__group_extremes(&call->rows, false, empty, out, err);
    case OF_GROUP_MAX: return of__group_extremes(&call->rows, true, empty, out, err);
    case OF_GROUP_VARIANCE: return of__group_fold(&call->rows, OF_VAR, empty, out, err);
    default: return of__group_fold(&call->rows, OF_PROD, empty, out, err);
    }
}

of_status of_segment_reduce(const of_array *x, const of_array *ids, int64_t num_segments,
                            of_group_operation operation, const of_segment_opts *opts,
                            of_array **out, of_error *err) {
    of__segment_call call;
    if (!opts) opts = &defaults;
    OF_TRY(check_operation(operation, err));
    OF_TRY(check_constant(operation, opts->constant, err));
    OF_TRY(of__segment_call_prepare(&call, x, ids, num_segments, opts, err));
    of_scalar empty = identity(x->dtype, operation);
    if (opts->constant) empty = of_scalar_convert(*opts->constant, empty.dtype);
    of_array *result;
    OF_TRY(of__segment_result(x, num_segments, empty.dtype, &result, err));
    if (result->size) {
        of__fpenv saved = of__fpenv_enter();
        of_status status = run(&call, operation, empty, result->data, err);
        of__fpenv_leave(saved);
        if (status != OF_OK) {
            of_array_release(result);
            return status;
        }
    }
    *out = result;
    return OF_OK;
}

#define OF_GROUP_OPERATION(SYMBOL, name, meaning)                                                  \
    of_status of_segment_##name(const of_array *x, const of_array *ids, int64_t num_segments,      \
                                const of_segment_opts *opts, of_array **out, of_error *err) {      \
        return of_segment_reduce(x, ids, num_segments, OF_GROUP_##SYMBOL, opts, out, err);         \
    }
#include <onefold/group_operations.def>
#undef OF_GROUP_OPERATION

static of_status reduce_or_constant(const of_array *x, const of_array *ids, int64_t num_segments,
                                    of_group_operation operation, const of_scalar *constant,
                                    const of_segment_opts *opts, of_array **out, of_error *err) {
    of_segment_opts with_constant = opts ? *opts : defaults;
    with_constant.constant = constant;
    return of_segment_reduce(x, ids, num_segments, operation, &with_constant, out, err);
}

of_status of_segment_min_or_constant(const of_array *x, const of_array *ids, int64_t num_segments,
                                     of_scalar constant, const of_segment_opts *opts,
                                     of_array **out, of_error *err) {
    return reduce_or_constant(x, ids, num_segments, OF_GROUP_MIN, &constant, opts, out, err);
}

of_status of_segment_max_or_constant(const of_array *x, const of_array *ids, int64_t num_segments,
                                     of_scalar constant, const of_segment_opts *opts,
                                     of_array **out, of_error *err) {
    return reduce_or_constant(x, ids, num_segments, OF_GROUP_MAX, &constant, opts, out, err);
}
