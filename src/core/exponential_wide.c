/*
 * The exponential in fixed point: the exact fallback, and what the table is made of. Numbers have n
 * limbs of 64 bits, the lowest first; the highest is the integer part, so that a unit is
 * 2^(-64 (n - 1)). Everything is cut off downwards.
 */
#include <string.h>

#include "core/bytes.h"
#include "core/exponential.h"
#include "core/round.h"

enum { MOST_LIMBS = 33 };

/*
 * Units by which a result may be wrong. log(2) has at most 650 terms, two units each, and is taken
 * at most 1076 times; the exponential has at most 300 terms, three units each.
 */
enum { MOST_ERROR = 1 << 24 };

typedef struct wide {
    uint64_t limb[MOST_LIMBS];
} wide;

static bool is_zero(const wide *a, int n) {
    uint64_t bits = 0;
    for (int i = 0; i < n; i++) bits |= a->limb[i];
    return bits == 0;
}

static void add(wide *a, const wide *b, int n) {
    unsigned __int128 carry = 0;
    for (int i = 0; i < n; i++) {
        carry += (unsigned __int128)a->limb[i] + b->limb[i];
        a->limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* Whether something was borrowed: a was less than b. */
static bool subtract(wide *a, const wide *b, int n) {
    uint64_t borrow = 0;
    for (int i = 0; i < n; i++) {
        unsigned __int128 difference = (unsigned __int128)a->limb[i] - b->limb[i] - borrow;
        a->limb[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    return borrow;
}

static void divide(wide *a, uint64_t divisor, int n) {
    unsigned __int128 rest = 0;
    for (int i = n - 1; i >= 0; i--) {
        rest = rest << 64 | a->limb[i];
        a->limb[i] = (uint64_t)(rest / divisor);
        rest %= divisor;
    }
}

static void multiply_small(wide *a, uint64_t factor, int n) {
    unsigned __int128 carry = 0;
    for (int i = 0; i < n; i++) {
        carry += (unsigned __int128)a->limb[i] * factor;
        a->limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static void multiply(wide *a, const wide *b, int n) {
    uint64_t product[2 * MOST_LIMBS] = {0};
    for (int i = 0; i < n; i++) {
        unsigned __int128 carry = 0;
        for (int j = 0; j < n; j++) {
            carry += (unsigned __int128)a->limb[i] * b->limb[j] + product[i + j];
            product[i + j] = (uint64_t)carry;
            carry >>= 64;
        }
        product[i + n] = (uint64_t)carry;
    }
    memcpy(a->limb, product + n - 1, (size_t)n * sizeof *product);
}

/* log(2) = 2 atanh(1/3) = 2 (1/3 + 1/(3 * 3^3) + 1/(5 * 3^5) + ...). */
static wide log_of_2(int n) {
    wide power = {.limb = {[0] = 0}}, sum;
    power.limb[n - 1] = 2;
    divide(&power, 3, n);
    sum = power;
    for (uint64_t i = 3; !is_zero(&power, n); i += 2) {
        divide(&power, 9, n);
        wide term = power;
        divide(&term, i, n);
        add(&sum, &term, n);
    }
    return sum;
}

/* exp(-x) for 0 <= x < 1: the terms that are added, less those that are taken away. */
static wide exp_minus(const wide *x, int n) {
    wide term = {.limb = {[0] = 0}}, sum, less = term;
    term.limb[n - 1] = 1;
    sum = term;
    for (uint64_t i = 1; !is_zero(&term, n); i++) {
        multiply(&term, x, n);
        divide(&term, i, n);
        add(i & 1 ? &less : &sum, &term, n);
    }
    subtract(&sum, &less, n);
    return sum;
}

/* Adds |value| * 2^0, cut off downwards, for a value below 2^63. */
static wide magnitude_of(double value, int n) {
    wide result = {.limb = {[0] = 0}};
    uint64_t bits = of__f64_bits(value), fraction = bits & ((UINT64_C(1) << 52) - 1);
    int biased = (int)(bits >> 52) & 0x7ff;
    uint64_t significand = biased ? fraction | UINT64_C(1) << 52 : fraction;
    int place = (biased ? biased : 1) - 1075 + 64 * (n - 1); /* of the lowest bit, in units */
    if (place < 0) {
        result.limb[0] = place > -64 ? significand >> -place : 0;
        return result;
    }
    int shift = place & 63;
    result.limb[place >> 6] = significand << shift;
    if (shift && (place >> 6) + 1 < n) result.limb[(place >> 6) + 1] = significand >> (64 - shift);
    return result;
}

/* The 64 bits from the first one on, and the place of the lowest of them, in units. */
static uint64_t leading_bits(const wide *a, int n, int *place) {
    int top = n - 1;
    while (top > 0 && !a->limb[top]) top--;
    int shift = __builtin_clzll(a->limb[top]);
    uint64_t bits = a->limb[top] << shift;
    if (shift && top > 0) bits |= a->limb[top - 1] >> (64 - shift);
    *place = 64 * top - shift;
    return bits;
}

/* The bits of a * 2^-k, rounded. There is always something below the leading bits: the exponential
 * of a number that is not 0 has no end (Lindemann 1882). */
static uint64_t round_scaled(const wide *a, int n, int k) {
    int place;
    uint64_t bits = leading_bits(a, n, &place);
    return of__round_bits(OF_F64, false, bits, place - 64 * (n - 1) - k, true);
}

/* Whether n limbs are enough to round exp(high + low). */
static bool try_limbs(double high, double low, int n, uint64_t *bits) {
    wide x = magnitude_of(high, n), part = magnitude_of(low, n), log2 = log_of_2(n);
    if (low < 0)
        add(&x, &part, n);
    else
        subtract(&x, &part, n); /* half a unit in the last place at most: it is smaller */
    int k = (int)(-high * 1.4426950408889634);
    for (;; k--) {
        wide rest = x, multiple = log2;
        multiply_small(&multiple, (uint64_t)k, n);
        if (subtract(&rest, &multiple, n)) continue; /* rounded up */
        x = rest;
        break;
    }
    wide below = exp_minus(&x, n), above = below, error = {.limb = {MOST_ERROR}};
    add(&above, &error, n);
    subtract(&below, &error, n);
    *bits = round_scaled(&below, n, k);
    return *bits == round_scaled(&above, n, k);
}

double of__exp_wide(double high, double low) {
    uint64_t bits = 0;
    /* 33 limbs hold every sum of two f64; none is known to need more than 5. */
    for (int n = 3; n <= MOST_LIMBS && !try_limbs(high, low, n, &bits); n = 2 * n - 1) continue;
    return of__f64_from_bits(bits);
}

/* An f64 of the leading bits of a number below 2, and what is left of it. */
static double take_f64(wide *a, int n) {
    if (is_zero(a, n)) return 0;
    int place;
    uint64_t bits = leading_bits(a, n, &place) >> 11; /* cut off to 53 bits */
    double value = (double)bits;
    for (int i = place + 11 - 64 * (n - 1); i < 0; i++) value /= 2;
    wide taken = magnitude_of(value, n);
    subtract(a, &taken, n);
    return value;
}

/* 2^(j / 128) = 2 exp(-(128 - j)/128 log(2)). */
void of__exp_wide_table(of__exp_table *table) {
    enum { LIMBS = 4 };
    table->high[0] = 1;
    table->low[0] = 0;
    for (uint64_t j = 1; j < 128; j++) {
        wide x = log_of_2(LIMBS);
        multiply_small(&x, 128 - j, LIMBS);
        divide(&x, 128, LIMBS);
        wide power = exp_minus(&x, LIMBS);
        multiply_small(&power, 2, LIMBS);
        table->high[j] = take_f64(&power, LIMBS);
        table->low[j] = take_f64(&power, LIMBS);
    }
}
