#include "io/decimal.h"

#include "core/round.h"

/* 10^19 - 1 is below 2^64. */
#define MOST_DIGITS 19
/* 5^27 is below 2^63. */
#define MOST_EXPONENT 27

/* (-1)^negative * digits * 10^exponent */
typedef struct decimal {
    bool negative;
    bool whole; /* written without point and exponent */
    uint64_t digits;
    int exponent;
} decimal;

static const uint64_t powers_of_5[MOST_EXPONENT + 1] = {1u,
                                                        5u,
                                                        25u,
                                                        125u,
                                                        625u,
                                                        3125u,
                                                        15625u,
                                                        78125u,
                                                        390625u,
                                                        1953125u,
                                                        9765625u,
                                                        48828125u,
                                                        244140625u,
                                                        1220703125u,
                                                        6103515625u,
                                                        30517578125u,
                                                        152587890625u,
                                                        762939453125u,
                                                        3814697265625u,
                                                        19073486328125u,
                                                        95367431640625u,
                                                        476837158203125u,
                                                        2384185791015625u,
                                                        11920928955078125u,
                                                        59604644775390625u,
                                                        298023223876953125u,
                                                        1490116119384765625u,
                                                        7450580596923828125u};

static bool is_digit(char c) {
    return (unsigned char)(c - '0') <= 9;
}

/* Appends digits to the number; counts those past leading zeros, and returns where they stop. */
static const char *read_digits(const char *next, const char *end, uint64_t *number, int *count) {
    for (; next < end && is_digit(*next); next++) {
        *number = *number * 10 + (uint64_t)(*next - '0');
        *count += *count > 0 || *next != '0';
    }
    return next;
}

static const char *read_sign(const char *next, const char *end, bool *negative) {
    *negative = next < end && *next == '-';
    return next < end && (*next == '-' || *next == '+') ? next + 1 : next;
}

/* exponent = ["+" | "-"] digits; NULL when there are none, or so many that they may not fit. */
static const char *read_exponent(const char *next, const char *end, int *exponent) {
    bool negative;
    uint64_t size = 0;
    int count = 0;
    const char *start = next = read_sign(next, end, &negative);
    next = read_digits(next, end, &size, &count);
    if (next == start || count > 4) return NULL;
    *exponent += negative ? -(int)size : (int)size;
    return next;
}

static bool read_decimal(const char *next, const char *end, decimal *out) {
    int count = 0;
    *out = (decimal){.whole = true};
    const char *start = next = read_sign(next, end, &out->negative);
    next = read_digits(next, end, &out->digits, &count);
    int64_t width = next - start;
    if (next < end && *next == '.') {
        const char *fraction = ++next;
        next = read_digits(next, end, &out->digits, &count);
        if (next - fraction > 1000) return false;
        out->exponent = -(int)(next - fraction);
        out->whole = false;
        width += next - fraction;
    }
    if (width == 0 || count > MOST_DIGITS) return false;
    if (next < end && (*next == 'e' || *next == 'E')) {
        next = read_exponent(next + 1, end, &out->exponent);
        out->whole = false;
    }
    return next == end;
}

/* digits * 5^e is below 2^127. What does not fit into 64 bits is only told apart from zero. */
static uint64_t round_product(const decimal *d, of_dtype dtype) {
    unsigned __int128 product = (unsigned __int128)d->digits * powers_of_5[d->exponent];
    uint64_t high = (uint64_t)(product >> 64);
    if (high == 0) return of__round_bits(dtype, d->negative, (uint64_t)product, d->exponent, false);
    int shift = 64 - __builtin_clzll(high);
    uint64_t significand = (uint64_t)(product >> shift);
    bool sticky = (uint64_t)product << (64 - shift) != 0;
    return of__round_bits(dtype, d->negative, significand, d->exponent + shift, sticky);
}

/* With both sides scaled to have their top bit set, 2^63 * digits / 5^-e lies between 2^62 and
 * 2^64. */
static uint64_t round_quotient(const decimal *d, of_dtype dtype) {
    uint64_t power = powers_of_5[-d->exponent];
    int digits_shift = __builtin_clzll(d->digits), power_shift = __builtin_clzll(power);
    unsigned __int128 dividend = (unsigned __int128)(d->digits << digits_shift) << 63;
    uint64_t divisor = power << power_shift;
    uint64_t quotient = (uint64_t)(dividend / divisor);
    bool sticky = (uint64_t)dividend != quotient * divisor; /* the remainder is below 2^64 */
    int64_t exponent = d->exponent - 63 + power_shift - digits_shift;
    return of__round_bits(dtype, d->negative, quotient, exponent, sticky);
}

static bool to_float(const decimal *d, of_dtype dtype, of_scalar *out) {
    *out = (of_scalar){.dtype = dtype};
    if (d->digits == 0) {
        out->as.bits = of__zero_bits(dtype, d->negative);
        return true;
    }
    if (d->exponent > MOST_EXPONENT || d->exponent < -MOST_EXPONENT) return false;
    out->as.bits = d->exponent < 0 ? round_quotient(d, dtype) : round_product(d, dtype);
    return true;
}

static bool to_integer(const decimal *d, of_dtype dtype, of_scalar *out) {
    if (!d->whole) return false;
    uint64_t all_ones = UINT64_MAX >> (64 - 8 * of_dtype_size(dtype));
    uint64_t largest = of_dtype_is_signed(dtype) ? all_ones / 2 + d->negative
                       : d->negative             ? 0
                                                 : all_ones;
    if (d->digits > largest) return false;
    *out = (of_scalar){.dtype = dtype};
    out->as.bits = (d->negative ? -d->digits : d->digits) & all_ones;
    return true;
}

bool of__decimal_parse(const char *text, int64_t length, of_dtype dtype, of_scalar *out) {
    decimal d;
    if (dtype == OF_BOOL || !read_decimal(text, text + length, &d)) return false;
    return of_dtype_is_float(dtype) ? to_float(&d, dtype, out) : to_integer(&d, dtype, out);
}
