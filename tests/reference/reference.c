/* Which answer a call asks for, and of what type. */
#include "reference/reference.h"

/* Whether a type holds every value of another. */
static bool integer_holds(of_dtype wide, of_dtype narrow) {
    if (narrow == OF_BOOL) return true;
    if (wide == OF_BOOL) return false;
    if (ref_is_signed(narrow)) return ref_is_signed(wide) && ref_size(wide) >= ref_size(narrow);
    return ref_size(wide) >= ref_size(narrow) + ref_is_signed(wide);
}

of_dtype ref_join(of_dtype a, of_dtype b) {
    if (a == b) return a;
    if (ref_is_float(a) && ref_is_float(b)) {
        if (ref_size(a) == ref_size(b)) return OF_F32;
        return ref_size(a) > ref_size(b) ? a : b;
    }
    if (ref_is_float(a) || ref_is_float(b)) return ref_is_float(a) ? a : b;
    static const of_dtype narrowest_first[] = {OF_U8,  OF_I8,  OF_U16, OF_I16,
                                               OF_U32, OF_I32, OF_U64, OF_I64};
    for (int i = 0; i < 8; i++)
        if (integer_holds(narrowest_first[i], a) && integer_holds(narrowest_first[i], b))
            return narrowest_first[i];
    return OF_F64;
}

static of_dtype wide_integer(of_dtype dtype) {
    return ref_is_signed(dtype) || dtype == OF_BOOL ? OF_I64 : OF_U64;
}

of_dtype ref_result_dtype(const ref_call *call) {
    of_dtype dtype = call->dtype;
    bool two = call->operation == OF_DOT || call->operation == OF_WEIGHTED_MEAN;
    if (call->map == OF_MAP_PRODUCT || two) dtype = ref_join(dtype, call->second_dtype);
    bool is_float = ref_is_float(dtype);
    switch (call->operation) {
    case OF_SUM:
    case OF_PROD: return is_float ? dtype : wide_integer(dtype);
    case OF_MEAN:
    case OF_VAR:
    case OF_STD:
    case OF_NORM:
    case OF_DOT:
    case OF_WEIGHTED_MEAN:
    case OF_ABSMAX: return call->along_dims && is_float ? dtype : OF_F64;
    case OF_MIN:
    case OF_MAX: return is_float || call->map == OF_MAP_NONE ? dtype : wide_integer(dtype);
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
    case OF_ALL: return ref_all(call);
    case OF_VAR:
    case OF_STD: return ref_var(call);
    case OF_NORM: return ref_norm(call);
    case OF_DOT: return ref_dot(call);
    default: return ref_weighted_mean(call);
    }
}

static bool needs_an_element(of_operation operation) {
    return operation == OF_MIN || operation == OF_MAX || operation == OF_ARGMIN ||
           operation == OF_ARGMAX;
}

bool ref_reduce(const ref_call *call, of_scalar *out) {
    if (call->count == 0 && !call->init && needs_an_element(call->operation)) return false;
    ref_call typed = *call;
    if (typed.result == OF_DTYPE_NONE) typed.result = ref_result_dtype(call);
    *out = answer(&typed);
    return true;
}
