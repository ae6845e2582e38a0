#include "core/exponential.h"

#include <pthread.h>

#include "core/bytes.h"

static of__exp_table table;
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void make_table(void) {
    of__exp_wide_table(&table);
}

const of__exp_table *of__exp_table_get(void) {
    pthread_once(&table_once, make_table);
    return &table;
}

/* a * b as the rounded product and its error (Dekker 1971, with Veltkamp's split), for |a|, |b| < 2.
 */
OF__INLINE double product_error(double a, double b, double product) {
    const double factor = 0x1p27 + 1;
    double a_big = a * factor, b_big = b * factor;
    double a_high = a_big - (a_big - a), b_high = b_big - (b_big - b);
    double a_low = a - a_high, b_low = b - b_high;
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

/* log(2) / 128 in two parts. The first has 36 bits, so that its product with a number below 2^17 is
 * exact; the second is rounded to 53. What lacks is below 2^-100. */
static const double log2_high = 0x1.62e42fefap-8, log2_low = 0x1.cf79abc9e3b3ap-47;

/*
 * x = k log(2)/128 + r with |r| < 2^-8.5, k = 128 e + j, exp(x) = 2^e 2^(j/128) (1 + r + r^2/2 + ...).
 *
 * Errors, relative to the result: of r 2^-81 (k < 2^17 times that of log2_low, and the rounding of a
 * product below 2^-29); of the terms from r^2/2 < 2^-18 on, three roundings, 3 * 2^-71; the first
 * term left out is r^8/8! < 2^-83; the products with the table's low part and of low parts, 2^-70
 * together. In all less than 2^-68; the test asks for 2^-66 of the result, which is below 2.
 */
double of__exp(const of__exp_table *t, double high, double low) {
    if (high != high) return __builtin_nan("");
    if (high < -745.2) return 0; /* below 2^-1075 */
    if (high > -0x1p-54) return 1;
    if (high < -708) return of__exp_wide(high, low); /* may be subnormal */
    /* Adding 1.5 * 2^52 rounds to a whole number and leaves it in the low bits. */
    double whole = high * 0x1.71547652b82fep+7 + 0x1.8p52;
    int64_t k = (int64_t)of__f64_bits(whole) - 0x4338000000000000;
    double steps = whole - 0x1.8p52;
    double first = high - steps * log2_high; /* exact: multiples of 2^-61 below 2^-8 */
    double second = low - steps * log2_low;
    double r = first + second, r_low = second - (r - first);
    double square = r * r;
    double tail =
        0x1p-1 +
        r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040)))));
    double rest = square * tail + (r_low + r * r_low);
    double sum = r + rest, sum_low = rest - (sum - r); /* exp(r) - 1 */
    double scale = t->high[k & 127], scale_low = t->low[k & 127];
    double product = scale * sum;
    double low_parts =
        product_error(scale, sum, product) + scale_low + scale * sum_low + scale_low * sum;
    double result = scale + product;
    double result_low = (product - (result - scale)) + low_parts;
    double below = result + (result_low - 0x1p-65), above = result + (result_low + 0x1p-65);
    if (below != above) return of__exp_wide(high, low);
    return below * of__f64_from_bits((uint64_t)(1023 + (k >> 7)) << 52);
}
