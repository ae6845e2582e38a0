/* Contract 5 and 11: extremes, their places, and counts. */
#include "reference/reference.h"

static bool is_largest(of_operation operation) {
    return operation == OF_MAX || operation == OF_ARGMAX;
}

/* Whether `candidate` is better than `best` in the order of numbers. */
static bool beats(of_operation operation, ref_term candidate, ref_term best) {
    int order = ref_compare(candidate, best);
    return is_largest(operation) ? order > 0 : order < 0;
}

static bool is_zero(ref_term term) {
    return term.kind == REF_FINITE && term.magnitude == 0;
}

/* As beats, but -0.0 is smaller than +0.0. */
static bool beats_with_signs(of_operation operation, ref_term candidate, ref_term best) {
    if (is_zero(candidate) && is_zero(best) && candidate.negative != best.negative)
        return candidate.negative != is_largest(operation);
    return beats(operation, candidate, best);
}

of_scalar ref_extreme(const ref_call *call) {
    ref_term best = call->init ? ref_load_scalar(*call->init) : ref_mapped(call, 0);
    bool nan = best.kind == REF_NAN;
    for (int64_t i = 0; i < call->count && !nan; i++) {
        ref_term term = ref_mapped(call, i);
        nan = term.kind == REF_NAN;
        if (!nan && beats_with_signs(call->operation, term, best)) best = term;
    }
    if (nan) best = (ref_term){.kind = REF_NAN};
    return ref_convert(best, call->result);
}

of_scalar ref_arg_extreme(const ref_call *call) {
    int64_t best = 0;
    for (int64_t i = 0; i < call->count; i++) {
        ref_term term = ref_mapped(call, i);
        if (term.kind == REF_NAN) {
            best = i;
            break;
        }
        if (beats(call->operation, term, ref_mapped(call, best))) best = i;
    }
    of_scalar result = {.dtype = call->result};
    result.as.i64 = best;
    return result;
}

of_scalar ref_absmax(const ref_call *call) {
    ref_term largest = {.kind = REF_FINITE};
    for (int64_t i = 0; i < call->count; i++) {
        ref_term term = ref_mapped(call, i);
        if (term.kind == REF_NAN) return ref_nan(call->result);
        term.negative = false;
        if (ref_compare(term, largest) > 0) largest = term;
    }
    return ref_convert(largest, call->result);
}

static int64_t count_terms(const ref_call *call) {
    int64_t count = 0;
    for (int64_t i = 0; i < call->count; i++) count += !is_zero(ref_mapped(call, i));
    return count;
}

of_scalar ref_count_nonzero(const ref_call *call) {
    of_scalar result = {.dtype = OF_I64}, zero = result;
    const of_scalar *init = call->init ? call->init : &zero;
    result.as.i64 = count_terms(call) + ref_convert(ref_load_scalar(*init), OF_I64).as.i64;
    return ref_convert(ref_load_scalar(result), call->result);
}

static of_scalar truth(bool value, of_dtype dtype) {
    return ref_convert((ref_term){.integer = true, .magnitude = value}, dtype);
}

of_scalar ref_any(const ref_call *call) {
    bool init = call->init && !is_zero(ref_load_scalar(*call->init));
    return truth(init || count_terms(call) > 0, call->result);
}

of_scalar ref_all(const ref_call *call) {
    bool init = !call->init || !is_zero(ref_load_scalar(*call->init));
    return truth(init && count_terms(call) == call->count, call->result);
}
