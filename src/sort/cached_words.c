#include "sort/cached_words.h"

#include <stdbool.h>
#include <string.h>

#include "sort/digits.h"

/* Up to FEW words are sorted by insertion; to SOME by short digits, whose counters are cheap. */
#ifdef ONEFOLD_TEST_SMALL
enum { FEW = 5, SOME = 20, SHORT_DIGIT = 2, LONG_DIGIT = 3 };
#else
enum { FEW = 32, SOME = 1500, SHORT_DIGIT = 8, LONG_DIGIT = 11 };
#endif
enum { COUNTERS = 1 << LONG_DIGIT };

uint64_t of__varying_words(const uint64_t *words, int64_t n) {
    uint64_t varying = 0;
    for (int64_t i = 0; i < n; i++) varying |= words[i] ^ words[0];
    return varying;
}

/* Sorts by insertion, unless that takes too many moves. What it leaves is in order where keys are
 * equal, as it was. */
static bool insert(uint64_t *words, int64_t n, int payload_bits, int64_t moves) {
    for (int64_t i = 1; i < n; i++) {
        uint64_t moving = words[i], key = moving >> payload_bits;
        int64_t at = i;
        for (; at > 0 && key < words[at - 1] >> payload_bits; at--) words[at] = words[at - 1];
        words[at] = moving;
        moves -= i - at;
        if (moves < 0) return false;
    }
    return true;
}

static void pass(const uint64_t *from, uint64_t *to, int64_t n, int shift, uint64_t mask) {
    uint32_t place[COUNTERS];
    memset(place, 0, (mask + 1) * sizeof *place);
    for (int64_t i = 0; i < n; i++) place[from[i] >> shift & mask]++;
    uint32_t start = 0;
    for (uint64_t digit = 0; digit <= mask; digit++) {
        uint32_t counted = place[digit];
        place[digit] = start;
        start += counted;
    }
    for (int64_t i = 0; i < n; i++) to[place[from[i] >> shift & mask]++] = from[i];
}

/* The leading bits that tell nearly all of n words from each other, if these are spread evenly, in
 * whole digits. */
static uint64_t leading(uint64_t varying, int64_t n, int digit_bits) {
    int top = 64 - __builtin_clzll(varying), wanted = 64 - __builtin_clzll((uint64_t)n) + 5;
    int bits = (wanted + digit_bits - 1) / digit_bits * digit_bits;
    return bits < top ? varying & UINT64_MAX << (top - bits) : varying;
}

/* Sorts by the digits that cover some bits; returns where the words are then. */
static uint64_t *sort_by(uint64_t mask, int digit_bits, uint64_t *words, uint64_t *other,
                         int64_t n) {
    of__digit digit[OF__MOST_DIGITS];
    int digits = of__cover(mask, digit_bits, digit);
    for (int i = 0; i < digits; i++) {
        pass(words, other, n, digit[i].shift, ~(UINT64_MAX << digit[i].bits));
        uint64_t *sorted = other;
        other = words;
        words = sorted;
    }
    return words;
}

uint64_t *of__sort_cached_words(uint64_t *words, uint64_t *other, int64_t n, int payload_bits) {
    if (n <= FEW) {
        insert(words, n, payload_bits, INT64_MAX);
        return words;
    }
    uint64_t varying = of__varying_words(words, n) >> payload_bits << payload_bits;
    if (varying == 0) return words;
    const int digit_bits = n <= SOME ? SHORT_DIGIT : LONG_DIGIT;
    uint64_t mask = leading(varying, n, digit_bits);
    uint64_t *sorted = sort_by(mask, digit_bits, words, other, n);
    if (mask == varying || insert(sorted, n, payload_bits, 2 * n)) return sorted;
    return sort_by(varying, digit_bits, sorted, sorted == words ? other : words, n);
}
