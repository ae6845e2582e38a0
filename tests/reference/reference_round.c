/* The one rounding, and conversions. */
#include "reference/reference.h"

typedef struct float_format {
    int precision;         /* significant bits */
    int smallest_ulp;      /* log2 of the smallest subnormal */
    int overflow_exponent; /* 2^this is the first power of two that is too large */
    int bits;
} float_format;

static float_format format_of(of_dtype dtype) {
    switch (dtype) {
    case OF_F16: return (float_format){11, -24, 16, 16};
    case OF_BF16: return (float_format){8, -133, 128, 16};
    case OF_F32: return (float_format){24, -149, 128, 32};
    default: return (float_format){53, -1074, 1024, 64};
    }
}

static of_scalar from_bits(of_dtype dtype, uint64_t bits) {
    of_scalar value = {.dtype = dtype};
    value.as.bits = bits;
    return value;
}

/* The sign bit, and the exponent bits all set. */
static uint64_t sign_bits(of_dtype dtype, bool negative) {
    return negative ? UINT64_C(1) << (format_of(dtype).bits - 1) : 0;
}

static uint64_t infinity_bits(of_dtype dtype) {
    float_format f = format_of(dtype);
    return (UINT64_C(1) << (f.bits - 1)) - (UINT64_C(1) << (f.precision - 1));
}

of_scalar ref_nan(of_dtype dtype) {
    return from_bits(dtype, infinity_bits(dtype) | UINT64_C(1) << (format_of(dtype).precision - 2));
}

of_scalar ref_infinity(of_dtype dtype, bool negative) {
    return from_bits(dtype, sign_bits(dtype, negative) | infinity_bits(dtype));
}

of_scalar ref_zero(of_dtype dtype, bool negative) {
    return from_bits(dtype, sign_bits(dtype, negative));
}

/* quotient = floor(numerator / denominator * 2^shift); returns how the rest compares with one half,
 * or -2 for no rest. */
static int divide(mpz_t quotient, const mpz_t numerator, const mpz_t denominator, long shift) {
    mpz_t n, d, rest;
    mpz_inits(n, d, rest, NULL);
    mpz_mul_2exp(n, numerator, shift > 0 ? (mp_bitcnt_t)shift : 0);
    mpz_mul_2exp(d, denominator, shift < 0 ? (mp_bitcnt_t)-shift : 0);
    mpz_fdiv_qr(quotient, rest, n, d);
    int exact = mpz_sgn(rest) == 0;
    mpz_mul_2exp(rest, rest, 1);
    int half = mpz_cmp(rest, d);
    mpz_clears(n, d, rest, NULL);
    return exact ? -2 : (half > 0) - (half < 0);
}

of_scalar ref_round(of_dtype dtype, bool negative, const mpz_t numerator, const mpz_t denominator,
                    long exponent) {
    if (mpz_sgn(numerator) == 0) return ref_zero(dtype, negative);
    float_format f = format_of(dtype);
    /* The quotient of numbers of a and b bits lies in (2^(a-b-1), 2^(a-b+1)): the first guess at
     * the unit in the last place is right or one too small, which a quotient of one bit too many
     * shows. */
    long ulp = (long)mpz_sizeinbase(numerator, 2) - (long)mpz_sizeinbase(denominator, 2) +
               exponent - f.precision;
    if (ulp < f.smallest_ulp) ulp = f.smallest_ulp;
    mpz_t quotient;
    mpz_init(quotient);
    int rest = divide(quotient, numerator, denominator, exponent - ulp);
    if (mpz_sizeinbase(quotient, 2) > (size_t)f.precision) {
        ulp++;
        rest = divide(quotient, numerator, denominator, exponent - ulp);
    }
    if (rest == 1 || (rest == 0 && mpz_odd_p(quotient))) mpz_add_ui(quotient, quotient, 1);
    uint64_t significand = mpz_get_ui(quotient);
    mpz_clear(quotient);
    if (significand >> f.precision) { /* rounded up to the next power of two */
        significand >>= 1;
        ulp++;
    }
    if (ulp + f.precision > f.overflow_exponent) return ref_infinity(dtype, negative);
    /* A significand without its top bit is a subnormal, whose exponent field is 0. Else the field
     * is one more than the distance of the unit from the smallest, and adding it carries the top
     * bit away. */
    uint64_t field = (uint64_t)(ulp - f.smallest_ulp) << (f.precision - 1);
    return from_bits(dtype, sign_bits(dtype, negative) | (field + significand));
}

of_scalar ref_wrap(of_dtype dtype, const mpz_t value) {
    mpz_t low;
    mpz_init(low);
    mpz_fdiv_r_2exp(low, value, 8 * (mp_bitcnt_t)ref_size(dtype));
    uint64_t bits = mpz_get_ui(low);
    mpz_clear(low);
    return from_bits(dtype, bits);
}

/* Truncates towards zero and keeps within the type. */
static of_scalar saturate(of_dtype dtype, ref_term value) {
    int bits = 8 * ref_size(dtype) - ref_is_signed(dtype);
    mpz_t whole, highest, lowest;
    mpz_inits(whole, highest, lowest, NULL);
    ref_magnitude(whole, value);
    if (value.exponent > 0) mpz_mul_2exp(whole, whole, (mp_bitcnt_t)value.exponent);
    if (value.exponent < 0) mpz_fdiv_q_2exp(whole, whole, (mp_bitcnt_t)-value.exponent);
    if (value.kind == REF_INFINITE) mpz_set_ui(whole, 1), mpz_mul_2exp(whole, whole, 64);
    if (value.negative) mpz_neg(whole, whole);
    mpz_setbit(highest, (mp_bitcnt_t)bits);
    if (ref_is_signed(dtype)) mpz_neg(lowest, highest);
    mpz_sub_ui(highest, highest, 1);
    if (mpz_cmp(whole, highest) > 0) mpz_set(whole, highest);
    if (mpz_cmp(whole, lowest) < 0) mpz_set(whole, lowest);
    of_scalar result = ref_wrap(dtype, whole);
    mpz_clears(whole, highest, lowest, NULL);
    return result;
}

static of_scalar convert_to_float(ref_term value, of_dtype dtype) {
    if (value.kind == REF_NAN) return ref_nan(dtype);
    if (value.kind == REF_INFINITE) return ref_infinity(dtype, value.negative);
    mpz_t numerator, one;
    mpz_init(numerator);
    mpz_init_set_ui(one, 1);
    ref_magnitude(numerator, value);
    of_scalar result = ref_round(dtype, value.negative, numerator, one, value.exponent);
    mpz_clears(numerator, one, NULL);
    return result;
}

of_scalar ref_convert(ref_term value, of_dtype dtype) {
    if (ref_is_float(dtype)) return convert_to_float(value, dtype);
    if (dtype == OF_BOOL) return from_bits(dtype, value.kind != REF_FINITE || value.magnitude != 0);
    if (value.kind == REF_NAN) return from_bits(dtype, 0);
    if (!value.integer) return saturate(dtype, value);
    mpz_t whole;
    mpz_init(whole);
    ref_magnitude(whole, value);
    if (value.negative) mpz_neg(whole, whole);
    of_scalar result = ref_wrap(dtype, whole);
    mpz_clear(whole);
    return result;
}
