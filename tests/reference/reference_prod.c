/* Contract 6: products. Those of floats fold in MPFR's 53-bit numbers, whose exponents never end.
 */
#include <mpfr.h>
#include <stdlib.h>

#include "reference/reference.h"

#define RUN 16

/* Folds work in place: the result of values[from ..] is left in values[from]. */
static void fold_left(mpfr_t *values, int64_t from, int64_t count) {
    for (int64_t i = 1; i < count; i++)
        mpfr_mul(values[from], values[from], values[from + i], MPFR_RNDN);
}

/* A complete binary tree over 2^k runs. */
static void fold_tree(mpfr_t *values, int64_t from, int64_t runs) {
    if (runs == 1) {
        fold_left(values, from, RUN);
        return;
    }
    int64_t middle = from + runs / 2 * RUN;
    fold_tree(values, from, runs / 2);
    fold_tree(values, middle, runs / 2);
    mpfr_mul(values[from], values[from], values[middle], MPFR_RNDN);
}

/* One group of runs for each binary digit of their number, the largest first, then the leftovers.
 */
static void fold(mpfr_t *values, int64_t count) {
    int64_t runs = count / RUN, from = 0;
    for (int64_t group = INT64_C(1) << 40; group; group /= 2) {
        if (!(runs & group)) continue;
        fold_tree(values, from, group);
        if (from) mpfr_mul(values[0], values[0], values[from], MPFR_RNDN);
        from += group * RUN;
    }
    if (count % RUN == 0) return;
    fold_left(values, from, count % RUN);
    if (from) mpfr_mul(values[0], values[0], values[from], MPFR_RNDN);
}

static void load(mpfr_t out, ref_term term) {
    mpz_t magnitude;
    mpz_init(magnitude);
    ref_magnitude(magnitude, term);
    mpfr_init2(out, 53);
    mpfr_set_z_2exp(out, magnitude, term.exponent, MPFR_RNDN);
    mpfr_setsign(out, out, term.negative, MPFR_RNDN);
    mpz_clear(magnitude);
}

static of_scalar round_product(mpfr_t value, of_dtype dtype) {
    mpz_t magnitude, one;
    mpz_init(magnitude);
    mpz_init_set_ui(one, 1);
    long exponent = mpfr_get_z_2exp(magnitude, value);
    mpz_abs(magnitude, magnitude);
    /* Past the ends of every type all numbers round alike; nearer ones need less memory. */
    if (exponent > 5000) exponent = 5000;
    if (exponent < -5000) exponent = -5000;
    of_scalar result = ref_round(dtype, mpfr_signbit(value), magnitude, one, exponent);
    mpz_clears(magnitude, one, NULL);
    return result;
}

static of_scalar fold_floats(const ref_call *call) {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    int64_t count = call->count;
    mpfr_t *values = malloc((size_t)(count + 1) * sizeof *values);
    for (int64_t i = 0; i < count; i++) load(values[i], ref_mapped(call, i));
    mpfr_init2(values[count], 53);
    mpfr_set_ui(values[count], 1, MPFR_RNDN);
    if (count) {
        fold(values, count);
        mpfr_set(values[count], values[0], MPFR_RNDN);
    }
    if (call->init) {
        mpfr_t init;
        load(init, ref_load_scalar(*call->init));
        mpfr_mul(values[count], init, values[count], MPFR_RNDN);
        mpfr_clear(init);
    }
    of_scalar result = round_product(values[count], call->result);
    for (int64_t i = 0; i <= count; i++) mpfr_clear(values[i]);
    free(values);
    return result;
}

typedef struct survey {
    bool nan, infinite, zero, negative;
} survey;

static void look_at(survey *seen, ref_term term) {
    if (term.kind == REF_NAN) seen->nan = true;
    if (term.kind == REF_INFINITE) seen->infinite = true;
    if (term.kind == REF_FINITE && term.magnitude == 0) seen->zero = true;
    seen->negative ^= term.negative;
}

static of_scalar product_of_floats(const ref_call *call) {
    survey seen = {0};
    for (int64_t i = 0; i < call->count; i++) look_at(&seen, ref_mapped(call, i));
    if (call->init) look_at(&seen, ref_load_scalar(*call->init));
    if (seen.nan || (seen.zero && seen.infinite)) return ref_nan(call->result);
    if (seen.infinite) return ref_infinity(call->result, seen.negative);
    if (seen.zero) return ref_zero(call->result, seen.negative);
    return fold_floats(call);
}

static void multiply(mpz_t product, ref_term term) {
    mpz_t factor;
    mpz_init(factor);
    ref_magnitude(factor, term);
    if (term.negative) mpz_neg(factor, factor);
    mpz_mul(product, product, factor);
    mpz_fdiv_r_2exp(product, product, 64);
    mpz_clear(factor);
}

static of_scalar product_of_integers(const ref_call *call) {
    mpz_t product;
    mpz_init_set_ui(product, 1);
    for (int64_t i = 0; i < call->count; i++) multiply(product, ref_mapped(call, i));
    if (call->init) multiply(product, ref_load_scalar(*call->init));
    of_scalar result = ref_wrap(call->result, product);
    mpz_clear(product);
    return result;
}

of_scalar ref_prod(const ref_call *call) {
    return ref_is_float(call->result) ? product_of_floats(call) : product_of_integers(call);
}
