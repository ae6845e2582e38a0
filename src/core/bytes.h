/* Reading and writing memory of any alignment. */
#ifndef ONEFOLD_CORE_BYTES_H
#define ONEFOLD_CORE_BYTES_H

#include <stdint.h>
#include <string.h>

#define OF__INLINE static inline __attribute__((always_inline, unused))

OF__INLINE uint64_t of__f64_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

OF__INLINE double of__f64_from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

OF__INLINE uint32_t of__f32_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

OF__INLINE float of__f32_from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* condition ? yes : no, by masks: compilers turn the operator into branches where a side has float
 * arithmetic, and then do not vectorise. */
OF__INLINE uint32_t of__select(int condition, uint32_t yes, uint32_t no) {
    uint32_t mask = -(uint32_t)(condition != 0);
    return (yes & mask) | (no & ~mask);
}

#endif
