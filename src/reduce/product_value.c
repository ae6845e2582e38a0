#include "reduce/product_value.h"

#include "core/bytes.h"

enum { INFINITE = 1 << 20 };

/* One factor: its significand has 64 bits at most. */
typedef struct factor {
    uint64_t significand;
    int exponent;
    bool negative, nan, infinite;
} factor;

static factor factor_of(of_scalar value) {
    factor f = {0};
    if (!of_dtype_is_float(value.dtype)) {
        f.negative = of_dtype_is_signed(value.dtype) && of_scalar_convert(value, OF_I64).as.i64 < 0;
        uint64_t bits = of_scalar_convert(value, OF_U64).as.u64;
        f.significand = f.negative ? 0 - bits : bits;
        return f;
    }
    uint64_t bits = of__f64_bits(of_scalar_to_f64(value)); /* exact: no float type is wider */
    int biased = (int)(bits >> 52) & 0x7ff;
    f.negative = bits >> 63;
    f.significand = bits & ((UINT64_C(1) << 52) - 1);
    f.nan = biased == 0x7ff && f.significand;
    f.infinite = biased == 0x7ff && !f.significand;
    if (biased) f.significand |= UINT64_C(1) << 52;
    f.exponent = (biased ? biased : 1) - 1075;
    return f;
}

of__product_value of__product_value_of(of_scalar a, of_scalar b) {
    factor x = factor_of(a), y = factor_of(b);
    of__product_value value = {.negative = x.negative != y.negative};
    bool infinite = x.infinite || y.infinite;
    value.magnitude = (unsigned __int128)x.significand * y.significand;
    value.nan = x.nan || y.nan || (infinite && !value.magnitude);
    if (infinite) value.magnitude = 1;
    if (!value.magnitude) return value;
    value.exponent = infinite ? INFINITE : x.exponent + y.exponent;
    uint64_t high = (uint64_t)(value.magnitude >> 64), low = (uint64_t)value.magnitude;
    int shift = high ? __builtin_clzll(high) : 64 + __builtin_clzll(low);
    value.magnitude <<= shift; /* so that the exponents compare first */
    value.exponent -= shift;
    return value;
}

static int compare_magnitudes(const of__product_value *a, const of__product_value *b) {
    if (!a->magnitude || !b->magnitude) return (a->magnitude != 0) - (b->magnitude != 0);
    if (a->exponent != b->exponent) return a->exponent < b->exponent ? -1 : 1;
    return (a->magnitude > b->magnitude) - (a->magnitude < b->magnitude);
}

int of__product_value_compare(const of__product_value *a, const of__product_value *b) {
    bool a_below = a->negative && a->magnitude, b_below = b->negative && b->magnitude;
    if (a_below != b_below) return a_below ? -1 : 1;
    int order = compare_magnitudes(a, b);
    return a_below ? -order : order;
}
