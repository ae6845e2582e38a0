/* Which answer a call asks for, and of what type. */
#include "reference/reference.h"

static of_dtype sum_dtype(of_dtype dtype) {
    if (ref_is_float(dtype)) return dtype;
    return ref_is_signed(dtype) || dtype == OF_BOOL ? OF_I64 : OF_U64;
}

of_dtype ref_result_dtype(of_operation operation, of_dtype dtype, bool along_dims) {
    switch (operation) {
    case OF_SUM:
    case OF_PROD: return sum_dtype(dtype);
    case OF_MEAN:
    case OF_ABSMAX: return along_dims && ref_is_float(dtype) ? dtype : OF_F64;
    case OF_MIN:
    case OF_MAX: return dtype;
    case OF_ARGMIN:
    case OF_ARGMAX:
    case OF_COUNT_NONZERO: return OF_I64;
    default: return OF_BOOL;
    }
}

static of_scalar answer(const ref_call *call) {
    switch (call->operation) {
    case OF_SUM: return ref_sum(call);
    case OF_MEAN: return ref_mean(call);
    case OF_PROD: return ref_prod(call);
    case OF_MIN:
    case OF_MAX: return ref_extreme(call);
    case OF_ARGMIN:
    case OF_ARGMAX: return ref_arg_extreme(call);
    case OF_ABSMAX: return ref_absmax(call);
    case OF_COUNT_NONZERO: return ref_count_nonzero(call);
    case OF_ANY: return ref_any(call);
    default: return ref_all(call);
    }
}

static bool needs_an_element(of_operation operation) {
    return operation == OF_MIN || operation == OF_MAX || operation == OF_ARGMIN ||
           operation == OF_ARGMAX;
}

bool ref_reduce(const ref_call *call, of_scalar *out) {
    if (call->count == 0 && !call->init && needs_an_element(call->operation)) return false;
    ref_call typed = *call;
    if (typed.result == OF_DTYPE_NONE)
        typed.result = ref_result_dtype(call->operation, call->dtype, false);
    *out = answer(&typed);
    return true;
}
