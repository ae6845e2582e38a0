#include "array/slow_convert.h"

#include <math.h>
#include <string.h>

typedef __float128 exact;

/* A 16-bit float type, by the definition of its format. */
typedef struct half_format {
    int fraction_bits, bias;
    uint16_t infinity, nan;
    double *values; /* of all bits from 0 to infinity, made when first needed */
} half_format;

static half_format f16 = {10, 15, 0x7c00, 0x7e00, NULL};
static half_format bf16 = {7, 127, 0x7f80, 0x7fc0, NULL};

static double half_magnitude(const half_format *format, int bits) {
    int fraction = bits & ((1 << format->fraction_bits) - 1), field = bits >> format->fraction_bits;
    int unit = (field == 0 ? 1 : field) - format->bias - format->fraction_bits;
    return ldexp(fraction + (field == 0 ? 0 : 1 << format->fraction_bits), unit);
}

static const double *half_values(half_format *format) {
    static double f16_values[0x7c01], bf16_values[0x7f81];
    if (format->values != NULL) return format->values;
    format->values = format == &f16 ? f16_values : bf16_values;
    for (int bits = 0; bits <= format->infinity; bits++)
        format->values[bits] = half_magnitude(format, bits); /* infinity as the next power of two */
    return format->values;
}

static exact value_of_half(half_format *format, uint16_t bits) {
    uint16_t magnitude_bits = bits & 0x7fff;
    exact magnitude = magnitude_bits < format->infinity    ? half_values(format)[magnitude_bits]
                      : magnitude_bits == format->infinity ? (exact)INFINITY
                                                           : (exact)NAN;
    return bits & 0x8000 ? -magnitude : magnitude;
}

static exact value_of(of_scalar value) {
    switch (value.dtype) {
    case OF_BOOL: return value.as.b != 0;
    case OF_I8: return value.as.i8;
    case OF_I16: return value.as.i16;
    case OF_I32: return value.as.i32;
    case OF_I64: return value.as.i64;
    case OF_U8: return value.as.u8;
    case OF_U16: return value.as.u16;
    case OF_U32: return value.as.u32;
    case OF_U64: return value.as.u64;
    case OF_F16: return value_of_half(&f16, value.as.f16);
    case OF_BF16: return value_of_half(&bf16, value.as.bf16);
    case OF_F32: return value.as.f32;
    default: return value.as.f64;
    }
}

/* The nearest of all values of the type, by bisection. */
static uint16_t nearest_half(half_format *format, exact magnitude) {
    const double *values = half_values(format);
    uint16_t low = 0, high = format->infinity;
    if (magnitude >= values[high]) return high;
    while (high - low > 1) {
        uint16_t middle = (uint16_t)((low + high) / 2);
        if (values[middle] <= magnitude)
            low = middle;
        else
            high = middle;
    }
    exact to_low = magnitude - values[low], to_high = values[high] - magnitude;
    if (to_low == to_high) return low & 1 ? high : low;
    return to_low < to_high ? low : high;
}

static uint64_t half_bits(half_format *format, exact value, bool negative) {
    if (value != value) return format->nan;
    return nearest_half(format, negative ? -value : value) | (negative ? 0x8000 : 0);
}

static uint64_t float_bits(exact value, bool negative, of_dtype dtype) {
    if (dtype == OF_F16) return half_bits(&f16, value, negative);
    if (dtype == OF_BF16) return half_bits(&bf16, value, negative);
    of_scalar result = {.dtype = dtype};
    if (dtype == OF_F32)
        result.as.f32 = (float)value;
    else
        result.as.f64 = (double)value;
    if (value != value) result.as.bits = dtype == OF_F32 ? 0x7fc00000 : 0x7ff8000000000000;
    return result.as.bits;
}

static uint64_t saturated_bits(exact value, of_dtype dtype) {
    int bits = 8 * (int)of_dtype_size(dtype);
    exact power = (exact)ldexp(1, of_dtype_is_signed(dtype) ? bits - 1 : bits);
    exact smallest = of_dtype_is_signed(dtype) ? -power : 0;
    if (value != value) return 0;
    if (value >= power) value = power - 1;
    if (value < smallest) value = smallest;
    return (uint64_t)(__int128)value;
}

of_scalar slow_convert(of_scalar value, of_dtype dtype) {
    if (value.dtype == dtype) return value;
    exact v = value_of(value);
    bool from_float = of_dtype_is_float(value.dtype);
    bool negative = from_float ? value.as.bits >> (8 * of_dtype_size(value.dtype) - 1) & 1 : v < 0;
    uint64_t bits;
    if (dtype == OF_BOOL)
        bits = v != 0;
    else if (of_dtype_is_float(dtype))
        bits = float_bits(v, negative, dtype);
    else if (from_float)
        bits = saturated_bits(v, dtype);
    else
        bits = (uint64_t)(__int128)v; /* the low bits */
    of_scalar result = {.dtype = dtype};
    memcpy(&result.as, &bits, of_dtype_size(dtype));
    return result;
}
