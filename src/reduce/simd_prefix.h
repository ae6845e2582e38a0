/* Running totals within vectors of up to four doubles; see simd.h. */
#ifndef ONEFOLD_REDUCE_SIMD_PREFIX_H
#define ONEFOLD_REDUCE_SIMD_PREFIX_H

#include "reduce/simd.h"

/* The sums of the first 1, 2, ... lanes. */
OF__INLINE vf64 sum_lanes_before(vf64 v) {
    const vf64 zero = {0};
#if OF__LANES == 4
    v += __builtin_shufflevector(zero, v, 0, 4, 2, 6);
    vf64 lower_half = __builtin_shufflevector(zero, v, 0, 1, 4, 5);
    return v + __builtin_shufflevector(lower_half, lower_half, 1, 1, 3, 3);
#else
    return v + __builtin_shufflevector(zero, v, 0, 2);
#endif
}

OF__INLINE vf64 splat_last(vf64 v) {
#if OF__LANES == 4
    return __builtin_shufflevector(v, v, 3, 3, 3, 3);
#else
    return __builtin_shufflevector(v, v, 1, 1);
#endif
}

/* Turns two neighbouring vectors into sums of all before, and moves those on. */
OF__INLINE void sum_before(vf64 *a, vf64 *b, vf64 *before) {
    vf64 first = sum_lanes_before(*a), second = sum_lanes_before(*b) + splat_last(first);
    *a = *before + first;
    *b = *before + second;
    *before += splat_last(second);
}

#endif
