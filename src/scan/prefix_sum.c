#include "scan/prefix_sum.h"

#include "core/round.h"
#include "reduce/load.h"

/* Above it the arithmetic of pairs might overflow. */
static const double largest_pair = 0x1p1000;

void of__prefix_sum_begin(of__prefix_sum *sum) {
    sum->high = sum->low = 0;
    sum->is_wide = sum->any = sum->not_negative_zeros = false;
    sum->nan = sum->plus_infinity = sum->minus_infinity = false;
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
    bool fits = lost == 0 && high < largest_pair && high > -largest_pair;
    if (fits) {
        sum->high = high;
        sum->low = low;
    }
    return fits;
}

/* The odd one of the two doubles around high + low, unless that is a double: what a narrower type
 * rounds to is then the same (Boldo and Melquiond 2008). */
static double round_to_odd(double high, double low) {
    uint64_t bits = of__f64_bits(high);
    if (low == 0 || bits & 1) return high;
    return of__f64_from_bits((high > 0) == (low > 0) ? bits + 1 : bits - 1);
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

/* Returns to a pair where it holds the sum. */
static void narrow(of__prefix_sum *sum) {
    double high = rounded(&sum->exact);
    if (!(high < largest_pair && high > -largest_pair)) return;
    of_exact rest = sum->exact;
    of__exact_deposit_f64(&rest, -high);
    double low = rounded(&rest);
    of__exact_deposit_f64(&rest, -low);
    if (rounded(&rest) != 0) return;
    sum->high = high;
    sum->low = low;
    sum->is_wide = false;
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
    narrow(sum);
}

uint64_t of__prefix_sum_bits(const of__prefix_sum *sum, of_dtype dtype) {
    if (sum->nan || (sum->plus_infinity && sum->minus_infinity)) return of__nan_bits(dtype);
    if (sum->plus_infinity || sum->minus_infinity)
        return of__infinity_bits(dtype, sum->minus_infinity);
    if (sum->is_wide) return of__exact_round_bits(&sum->exact, 1, dtype);
    if (sum->high == 0) return of__zero_bits(dtype, sum->any && !sum->not_negative_zeros);
    if (dtype == OF_F64) return of__f64_bits(sum->high);
    double odd = round_to_odd(sum->high, sum->low);
    if (dtype == OF_F32) return of__f32_bits((float)odd);
    return of_scalar_convert(of_scalar_f64(odd), dtype).as.bits;
}

/* ---- Element by element ---- */

static void store(char *out, int64_t size, uint64_t bits) {
    memcpy(out, &bits, (size_t)size); /* little-endian, as every supported machine */
}

void of__prefix_sum_scan(of__prefix_sum *sum, of_dtype dtype, bool exclusive, const char *x,
                         char *out, int64_t n) {
    const int64_t size = (int64_t)of_dtype_size(dtype);
    if (sum->is_wide) narrow(sum);
    for (int64_t i = 0; i < n; i++) {
        double term = of__load_f64(dtype, x + i * size);
        if (exclusive) store(out + i * size, size, of__prefix_sum_bits(sum, dtype));
        of__prefix_sum_add(sum, term);
        if (!exclusive) store(out + i * size, size, of__prefix_sum_bits(sum, dtype));
    }
}
