/* Rounding to the float types, against the processor's casts, ldexp in a wider type, and a slow
 * search. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/bytes.h"
#include "core/half.h"
#include "core/round.h"
#include "random_bits.h"

static void integers_round_as_the_processor_casts(void **state) {
    (void)state;
    for (int i = 0; i < 1000000; i++) {
        uint64_t bits = nasty_bits();
        assert_true(of__round_bits(OF_F64, false, bits, 0, false) == of__f64_bits((double)bits));
        assert_true(of__round_bits(OF_F32, false, bits, 0, false) == of__f32_bits((float)bits));
        assert_true(of__round_bits(OF_F64, true, bits, 0, false) == of__f64_bits(-(double)bits));
        assert_true(of__round_bits(OF_F32, true, bits, 0, false) == of__f32_bits(-(float)bits));
    }
}

/* __float128 has 113 bits and a wider exponent, so the scaled value is exact and the cast rounds
 * once. */
static void scaled_integers_round_as_wide_casts(void **state) {
    (void)state;
    for (int i = 0; i < 1000000; i++) {
        uint64_t bits = nasty_bits();
        int exponent = (int)(random_bits() % 2400) - 1250;
        __float128 scale = 1;
        /* by squaring, as there is no ldexp for it in the C library */
        __float128 factor = exponent < 0 ? (__float128)0.5 : (__float128)2;
        for (int left = exponent < 0 ? -exponent : exponent; left; left >>= 1, factor *= factor)
            if (left & 1) scale *= factor;
        __float128 value = (__float128)bits * scale;
        assert_true(of__round_bits(OF_F64, false, bits, exponent, false) ==
                    of__f64_bits((double)value));
        int short_exponent = exponent / 5;
        long double narrow = ldexpl((long double)bits, short_exponent);
        assert_true(of__round_bits(OF_F32, false, bits, short_exponent, false) ==
                    of__f32_bits((float)narrow));
    }
}

static double value_of_half(of_dtype dtype, uint16_t bits) {
    return dtype == OF_F16 ? of__f16_to_f32(bits) : of__bf16_to_f32(bits);
}

/* The nearest of all values of the type, infinity standing for the next power of two; ties to the
 * even bits. */
static uint16_t nearest_half(of_dtype dtype, long double value) {
    uint16_t infinity = (uint16_t)of__infinity_bits(dtype, false);
    uint16_t low = 0, high = infinity;
    while (high - low > 1) {
        uint16_t middle = (uint16_t)((low + high) / 2);
        if (value_of_half(dtype, middle) <= value)
            low = middle;
        else
            high = middle;
    }
    long double above = high == infinity ? (dtype == OF_F16 ? 0x1p16L : 0x1p128L)
                                         : (long double)value_of_half(dtype, high);
    long double to_low = value - value_of_half(dtype, low), to_high = above - value;
    if (to_low == to_high) return low & 1 ? high : low;
    return to_low < to_high ? low : high;
}

static void halves_round_to_the_nearest_of_all(void **state) {
    (void)state;
    for (of_dtype dtype = OF_F16; dtype <= OF_BF16; dtype++) {
        int span = dtype == OF_F16 ? 60 : 300;
        for (int i = 0; i < 300000; i++) {
            uint64_t bits = nasty_bits() >> 11; /* so that the distances above are exact */
            int exponent = (int)(random_bits() % (unsigned)(2 * span)) - span - 40;
            uint16_t wanted = nearest_half(dtype, ldexpl((long double)bits, exponent));
            assert_int_equal(of__round_bits(dtype, false, bits, exponent, false), wanted);
            assert_int_equal(of__round_bits(dtype, true, bits, exponent, false), wanted | 0x8000);
        }
    }
}

/* Every value of the 16-bit types, the midpoint above it, and the closest numbers on both sides of
 * that. */
static void halves_break_every_tie_to_even(void **state) {
    (void)state;
    for (of_dtype dtype = OF_F16; dtype <= OF_BF16; dtype++) {
        uint16_t infinity = (uint16_t)of__infinity_bits(dtype, false);
        for (uint16_t bits = 0; bits < infinity; bits++) {
            int exponent, unit_exponent;
            double value = value_of_half(dtype, bits);
            double next = bits + 1 == infinity ? (dtype == OF_F16 ? 0x1p16 : 0x1p128)
                                               : value_of_half(dtype, (uint16_t)(bits + 1));
            frexp(next - value, &unit_exponent);
            exponent = unit_exponent - 1 - 40; /* 2^40 of these make one unit */
            uint64_t units = (uint64_t)ldexp(value, -exponent), half = 1ull << 39;
            uint16_t even = (uint16_t)(bits & 1 ? bits + 1 : bits), up = (uint16_t)(bits + 1);
            assert_int_equal(of__round_bits(dtype, false, units, exponent, false), bits);
            assert_int_equal(of__round_bits(dtype, false, units + half, exponent, false), even);
            assert_int_equal(of__round_bits(dtype, false, units + half - 1, exponent, false), bits);
            assert_int_equal(of__round_bits(dtype, false, units + half + 1, exponent, false), up);
        }
    }
}

