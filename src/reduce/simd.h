/*
 * Vectors of the instruction set that a unit is compiled for, in GNU C where the compilers do well,
 * in intrinsics where they do not. Included once by each unit; everything is static.
 *
 * vf64 holds OF__LANES doubles, vf32 twice as many floats: the native width. All loads take any
 * alignment.
 */
#ifndef ONEFOLD_REDUCE_SIMD_H
#define ONEFOLD_REDUCE_SIMD_H

#include <stdbool.h>

#include "core/bytes.h"

#if defined(__AVX512F__)
#define OF__LANES 8
#elif defined(__AVX2__)
#define OF__LANES 4
#else
#define OF__LANES 2
#endif
#define OF__VECTOR_BYTES (8 * OF__LANES)

#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef double vf64 __attribute__((vector_size(OF__VECTOR_BYTES)));
typedef int64_t vi64 __attribute__((vector_size(OF__VECTOR_BYTES)));
typedef float vf32 __attribute__((vector_size(OF__VECTOR_BYTES)));
typedef uint32_t vu32 __attribute__((vector_size(OF__VECTOR_BYTES)));
typedef double vf64_any __attribute__((vector_size(OF__VECTOR_BYTES), aligned(1), may_alias));
typedef float vf32_any __attribute__((vector_size(OF__VECTOR_BYTES), aligned(1), may_alias));
typedef uint32_t vu32_any __attribute__((vector_size(OF__VECTOR_BYTES), aligned(1), may_alias));

OF__INLINE vf64 splat_f64(double value) {
    return value - (vf64){0}; /* a sum would lose the sign of -0.0 */
}

OF__INLINE vi64 splat_i64(int64_t value) {
    return (vi64){0} + value;
}

OF__INLINE vf64 load_f64(const char *p) {
    return *(const vf64_any *)p;
}

OF__INLINE void store_f64(double *p, vf64 v) {
    *(vf64_any *)p = v;
}

/* OF__LANES floats, widened. */
OF__INLINE vf64 load_widen_f32(const char *p) {
#if defined(__AVX512F__)
    return (vf64)_mm512_cvtps_pd(_mm256_loadu_ps((const float *)(const void *)p));
#elif defined(__AVX2__)
    return (vf64)_mm256_cvtps_pd(_mm_loadu_ps((const float *)(const void *)p));
#elif defined(__x86_64__)
    return (vf64)_mm_cvtps_pd(_mm_castsi128_ps(_mm_loadu_si64(p)));
#else
    float two[OF__LANES];
    memcpy(two, p, sizeof two);
    return (vf64){two[0], two[1]};
#endif
}

/* The lower and the upper half of a vector of floats, widened. */
OF__INLINE vf64 widen_low(vf32 v) {
#if defined(__AVX512F__)
    return (vf64)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)v));
#elif defined(__AVX2__)
    return (vf64)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)v));
#elif defined(__x86_64__)
    return (vf64)_mm_cvtps_pd((__m128)v);
#else
    return (vf64){v[0], v[1]};
#endif
}

OF__INLINE vf64 widen_high(vf32 v) {
#if defined(__AVX512F__)
    return (vf64)_mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)v, 1));
#elif defined(__AVX2__)
    return (vf64)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)v, 1));
#elif defined(__x86_64__)
    return (vf64)_mm_cvtps_pd(_mm_movehl_ps((__m128)v, (__m128)v));
#else
    return (vf64){v[2], v[3]};
#endif
}

/* a + b. Where `one` is a vector of ones that the compiler cannot see through, as an FMA: on Zen 4
 * adds and FMAs use different units, and the loops below need both. The bits are the same. */
OF__INLINE vf64 add_by_fma(vf64 a, vf64 b, vf64 one) {
#if defined(__AVX512F__)
    return (vf64)_mm512_fmadd_pd((__m512d)a, (__m512d)one, (__m512d)b);
#elif defined(__AVX2__)
    return (vf64)_mm256_fmadd_pd((__m256d)a, (__m256d)one, (__m256d)b);
#else
    (void)one;
    return a + b;
#endif
}

OF__INLINE int64_t or_lanes(vi64 v) {
    int64_t result = 0;
    for (int lane = 0; lane < OF__LANES; lane++) result |= v[lane];
    return result;
}

/* Whether a bit of any lane is set. */
OF__INLINE bool any_bit(vi64 v) {
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)v, (__m512i)v) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#elif defined(__x86_64__)
    return _mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)v, _mm_setzero_si128())) != 0xffff;
#else
    return or_lanes(v) != 0;
#endif
}

OF__INLINE int64_t add_lanes(vi64 v) {
    int64_t result = 0;
    for (int lane = 0; lane < OF__LANES; lane++) result += v[lane];
    return result;
}

/* A register constraint for vectors, and one vector of ones for add_by_fma. */
#if defined(__AVX512F__)
#define OF__IN_REGISTER "+v"
#elif defined(__x86_64__)
#define OF__IN_REGISTER "+x"
#else
#define OF__IN_REGISTER "+w"
#endif

OF__INLINE vf64 opaque_ones(void) {
    vf64 one = splat_f64(1.0);
    __asm__("" : OF__IN_REGISTER(one));
    return one;
}

#endif
