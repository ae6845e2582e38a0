/* Which digits keys have to be sorted by. */
#ifndef ONEFOLD_SORT_DIGITS_H
#define ONEFOLD_SORT_DIGITS_H

#include <stdint.h>

/* One digit of the keys: sorted by in one pass over them. */
typedef struct of__digit {
    int shift, bits;
} of__digit;

enum { OF__MOST_DIGITS = 64 };

/* Covers the set bits of `mask` by the fewest digits of up to `most` bits, the least significant
 * first. How many they are. */
int of__cover(uint64_t mask, int most, of__digit *digit);

/* The same with digits as short as they can be. */
int of__cover_even(uint64_t mask, int most, of__digit *digit);

#endif
