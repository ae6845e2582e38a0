/* Deposits and merges: everything that adds to an accumulator. */
#include "exact/accumulator.h"

#include <string.h>

#include "core/half.h"

void of_exact_clear(of_exact *exact) {
    memset(exact, 0, sizeof *exact);
    exact->low = OF__LIMBS;
}

/* Afterwards every limb but the highest is in [0, 2^32), and the highest, which carries the sign,
 * in (-2^32, 2^32). */
void of__exact_carry(of_exact *exact) {
    int64_t carry = 0;
    exact->pending = 0;
    if (exact->low >= exact->high) return;
    int last = exact->high - 1;
    for (int k = exact->low; k < last; k++) {
        int64_t limb = exact->limb[k] + carry;
        carry = limb >> 32;
        exact->limb[k] = limb & 0xffffffff;
    }
    int64_t top = exact->limb[last] + carry;
    while ((top >= (INT64_C(1) << 32) || top <= -(INT64_C(1) << 32)) && last + 1 < OF__LIMBS) {
        exact->limb[last++] = top & 0xffffffff;
        top = exact->limb[last] + (top >> 32);
    }
    exact->limb[last] = top;
    exact->high = last + 1;
}

void of__exact_deposit_wide(of_exact *exact, __int128 significand, int exponent) {
    uint64_t low = (uint64_t)significand;
    of__exact_deposit(exact, (int64_t)(low & 0xffffffff), exponent);
    of__exact_deposit(exact, (int64_t)(low >> 32), exponent + 32);
    int64_t high = (int64_t)(significand >> 64);
    of__exact_deposit(exact, high & 0xffffffff, exponent + 64);
    of__exact_deposit(exact, high >> 32, exponent + 96);
}

/* A finite f64 is significand * 2^exponent. */
static uint64_t split_f64(uint64_t bits, int *exponent) {
    int biased = (int)(bits >> 52) & 0x7ff;
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    *exponent = (biased ? biased : 1) - 1075;
    return biased ? fraction | UINT64_C(1) << 52 : fraction;
}

static void count_special(of_exact *exact, double value) {
    if (value != value)
        exact->nans++;
    else if (value < 0)
        exact->negative_infinities++;
    else
        exact->positive_infinities++;
}

static bool is_finite(uint64_t bits) {
    return (bits >> 52 & 0x7ff) != 0x7ff;
}

void of__exact_deposit_f64(of_exact *exact, double value) {
    uint64_t bits = of__f64_bits(value);
    if (!is_finite(bits)) {
        count_special(exact, value);
        return;
    }
    int exponent;
    int64_t significand = (int64_t)split_f64(bits, &exponent);
    if (significand) of__exact_deposit(exact, bits >> 63 ? -significand : significand, exponent);
}

void of__exact_deposit_integers(of_exact *exact, bool negative, uint64_t a, uint64_t b,
                                int exponent) {
    unsigned __int128 product = (unsigned __int128)a * b;
    for (int part = 0; part < 4 && product; part++, product >>= 32) {
        int64_t piece = (int64_t)(product & 0xffffffff);
        if (piece) of__exact_deposit(exact, negative ? -piece : piece, exponent + 32 * part);
    }
}

void of__exact_deposit_product(of_exact *exact, double a, double b) {
    uint64_t a_bits = of__f64_bits(a), b_bits = of__f64_bits(b);
    if (!is_finite(a_bits) || !is_finite(b_bits)) {
        count_special(exact, a * b);
        return;
    }
    int a_exponent, b_exponent;
    uint64_t a_significand = split_f64(a_bits, &a_exponent);
    uint64_t b_significand = split_f64(b_bits, &b_exponent);
    of__exact_deposit_integers(exact, (a_bits ^ b_bits) >> 63, a_significand, b_significand,
                               a_exponent + b_exponent);
}

void of__exact_add(of_exact *exact, of_scalar value) {
    exact->count++;
    if (of_dtype_is_float(value.dtype)) {
        double wide = of_scalar_to_f64(value); /* exact: no float type is wider */
        exact->floats = 1;
        if (of__f64_bits(wide) != UINT64_C(1) << 63) exact->not_negative_zeros = 1;
        of__exact_deposit_f64(exact, wide);
        return;
    }
    exact->not_negative_zeros = 1;
    __int128 integer = of_dtype_is_signed(value.dtype)
                           ? (__int128)of_scalar_convert(value, OF_I64).as.i64
                           : (__int128)of_scalar_convert(value, OF_U64).as.u64;
    of__exact_deposit_wide(exact, integer, 0);
}

void of_exact_merge(of_exact *into, const of_exact *from) {
    of_exact carried;
    if (from->pending) { /* limbs below 2^32 count as one deposit */
        carried = *from;
        of__exact_carry(&carried);
        from = &carried;
    }
    for (int k = from->low; k < from->high; k++) into->limb[k] += from->limb[k];
    if (from->low < from->high) of__exact_touch(into, from->low, from->high);
    into->count += from->count;
    into->floats += from->floats;
    into->not_negative_zeros += from->not_negative_zeros;
    into->nans += from->nans;
    into->positive_infinities += from->positive_infinities;
    into->negative_infinities += from->negative_infinities;
}
