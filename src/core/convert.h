/*
 * Conversions of one element in inline code that vectorises; of_scalar_convert follows the same
 * rules in plain integers. To be used inside a task (fpenv.h), where casts round to nearest, ties
 * to even.
 *
 * An element is loaded as the value it stands for, of one of five types: int32_t, int64_t,
 * uint64_t, float, double. of__CONVERT(f16, value) makes the element of type f16 from any of them.
 */
#ifndef ONEFOLD_CORE_CONVERT_H
#define ONEFOLD_CORE_CONVERT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/bytes.h"
#include "core/half.h"

/* clang-format off */

/* ---- Loading ---- */

OF__INLINE int32_t of__load_bool(uint8_t element) { return element != 0; }
OF__INLINE int32_t of__load_i8(int8_t element) { return element; }
OF__INLINE int32_t of__load_i16(int16_t element) { return element; }
OF__INLINE int32_t of__load_i32(int32_t element) { return element; }
OF__INLINE int64_t of__load_i64(int64_t element) { return element; }
OF__INLINE int32_t of__load_u8(uint8_t element) { return element; }
OF__INLINE int32_t of__load_u16(uint16_t element) { return element; }
OF__INLINE int64_t of__load_u32(uint32_t element) { return element; }
OF__INLINE uint64_t of__load_u64(uint64_t element) { return element; }
OF__INLINE float of__load_f16(uint16_t element) { return of__f16_to_f32(element); }
OF__INLINE float of__load_bf16(uint16_t element) { return of__bf16_to_f32(element); }
OF__INLINE float of__load_f32(float element) { return element; }
OF__INLINE double of__load_f64(double element) { return element; }

/* clang-format on */

/* ---- To the 16-bit floats ---- */

OF__INLINE uint16_t of__f32_to_bf16(float value) {
    uint32_t bits = of__f32_bits(value);
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16; /* carries into infinity */
    return (uint16_t)(value != value ? 0x7fc0 : rounded);
}

OF__INLINE uint16_t of__f32_to_f16(float value) {
    uint32_t bits = of__f32_bits(value), sign = bits >> 16 & 0x8000;
    uint32_t magnitude = bits & 0x7fffffff;
    /* From 2^-14 on: move the exponent over and round off 13 bits. */
    uint32_t normal = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
    /* Below: next to 0.5 a float has the unit of the result, 2^-24, so the add rounds. */
    uint32_t subnormal = of__f32_bits(of__f32_from_bits(magnitude) + 0.5f) - 0x3f000000;
    uint32_t finite = of__select(magnitude < 0x38800000, subnormal, normal);
    uint32_t result = of__select(magnitude < 0x477ff000, finite, 0x7c00); /* 65520 and more */
    return (uint16_t)of__select(magnitude > 0x7f800000, 0x7e00, sign | result);
}

/*
 * Rounding to odd cuts bits off and sets the last bit kept where any of them was 1. A later
 * rounding to at least two bits fewer then gives what rounding the exact value at once would have
 * given.
 */
OF__INLINE float of__f64_to_odd_f32(double value) {
    float nearest = (float)value;
    double back = nearest;
    uint32_t bits = of__f32_bits(nearest);
    bits -= __builtin_fabs(back) > __builtin_fabs(value); /* towards zero; from infinity too */
    bits |= back != value;
    return of__f32_from_bits(bits);
}

OF__INLINE double of__u64_to_odd_f64(uint64_t value) {
    uint64_t odd = (value & ~0xfffull) | (value & 0xfff ? 0x800 : 0);
    return (double)(value < 1ull << 53 ? value : odd);
}

/* Clearing bits of a negative integer cuts downwards; the bit set leads back between the same
 * neighbours. */
OF__INLINE double of__i64_to_odd_f64(int64_t value) {
    int64_t odd = (value & ~0x7ffll) | (value & 0x7ff ? 0x400 : 0);
    bool is_exact = (uint64_t)value + (1ull << 53) < 1ull << 54;
    return (double)(is_exact ? value : odd);
}

OF__INLINE float of__i32_to_odd_f32(int32_t value) {
    int32_t odd = (value & ~0x1ff) | (value & 0x1ff ? 0x100 : 0);
    uint32_t is_exact = (uint32_t)value + (1u << 24) < 1u << 25;
    return (float)(int32_t)of__select(is_exact, (uint32_t)value, (uint32_t)odd);
}

/* ---- From floats to integers: truncate, saturate, NaN gives 0 ---- */

/* For bounds that the type of the value holds exactly. */
OF__INLINE double of__clamp_f64(double value, double low, double high) {
    double below = value > high ? high : value;
    double inside = below < low ? low : below;
    return value == value ? inside : 0;
}

OF__INLINE float of__clamp_f32(float value, float low, float high) {
    float below = value > high ? high : value;
    float inside = below < low ? low : below;
    return value == value ? inside : 0;
}

/* clang-format off */
OF__INLINE int8_t of__i8_from_f64(double v) { return (int8_t)(int32_t)of__clamp_f64(v, INT8_MIN, INT8_MAX); }
OF__INLINE int16_t of__i16_from_f64(double v) { return (int16_t)(int32_t)of__clamp_f64(v, INT16_MIN, INT16_MAX); }
OF__INLINE int32_t of__i32_from_f64(double v) { return (int32_t)of__clamp_f64(v, INT32_MIN, INT32_MAX); }
OF__INLINE uint8_t of__u8_from_f64(double v) { return (uint8_t)(int32_t)of__clamp_f64(v, 0, UINT8_MAX); }
OF__INLINE uint16_t of__u16_from_f64(double v) { return (uint16_t)(int32_t)of__clamp_f64(v, 0, UINT16_MAX); }
OF__INLINE uint32_t of__u32_from_f64(double v) { return (uint32_t)(int64_t)of__clamp_f64(v, 0, UINT32_MAX); }

