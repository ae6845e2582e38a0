#include "exact/magnitude.h"

#include <math.h>
#include <string.h>

#include "core/round.h"

static void trim(of__magnitude *m) {
    while (m->high > m->low && !m->limb[m->high - 1]) m->high--;
}

/* Turns digits in two's complement, of a negative number, into its magnitude's. */
static void negate(of__magnitude *m) {
    uint64_t carry = 1;
    for (int k = m->low; k < m->high; k++) {
        carry += (uint32_t)~m->limb[k];
        m->limb[k] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && m->high < OF__LIMBS) m->limb[m->high++] = 1;
}

/* Carries are passed on here, and not in a copy of the accumulator, which is several times as large
 * as the limbs in use. */
void of__magnitude_read(of__magnitude *m, const of_exact *exact) {
    int64_t carry = 0;
    m->bias = OF__LIMB_BIAS;
    m->low = exact->low;
    m->high = exact->high;
    for (int k = m->low; k < m->high; k++) {
        carry += exact->limb[k];
        m->limb[k] = (uint32_t)carry;
        carry >>= 32;
    }
    m->negative = carry < 0;
    for (; carry != -m->negative && m->high < OF__LIMBS; carry >>= 32)
        m->limb[m->high++] = (uint32_t)carry;
    if (m->negative) negate(m);
    trim(m);
    while (m->low < m->high && !m->limb[m->low]) m->low++;
}

static uint32_t limb_at(const of__magnitude *m, int k) {
    return k >= m->low && k < m->high ? m->limb[k] : 0;
}

static bool any_below(const of__magnitude *m, int k) {
    for (int j = m->low; j < m->high && j < k; j++)
        if (m->limb[j]) return true;
    return false;
}

/* ---- Integers ---- */

void of__magnitude_multiply(of__magnitude *m, uint64_t factor) {
    unsigned __int128 carry = 0;
    for (int k = m->low; k < m->high; k++) {
        carry += (unsigned __int128)m->limb[k] * factor;
        m->limb[k] = (uint32_t)carry;
        carry >>= 32;
    }
    for (; carry; carry >>= 32) m->limb[m->high++] = (uint32_t)carry;
}

/* Limb i times limb j lies OF__UNIT_LIMB below limb i + j. Sums of f64 have no limb below half of
 * that: their lowest bit is 2^-1074. */
of__magnitude of__magnitude_square(const of__magnitude *m) {
    of__magnitude square = {.bias = OF__LIMB_BIAS};
    if (of__magnitude_is_zero(m)) return square;
    unsigned __int128 column = 0;
    square.low = square.high = 2 * m->low - OF__UNIT_LIMB;
    for (int sum = 2 * m->low; sum <= 2 * (m->high - 1) || column; sum++) {
        int first = sum - (m->high - 1) > m->low ? sum - (m->high - 1) : m->low;
        for (int i = first; i < m->high && sum - i >= m->low; i++)
            column += (uint64_t)m->limb[i] * m->limb[sum - i];
        square.limb[square.high++] = (uint32_t)column;
        column >>= 32;
    }
    trim(&square);
    return square;
}

void of__magnitude_subtract(of__magnitude *m, const of__magnitude *less) {
    if (of__magnitude_is_zero(less)) return;
    for (; m->low > less->low; m->limb[m->low] = 0) m->low--;
    int64_t carry = 0;
    for (int k = less->low; k < m->high; k++) {
        int64_t limb = (int64_t)m->limb[k] - limb_at(less, k) + carry;
        m->limb[k] = (uint32_t)limb;
        carry = limb >> 32;
    }
    trim(m);
}

bool of__magnitude_divide(of__magnitude *m, uint64_t divisor) {
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
    bool inexact = remainder != 0 || any_below(m, k + 1);
    m->low = k + 1;
    trim(m);
    return inexact;
}

/* ---- Roundings ---- */

/* The 64 bits from bit `position` up, counted from limb 0; below it there is nothing. */
static uint64_t bits_at(const of__magnitude *m, int position) {
    int k = position >> 5, shift = position & 31; /* rounds down, of negative numbers too */
    unsigned __int128 bits = limb_at(m, k) | (uint64_t)limb_at(m, k + 1) << 32;
    bits |= (unsigned __int128)limb_at(m, k + 2) << 64;
    return (uint64_t)(bits >> shift);
}

static bool any_bit_below(const of__magnitude *m, int position) {
    int k = position >> 5;
    uint32_t mask = (UINT32_C(1) << (position & 31)) - 1;
    return (limb_at(m, k) & mask) || any_below(m, k);
}

/* The position of the highest bit. */
static int top_bit(const of__magnitude *m) {
    return 32 * m->high - 1 - __builtin_clz(m->limb[m->high - 1]);
}

uint64_t of__magnitude_round(const of__magnitude *m, bool sticky, of_dtype dtype) {
    if (of__magnitude_is_zero(m)) return of__zero_bits(dtype, m->negative);
    int lowest = top_bit(m) - 63;
    sticky = sticky || any_bit_below(m, lowest);
    return of__round_bits(dtype, m->negative, bits_at(m, lowest), lowest - m->bias, sticky);
}

