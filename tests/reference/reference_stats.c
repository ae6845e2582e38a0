/* Contract 11: statistics, as quotients and roots of large integers. */
#include <math.h>

#include "reference/reference.h"

/* ---- Terms ---- */

static ref_term element(const ref_call *call, int64_t index) {
    return ref_load(call->dtype, call->elements, index);
}

static ref_term absolute(const ref_call *call, int64_t index) {
    ref_term x = element(call, index);
    x.negative = false;
    return x;
}

static ref_term square(const ref_call *call, int64_t index) {
    return ref_product(element(call, index), element(call, index));
}

static ref_term weight(const ref_call *call, int64_t index) {
    return ref_load(call->second_dtype, call->second, index);
}

static ref_term product(const ref_call *call, int64_t index) {
    return ref_product(element(call, index), weight(call, index));
}

static bool is_special(const ref_total *sum) {
    return sum->nan || sum->plus_infinity || sum->minus_infinity;
}

/* ---- Roots ---- */

/* The float nearest to the root of numerator / denominator * 2^exponent. */
static of_scalar round_root(of_dtype dtype, const mpz_t numerator, const mpz_t denominator,
                            long exponent) {
    if (mpz_sgn(numerator) == 0) return ref_zero(dtype, false);
    /* So many bits are added below that the root gets 100: more than any type has. */
    long shift = 200 + (long)mpz_sizeinbase(denominator, 2);
    if ((exponent - shift) % 2 != 0) shift++;
    mpz_t root, rest, one;
    mpz_inits(root, rest, NULL);
    mpz_init_set_ui(one, 1);
    mpz_mul_2exp(root, numerator, (mp_bitcnt_t)shift);
    mpz_fdiv_qr(root, rest, root, denominator);
    bool inexact = mpz_sgn(rest) != 0;
    mpz_sqrtrem(root, rest, root);
    inexact = inexact || mpz_sgn(rest) != 0;
    /* one more bit stands for what is cut off */
    mpz_mul_2exp(root, root, 1);
    if (inexact) mpz_setbit(root, 0);
    of_scalar result = ref_round(dtype, false, root, one, (exponent - shift) / 2 - 1);
    mpz_clears(root, rest, one, NULL);
    return result;
}

/* ---- Statistics ---- */

/* (n Q - S^2) / n^2 */
static of_scalar round_variance(const ref_total *sum, const ref_total *squares,
                                const ref_call *call) {
    mpz_t numerator, square, denominator;
    mpz_inits(numerator, square, denominator, NULL);
    int exponent = squares->exponent < 2 * sum->exponent ? squares->exponent : 2 * sum->exponent;
    mpz_mul_2exp(numerator, squares->total, (mp_bitcnt_t)(squares->exponent - exponent));
    mpz_mul_ui(numerator, numerator, (unsigned long)call->count);
    mpz_mul(square, sum->total, sum->total);
    mpz_mul_2exp(square, square, (mp_bitcnt_t)(2 * sum->exponent - exponent));
    mpz_sub(numerator, numerator, square);
    mpz_ui_pow_ui(denominator, (unsigned long)call->count, 2);
    of_scalar result = call->operation == OF_STD
                           ? round_root(call->result, numerator, denominator, exponent)
                           : ref_round(call->result, false, numerator, denominator, exponent);
    mpz_clears(numerator, square, denominator, NULL);
    return result;
}

of_scalar ref_var(const ref_call *call) {
    if (call->count == 0) return ref_nan(call->result);
    ref_total sum, squares;
    ref_add_up(&sum, call, call->count, element);
    ref_add_up(&squares, call, call->count, square);
    of_scalar result =
        is_special(&sum) ? ref_nan(call->result) : round_variance(&sum, &squares, call);
    mpz_clears(sum.total, squares.total, NULL);
    return result;
}

of_scalar ref_norm(const ref_call *call) {
    if (isinf(call->ord)) return ref_absmax(call);
    ref_total sum;
    ref_add_up(&sum, call, call->count, call->ord == 1 ? absolute : square);
    of_scalar result = ref_round_total(&sum, 1, call->result);
    if (call->ord != 1 && !is_special(&sum)) {
        mpz_t one;
        mpz_init_set_ui(one, 1);
        result = round_root(call->result, sum.total, one, sum.exponent);
        mpz_clear(one);
    }
    mpz_clear(sum.total);
    return result;
}

of_scalar ref_dot(const ref_call *call) {
    ref_total sum;
    ref_add_up(&sum, call, call->count, product);
    of_scalar result = ref_round_total(&sum, 1, call->result);
    mpz_clear(sum.total);
    return result;
}

of_scalar ref_weighted_mean(const ref_call *call) {
    ref_total products, weights;
    ref_add_up(&products, call, call->count, product);
    ref_add_up(&weights, call, call->count, weight);
    of_scalar result = ref_nan(call->result);
    if (!is_special(&products) && !is_special(&weights) && mpz_sgn(weights.total) != 0) {
        bool negative = mpz_sgn(products.total) * mpz_sgn(weights.total) < 0;
        mpz_abs(products.total, products.total);
        mpz_abs(weights.total, weights.total);
        result = ref_round(call->result, negative, products.total, weights.total,
                           products.exponent - weights.exponent);
    }
    mpz_clears(products.total, weights.total, NULL);
    return result;
}
