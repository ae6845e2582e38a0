/* Elements as exact values. */
#include <string.h>

#include "reference/reference.h"

/* The fields of a float type: bits of fraction and of exponent. The value of the last bit of a
 * subnormal is 2^(1 - bias - fraction bits). */
static void float_fields(of_dtype dtype, int *fraction_bits, int *exponent_bits) {
    switch (dtype) {
    case OF_F16: *fraction_bits = 10, *exponent_bits = 5; break;
    case OF_BF16: *fraction_bits = 7, *exponent_bits = 8; break;
    case OF_F32: *fraction_bits = 23, *exponent_bits = 8; break;
    default: *fraction_bits = 52, *exponent_bits = 11; break;
    }
}

bool ref_is_float(of_dtype dtype) {
    return dtype == OF_F16 || dtype == OF_BF16 || dtype == OF_F32 || dtype == OF_F64;
}

bool ref_is_signed(of_dtype dtype) {
    return dtype == OF_I8 || dtype == OF_I16 || dtype == OF_I32 || dtype == OF_I64;
}

int ref_size(of_dtype dtype) {
    switch (dtype) {
    case OF_BOOL:
    case OF_I8:
    case OF_U8: return 1;
    case OF_I16:
    case OF_U16:
    case OF_F16:
    case OF_BF16: return 2;
    case OF_I32:
    case OF_U32:
    case OF_F32: return 4;
    default: return 8;
    }
}

static ref_term load_float(of_dtype dtype, uint64_t bits) {
    int fraction_bits, exponent_bits;
    float_fields(dtype, &fraction_bits, &exponent_bits);
    uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    int bias = (1 << (exponent_bits - 1)) - 1;
    ref_term term = {.negative = bits >> (fraction_bits + exponent_bits) & 1};
    if (exponent == (1 << exponent_bits) - 1) {
        term.kind = fraction ? REF_NAN : REF_INFINITE;
    } else if (exponent == 0) {
        term.magnitude = fraction;
        term.exponent = 1 - bias - fraction_bits;
    } else {
        term.magnitude = fraction | UINT64_C(1) << fraction_bits;
        term.exponent = exponent - bias - fraction_bits;
    }
    return term;
}

static ref_term integer_term(bool negative, uint64_t magnitude) {
    return (ref_term){.integer = true, .negative = negative && magnitude, .magnitude = magnitude};
}

/* The 64 bits of an integer term modulo 2^64, in two's complement. */
static uint64_t integer_bits(ref_term term) {
    uint64_t low = (uint64_t)term.magnitude;
    return term.negative ? 0 - low : low;
}

static ref_term integer_from_bits(uint64_t bits, bool is_signed) {
    bool negative = is_signed && bits >> 63;
    return integer_term(negative, negative ? 0 - bits : bits);
}

static ref_term load_bits(of_dtype dtype, uint64_t bits) {
    if (ref_is_float(dtype)) return load_float(dtype, bits);
    if (dtype == OF_BOOL) return integer_term(false, bits != 0);
    int unused = 64 - 8 * ref_size(dtype);
    if (ref_is_signed(dtype)) bits = (uint64_t)((int64_t)(bits << unused) >> unused);
    return integer_from_bits(bits, ref_is_signed(dtype));
}

ref_term ref_load(of_dtype dtype, const void *elements, int64_t index) {
    uint64_t bits = 0;
    int size = ref_size(dtype);
    memcpy(&bits, (const char *)elements + index * size, (size_t)size);
    return load_bits(dtype, bits);
}

ref_term ref_load_scalar(of_scalar value) {
    return ref_load(value.dtype, &value.as, 0);
}

ref_term ref_product(ref_term a, ref_term b) {
    ref_term r = {.negative = a.negative != b.negative, .integer = a.integer && b.integer};
    bool zero = (a.kind == REF_FINITE && !a.magnitude) || (b.kind == REF_FINITE && !b.magnitude);
    bool infinite = a.kind == REF_INFINITE || b.kind == REF_INFINITE;
    if (a.kind == REF_NAN || b.kind == REF_NAN || (zero && infinite)) {
        r.kind = REF_NAN;
    } else if (infinite) {
        r.kind = REF_INFINITE;
    } else {
        r.magnitude = a.magnitude * b.magnitude; /* at most 53 + 64 bits, for two integers 128 */
        r.exponent = a.exponent + b.exponent;
        if (r.integer && zero) r.negative = false;
    }
    return r;
}

ref_term ref_mapped(const ref_call *call, int64_t index) {
    ref_term x = ref_load(call->dtype, call->elements, index);
    if (call->map == OF_MAP_NONE) return x;
    ref_term r = x, y = x;
    of_dtype other = call->dtype;
    if (call->map == OF_MAP_ABS) r.negative = false;
    if (call->map == OF_MAP_PRODUCT) {
        other = call->second_dtype;
        y = ref_load(other, call->second, index);
    }
    if (call->map != OF_MAP_ABS) r = ref_product(x, y);
    of_dtype joined = ref_join(call->dtype, other);
    if (ref_is_float(joined)) return r;
    return integer_from_bits(integer_bits(r), ref_is_signed(joined) || joined == OF_BOOL);
}

void ref_magnitude(mpz_t out, ref_term value) {
    mpz_import(out, 1, -1, sizeof value.magnitude, 0, 0, &value.magnitude);
}

/* The same value with bit 127 set. */
static void align_top(ref_term *term) {
    uint64_t high = (uint64_t)(term->magnitude >> 64), low = (uint64_t)term->magnitude;
    int shift = high ? __builtin_clzll(high) : 64 + __builtin_clzll(low);
    term->magnitude <<= shift;
    term->exponent -= shift;
}

static int compare_magnitudes(ref_term a, ref_term b) {
    if (a.kind != b.kind) return a.kind == REF_INFINITE ? 1 : -1;
    if (a.kind == REF_INFINITE) return 0;
    if (!a.magnitude || !b.magnitude) return (a.magnitude > 0) - (b.magnitude > 0);
    /* With the top bits aligned, the exponents decide, then the magnitudes. */
    align_top(&a);
    align_top(&b);
    if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
    return (a.magnitude > b.magnitude) - (a.magnitude < b.magnitude);
}

int ref_compare(ref_term a, ref_term b) {
    bool a_zero = a.kind == REF_FINITE && !a.magnitude,
         b_zero = b.kind == REF_FINITE && !b.magnitude;
    if (a_zero && b_zero) return 0;
    if (a_zero) return b.negative ? 1 : -1;
    if (b_zero) return a.negative ? -1 : 1;
    if (a.negative != b.negative) return a.negative ? -1 : 1;
    return a.negative ? compare_magnitudes(b, a) : compare_magnitudes(a, b);
}
