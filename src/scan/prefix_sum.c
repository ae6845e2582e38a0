#include "scan/prefix_sum.h"

#include "core/round.h"

/* Above it the arithmetic of pairs might overflow. */
static bool is_pair_sized(double high) {
    return high < 0x1p1000 && high > -0x1p1000;
}

void of__prefix_sum_begin(of__prefix_sum *sum) {
    sum->high = sum->low = 0;
    sum->is_wide = sum->any = sum->not_negative_zeros = false;
    sum->nan = sum->plus_infinity = sum->minus_infinity = false;
    sum->cut = 12; /* right for numbers about 1; any other finds its own */
    sum->apart = 0;
}

/* ---- Pairs ---- */

/* a + b as its rounding and what that leaves (Knuth 1969). */
static double two_sum(double a, double b, double *rest) {
    double sum = a + b, b_part = sum - a;
    *rest = (a - (sum - b_part)) + (b - b_part);
    return sum;
}

/* Adds a finite term. False, and nothing done, when two doubles do not hold the sum. */
static bool pair_add(of__prefix_sum *sum, double term) {
    double rest, lost, low;
    double high = two_sum(sum->high, term, &rest);
    low = two_sum(sum->low, rest, &lost);
    high = two_sum(high, low, &low);
    bool fits = lost == 0 && is_pair_sized(high);
    if (fits) {
        sum->high = high;
        sum->low = low;
    }
    return fits;
}

void of__prefix_sum_become(of__prefix_sum *sum, double a, double b) {
    sum->high = two_sum(a, b, &sum->low);
    sum->is_wide = false;
}

/* The odd one of the two doubles around high + low, unless that is a double: what a narrower type
 * rounds to is then the same (Boldo and Melquiond 2008). */
static double round_to_odd(double high, double low) {
    uint64_t bits = of__f64_bits(high);
    if (low == 0 || bits & 1) return high;
    return of__f64_from_bits((high > 0) == (low > 0) ? bits + 1 : bits - 1);
}

static uint64_t round_pair(const of__prefix_sum *sum, of_dtype dtype) {
    if (sum->high == 0) return of__zero_bits(dtype, sum->any && !sum->not_negative_zeros);
    if (dtype == OF_F64) return of__f64_bits(sum->high);
    double odd = round_to_odd(sum->high, sum->low);
    if (dtype == OF_F32) return of__f32_bits((float)odd);
    return of_scalar_convert(of_scalar_f64(odd), dtype).as.bits;
}

/* ---- The accumulator ---- */

static void widen(of__prefix_sum *sum) {
    if (sum->is_wide) return;
    sum->is_wide = true;
    of_exact_clear(&sum->exact);
    of__exact_deposit_f64(&sum->exact, sum->high);
    of__exact_deposit_f64(&sum->exact, sum->low);
}

static double rounded(const of_exact *exact) {
    return of__f64_from_bits(of__exact_round_bits(exact, 1, OF_F64));
}

/* The two leading parts of the sum; whether nothing is left. */
static bool split(const of_exact *exact, of__carry *carry) {
    of_exact rest = *exact;
    carry->high = rounded(exact);
    carry->low = 0;
    if (!is_pair_sized(carry->high)) return false;
    of__exact_deposit_f64(&rest, -carry->high);
    carry->low = rounded(&rest);
    of__exact_deposit_f64(&rest, -carry->low);
    return rounded(&rest) == 0;
}

bool of__prefix_sum_carry(of__prefix_sum *sum, of__carry *carry) {
    if (sum->is_wide) {
        sum->is_wide = !split(&sum->exact, carry);
        if (!sum->is_wide) {
            sum->high = carry->high;
            sum->low = carry->low;
        }
        return is_pair_sized(carry->high);
    }
    *carry = (of__carry){sum->high, sum->low};
    return true;
}

void of__prefix_sum_add(of__prefix_sum *sum, double term) {
    sum->any = true;
    if (of__f64_bits(term) != UINT64_C(1) << 63) sum->not_negative_zeros = true;
    if (term - term != 0) {
        sum->nan |= term != term;
        sum->plus_infinity |= term > 0;
        sum->minus_infinity |= term < 0;
        return;
    }
    if (!sum->is_wide && pair_add(sum, term)) return;
    widen(sum);
    of__exact_deposit_f64(&sum->exact, term);
}

void of__prefix_sum_merge(of__prefix_sum *sum, const of_exact *terms) {
    sum->any |= terms->count != 0;
    sum->not_negative_zeros |= terms->not_negative_zeros != 0;
    sum->nan |= terms->nans != 0;
    sum->plus_infinity |= terms->positive_infinities != 0;
    sum->minus_infinity |= terms->negative_infinities != 0;
    widen(sum);
    of_exact finite = *terms;
    finite.count = finite.floats = finite.not_negative_zeros = 0;
    finite.nans = finite.positive_infinities = finite.negative_infinities = 0;
    of_exact_merge(&sum->exact, &finite);
    of__carry carry;
    of__prefix_sum_carry(sum, &carry);
}

uint64_t of__prefix_sum_bits(const of__prefix_sum *sum, of_dtype dtype) {
    if (sum->nan || (sum->plus_infinity && sum->minus_infinity)) return of__nan_bits(dtype);
    if (sum->plus_infinity || sum->minus_infinity)
        return of__infinity_bits(dtype, sum->minus_infinity);
    if (sum->is_wide) return of__exact_round_bits(&sum->exact, 1, dtype);
    return round_pair(sum, dtype);
}

uint64_t of__prefix_sum_bits_with(const of__prefix_sum *sum, double a, double b, of_dtype dtype) {
    of_exact exact;
    if (sum->is_wide) {
        exact = sum->exact;
    } else {
        of__prefix_sum pair;
        of__prefix_sum_begin(&pair);
        pair.high = sum->high;
        pair.low = sum->low;
        pair.any = pair.not_negative_zeros = true;
        if (pair_add(&pair, a) && pair_add(&pair, b)) return round_pair(&pair, dtype);
        of_exact_clear(&exact);
        of__exact_deposit_f64(&exact, sum->high);
        of__exact_deposit_f64(&exact, sum->low);
    }
    of__exact_deposit_f64(&exact, a);
    of__exact_deposit_f64(&exact, b);
    return of__exact_round_bits(&exact, 1, dtype);
}
