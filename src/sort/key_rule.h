/*
 * Elements as unsigned numbers that stand in the order of sorting (contract 9): one formula for
 * every type, so that what sorts needs a body for each size and none for each type.
 *
 *     key = smaller((bits ^ (is negative ? negative_mask : positive_mask)) - bias, most) ^ turn
 *
 * Floats: a negative one has all bits turned, another its sign. That is the total order of IEEE
 * 754, with NaNs at both ends; `bias` moves -inf to 0 and the NaNs of the lower end, which wrap,
 * above +inf, and `most` makes all NaNs one key. Bool: `most` is 1, whatever byte true is stored
 * as. `turn` reverses the order.
 */
#ifndef ONEFOLD_SORT_KEY_RULE_H
#define ONEFOLD_SORT_KEY_RULE_H

#include <stdbool.h>

#include <onefold/dtype.h>

#include "core/bytes.h"

typedef struct of__key_rule {
    uint64_t negative_mask, positive_mask, bias, most, turn;
    int bits; /* of an element */
} of__key_rule;

of__key_rule of__key_rule_for(of_dtype dtype, bool descending);

#define WORD   uint8_t
#define KEY_OF of__key_of_8
#include "sort/key_of.inc"
#define WORD   uint16_t
#define KEY_OF of__key_of_16
#include "sort/key_of.inc"
#define WORD   uint32_t
#define KEY_OF of__key_of_32
#include "sort/key_of.inc"
#define WORD   uint64_t
#define KEY_OF of__key_of_64
#include "sort/key_of.inc"

/* The bits of element number i of contiguous ones of any alignment. */
OF__INLINE uint64_t of__bits_at(int bits, const void *elements, int64_t i) {
    const char *at = (const char *)elements + i * (bits / 8);
    uint64_t x64;
    uint32_t x32;
    uint16_t x16;
    switch (bits) {
    case 8: return *(const uint8_t *)at;
    case 16: memcpy(&x16, at, 2); return x16;
    case 32: memcpy(&x32, at, 4); return x32;
    default: memcpy(&x64, at, 8); return x64;
    }
}

/* Writes them. */
OF__INLINE void of__put_bits(int bits, void *elements, int64_t i, uint64_t x) {
    char *at = (char *)elements + i * (bits / 8);
    uint32_t x32 = (uint32_t)x;
    uint16_t x16 = (uint16_t)x;
    switch (bits) {
    case 8: *(uint8_t *)at = (uint8_t)x; break;
    case 16: memcpy(at, &x16, 2); break;
    case 32: memcpy(at, &x32, 4); break;
    default: memcpy(at, &x, 8); break;
    }
}

/* The key of an element given by its bits. */
OF__INLINE uint64_t of__key_of(const of__key_rule *rule, int bits, uint64_t x) {
    switch (bits) {
    case 8: return of__key_of_8(rule, (uint8_t)x);
    case 16: return of__key_of_16(rule, (uint16_t)x);
    case 32: return of__key_of_32(rule, (uint32_t)x);
    default: return of__key_of_64(rule, x);
    }
}

/* Several elements have this key: it does not say which. */
OF__INLINE bool of__key_is_shared(const of__key_rule *rule, uint64_t key) {
    uint64_t all = UINT64_MAX >> (64 - rule->bits);
    return rule->most != all && (key ^ rule->turn) == rule->most;
}

/* The bits of the element that has a key, or of one of those that share it. */
OF__INLINE uint64_t of__element_of(const of__key_rule *rule, uint64_t key) {
    uint64_t all = UINT64_MAX >> (64 - rule->bits);
    uint64_t biased = ((key ^ rule->turn) + rule->bias) & all;
    bool is_low = biased >> (rule->bits - 1) == 0; /* of floats the negative ones */
    return biased ^ (is_low ? rule->negative_mask : rule->positive_mask);
}

#endif
