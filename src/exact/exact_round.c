/* Leaving the accumulator: the one rounding. */
#include <string.h>

#include "core/round.h"
#include "exact/magnitude.h"

static bool is_special(const of_exact *exact) {
    return exact->nans || exact->positive_infinities || exact->negative_infinities;
}

uint64_t of__exact_round_bits(const of_exact *exact, uint64_t divisor, of_dtype dtype) {
    if (exact->nans || (exact->positive_infinities && exact->negative_infinities))
        return of__nan_bits(dtype);
    if (exact->positive_infinities || exact->negative_infinities)
        return of__infinity_bits(dtype, exact->negative_infinities != 0);
    of__magnitude m;
    of__magnitude_read(&m, exact);
    if (of__magnitude_is_zero(&m))
        return of__zero_bits(dtype, exact->count && !exact->not_negative_zeros);
    bool sticky = divisor > 1 && of__magnitude_divide(&m, divisor);
    return of__magnitude_round(&m, sticky, dtype);
}

uint64_t of__exact_round_root(const of_exact *exact, of_dtype dtype) {
    if (is_special(exact)) return of__exact_round_bits(exact, 1, dtype);
    of__magnitude m;
    of__magnitude_read(&m, exact);
    return of__magnitude_round_root(&m, false, dtype);
}

/* Makes room below for the digits of a quotient. */
static void move_up(of__magnitude *m, int limbs) {
    if (m->low >= limbs) return;
    memmove(m->limb + m->low + limbs, m->limb + m->low,
            (size_t)(m->high - m->low) * sizeof *m->limb);
    m->low += limbs;
    m->high += limbs;
    m->bias += 32 * limbs;
}

/*
 * With Q the sum of squares and S the sum, (Q - S^2 / n) / n = (n Q - S^2) / n^2. The numerator is
 * a whole number of the accumulator's units and fits it: both terms are below 2^2174.
 *
 * Of the two divisions the second sees a quotient of which some is cut off. That leaves its bits
 * down to the cut as they are, and there are over 128 of them; those below only count as something.
 */
uint64_t of__exact_round_variance(const of_exact *sum, const of_exact *squares, uint64_t n,
                                  bool root, of_dtype dtype) {
    if (is_special(sum) || is_special(squares)) return of__nan_bits(dtype);
    of__magnitude m, total;
    of__magnitude_read(&m, squares);
    of__magnitude_read(&total, sum);
    of__magnitude_multiply(&m, n);
    of__magnitude square = of__magnitude_square(&total);
    of__magnitude_subtract(&m, &square);
    if (of__magnitude_is_zero(&m)) return of__zero_bits(dtype, false);
    enum { ROOM = 20 };
    if (m.high <= OF__LIMBS - ROOM) move_up(&m, ROOM);
    bool sticky = of__magnitude_divide(&m, n);
    sticky |= of__magnitude_divide(&m, n);
    return root ? of__magnitude_round_root(&m, sticky, dtype)
                : of__magnitude_round(&m, sticky, dtype);
}

uint64_t of__exact_round_ratio(const of_exact *numerator, const of_exact *denominator,
                               of_dtype dtype) {
    if (is_special(numerator) || is_special(denominator)) return of__nan_bits(dtype);
    of__magnitude m, divisor;
    of__magnitude_read(&m, numerator);
    of__magnitude_read(&divisor, denominator);
    if (of__magnitude_is_zero(&divisor)) return of__nan_bits(dtype);
    if (of__magnitude_is_zero(&m)) return of__zero_bits(dtype, false);
    return of__magnitude_round_ratio(&m, &divisor, dtype);
}

uint64_t of__exact_modulo(const of_exact *exact) {
    int64_t carry = 0;
    for (int k = exact->low; k < OF__UNIT_LIMB; k++) carry = (exact->limb[k] + carry) >> 32;
    uint64_t low = (uint64_t)exact->limb[OF__UNIT_LIMB] + (uint64_t)carry;
    return low + ((uint64_t)exact->limb[OF__UNIT_LIMB + 1] << 32);
}
