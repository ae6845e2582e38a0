/*
 * Single values as text. The C library converts between decimal and binary64 or binary32 exactly,
 * rounding once in the mode that is set; so the mode is set here, and what the 16-bit types need is
 * derived from two directed modes.
 */
#define _GNU_SOURCE /* strtod_l */
#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <onefold/dtype.h>

#include "core/bytes.h"
#include "core/fail.h"
#include "core/fpenv.h"
#include "core/round.h"

/* Round to nearest, a clear control word; the caller's own comes back with fesetenv and restored
 * errno. */
typedef struct text_state {
    fenv_t environment;
    int error_number;
} text_state;

static text_state enter(void) {
    text_state saved = {.error_number = errno};
    feholdexcept(&saved.environment);
    fesetround(FE_TONEAREST);
    of__fpenv_enter();
    return saved;
}

static void leave(text_state saved) {
    fesetenv(&saved.environment);
    errno = saved.error_number;
}

/* ---- Reading ---- */

static const char blanks[] = " \t\n\v\f\r";

static const char *skip_blanks(const char *text) {
    return text + strspn(text, blanks);
}

/* Its decimal point is a point. The C library keeps it ready: nothing is allocated or to be freed.
 */
static locale_t plain_locale(void) {
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static double read_f64(const char *text, char **end, int rounding) {
    fesetround(rounding);
    double value = strtod_l(text, end, plain_locale());
    fesetround(FE_TONEAREST);
    return value;
}

/*
 * The number rounded to odd: exact, or cut off with the last bit set. Of the two binary64 numbers
 * beside it one has an odd significand, and rounding that on to 11 or 8 bits gives what rounding
 * the number itself would have given.
 */
static double read_odd_f64(const char *text, char **end) {
    double low = read_f64(text, end, FE_DOWNWARD), high = read_f64(text, end, FE_UPWARD);
    return low == high || (of__f64_bits(low) & 1) ? low : high;
}

/* The float at the start of text, as strtod. Between enter and leave. */
static of_scalar read_float(const char *text, of_dtype dtype, char **end) {
    if (dtype == OF_F32) return of_scalar_f32(strtof_l(text, end, plain_locale()));
    if (dtype == OF_F64) return of_scalar_f64(read_f64(text, end, FE_TONEAREST));
    return of_scalar_convert(of_scalar_f64(read_odd_f64(text, end)), dtype);
}

static of_status fail_format(const char *text, of_dtype dtype, of_error *err) {
    return of__fail(err, OF_ERR_FORMAT, "\"%.100s\" is no value of type %s", text,
                    of_dtype_name(dtype));
}

static of_status parse_float(const char *text, of_dtype dtype, of_scalar *out, of_error *err) {
    char *end;
    text_state saved = enter();
    of_scalar value = read_float(text, dtype, &end);
    leave(saved);
    bool has_payload = memchr(text, '(', (size_t)(end - text)) != NULL; /* "nan(7)" */
    if (end == text || *skip_blanks(end) != '\0' || has_payload)
        return fail_format(text, dtype, err);
    uint64_t infinity = of__infinity_bits(dtype, false), sign = of__zero_bits(dtype, true);
    if ((value.as.bits & ~sign) > infinity) value.as.bits = of__nan_bits(dtype);
    *out = value;
    return OF_OK;
}

static of_status parse_integer(const char *text, of_dtype dtype, of_scalar *out, of_error *err) {
    const char *rest = skip_blanks(text);
    bool negative = *rest == '-', fits = true;
    if (*rest == '-' || *rest == '+') rest++;
    if (*rest < '0' || *rest > '9') return fail_format(text, dtype, err);
    uint64_t magnitude = 0;
    for (; *rest >= '0' && *rest <= '9'; rest++)
        fits = fits && !__builtin_mul_overflow(magnitude, 10, &magnitude) &&
               !__builtin_add_overflow(magnitude, (uint64_t)(*rest - '0'), &magnitude);
    if (*skip_blanks(rest) != '\0') return fail_format(text, dtype, err);

    uint64_t all_ones = UINT64_MAX >> (64 - 8 * of_dtype_size(dtype));
    uint64_t largest =
        of_dtype_is_signed(dtype) ? (all_ones >> 1) + negative : (negative ? 0 : all_ones);
    if (!fits || magnitude > largest)
        return of__fail(err, OF_ERR_VALUE, "%.100s is out of range for type %s", skip_blanks(text),
                        of_dtype_name(dtype));
    uint64_t bits = negative ? -magnitude : magnitude;
    *out = (of_scalar){.dtype = dtype, .as.bits = bits & all_ones};
    return OF_OK;
}

static of_status parse_bool(const char *text, of_scalar *out, of_error *err) {
    static const char *const words[] = {"false", "true", "0", "1"};
    const char *start = skip_blanks(text);
    size_t length = strcspn(start, blanks);
    bool is_last = *skip_blanks(start + length) == '\0';
    for (size_t i = 0; is_last && i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) != length || strncmp(start, words[i], length) != 0) continue;
        *out = of_scalar_bool(i & 1);
        return OF_OK;
    }
    return fail_format(text, OF_BOOL, err);
}

