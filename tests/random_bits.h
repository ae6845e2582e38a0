/* Reproducible random numbers for tests. */
#ifndef ONEFOLD_TESTS_RANDOM_BITS_H
#define ONEFOLD_TESTS_RANDOM_BITS_H

#include <stdint.h>

/* xorshift64* (Vigna 2016). */
static inline uint64_t random_bits(void) {
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1d;
}

/* From 0 to below `end`. */
static inline int64_t random_below(int64_t end) {
    return (int64_t)((random_bits() >> 1) % (uint64_t)end);
}

/* Few significant bits, long runs of ones and zeros: where ties and carries are. */
static inline uint64_t nasty_bits(void) {
    uint64_t bits = random_bits() >> (random_bits() & 63);
    switch (random_bits() & 3) {
    case 0: return bits;
    case 1: return bits & ~0ull << (random_bits() & 63);
    case 2: return bits | ((1ull << (random_bits() & 63)) - 1);
    default: return 1ull << (random_bits() & 63) | (random_bits() & 1) << (random_bits() & 63);
    }
}

#endif
