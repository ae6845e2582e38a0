/* The two 16-bit float types, widened exactly. Rounding to them is in round.h. */
#ifndef ONEFOLD_CORE_HALF_H
#define ONEFOLD_CORE_HALF_H

#include "core/bytes.h"

OF__INLINE float of__bf16_to_f32(uint16_t bits) {
    return of__f32_from_bits((uint32_t)bits << 16);
}

/* Integer arithmetic only, so that it vectorises, and works in any control word. */
OF__INLINE float of__f16_to_f32(uint16_t bits) {
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
    uint32_t rest = (uint32_t)(bits & 0x7fff) << 13;
    uint32_t exponent = rest & 0x0f800000;
    if (exponent == 0x0f800000) return of__f32_from_bits(sign | (rest + 0x70000000)); /* inf, NaN */
    if (exponent == 0) { /* rest * 2^-37 is exact: a float with a fixed exponent, minus that exponent's bit */
        float magnitude = of__f32_from_bits(rest + 0x38800000) - 0x1p-14f;
        return of__f32_from_bits(sign | of__f32_bits(magnitude));
    }
    return of__f32_from_bits(sign | (rest + 0x38000000));
}

#endif
