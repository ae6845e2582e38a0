/* Rounding to a float type, in integers: no control word can change it. */
#include "core/round.h"

/* Subnormals have the exponent field 0; infinity and NaN have all ones. */
typedef struct float_format {
    int fraction_bits, exponent_bits;
} float_format;

static float_format format_of(of_dtype dtype) {
    switch (dtype) {
    case OF_F16: return (float_format){10, 5};
    case OF_BF16: return (float_format){7, 8};
    case OF_F32: return (float_format){23, 8};
    default: return (float_format){52, 11};
    }
}

static int largest_field(float_format format) {
    return (1 << format.exponent_bits) - 1;
}

int of__precision(of_dtype dtype) {
    return format_of(dtype).fraction_bits + 1;
}

uint64_t of__zero_bits(of_dtype dtype, bool negative) {
    float_format format = format_of(dtype);
    return (uint64_t)negative << (format.fraction_bits + format.exponent_bits);
}

uint64_t of__infinity_bits(of_dtype dtype, bool negative) {
    float_format format = format_of(dtype);
    uint64_t field = (uint64_t)largest_field(format) << format.fraction_bits;
    return of__zero_bits(dtype, negative) | field;
}

uint64_t of__nan_bits(of_dtype dtype) {
    uint64_t quiet_bit = 1ull << (format_of(dtype).fraction_bits - 1);
    return of__infinity_bits(dtype, false) | quiet_bit;
}

uint64_t of__round_bits(of_dtype dtype, bool negative, uint64_t significand, int64_t exponent,
                        bool sticky) {
    const int64_t far = 1 << 16; /* beyond it every type overflows or underflows */
    if (significand == 0) return of__zero_bits(dtype, negative);
    if (exponent > far) exponent = far;
    if (exponent < -far) exponent = -far;

    /* Put the leading bit on top. Sticky stands for bits that are all below the one that decides.
     */
    int shift = __builtin_clzll(significand);
    significand <<= shift;
    exponent -= shift;

    float_format format = format_of(dtype);
    int bias = largest_field(format) >> 1;
    int64_t field = exponent + 63 + bias;
    if (field >= largest_field(format)) return of__infinity_bits(dtype, negative);

    /* A subnormal keeps fewer bits: the unit is that of field 1. */
    int64_t dropped = 63 - format.fraction_bits;
    if (field < 1) {
        dropped += 1 - field;
        field = 1;
    }
    if (dropped > 64) return of__zero_bits(dtype, negative); /* below half of the smallest */
    const uint64_t half = 1ull << 63;
    uint64_t kept = dropped == 64 ? 0 : significand >> dropped;
    uint64_t rest = significand << (64 - dropped);
    bool is_odd = kept & 1;
    kept += rest > half || (rest == half && (sticky || is_odd));

    /* The leading bit of `kept` adds one to the field, and so does a carry out of rounding, into
     * infinity too. */
    uint64_t magnitude = ((uint64_t)(field - 1) << format.fraction_bits) + kept;
    return of__zero_bits(dtype, negative) | magnitude;
}
