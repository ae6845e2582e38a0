/* Single values: making, moving and converting them. Plain integers, so that no control word can
 * change a bit. */
#include <string.h>

#include <onefold/dtype.h>

#include "core/bytes.h"
#include "core/half.h"
#include "core/round.h"

/* ---- Making and moving ---- */

of_scalar of_scalar_i64(int64_t value) {
    return (of_scalar){.dtype = OF_I64, .as.i64 = value};
}

of_scalar of_scalar_u64(uint64_t value) {
    return (of_scalar){.dtype = OF_U64, .as.u64 = value};
}

of_scalar of_scalar_f32(float value) {
    return (of_scalar){.dtype = OF_F32, .as.bits = of__f32_bits(value)};
}

of_scalar of_scalar_f64(double value) {
    return (of_scalar){.dtype = OF_F64, .as.bits = of__f64_bits(value)};
}

of_scalar of_scalar_bool(bool value) {
    return (of_scalar){.dtype = OF_BOOL, .as.bits = value};
}

of_scalar of_scalar_load(of_dtype dtype, const void *element) {
    of_scalar value = {.dtype = dtype};
    memcpy(&value.as, element, of_dtype_size(dtype));
    return value;
}

void of_scalar_store(of_scalar value, void *element) {
    memcpy(element, &value.as, of_dtype_size(value.dtype));
}

/* ---- Converting ---- */

/* What a value is: (-1)^negative * significand * 2^exponent, or one of the two that are no real
 * numbers. */
typedef struct exact_value {
    enum { FINITE, INFINITE, NOT_A_NUMBER } kind;
    bool negative;
    uint64_t significand;
    int exponent;
} exact_value;

/* The bits of an integer or bool, extended by its sign. */
static uint64_t integer_bits(of_scalar value) {
    switch (value.dtype) {
    case OF_BOOL: return value.as.b != 0;
    case OF_I8: return (uint64_t)value.as.i8;
    case OF_I16: return (uint64_t)value.as.i16;
    case OF_I32: return (uint64_t)value.as.i32;
    case OF_U8: return value.as.u8;
    case OF_U16: return value.as.u16;
    case OF_U32: return value.as.u32;
    default: return value.as.u64;
    }
}

static exact_value exact_of_float(of_scalar value) {
    int fraction_bits = of__precision(value.dtype) - 1;
    uint64_t infinity = of__infinity_bits(value.dtype, false);
    uint64_t magnitude = value.as.bits & (of__zero_bits(value.dtype, true) - 1);
    exact_value exact = {.negative = (value.as.bits & of__zero_bits(value.dtype, true)) != 0};
    if (magnitude >= infinity) {
        exact.kind = magnitude == infinity ? INFINITE : NOT_A_NUMBER;
        return exact;
    }
    int field = (int)(magnitude >> fraction_bits), bias = (int)(infinity >> fraction_bits) >> 1;
    uint64_t leading = field == 0 ? 0 : 1ull << fraction_bits; /* subnormals have none */
    exact.significand = (magnitude & ((1ull << fraction_bits) - 1)) | leading;
    exact.exponent = (field == 0 ? 1 : field) - bias - fraction_bits;
    return exact;
}

static exact_value exact_of(of_scalar value) {
    if (of_dtype_is_float(value.dtype)) return exact_of_float(value);
    uint64_t bits = integer_bits(value);
    bool negative = of_dtype_is_signed(value.dtype) && bits >> 63;
    return (exact_value){.negative = negative, .significand = negative ? -bits : bits};
}

static uint64_t float_bits(exact_value exact, of_dtype dtype) {
    if (exact.kind == NOT_A_NUMBER) return of__nan_bits(dtype);
    if (exact.kind == INFINITE) return of__infinity_bits(dtype, exact.negative);
    return of__round_bits(dtype, exact.negative, exact.significand, exact.exponent, false);
}

/* The integer part of a magnitude, at most 2^64 - 1. */
static uint64_t saturated_magnitude(exact_value exact) {
    if (exact.kind == INFINITE) return UINT64_MAX;
    if (exact.significand == 0 || exact.exponent <= -64) return 0;
    if (exact.exponent <= 0) return exact.significand >> -exact.exponent;
    bool fits = exact.exponent < __builtin_clzll(exact.significand) + 1;
    return fits ? exact.significand << exact.exponent : UINT64_MAX;
}

static uint64_t saturated_bits(exact_value exact, of_dtype dtype) {
    if (exact.kind == NOT_A_NUMBER) return 0;
    int width = 8 * (int)of_dtype_size(dtype);
    uint64_t magnitude = saturated_magnitude(exact);
    if (!of_dtype_is_signed(dtype)) {
        uint64_t largest = UINT64_MAX >> (64 - width);
        return exact.negative ? 0 : magnitude < largest ? magnitude : largest;
    }
    uint64_t largest = (1ull << (width - 1)) - 1 + exact.negative;
    if (magnitude > largest) magnitude = largest;
    return exact.negative ? -magnitude : magnitude;
}

of_scalar of_scalar_convert(of_scalar value, of_dtype dtype) {
    if (value.dtype == dtype) return value;
    exact_value exact = exact_of(value);
    uint64_t bits;
    if (dtype == OF_BOOL)
        bits = exact.kind != FINITE || exact.significand != 0;
    else if (of_dtype_is_float(dtype))
        bits = float_bits(exact, dtype);
    else if (of_dtype_is_float(value.dtype))
        bits = saturated_bits(exact, dtype);
    else
        bits = integer_bits(value);
    /* Zero-extended from the width of the type; a number that is no type leaves nothing. */
    size_t size = of_dtype_size(dtype);
    bits = size == 0 ? 0 : bits & UINT64_MAX >> (64 - 8 * size);
    return (of_scalar){.dtype = dtype, .as.bits = bits};
}

double of_scalar_to_f64(of_scalar value) {
    return of_scalar_convert(value, OF_F64).as.f64;
}
