#include "sort/digits.h"

int of__cover(uint64_t mask, int most, of__digit *digit) {
    int count = 0;
    while (mask != 0) {
        int shift = __builtin_ctzll(mask), left = 64 - __builtin_clzll(mask) - shift;
        int bits = left < most ? left : most;
        digit[count++] = (of__digit){shift, bits};
        mask &= ~((UINT64_MAX >> (64 - bits)) << shift);
    }
    return count;
}

int of__cover_even(uint64_t mask, int most, of__digit *digit) {
    int count = of__cover(mask, most, digit), width = most;
    while (width > 1 && of__cover(mask, width - 1, digit) == count) width--;
    return of__cover(mask, width, digit);
}
