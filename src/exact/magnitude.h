/*
 * Sums as sign and magnitude, for what comes after the last deposit: products, quotients, roots and
 * the one rounding of large integers.
 */
#ifndef ONEFOLD_EXACT_MAGNITUDE_H
#define ONEFOLD_EXACT_MAGNITUDE_H

#include "exact/accumulator.h"

/* The value is the sum of limb[k] * 2^(32 k - bias), negated when `negative`. Limbs outside
 * low <= k < high mean zero and may hold anything; limb[high - 1] is not zero, unless there are
 * none. */
typedef struct of__magnitude {
    bool negative;
    int low, high, bias;
    uint32_t limb[OF__LIMBS];
} of__magnitude;

/* The sum of the finite terms. */
void of__magnitude_read(of__magnitude *m, const of_exact *exact);

OF__INLINE bool of__magnitude_is_zero(const of__magnitude *m) {
    return m->low >= m->high;
}

/* Multiplies; the caller knows that the product fits. */
void of__magnitude_multiply(of__magnitude *m, uint64_t factor);

/* The square of a sum of f64, in an accumulator's units. */
of__magnitude of__magnitude_square(const of__magnitude *m);

/* Takes away a magnitude that is no larger, in the same units. */
void of__magnitude_subtract(of__magnitude *m, const of__magnitude *less);

/* Divides limbs from the top until six of them, over 128 bits, follow the first that is not zero.
 * True when something is left over. */
bool of__magnitude_divide(of__magnitude *m, uint64_t divisor);

/* The bits of the value, rounded once to a float type; with `sticky` of a value that lies between
 * it and the next in its last limb. */
uint64_t of__magnitude_round(const of__magnitude *m, bool sticky, of_dtype dtype);

/* The same of its square root, the sign being left out. With `sticky` it has at least five limbs.
 */
uint64_t of__magnitude_round_root(const of__magnitude *m, bool sticky, of_dtype dtype);

/* The same of the quotient of two, neither being zero. */
uint64_t of__magnitude_round_ratio(const of__magnitude *m, const of__magnitude *divisor,
                                   of_dtype dtype);

#endif