/* A sticky value must round as any longer significand that starts with the same 64 bits. */
static void sticky_is_more_than_nothing(void **state) {
    (void)state;
    static const of_dtype types[] = {OF_F16, OF_BF16, OF_F32, OF_F64};
    for (int i = 0; i < 500000; i++) {
        of_dtype dtype = types[i & 3];
        uint64_t bits = nasty_bits() | (random_bits() & 1 ? 1ull << 63 : 1ull << 62);
        int exponent = (int)(random_bits() % 2400) - 1250;
        if (dtype == OF_F16) exponent /= 24;
        /* (bits + 1/4) * 2^exponent, its last two bits moved up by dropping two that cannot decide
         */
        uint64_t shorter = (bits >> 3) | ((bits & 7) != 0) | 1;
        assert_true(of__round_bits(dtype, false, bits, exponent, true) ==
                    of__round_bits(dtype, false, shorter, exponent + 3, false));
    }
    /* Midpoints: only sticky tells them from a tie. */
    assert_true(of__round_bits(OF_F32, false, 1ull << 63 | 1ull << 39, 0, false) ==
                of__f32_bits(0x1p63f));
    assert_true(of__round_bits(OF_F32, false, 1ull << 63 | 1ull << 39, 0, true) ==
                of__f32_bits(0x1.000002p63f));
    assert_true(of__round_bits(OF_F64, false, 1ull << 63, -1074 - 64, false) == 0);
    assert_true(of__round_bits(OF_F64, false, 1ull << 63, -1074 - 64, true) == 1);
    assert_true(of__round_bits(OF_F64, false, ~0ull, -1074 - 65, true) == 0);
}

static void ends_of_the_range(void **state) {
    (void)state;
    static const struct {
        of_dtype dtype;
        int largest;  /* exponent of the largest finite value */
        int smallest; /* exponent of the smallest subnormal */
    } types[] = {
        {OF_F16, 15, -24}, {OF_BF16, 127, -133}, {OF_F32, 127, -149}, {OF_F64, 1023, -1074}};
    for (int i = 0; i < 4; i++) {
        of_dtype dtype = types[i].dtype;
        int precision = of__precision(dtype), largest = types[i].largest;
        uint64_t infinity = of__infinity_bits(dtype, false);
        uint64_t all_ones = ~0ull << (64 - precision), half_unit = 1ull << (63 - precision);
        int top = largest - 63;
        assert_true(of__round_bits(dtype, false, all_ones, top, false) == infinity - 1);
        assert_true(of__round_bits(dtype, false, all_ones | (half_unit - 1), top, true) ==
                    infinity - 1);
        assert_true(of__round_bits(dtype, false, all_ones | half_unit, top, false) == infinity);
        assert_true(of__round_bits(dtype, false, 1, largest + 1, false) == infinity);
        assert_true(of__round_bits(dtype, false, 1, INT64_MAX, false) == infinity);
        assert_true(of__round_bits(dtype, true, ~0ull, INT64_MAX, true) ==
                    of__infinity_bits(dtype, true));
        int smallest = types[i].smallest;
        assert_true(of__round_bits(dtype, false, 1, smallest, false) == 1);
        assert_true(of__round_bits(dtype, false, 1, smallest - 1, false) == 0);
        assert_true(of__round_bits(dtype, false, 3, smallest - 2, false) == 1);
        assert_true(of__round_bits(dtype, false, 3, smallest - 1, false) == 2);
        assert_true(of__round_bits(dtype, true, 1, smallest - 1, false) ==
                    of__zero_bits(dtype, true));
        assert_true(of__round_bits(dtype, true, ~0ull, INT64_MIN, true) ==
                    of__zero_bits(dtype, true));
        assert_true(of__round_bits(dtype, false, 0, INT64_MAX, false) == 0);
        assert_true(of__round_bits(dtype, true, 0, 0, false) == of__zero_bits(dtype, true));
    }
}

static void special_values_are_the_contracts(void **state) {
    (void)state;
    assert_true(of__nan_bits(OF_F16) == 0x7e00 && of__nan_bits(OF_BF16) == 0x7fc0);
    assert_true(of__nan_bits(OF_F32) == 0x7fc00000);
    assert_true(of__nan_bits(OF_F64) == 0x7ff8000000000000);
    assert_true(of__infinity_bits(OF_F16, true) == 0xfc00);
    assert_true(of__infinity_bits(OF_BF16, false) == 0x7f80);
    assert_true(of__infinity_bits(OF_F32, true) == of__f32_bits(-INFINITY));
    assert_true(of__infinity_bits(OF_F64, false) == of__f64_bits(INFINITY));
    assert_true(of__zero_bits(OF_F16, true) == 0x8000 && of__zero_bits(OF_F32, false) == 0);
    assert_int_equal(of__precision(OF_F16), 11);
    assert_int_equal(of__precision(OF_BF16), 8);
    assert_int_equal(of__precision(OF_F32), 24);
    assert_int_equal(of__precision(OF_F64), 53);
}

/* of__f16_to_f32 against the definition of binary16. */
static void every_half_widens_exactly(void **state) {
    (void)state;
    for (int bits = 0; bits < 0x10000; bits++) {
        int field = bits >> 10 & 31, fraction = bits & 1023;
        double magnitude = field == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, field - 25);
        if (field == 31) magnitude = fraction ? NAN : INFINITY;
        float value = of__f16_to_f32((uint16_t)bits);
        assert_int_equal(signbit(value) != 0, bits >> 15);
        if (isnan(magnitude))
            assert_true(isnan(value));
        else
            assert_true(fabsf(value) == magnitude);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_round_as_the_processor_casts),
        cmocka_unit_test(scaled_integers_round_as_wide_casts),
        cmocka_unit_test(halves_round_to_the_nearest_of_all),
        cmocka_unit_test(halves_break_every_tie_to_even),
        cmocka_unit_test(sticky_is_more_than_nothing),
        cmocka_unit_test(ends_of_the_range),
        cmocka_unit_test(special_values_are_the_contracts),
        cmocka_unit_test(every_half_widens_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
