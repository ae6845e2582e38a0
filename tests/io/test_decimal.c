/* Decimal text to numbers, against MPFR: one rounding for every type, and nothing else taken for a
 * number. */
#include <fenv.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <mpfr.h>

#include <onefold/onefold.h>

#include "io/decimal.h"

static const struct {
    of_dtype dtype;
    int precision, exponent_min,
        exponent_max; /* MPFR's: of significands from 1/2 to 1, subnormals included */
    int fraction_bits;
} formats[] = {
    {OF_F16, 11, -23, 16, 10},
    {OF_BF16, 8, -132, 128, 7},
    {OF_F32, 24, -148, 128, 23},
    {OF_F64, 53, -1073, 1024, 52},
};

/* The bits of the float nearest to a decimal, ties to even. */
static uint64_t rounded(const char *text, int f) {
    mpfr_t value;
    mpfr_init2(value, formats[f].precision);
    mpfr_set_emin(formats[f].exponent_min);
    mpfr_set_emax(formats[f].exponent_max);
    int direction = mpfr_strtofr(value, text, NULL, 10, MPFR_RNDN);
    mpfr_subnormalize(value, direction, MPFR_RNDN);

    int bits = formats[f].precision, fraction_bits = formats[f].fraction_bits;
    int smallest =
        formats[f].exponent_min + bits - 1; /* MPFR's exponent of the smallest normal number */
    uint64_t sign =
        mpfr_signbit(value) ? UINT64_C(1) << (8 * of_dtype_size(formats[f].dtype) - 1) : 0;
    uint64_t result = sign;
    if (mpfr_inf_p(value)) {
        result |= (uint64_t)(formats[f].exponent_max - smallest + 1 + 1) << fraction_bits;
    } else if (!mpfr_zero_p(value)) {
        mpfr_exp_t exponent = mpfr_get_exp(value) < smallest ? smallest : mpfr_get_exp(value);
        mpfr_set_emax(2000);
        mpfr_abs(value, value, MPFR_RNDN);
        mpfr_mul_2si(value, value, bits - exponent, MPFR_RNDN);
        /* The leading bit of a normal number adds one to the exponent field. */
        result |=
            ((uint64_t)(exponent - smallest) << fraction_bits) + mpfr_get_uj(value, MPFR_RNDN);
    }
    mpfr_clear(value);
    return result;
}

static void check_floats(const char *text) {
    for (int f = 0; f < 4; f++) {
        of_scalar value = {0};
        if (!of__decimal_parse(text, (int64_t)strlen(text), formats[f].dtype, &value))
            fail_msg("%s is left aside", text);
        assert_int_equal(value.dtype, formats[f].dtype);
        if (value.as.bits != rounded(text, f))
            fail_msg("%s as %s: %" PRIx64 ", not %" PRIx64, text, of_dtype_name(formats[f].dtype),
                     value.as.bits, rounded(text, f));
    }
}

static uint64_t random_bits(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void chosen_floats_are_rounded_once(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "+0",
        "0.0",
        "-0.000",
        "0e0",
        "-0e-9999",
        "1",
        "-1",
        "+1",
        "1.",
        ".5",
        "-.5",
        "00012.500",
        "0.1",
        "0.2",
        "0.3",
        "1e22",
        "1e23",
        "1e27",
        "1E-27",
        "1e+5",
        "1e05",
        "9007199254740993",
        "9007199254740992.5",
        "9007199254740993.0",
        "1.000000000000000111",
        "1.000000000000000110",
        "9999999999999999999",
        "9999999999999999999e27",
        "1e-27",
        "9999999999999999999e-27",
        "65504",
        "65519.99999",
        "65520",
        "65536",
        "1e5",
        "5.960464477539062e-8",
        "2.98023223876953125e-8",
        "2.980232238769531250e-8",
        "2.98023223876953126e-8",
        "0.00006103515625",
        "6.0975551605224609e-5",
        "16777217",
        "16777217.00000000001",
        "33554435",
        "2049",
        "2051",
        "257",
        "259",
        "1.00390625",
        "1.01171875",
        "3.4028235e27",
        "184467440737095516.1",
        "0.000000000000000000000000001",
        "0.0000000000000000001234567",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        check_floats(texts[i]);
    }
}

static void random_floats_are_rounded_once(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++) {
        char digits[32], text[64];
        int count =
            snprintf(digits, sizeof digits, "%" PRIu64, random_bits() >> (1 + random_bits() % 63));
        if (count > 19) count = 19;
        int point = (int)(random_bits() % (unsigned)(count + 1));
        int exponent = (int)(random_bits() % 55) - 27 + (count - point);
        snprintf(text, sizeof text, "%s%.*s.%.*se%d", random_bits() % 2 ? "-" : "", point, digits,
                 count - point, digits + point, exponent);
        check_floats(text);
    }
}

