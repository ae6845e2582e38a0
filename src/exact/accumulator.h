/*
 * The exact accumulator's inside: a sum as signed 64-bit limbs that lie 32 bits apart.
 *
 * The value is the sum of limb[k] * 2^(32 k - OF__LIMB_BIAS). The upper half of a limb is room for
 * carries: a deposit changes a limb by less than 2^32, so 2^30 of them fit before carries have to
 * be passed on. The lowest bit, 2^-2176, lies below the product of two smallest f64 (2^-2148), the
 * highest above the sum of 2^63 products of two largest.
 */
#ifndef ONEFOLD_EXACT_ACCUMULATOR_H
#define ONEFOLD_EXACT_ACCUMULATOR_H

#include <stdbool.h>
#include <stdint.h>

#include <onefold/exact.h>

#include "core/bytes.h"

#define OF__LIMBS     138
#define OF__LIMB_BIAS 2176
/* The limb whose lowest bit is 1: integers modulo 2^64 are this limb and the next. */
#define OF__UNIT_LIMB    (OF__LIMB_BIAS / 32)
#define OF__MOST_PENDING (1 << 30)

_Static_assert(OF__LIMB_BIAS % 32 == 0, "the unit must start a limb");
_Static_assert(OF__LIMBS + 6 == OF_EXACT_STATE_SIZE,
               "the exported state is the limbs and six counts");

struct of_exact {
    int64_t limb[OF__LIMBS];
    int low, high;   /* limbs outside low <= k < high are zero */
    int32_t pending; /* deposits since carries were last passed on */
    int64_t count;   /* terms; kept by the callers that add them */
    /* How many of the terms, at least 1 when there are any: */
    int64_t floats;             /* of a float type */
    int64_t not_negative_zeros; /* other than -0.0 */
    int64_t nans, positive_infinities, negative_infinities;
};

void of__exact_carry(of_exact *exact);

OF__INLINE void of__exact_touch(of_exact *exact, int low, int high) {
    if (low < exact->low) exact->low = low;
    if (high > exact->high) exact->high = high;
    if (++exact->pending >= OF__MOST_PENDING) of__exact_carry(exact);
}

/* Adds significand * 2^exponent, for -OF__LIMB_BIAS <= exponent <= 2112 and a significand above
 * -2^63. */
OF__INLINE void of__exact_deposit(of_exact *exact, int64_t significand, int exponent) {
    int position = exponent + OF__LIMB_BIAS, k = position >> 5;
    __int128 shifted = (__int128)((unsigned __int128)(__int128)significand << (position & 31));
    exact->limb[k] += (uint32_t)shifted;
    exact->limb[k + 1] += (uint32_t)(shifted >> 32);
    exact->limb[k + 2] += (int64_t)(shifted >> 64);
    of__exact_touch(exact, k, k + 3);
}

/* Adds a 128-bit integer times 2^exponent. */
void of__exact_deposit_wide(of_exact *exact, __int128 significand, int exponent);

/* Adds a finite or special f64; counts the specials, not the term. */
void of__exact_deposit_f64(of_exact *exact, double value);

/* Adds the exact product of two f64 of any kind. */
void of__exact_deposit_product(of_exact *exact, double a, double b);

/* Adds |a| * |b| * 2^exponent, negated when `negative`, for integers a and b. */
void of__exact_deposit_integers(of_exact *exact, bool negative, uint64_t a, uint64_t b,
                                int exponent);

/* Adds one value and counts it. */
void of__exact_add(of_exact *exact, of_scalar value);

/* The bits of the sum over a positive `divisor`, rounded once to a float type. */
uint64_t of__exact_round_bits(const of_exact *exact, uint64_t divisor, of_dtype dtype);

/* The bits of its square root; of infinity and NaN those of the sum. The sum may not be negative.
 */
uint64_t of__exact_round_root(const of_exact *exact, of_dtype dtype);

/* The bits of the variance of n >= 1 values, or of its root: `sum` is theirs, `squares` that of
 * their squares. */
uint64_t of__exact_round_variance(const of_exact *sum, const of_exact *squares, uint64_t n,
                                  bool root, of_dtype dtype);

/* The bits of the quotient of two sums; NaN when a term is not finite or the denominator is 0. */
uint64_t of__exact_round_ratio(const of_exact *numerator, const of_exact *denominator,
                               of_dtype dtype);

/* The sum modulo 2^64; its terms must be integers. */
uint64_t of__exact_modulo(const of_exact *exact);

#endif