OF__INLINE int8_t of__i8_from_f32(float v) { return (int8_t)(int32_t)of__clamp_f32(v, INT8_MIN, INT8_MAX); }
OF__INLINE int16_t of__i16_from_f32(float v) { return (int16_t)(int32_t)of__clamp_f32(v, INT16_MIN, INT16_MAX); }
OF__INLINE uint8_t of__u8_from_f32(float v) { return (uint8_t)(int32_t)of__clamp_f32(v, 0, UINT8_MAX); }
OF__INLINE uint16_t of__u16_from_f32(float v) { return (uint16_t)(int32_t)of__clamp_f32(v, 0, UINT16_MAX); }
/* clang-format on */

OF__INLINE int64_t of__i64_from_f64(double value) {
    if (value >= 0x1p63) return INT64_MAX;
    if (value >= -0x1p63) return (int64_t)value;
    return value == value ? INT64_MIN : 0;
}

OF__INLINE uint64_t of__u64_from_f64(double value) {
    if (value >= 0x1p64) return UINT64_MAX;
    return value > 0 ? (uint64_t)value : 0;
}

/* ---- The other pairs ---- */

/* clang-format off */
#define CASTS(name, storage)                                                                       \
    OF__INLINE storage of__##name##_from_i32(int32_t v) { return (storage)v; }                     \
    OF__INLINE storage of__##name##_from_i64(int64_t v) { return (storage)v; }                     \
    OF__INLINE storage of__##name##_from_u64(uint64_t v) { return (storage)v; }
CASTS(i8, int8_t)
CASTS(i16, int16_t)
CASTS(i32, int32_t)
CASTS(i64, int64_t)
CASTS(u8, uint8_t)
CASTS(u16, uint16_t)
CASTS(u32, uint32_t)
CASTS(u64, uint64_t)
#undef CASTS

OF__INLINE int32_t of__i32_from_f32(float v) { return of__i32_from_f64(v); }
OF__INLINE int64_t of__i64_from_f32(float v) { return of__i64_from_f64(v); }
OF__INLINE uint32_t of__u32_from_f32(float v) { return of__u32_from_f64(v); }
OF__INLINE uint64_t of__u64_from_f32(float v) { return of__u64_from_f64(v); }

OF__INLINE uint8_t of__bool_from_i32(int32_t v) { return v != 0; }
OF__INLINE uint8_t of__bool_from_i64(int64_t v) { return v != 0; }
OF__INLINE uint8_t of__bool_from_u64(uint64_t v) { return v != 0; }
OF__INLINE uint8_t of__bool_from_f32(float v) { return v != 0; }
OF__INLINE uint8_t of__bool_from_f64(double v) { return v != 0; }

OF__INLINE uint16_t of__f16_from_f32(float v) { return of__f32_to_f16(v); }
OF__INLINE uint16_t of__f16_from_f64(double v) { return of__f32_to_f16(of__f64_to_odd_f32(v)); }
OF__INLINE uint16_t of__f16_from_i32(int32_t v) { return of__f32_to_f16(of__i32_to_odd_f32(v)); }
OF__INLINE uint16_t of__f16_from_i64(int64_t v) { return of__f16_from_f64(of__i64_to_odd_f64(v)); }
OF__INLINE uint16_t of__f16_from_u64(uint64_t v) { return of__f16_from_f64(of__u64_to_odd_f64(v)); }

OF__INLINE uint16_t of__bf16_from_f32(float v) { return of__f32_to_bf16(v); }
OF__INLINE uint16_t of__bf16_from_f64(double v) { return of__f32_to_bf16(of__f64_to_odd_f32(v)); }
OF__INLINE uint16_t of__bf16_from_i32(int32_t v) { return of__f32_to_bf16(of__i32_to_odd_f32(v)); }
OF__INLINE uint16_t of__bf16_from_i64(int64_t v) { return of__bf16_from_f64(of__i64_to_odd_f64(v)); }
OF__INLINE uint16_t of__bf16_from_u64(uint64_t v) { return of__bf16_from_f64(of__u64_to_odd_f64(v)); }

OF__INLINE float of__f32_from_i32(int32_t v) { return (float)v; }
OF__INLINE float of__f32_from_i64(int64_t v) { return (float)v; }
OF__INLINE float of__f32_from_u64(uint64_t v) { return (float)v; }
OF__INLINE float of__f32_from_f32(float v) { return of__f32_from_bits(of__select(v != v, 0x7fc00000, of__f32_bits(v))); }
OF__INLINE float of__f32_from_f64(double v) { return of__f32_from_f32((float)v); }

OF__INLINE double of__f64_from_i32(int32_t v) { return v; }
OF__INLINE double of__f64_from_i64(int64_t v) { return (double)v; }
OF__INLINE double of__f64_from_u64(uint64_t v) { return (double)v; }
OF__INLINE double of__f64_from_f64(double v) { return v == v ? v : of__f64_from_bits(0x7ff8000000000000); }
OF__INLINE double of__f64_from_f32(float v) { return of__f32_from_f32(v); }

#define of__CONVERT(name, value)                                                                   \
    _Generic((value),                                                                              \
        int32_t: of__##name##_from_i32,                                                            \
        int64_t: of__##name##_from_i64,                                                            \
        uint64_t: of__##name##_from_u64,                                                           \
        float: of__##name##_from_f32,                                                              \
        double: of__##name##_from_f64)(value)
/* clang-format on */

#endif