/* Halfway cases: the exact decimals between two neighbours, and their neighbours by one digit. */
static void ties_are_rounded_to_even(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        int precision = formats[i % 4].precision;
        uint64_t halfway =
            (random_bits() >> (64 - precision) | UINT64_C(1) << (precision - 1)) * 2 + 1;
        for (int nudge = -1; nudge <= 1; nudge++) {
            char text[64];
            int zeros = 18 - (int)snprintf(text, sizeof text, "%" PRIu64, halfway);
            uint64_t scaled = halfway;
            for (int k = 0; k < zeros; k++) scaled *= 10;
            snprintf(text, sizeof text, "%" PRIu64 "e-%d", scaled + (uint64_t)nudge,
                     zeros > 0 ? zeros : 0);
            check_floats(text);
        }
    }
}

static void the_callers_rounding_does_not_matter(void **state) {
    (void)state;
    const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    of_scalar value;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        bool parsed = of__decimal_parse("-0.1", 4, OF_F64, &value);
        fesetround(FE_TONEAREST);
        assert_true(parsed && value.as.bits == 0xbfb999999999999a);
    }
}

static void other_texts_are_left_aside(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        "+",
        "-",
        ".",
        "-.",
        "e5",
        ".e5",
        "1e",
        "1e+",
        "1e-",
        "1 ",
        " 1",
        "1x",
        "x1",
        "--1",
        "+-1",
        "1.2.3",
        "1e5.0",
        "1e5e5",
        "0x10",
        "inf",
        "nan",
        "1,5",
        "1_000",
        "12345678901234567890",
        "18446744073709551616",
        "0.12345678901234567890",
        "36893488147419103232",
        "1e28",
        "1e-28",
        "1e99999",
        "1e-99999",
        "1e18446744073709551616",
        "1\0",
        "true",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int64_t length = texts[i][0] == '1' && texts[i][1] == 0 ? 2 : (int64_t)strlen(texts[i]);
        of_scalar value;
        for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++) {
            if (of__decimal_parse(texts[i], length, dtype, &value))
                fail_msg("%s is taken for %s", texts[i], of_dtype_name(dtype));
        }
    }
    char zeros[2000];
    memset(zeros, '0', sizeof zeros);
    zeros[1] = '.';
    of_scalar value;
    assert_false(of__decimal_parse(zeros, 1003, OF_F64, &value));
    assert_true(of__decimal_parse(zeros, 1002, OF_F64, &value));
    assert_true(value.as.bits == 0);
}

static void check_integer(const char *text, of_dtype dtype, bool expected, uint64_t bits) {
    of_scalar value;
    bool parsed = of__decimal_parse(text, (int64_t)strlen(text), dtype, &value);
    if (parsed != expected || (parsed && value.as.bits != bits))
        fail_msg("%s as %s", text, of_dtype_name(dtype));
}

static void integers_keep_to_their_range(void **state) {
    (void)state;
    for (of_dtype dtype = OF_I8; dtype <= OF_U64; dtype++) {
        int bits = 8 * (int)of_dtype_size(dtype);
        bool is_signed = of_dtype_is_signed(dtype);
        __int128 largest = ((__int128)1 << (bits - is_signed)) - 1,
                 smallest = is_signed ? -largest - 1 : 0;
        for (int step = -1; step <= 1; step++) {
            char text[64];
            __int128 high = largest + step;
            if (high > INT64_MAX) continue; /* 20 digits may be left aside */
            snprintf(text, sizeof text, "%lld", (long long)high);
            check_integer(text, dtype, step <= 0, (uint64_t)high);
            if (smallest + step < INT64_MIN) continue;
            long long low = (long long)(smallest + step);
            snprintf(text, sizeof text, "%lld", low);
            check_integer(text, dtype, step >= 0, (uint64_t)low & UINT64_MAX >> (64 - bits));
        }
        check_integer("0", dtype, true, 0);
        check_integer("-0", dtype, true, 0);
        check_integer("+7", dtype, true, 7);
        check_integer("0000000000000000000000000000000099", dtype, true, 99);
        check_integer("1.0", dtype, false, 0);
        check_integer("1.", dtype, false, 0);
        check_integer("1e0", dtype, false, 0);
    }
    check_integer("-9223372036854775808", OF_I64, true, UINT64_C(1) << 63);
    check_integer("-9223372036854775809", OF_I64, false, 0);
    check_integer("9223372036854775808", OF_I64, false, 0);
    check_integer("9999999999999999999", OF_U64, true, 9999999999999999999u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_floats_are_rounded_once),
        cmocka_unit_test(random_floats_are_rounded_once),
        cmocka_unit_test(ties_are_rounded_to_even),
        cmocka_unit_test(the_callers_rounding_does_not_matter),
        cmocka_unit_test(other_texts_are_left_aside),
        cmocka_unit_test(integers_keep_to_their_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