/* The largest r with r * r <= square, for 2^126 <= square. */
static uint64_t integer_root(unsigned __int128 square) {
    double estimate = sqrt((double)(uint64_t)(square >> 64)) * 0x1p32;
    uint64_t root = estimate < 0x1p64 ? (uint64_t)estimate : UINT64_MAX;
    /* Newton's step: of 50 right bits it makes all, but for one unit */
    unsigned __int128 better = ((unsigned __int128)root + square / root) >> 1;
    root = better <= UINT64_MAX ? (uint64_t)better : UINT64_MAX;
    while ((unsigned __int128)root * root > square) root--;
    while (root != UINT64_MAX && (unsigned __int128)(root + 1) * (root + 1) <= square) root++;
    return root;
}

/* With r^2 <= s < (r + 1)^2 for the integer s of the upper 128 bits, the root of s and of anything
 * up to s + 1 lies in [r, r + 1). */
uint64_t of__magnitude_round_root(const of__magnitude *m, bool sticky, of_dtype dtype) {
    if (of__magnitude_is_zero(m)) return of__zero_bits(dtype, false);
    int lowest = top_bit(m) - 127;
    if ((lowest - m->bias) % 2) lowest++;
    unsigned __int128 square = (unsigned __int128)bits_at(m, lowest + 64) << 64;
    square |= bits_at(m, lowest);
    uint64_t root = integer_root(square);
    sticky = sticky || (unsigned __int128)root * root != square || any_bit_below(m, lowest);
    return of__round_bits(dtype, false, root, (lowest - m->bias) / 2, sticky);
}

/* Limbs that a quotient gets: the first may be zero, and the second then is not. */
enum { QUOTIENT_LIMBS = 5 };

/*
 * The upper limbs of a quotient. Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm
 * D: `u` has QUOTIENT_LIMBS more limbs than `v`, the highest zero but for what shifting has put
 * there, and becomes the remainder; the highest bit of v is set.
 */
static void divide_limbs(uint32_t *u, const uint32_t *v, int n, uint32_t *quotient) {
    for (int j = QUOTIENT_LIMBS - 1; j >= 0; j--) {
        uint64_t two = (uint64_t)u[j + n] << 32 | u[j + n - 1];
        uint64_t guess = two / v[n - 1], rest = two % v[n - 1];
        while (guess >> 32 || (n > 1 && guess * v[n - 2] > (rest << 32 | u[j + n - 2]))) {
            guess--;
            rest += v[n - 1];
            if (rest >> 32) break;
        }
        int64_t borrow = 0;
        uint64_t product = 0;
        for (int i = 0; i < n; i++) {
            product += guess * v[i];
            borrow += (int64_t)u[i + j] - (int64_t)(product & 0xffffffff);
            u[i + j] = (uint32_t)borrow;
            borrow >>= 32;
            product >>= 32;
        }
        borrow += (int64_t)u[j + n] - (int64_t)product;
        u[j + n] = (uint32_t)borrow;
        if (borrow < 0) { /* the guess was one too large */
            guess--;
            uint64_t carry = 0;
            for (int i = 0; i < n; i++) {
                carry += (uint64_t)u[i + j] + v[i];
                u[i + j] = (uint32_t)carry;
                carry >>= 32;
            }
            u[j + n] += (uint32_t)carry;
        }
        quotient[j] = (uint32_t)guess;
    }
}

/* Copies n limbs from limb `first` on, moved up by some bits, and the bits that leave them. */
static void copy_shifted(const of__magnitude *m, int first, int n, int shift, uint32_t *out) {
    uint32_t below = 0;
    for (int i = 0; i < n; i++) {
        uint32_t limb = limb_at(m, first + i);
        out[i] = shift ? limb << shift | below >> (32 - shift) : limb;
        below = limb;
    }
    out[n] = shift ? below >> (32 - shift) : 0;
}

/* The numerator is cut, or filled up with zeros, so that the quotient has four or five limbs. */
uint64_t of__magnitude_round_ratio(const of__magnitude *m, const of__magnitude *divisor,
                                   of_dtype dtype) {
    uint32_t u[OF__LIMBS + QUOTIENT_LIMBS + 1], v[OF__LIMBS + 1];
    int n = divisor->high - divisor->low, first = m->high - (n + QUOTIENT_LIMBS - 1);
    int shift = __builtin_clz(divisor->limb[divisor->high - 1]);
    copy_shifted(divisor, divisor->low, n, shift, v);
    copy_shifted(m, first, n + QUOTIENT_LIMBS - 1, shift, u);
    of__magnitude quotient = {.negative = m->negative != divisor->negative,
                              .high = QUOTIENT_LIMBS,
                              .bias = m->bias - divisor->bias - 32 * (first - divisor->low)};
    divide_limbs(u, v, n, quotient.limb);
    trim(&quotient);
    bool sticky = any_below(m, first);
    for (int i = 0; i < n && !sticky; i++) sticky = u[i] != 0;
    return of__magnitude_round(&quotient, sticky, dtype);
}
