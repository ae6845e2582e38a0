/* Leaving the accumulator: the one rounding. */
#include <string.h>

#include "core/round.h"
#include "exact/accumulator.h"

/* A sum as sign and magnitude: limbs of 32 bits, the lowest worth 2^-OF__LIMB_BIAS. */
typedef struct magnitude {
    bool negative;
    int low, high; /* limbs outside are zero; limb[high - 1] is not, unless all are */
    uint32_t limb[OF__LIMBS];
} magnitude;

static magnitude magnitude_of(const of_exact *exact) {
    magnitude m;
    of_exact carried = *exact;
    of__exact_carry(&carried);
    m.low = carried.low;
    m.high = carried.high;
    m.negative = m.low < m.high && carried.limb[m.high - 1] < 0;
    int64_t carry = 0;
    for (int k = m.low; k < m.high; k++) {
        int64_t limb = (m.negative ? -carried.limb[k] : carried.limb[k]) + carry;
        carry =
            limb >> 32; /* ends at 0: the highest limb of a carried accumulator holds the sign */
        m.limb[k] = (uint32_t)limb;
    }
    while (m.high > m.low && !m.limb[m.high - 1]) m.high--;
    return m;
}

/* Divides limbs from the top until six of them, over 128 bits, follow the first that is not zero.
 * True when something is left over. */
static bool divide(magnitude *m, uint64_t divisor) {
    uint64_t remainder = 0;
    int stop = -1, k = m->high - 1;
    for (; k >= 0 && k > stop; k--) {
        uint32_t limb = k >= m->low ? m->limb[k] : 0;
        unsigned __int128 dividend = (unsigned __int128)remainder << 32 | limb;
        m->limb[k] = (uint32_t)(dividend / divisor);
        remainder = (uint64_t)(dividend % divisor);
        if (m->limb[k] && stop < 0) stop = k - 6;
        if (!remainder && k <= m->low) {
            k--;
            break;
        }
    }
    bool inexact = remainder != 0;
    for (int j = k; j >= m->low; j--) inexact |= m->limb[j] != 0;
    m->low = k + 1;
    while (m->high > m->low && !m->limb[m->high - 1]) m->high--;
    return inexact;
}

static uint64_t round_magnitude(const magnitude *m, bool sticky, of_dtype dtype) {
    int top = m->high - 1;
    uint32_t first = m->limb[top];
    uint32_t second = top - 1 >= m->low ? m->limb[top - 1] : 0;
    uint32_t third = top - 2 >= m->low ? m->limb[top - 2] : 0;
    int shift = __builtin_clz(first);
    uint64_t significand = ((uint64_t)first << 32 | second) << shift;
    if (shift) significand |= third >> (32 - shift);
    sticky |= shift ? (uint32_t)(third << shift) != 0 : third != 0;
    for (int k = top - 3; k >= m->low && !sticky; k--) sticky = m->limb[k] != 0;
    int64_t exponent = INT64_C(32) * (top - 1) - shift - OF__LIMB_BIAS;
    return of__round_bits(dtype, m->negative, significand, exponent, sticky);
}

uint64_t of__exact_round_bits(const of_exact *exact, uint64_t divisor, of_dtype dtype) {
    if (exact->nans || (exact->positive_infinities && exact->negative_infinities))
        return of__nan_bits(dtype);
    if (exact->positive_infinities || exact->negative_infinities)
        return of__infinity_bits(dtype, exact->negative_infinities != 0);
    magnitude m = magnitude_of(exact);
    if (m.low >= m.high) return of__zero_bits(dtype, exact->count && !exact->not_negative_zeros);
    bool sticky = divisor > 1 && divide(&m, divisor);
    if (m.low >= m.high) return of__zero_bits(dtype, m.negative);
    return round_magnitude(&m, sticky, dtype);
}

uint64_t of__exact_modulo(const of_exact *exact) {
    of_exact carried = *exact;
    of__exact_carry(&carried);
    uint64_t low = (uint64_t)carried.limb[OF__UNIT_LIMB];
    return low + ((uint64_t)carried.limb[OF__UNIT_LIMB + 1] << 32);
}
