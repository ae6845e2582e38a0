/* The two 16-bit float types, widened exactly. Rounding to them is in round.h. */
#ifndef ONEFOLD_CORE_HALF_H
#define ONEFOLD_CORE_HALF_H

#include "core/bytes.h"

OF__INLINE float of__bf16_to_f32(uint16_t bits) {
    return of__f32_from_bits((uint32_t)bits << 16);
}

/* Three ways, by exponent, and a choice without branches, so that it vectorises. No operand is
 * subnormal, so that it works in any control word. */
OF__INLINE float of__f16_to_f32(uint16_t bits) {
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
    uint32_t rest = (uint32_t)(bits & 0x7fff) << 13;
    /* Zeros and subnormals, rest * 2^-37 exactly: a float with a fixed exponent, minus that
     * exponent's bit. */
    uint32_t small = of__f32_bits(of__f32_from_bits(rest + 0x38800000) - 0x1p-14f);
    uint32_t rebased = rest + 0x38000000;
    uint32_t special = rest + 0x70000000; /* infinities and NaNs */
    uint32_t finite = of__select(rest < 0x00800000, small, rebased);
    return of__f32_from_bits(sign | of__select(rest < 0x0f800000, finite, special));
}

#endif
