/* Single values: moved, converted, written and read. */
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/dtype.h>

#include "core/bytes.h"
#include "random_bits.h"

static of_scalar with_bits(of_dtype dtype, uint64_t bits) {
    return (of_scalar){.dtype = dtype, .as.bits = bits};
}

static void assert_bits(of_scalar value, of_dtype dtype, uint64_t bits) {
    assert_int_equal(value.dtype, dtype);
    if (value.as.bits != bits)
        fail_msg("%s: bits %#llx, not %#llx", of_dtype_name(dtype),
                 (unsigned long long)value.as.bits, (unsigned long long)bits);
}

/* ---- Moving ---- */

static void values_are_stored_zero_extended(void **state) {
    (void)state;
    assert_bits(of_scalar_i64(-2), OF_I64, 0xfffffffffffffffe);
    assert_bits(of_scalar_u64(UINT64_MAX), OF_U64, UINT64_MAX);
    assert_bits(of_scalar_f32(-0.0f), OF_F32, 0x80000000);
    assert_bits(of_scalar_f64(1), OF_F64, 0x3ff0000000000000);
    assert_bits(of_scalar_bool(true), OF_BOOL, 1);
    static const unsigned char bytes[9] = {0x55, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88};
    static const uint64_t wide[9] = {0, 0x81, 0x8281, 0, 0x84838281, 0, 0, 0, 0x8887868584838281};
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++) {
        size_t size = of_dtype_size(dtype);
        of_scalar value = of_scalar_load(dtype, bytes + 1);
        assert_bits(value, dtype, wide[size]);
        unsigned char copy[10] = {0};
        of_scalar_store(value, copy + 1);
        assert_memory_equal(copy + 1, bytes + 1, size);
        assert_int_equal(copy[size + 1], 0);
    }
}

/* ---- Converting: the cases that a plain cast or two roundings would get wrong ---- */

static void conversions_round_once(void **state) {
    (void)state;
    /* Just above the midpoint of two f16 or bf16 values; by way of f32 or f64 it would become that
     * midpoint. */
    double above = 1 + 0x1p-11 + 0x1p-40, above_bf16 = 1 + 0x1p-8 + 0x1p-40;
    assert_bits(of_scalar_convert(of_scalar_f64(above), OF_F16), OF_F16, 0x3c01);
    assert_bits(of_scalar_convert(of_scalar_f64(1 + 0x1p-11), OF_F16), OF_F16, 0x3c00);
    assert_bits(of_scalar_convert(of_scalar_f64(above_bf16), OF_BF16), OF_BF16, 0x3f81);
    assert_bits(of_scalar_convert(of_scalar_f64(1 + 0x1p-8), OF_BF16), OF_BF16, 0x3f80);
    int64_t integer = (INT64_C(1) << 62) + (INT64_C(1) << 54) + 1;
    assert_bits(of_scalar_convert(of_scalar_i64(integer), OF_BF16), OF_BF16, 0x5e81);
    assert_bits(of_scalar_convert(of_scalar_i64(integer - 1), OF_BF16), OF_BF16, 0x5e80);
    assert_bits(of_scalar_convert(of_scalar_i64(2049), OF_F16), OF_F16, 0x6800);
    assert_bits(of_scalar_convert(of_scalar_i64(-65519), OF_F16), OF_F16, 0xfbff);
    assert_bits(of_scalar_convert(of_scalar_i64(-65520), OF_F16), OF_F16, 0xfc00);
    uint64_t big = (UINT64_C(1) << 63) + (UINT64_C(1) << 39) + 1;
    assert_bits(of_scalar_convert(of_scalar_u64(big), OF_F32), OF_F32,
                of__f32_bits(0x1.000002p63f));
    assert_bits(of_scalar_convert(of_scalar_u64(UINT64_MAX), OF_F64), OF_F64, of__f64_bits(0x1p64));
    assert_bits(of_scalar_convert(of_scalar_f64(0x1p-150), OF_F32), OF_F32, 0);
    assert_bits(of_scalar_convert(of_scalar_f64(0x1.8p-150), OF_F32), OF_F32, 1);
    assert_bits(of_scalar_convert(of_scalar_f64(1e300), OF_BF16), OF_BF16, 0x7f80);
    assert_true(of_scalar_to_f64(with_bits(OF_F16, 1)) == 0x1p-24);
    assert_true(of_scalar_to_f64(with_bits(OF_BF16, 0x8001)) == -0x1p-133);
    assert_true(of_scalar_to_f64(of_scalar_i64((INT64_C(1) << 53) + 1)) == 0x1p53);
}

