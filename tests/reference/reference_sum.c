/* Contract 3 and 4: sums and means. */
#include "reference/reference.h"

static void add(ref_total *sum, ref_term term, mpz_t scratch) {
    if (term.kind == REF_NAN) sum->nan = true;
    if (term.kind == REF_INFINITE && term.negative) sum->minus_infinity = true;
    if (term.kind == REF_INFINITE && !term.negative) sum->plus_infinity = true;
    if (term.kind != REF_FINITE || term.magnitude != 0 || !term.negative)
        sum->all_negative_zeros = false;
    if (term.kind != REF_FINITE || term.magnitude == 0) return;
    ref_magnitude(scratch, term);
    mpz_mul_2exp(scratch, scratch, (mp_bitcnt_t)(term.exponent - sum->exponent));
    if (term.negative)
        mpz_sub(sum->total, sum->total, scratch);
    else
        mpz_add(sum->total, sum->total, scratch);
}

void ref_add_up(ref_total *sum, const ref_call *call, int64_t count,
                ref_term (*term)(const ref_call *call, int64_t index)) {
    *sum = (ref_total){.all_negative_zeros = count > 0};
    for (int64_t i = 0; i < count; i++) {
        ref_term t = term(call, i);
        if (t.kind == REF_FINITE && t.magnitude && t.exponent < sum->exponent)
            sum->exponent = t.exponent;
    }
    mpz_t scratch;
    mpz_inits(sum->total, scratch, NULL);
    for (int64_t i = 0; i < count; i++) add(sum, term(call, i), scratch);
    mpz_clear(scratch);
}

of_scalar ref_round_total(const ref_total *sum, uint64_t count, of_dtype dtype) {
    if (sum->nan || (sum->plus_infinity && sum->minus_infinity)) return ref_nan(dtype);
    if (sum->plus_infinity || sum->minus_infinity) return ref_infinity(dtype, sum->minus_infinity);
    if (mpz_sgn(sum->total) == 0) return ref_zero(dtype, sum->all_negative_zeros);
    mpz_t magnitude, divisor;
    mpz_init(magnitude);
    mpz_init_set_ui(divisor, count);
    mpz_abs(magnitude, sum->total);
    of_scalar result = ref_round(dtype, mpz_sgn(sum->total) < 0, magnitude, divisor, sum->exponent);
    mpz_clears(magnitude, divisor, NULL);
    return result;
}

/* The elements, then init. */
static ref_term term(const ref_call *call, int64_t index) {
    return index < call->count ? ref_mapped(call, index) : ref_load_scalar(*call->init);
}

static void add_all(ref_total *sum, const ref_call *call) {
    ref_add_up(sum, call, call->count + (call->init != NULL), term);
}

of_scalar ref_sum(const ref_call *call) {
    ref_total sum;
    add_all(&sum, call);
    of_scalar result;
    if (ref_is_float(call->result)) {
        result = ref_round_total(&sum, 1, call->result);
    } else {
        result = ref_wrap(call->result, sum.total); /* the exponent of integers is 0 */
    }
    mpz_clear(sum.total);
    return result;
}

of_scalar ref_mean(const ref_call *call) {
    if (call->count == 0) return ref_nan(call->result);
    ref_total sum;
    add_all(&sum, call);
    of_scalar result = ref_round_total(&sum, (uint64_t)call->count, call->result);
    mpz_clear(sum.total);
    return result;
}
