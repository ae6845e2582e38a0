/* Running totals within vectors of up to four numbers of 64 bits; see simd.h. */
#ifndef ONEFOLD_REDUCE_SIMD_PREFIX_H
#define ONEFOLD_REDUCE_SIMD_PREFIX_H

#include "reduce/simd.h"

typedef uint64_t vu64 __attribute__((vector_size(OF__VECTOR_BYTES)));

/* The lanes a step up, where below it there is zero: the first step before sums, and the second, which
 * takes the last lane of a half to all of the other. */
OF__INLINE vf64 up_once(vf64 v) {
    const vf64 zero = {0};
#if OF__LANES == 4
    return __builtin_shufflevector(zero, v, 0, 4, 2, 6);
#else
    return __builtin_shufflevector(zero, v, 0, 2);
#endif
}

OF__INLINE vf64 up_a_half(vf64 v) {
    const vf64 zero = {0};
#if OF__LANES == 4
    vf64 lower_half = __builtin_shufflevector(zero, v, 0, 1, 4, 5);
    return __builtin_shufflevector(lower_half, lower_half, 1, 1, 3, 3);
#else
    (void)v;
    return zero;
#endif
}

OF__INLINE vf64 splat_last(vf64 v) {
#if OF__LANES == 4
    return __builtin_shufflevector(v, v, 3, 3, 3, 3);
#else
    return __builtin_shufflevector(v, v, 1, 1);
#endif
}

/* The sums of the first 1, 2, ... lanes. */
OF__INLINE vf64 sum_lanes_before(vf64 v) {
    v += up_once(v);
    return OF__LANES == 2 ? v : v + up_a_half(v);
}

/* Turns two neighbouring vectors into sums of all before, and moves those on. */
OF__INLINE void sum_before(vf64 *a, vf64 *b, vf64 *before) {
    vf64 first = sum_lanes_before(*a), second = sum_lanes_before(*b) + splat_last(first);
    *a = *before + first;
    *b = *before + second;
    *before += splat_last(second);
}

/* The same of integers modulo 2^64. */
OF__INLINE vu64 add_lanes_before(vu64 v) {
    v += (vu64)up_once((vf64)v);
    return OF__LANES == 2 ? v : v + (vu64)up_a_half((vf64)v);
}

OF__INLINE void add_before(vu64 *a, vu64 *b, vu64 *before) {
    vu64 first = add_lanes_before(*a), second = add_lanes_before(*b);
    second += (vu64)splat_last((vf64)first);
    *a = *before + first;
    *b = *before + second;
    *before += (vu64)splat_last((vf64)second);
}

#endif