static void floats_truncate_and_saturate(void **state) {
    (void)state;
    static const struct {
        double value;
        of_dtype dtype;
        uint64_t bits;
    } cases[] = {
        {-1.99, OF_I8, 0xff},
        {127.99, OF_I8, 127},
        {128, OF_I8, 127},
        {-128.5, OF_I8, 0x80},
        {-1e9, OF_I8, 0x80},
        {-0.99, OF_U8, 0},
        {-5, OF_U8, 0},
        {255.5, OF_U8, 255},
        {300, OF_U8, 255},
        {4294967295.9, OF_U32, UINT32_MAX},
        {1e300, OF_I64, INT64_MAX},
        {0x1p63, OF_I64, INT64_MAX},
        {-0x1p63, OF_I64, 1ull << 63},
        {-INFINITY, OF_I64, 1ull << 63},
        {0x1p64, OF_U64, UINT64_MAX},
        {INFINITY, OF_U64, UINT64_MAX},
        {-INFINITY, OF_U16, 0},
        {NAN, OF_I32, 0},
        {NAN, OF_U64, 0},
        {0x1.fffffffffffffp63, OF_U64, 0xfffffffffffff800},
        {5e-324, OF_BOOL, 1},
        {-0.0, OF_BOOL, 0},
        {NAN, OF_BOOL, 1},
        {-INFINITY, OF_BOOL, 1},
        {5e-324, OF_I64, 0},
        {1e-10, OF_U64, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_bits(of_scalar_convert(of_scalar_f64(cases[i].value), cases[i].dtype),
                    cases[i].dtype, cases[i].bits);
}

static void integers_keep_their_low_bits(void **state) {
    (void)state;
    assert_bits(of_scalar_convert(of_scalar_i64(-1), OF_U16), OF_U16, 0xffff);
    assert_bits(of_scalar_convert(of_scalar_i64(300), OF_I8), OF_I8, 44);
    assert_bits(of_scalar_convert(of_scalar_i64(200), OF_I8), OF_I8, 200);
    assert_bits(of_scalar_convert(with_bits(OF_I8, 0x80), OF_I64), OF_I64, 0xffffffffffffff80);
    assert_bits(of_scalar_convert(with_bits(OF_I8, 0x80), OF_U32), OF_U32, 0xffffff80);
    assert_bits(of_scalar_convert(with_bits(OF_U8, 0x80), OF_I64), OF_I64, 0x80);
    assert_bits(of_scalar_convert(of_scalar_i64(256), OF_BOOL), OF_BOOL, 1);
    assert_bits(of_scalar_convert(with_bits(OF_BOOL, 7), OF_F32), OF_F32, 0x3f800000);
    assert_bits(of_scalar_convert(with_bits(OF_BOOL, 7), OF_I16), OF_I16, 1);
}

static void nans_become_quiet_or_stay(void **state) {
    (void)state;
    uint64_t signalling = 0xfff0000000000001;
    assert_bits(of_scalar_convert(with_bits(OF_F64, signalling), OF_F64), OF_F64, signalling);
    assert_bits(of_scalar_convert(with_bits(OF_F64, signalling), OF_F32), OF_F32, 0x7fc00000);
    assert_bits(of_scalar_convert(with_bits(OF_F64, signalling), OF_F16), OF_F16, 0x7e00);
    assert_bits(of_scalar_convert(with_bits(OF_F16, 0xfc01), OF_BF16), OF_BF16, 0x7fc0);
    assert_bits(of_scalar_convert(with_bits(OF_BF16, 0xffff), OF_F64), OF_F64, 0x7ff8000000000000);
}

/* ---- Text ---- */

static void assert_format(of_scalar value, const char *expected) {
    char text[OF_SCALAR_TEXT_SIZE];
    memset(text, '#', sizeof text);
    assert_ptr_equal(of_scalar_format(value, text), text);
    assert_string_equal(text, expected);
}

static void values_are_written_briefly(void **state) {
    (void)state;
    assert_format(of_scalar_bool(true), "true");
    assert_format(of_scalar_bool(false), "false");
    assert_format(with_bits(OF_BOOL, 2), "true");
    assert_format(with_bits(OF_I8, 0x80), "-128");
    assert_format(of_scalar_i64(INT64_MIN), "-9223372036854775808");
    assert_format(of_scalar_u64(UINT64_MAX), "18446744073709551615");
    assert_format((of_scalar){0}, "none");
    static const struct {
        double value;
        const char *text;
    } doubles[] = {
        {0.0, "0.0"},
        {-0.0, "-0.0"},
        {3, "3.0"},
        {-120, "-120.0"},
        {0.1, "0.1"},
        {NAN, "nan"},
        {-NAN, "nan"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {1e300, "1e+300"},
        {-1.5e-7, "-1.5e-07"},
        {1e-4, "0.0001"},
        {1e-5, "1e-05"},
        {0.00012345, "0.00012345"},
        {1e15, "1000000000000000.0"},
        {1e16, "1e+16"},
        {9007199254740992, "9007199254740992.0"},
        {123456789.125, "123456789.125"},
        {1e22, "1e+22"},
        {5e-324, "5e-324"},
        {0x1p-1022, "2.2250738585072014e-308"},
        {0x1.fffffffffffffp1023, "1.7976931348623157e+308"},
        {1.0 / 3, "0.3333333333333333"},
        {0x1p-44, "5.684341886080802e-14"},
        {9.5, "9.5"},
        {2e23, "2e+23"},
    };
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        assert_format(of_scalar_f64(doubles[i].value), doubles[i].text);
    assert_format(of_scalar_f32(0.1f), "0.1");
    assert_format(of_scalar_f32(16777216.0f), "16777216.0");
    assert_format(of_scalar_f32(0x1p-149f), "1e-45");
    assert_format(of_scalar_f32(3.4028234663852886e38f), "3.4028235e+38");
    assert_format(with_bits(OF_F16, 0x2e66), "0.1");
    assert_format(with_bits(OF_F16, 0x7bff), "65500.0");
    assert_format(with_bits(OF_F16, 0x8001), "-6e-08");
    assert_format(with_bits(OF_BF16, 0x3dcd), "0.1");
    assert_format(with_bits(OF_BF16, 0x7f7f), "3.39e+38");
    assert_format(with_bits(OF_BF16, 0xffc1), "nan");
}

static of_scalar parsed(const char *text, of_dtype dtype) {
    of_scalar value = {0};
    of_error err = {0};
    if (of_scalar_parse(text, dtype, &value, &err) != OF_OK) fail_msg("%s: %s", text, err.message);
    return value;
}

static bool is_nan(of_scalar value) {
    double wide = of_scalar_to_f64(value);
    return wide != wide;
}

static void what_is_written_reads_back(void **state) {
    (void)state;
    for (of_dtype dtype = OF_F16; dtype < OF_DTYPE_END; dtype++) {
        size_t size = of_dtype_size(dtype);
        int64_t count = size == 2 ? 0x10000 : 20000;
        for (int64_t i = 0; i < count; i++) {
            uint64_t bits = size == 2 ? (uint64_t)i : random_bits() >> (64 - 8 * size);
            of_scalar value = with_bits(dtype, bits);
            char text[OF_SCALAR_TEXT_SIZE];
            of_scalar_format(value, text);
            if (is_nan(value))
                assert_string_equal(text, "nan");
            else
                assert_bits(parsed(text, dtype), dtype, bits);
        }
    }
}

/* No decimal of fewer digits may read back: all of them near the value are tried. */
static void no_shorter_text_would_do(void **state) {
    (void)state;
    for (int i = 1; i < 0x7c00; i += 7) {
        of_scalar value = with_bits(OF_F16, (uint64_t)i);
        char text[OF_SCALAR_TEXT_SIZE], shorter[OF_SCALAR_TEXT_SIZE];
        of_scalar_format(value, text);
        long double exact = of_scalar_to_f64(value);
        int digits = 0, exponent = 0;
        bool significant = false; /* count digits between leading and trailing zeros */
        for (int c = 0, zeros = 0; text[c] != '\0' && text[c] != 'e'; c++) {
            if (text[c] < '0' || text[c] > '9') continue;
            significant = significant || text[c] != '0';
            if (!significant) continue;
            zeros = text[c] == '0' ? zeros + 1 : 0;
            digits += 1;
            exponent = zeros;
        }
        digits -= exponent;
        if (digits < 2) continue;
        int unit =
            (int)floorl(log10l(exact)) - (digits - 2); /* of a decimal with one digit fewer */
        long double scaled = exact * powl(10, -unit);
        for (int step = -1; step <= 2; step++) {
            sprintf(shorter, "%lde%d", (long)scaled + step, unit);
            assert_true(parsed(shorter, OF_F16).as.bits != value.as.bits);
        }
    }
}

static void text_rounds_once(void **state) {
    (void)state;
    /* Midpoints of f16 and bf16, and digits past them that a binary64 does not see. */
    assert_bits(parsed("1.00048828125", OF_F16), OF_F16, 0x3c00);
    assert_bits(parsed("1.00048828125000000000000000000001", OF_F16), OF_F16, 0x3c01);
    assert_bits(parsed("1.00048828124999999999999999999999", OF_F16), OF_F16, 0x3c00);
    assert_bits(parsed("-1.00146484375", OF_F16), OF_F16, 0xbc02);
    assert_bits(parsed("-1.00146484374999999999999999999999", OF_F16), OF_F16, 0xbc01);
    assert_bits(parsed("1.00390625", OF_BF16), OF_BF16, 0x3f80);
    assert_bits(parsed("1.00390625000000000000000000000001", OF_BF16), OF_BF16, 0x3f81);
    assert_bits(parsed("65519.9999999999999999999999999", OF_F16), OF_F16, 0x7bff);
    assert_bits(parsed("65520", OF_F16), OF_F16, 0x7c00);
    assert_bits(parsed("2.98023223876953125e-8", OF_F16), OF_F16, 0);
    assert_bits(parsed("2.98023223876953125000000000000001e-8", OF_F16), OF_F16, 1);
    /* f32: the midpoint of 1 and the next, and past it */
    assert_bits(parsed("1.000000059604644775390625", OF_F32), OF_F32, 0x3f800000);
    assert_bits(parsed("1.000000059604644775390625000000000001", OF_F32), OF_F32, 0x3f800001);
    assert_bits(parsed("9007199254740993", OF_F64), OF_F64, of__f64_bits(0x1p53));
    assert_bits(parsed("9007199254740993.00000000000000000001", OF_F64), OF_F64,
                of__f64_bits(0x1p53 + 2));
    assert_bits(parsed("1e400", OF_F64), OF_F64, of__f64_bits(INFINITY));
    assert_bits(parsed("-1e400", OF_BF16), OF_BF16, 0xff80);
    assert_bits(parsed("-1e-400", OF_F16), OF_F16, 0x8000);
}

static void other_notations_are_read(void **state) {
    (void)state;
    assert_bits(parsed(" \t+0x1.8p1\r\n", OF_F64), OF_F64, of__f64_bits(3));
    assert_bits(parsed("0x1.004p0", OF_F16), OF_F16, 0x3c01);
    assert_bits(parsed("-INFINITY", OF_F32), OF_F32, 0xff800000);
    assert_bits(parsed("Inf", OF_F16), OF_F16, 0x7c00);
    assert_bits(parsed("-nan", OF_F64), OF_F64, 0x7ff8000000000000);
    assert_bits(parsed("NaN", OF_BF16), OF_BF16, 0x7fc0);
    assert_bits(parsed(".5", OF_F64), OF_F64, of__f64_bits(0.5));
    assert_bits(parsed("5.", OF_F64), OF_F64, of__f64_bits(5));
    assert_bits(parsed("-0", OF_F64), OF_F64, 1ull << 63);
    assert_bits(parsed(" -128 ", OF_I8), OF_I8, 0x80);
    assert_bits(parsed("+127", OF_I8), OF_I8, 127);
    assert_bits(parsed("-0", OF_U8), OF_U8, 0);
    assert_bits(parsed("0000000000000000000000000255", OF_U8), OF_U8, 255);
    assert_bits(parsed("18446744073709551615", OF_U64), OF_U64, UINT64_MAX);
    assert_bits(parsed("-9223372036854775808", OF_I64), OF_I64, 1ull << 63);
    assert_bits(parsed(" true", OF_BOOL), OF_BOOL, 1);
    assert_bits(parsed("0 ", OF_BOOL), OF_BOOL, 0);
}

static void assert_refused(const char *text, of_dtype dtype, of_status expected) {
    of_scalar value = of_scalar_i64(42);
    of_error err = {0};
    if (of_scalar_parse(text, dtype, &value, &err) != expected)
        fail_msg("\"%s\" as %s: %s", text, of_dtype_name(dtype), err.message);
    assert_bits(value, OF_I64, 42);
    assert_int_equal(of_scalar_parse(text, dtype, &value, NULL), expected);
}

static void other_text_is_refused(void **state) {
    (void)state;
    static const char *const no_float[] = {"",        " ",   "x",  "1x", "1 2",    "1,5",
                                           "--1",     "0x",  "e5", "1e", "nan(7)", "nan()",
                                           "infinit", "1_0", ".",  "+"};
    for (size_t i = 0; i < sizeof no_float / sizeof *no_float; i++)
        for (of_dtype dtype = OF_F16; dtype < OF_DTYPE_END; dtype++)
            assert_refused(no_float[i], dtype, OF_ERR_FORMAT);
    static const char *const no_integer[] = {"", "-", "1.0", "1e3", "0x10", "- 1", "1 1", "inf"};
    for (size_t i = 0; i < sizeof no_integer / sizeof *no_integer; i++)
        for (of_dtype dtype = OF_I8; dtype <= OF_U64; dtype++)
            assert_refused(no_integer[i], dtype, OF_ERR_FORMAT);
    static const char *const no_bool[] = {"", "2", "TRUE", "tru", "truee", "true false", "01", "f"};
    for (size_t i = 0; i < sizeof no_bool / sizeof *no_bool; i++)
        assert_refused(no_bool[i], OF_BOOL, OF_ERR_FORMAT);
    assert_refused("128", OF_I8, OF_ERR_VALUE);
    assert_refused("-129", OF_I8, OF_ERR_VALUE);
    assert_refused("256", OF_U8, OF_ERR_VALUE);
    assert_refused("-1", OF_U64, OF_ERR_VALUE);
    assert_refused("18446744073709551616", OF_U64, OF_ERR_VALUE);
    assert_refused("99999999999999999999999999999", OF_U32, OF_ERR_VALUE);
    assert_refused("9223372036854775808", OF_I64, OF_ERR_VALUE);
    assert_refused("1", OF_DTYPE_NONE, OF_ERR_TYPE);
    assert_refused(NULL, OF_F32, OF_ERR_FORMAT);
}

/* Neither a locale with a decimal comma nor a rounding mode may reach a value; flags and mode stay
 * the caller's. */
static void surroundings_do_not_matter(void **state) {
    (void)state;
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
    bool has_comma = setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "de_DE.utf8");
    for (int i = 0; i < 4; i++) {
        char text[OF_SCALAR_TEXT_SIZE];
        fesetround(modes[i]);
        feclearexcept(FE_ALL_EXCEPT);
        of_scalar read = parsed("0.1", OF_F64), half = parsed("0.1", OF_F16);
        of_scalar single = parsed("-0.1", OF_F32);
        of_scalar narrow = of_scalar_convert(read, OF_F32), whole = parsed("12345678", OF_F32);
        of_scalar_format(read, text);
        int mode = fegetround(), raised = fetestexcept(FE_ALL_EXCEPT);
        fesetround(FE_TONEAREST);
        assert_int_equal(mode, modes[i]);
        assert_int_equal(raised, 0);
        assert_bits(read, OF_F64, 0x3fb999999999999a);
        assert_bits(half, OF_F16, 0x2e66);
        assert_bits(single, OF_F32, 0xbdcccccd);
        assert_bits(narrow, OF_F32, 0x3dcccccd);
        assert_bits(whole, OF_F32, of__f32_bits(12345678.0f));
        assert_string_equal(text, "0.1");
    }
    if (!has_comma) print_message("no locale with a decimal comma is installed\n");
    setlocale(LC_NUMERIC, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_stored_zero_extended),
        cmocka_unit_test(conversions_round_once),
        cmocka_unit_test(floats_truncate_and_saturate),
        cmocka_unit_test(integers_keep_their_low_bits),
        cmocka_unit_test(nans_become_quiet_or_stay),
        cmocka_unit_test(values_are_written_briefly),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(no_shorter_text_would_do),
        cmocka_unit_test(text_rounds_once),
        cmocka_unit_test(other_notations_are_read),
        cmocka_unit_test(other_text_is_refused),
        cmocka_unit_test(surroundings_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