of_status of_scalar_parse(const char *text, of_dtype dtype, of_scalar *out, of_error *err) {
    if (text == NULL) return of__fail(err, OF_ERR_FORMAT, "text is missing");
    if (dtype == OF_BOOL) return parse_bool(text, out, err);
    if (of_dtype_is_integer(dtype)) return parse_integer(text, dtype, out, err);
    if (of_dtype_is_float(dtype)) return parse_float(text, dtype, out, err);
    return of__fail(err, OF_ERR_TYPE, "dtype %d is not a type", (int)dtype);
}

/* ---- Writing ---- */

/* digits * 10^exponent */
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

/* The decimal of `count` digits nearest to a positive number. */
static decimal nearest_decimal(double value, int count) {
    char text[40];
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    decimal d = {0, 0};
    const char *c = text;
    for (; *c != 'e';
         c++) /* between the digits stands the locale's decimal point, whatever that is */
        if (*c >= '0' && *c <= '9') d.digits = d.digits * 10 + (uint64_t)(*c - '0');
    d.exponent = atoi(c + 1) - (count - 1);
    return d;
}

static bool reads_back(decimal d, of_scalar positive) {
    char text[40], *end;
    snprintf(text, sizeof text, "%" PRIu64 "e%d", d.digits, d.exponent);
    return read_float(text, positive.dtype, &end).as.bits == positive.as.bits;
}

/* Decimals of so many digits are told apart by a type: that many digits of the normal number nearest
 * to one are the decimal itself (David Matula, "In-and-out conversions", CACM 11, 1968). */
static int certain_digits(of_dtype dtype) {
    return dtype == OF_F64 ? 15 : dtype == OF_F32 ? 6 : dtype == OF_F16 ? 3 : 2;
}

static bool is_normal(of_scalar positive) {
    uint64_t infinity = of__infinity_bits(positive.dtype, false);
    return (positive.as.bits & infinity) != 0;
}

static decimal without_zeros(decimal d) {
    for (; d.digits % 10 == 0; d.digits /= 10) d.exponent++;
    return d;
}

/*
 * The decimal of the fewest digits that reads back to a positive finite number. If one of no more
 * digits than are certain does, it is found at once. Of more digits the nearest is tried, then the
 * next one up: above a power of two the numbers lie further apart than below, so it may be the next
 * one that reads back where the nearest does not. 17 digits are enough for binary64.
 */
static decimal shortest_decimal(of_scalar positive) {
    double value = of_scalar_to_f64(positive);
    int count = 1;
    if (is_normal(positive)) {
        count = certain_digits(positive.dtype);
        decimal d = nearest_decimal(value, count);
        if (reads_back(d, positive)) return without_zeros(d);
        count++;
    }
    for (;; count++) {
        decimal d = nearest_decimal(value, count);
        if (count == 17 || reads_back(d, positive)) return d;
        d.digits++;
        if (reads_back(d, positive)) return d;
    }
}

/* As Python writes: plain from 1e-4 to below 1e16, with ".0" behind a whole number; else with an
 * exponent. */
static void write_decimal(decimal d, char *text) {
    char digits[24];
    int count = sprintf(digits, "%" PRIu64, d.digits);
    int point = count + d.exponent; /* how many digits stand before the point */
    if (point > 16 || point <= -4)
        sprintf(text, "%.1s%s%se%+03d", digits, count > 1 ? "." : "", digits + 1, point - 1);
    else if (point <= 0)
        sprintf(text, "0.%.*d%s", -point, 0, digits);
    else if (point >= count)
        sprintf(text, "%s%.*d.0", digits, point - count, 0);
    else
        sprintf(text, "%.*s.%s", point, digits, digits + point);
}

static char *format_float(of_scalar value, char *text) {
    uint64_t sign = of__zero_bits(value.dtype, true);
    uint64_t infinity = of__infinity_bits(value.dtype, false);
    of_scalar positive = value;
    positive.as.bits &= sign - 1;
    if (positive.as.bits > infinity) return strcpy(text, "nan");
    bool negative = (value.as.bits & sign) != 0;
    char *rest = negative ? text + 1 : text;
    *text = '-';
    if (positive.as.bits == infinity)
        strcpy(rest, "inf");
    else if (positive.as.bits == 0)
        strcpy(rest, "0.0");
    else {
        text_state saved = enter();
        write_decimal(shortest_decimal(positive), rest);
        leave(saved);
    }
    return text;
}

char *of_scalar_format(of_scalar value, char *text) {
    if (of_dtype_is_float(value.dtype)) return format_float(value, text);
    if (value.dtype == OF_BOOL) return strcpy(text, value.as.b != 0 ? "true" : "false");
    if (of_dtype_is_signed(value.dtype))
        sprintf(text, "%" PRId64, of_scalar_convert(value, OF_I64).as.i64);
    else if (of_dtype_is_integer(value.dtype))
        sprintf(text, "%" PRIu64, of_scalar_convert(value, OF_U64).as.u64);
    else
        strcpy(text, "none");
    return text;
}
