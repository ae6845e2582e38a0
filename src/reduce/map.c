/*
 * The built-in maps: blocks of elements become blocks of exact terms.
 *
 * Squares and products of f16, bf16 and f32 are exact in f64, integers are taken modulo 2^64,
 * absolute values need nothing. Sums take products as they are: products.c.
 */
#include <math.h>
#include <string.h>

#include "reduce/load.h"
#include "reduce/reduction.h"

typedef union block {
    double f64[OF__FETCH];
    uint64_t u64[OF__FETCH];
    char bytes[8 * OF__FETCH];
} block;

static bool is_64_bit_integer(of_dtype dtype) {
    return dtype == OF_I64 || dtype == OF_U64;
}

/* ---- Terms that are one value each ---- */

static void map_integers(const of__reduction *r, const char *x, const char *y, int64_t n,
                         block *out) {
    uint64_t second[OF__FETCH], *a = out->u64, *b = a;
    of__load_u64s(r->source, x, n, a);
    if (r->map == OF_MAP_ABS) {
        const uint64_t signs = of_dtype_is_signed(r->source) ? UINT64_C(1) << 63 : 0;
        for (int64_t i = 0; i < n; i++) a[i] = a[i] & signs ? 0 - a[i] : a[i];
        return;
    }
    if (r->map == OF_MAP_PRODUCT) of__load_u64s(r->second, y, n, b = second);
    for (int64_t i = 0; i < n; i++) a[i] *= b[i];
}

/* Clears the sign bit, the highest of each element's little-endian bytes. */
static void map_float_abs(const of__reduction *r, const char *x, int64_t n, block *out) {
    int64_t size = (int64_t)of_dtype_size(r->source);
    memcpy(out->bytes, x, (size_t)(n * size));
    for (int64_t i = 1; i <= n; i++) out->bytes[i * size - 1] &= 0x7f;
}

/* ---- Products of floats ---- */

typedef struct factors {
    double a[OF__FETCH], b[OF__FETCH];
} factors;

static void load_factors(const of__reduction *r, const char *x, const char *y, int64_t n,
                         factors *out) {
    of__load_f64s(r->source, x, n, out->a);
    if (r->map == OF_MAP_SQUARE)
        memcpy(out->b, out->a, (size_t)n * 8);
    else
        of__load_f64s(r->second, y, n, out->b);
    if (of_dtype_is_float(r->source) || of_dtype_is_float(r->second)) return;
    for (int64_t i = 0; i < n; i++) /* of two integers: -3 * 0 is no -0.0 */
        if (out->a[i] == 0 || out->b[i] == 0) out->a[i] = out->b[i] = 0;
}

static of_scalar element(of_dtype dtype, const char *x, int64_t i) {
    return of_scalar_load(dtype, x + i * (int64_t)of_dtype_size(dtype));
}

static bool is_mixed(const of__reduction *r) {
    return r->map == OF_MAP_PRODUCT &&
           (is_64_bit_integer(r->source) || is_64_bit_integer(r->second));
}

static void add_products(const of__reduction *r, const char *x, const char *y, int64_t n,
                         of__partial *partial) {
    bool square = r->map == OF_MAP_SQUARE;
    of_exact *sum = &partial->as.sum;
    if (r->operation == OF_WEIGHTED_MEAN) {
        of__elements_add(&partial->as.two.first, r->kernels, r->second, y, n);
        sum = &partial->as.two.products;
    }
    of__products_add(sum, r->kernels, r->source, x, square ? r->source : r->second, square ? x : y,
                     n);
    partial->count += n;
}

/* A product rounded once to f64. */
static double rounded_product(const of__reduction *r, const factors *f, const char *x,
                              const char *y, int64_t i) {
    if (!is_mixed(r)) return f->a[i] * f->b[i];
    of_exact product;
    of_exact_clear(&product);
    of__deposit_mixed_product(&product, element(r->source, x, i), element(r->second, y, i));
    if (product.low >= product.high && !product.nans)
        return f->a[i] * f->b[i]; /* a zero, or an infinity, of its sign */
    return of__f64_from_bits(of__exact_round_bits(&product, 1, OF_F64));
}

/* Takes the exponent out of a finite f64 that is not zero, so that products of it stay in range. */
static of_scalar without_exponent(of_scalar value, int64_t *exponent) {
    if (value.dtype != OF_F64 || value.as.f64 - value.as.f64 != 0 || value.as.f64 == 0)
        return value;
    int taken;
    value.as.f64 = frexp(value.as.f64, &taken);
    *exponent += taken;
    return value;
}

/* The product, rounded once to 53 bits, is a factor of the fold. */
static void multiply_mixed(const of__reduction *r, const factors *f, const char *x, const char *y,
                           int64_t i, of__product *product) {
    if (f->a[i] == 0 || f->b[i] == 0 || f->a[i] - f->a[i] != 0 || f->b[i] - f->b[i] != 0) {
        of__product_add(product, f->a[i] * f->b[i]);
        return;
    }
    int64_t exponent = 0;
    of_scalar a = without_exponent(element(r->source, x, i), &exponent);
    of_scalar b = without_exponent(element(r->second, y, i), &exponent);
    of_exact exact;
    of_exact_clear(&exact);
    of__deposit_mixed_product(&exact, a, b);
    of__product_add_scaled(product, of__f64_from_bits(of__exact_round_bits(&exact, 1, OF_F64)),
                           exponent);
}

/* The first best product, or the first NaN. */
static void add_wide_products(const of__reduction *r, const char *x, const char *y, int64_t n,
                              int64_t index, of__partial *partial) {
    int wanted = r->operation == OF_ARGMAX ? 1 : -1;
    for (int64_t i = 0; i < n && !partial->as.best.nan; i++) {
        of__product_value value =
            of__product_value_of(element(r->source, x, i), element(r->second, y, i));
        bool better = value.nan || partial->count + i == 0 ||
                      of__product_value_compare(&value, &partial->as.best.product) * wanted > 0;
        if (!better) continue;
        partial->as.best.nan = value.nan;
        partial->as.best.is_product = true;
        partial->as.best.product = value;
        partial->as.best.index = index + i;
    }
    partial->count += n;
}

/* Whether a product is not zero, though it may round to zero; NaN counts. */
static bool product_is_true(double a, double b) {
    return (a != 0 && b != 0) || a * b != a * b;
}

void of__map_add(const of__reduction *r, const void *x, const void *y, int64_t n, int64_t index,
                 of__partial *partial) {
    block terms;
    if (!of_dtype_is_float(r->term)) {
        map_integers(r, x, y, n, &terms);
        of__partial_add(partial, r->kernels, &terms, n, index);
        return;
    }
    /* |x| orders as x * x does, without rounding */
    bool arg = r->operation == OF_ARGMIN || r->operation == OF_ARGMAX;
    if (r->map == OF_MAP_ABS) {
        map_float_abs(r, x, n, &terms);
        of__partial_add(partial, r->kernels, &terms, n, index);
        return;
    }
    if (r->wide_products) {
        add_wide_products(r, x, y, n, index, partial);
        return;
    }
    factors f;
    switch (r->operation) {
    case OF_SUM:
    case OF_MEAN:
    case OF_WEIGHTED_MEAN: add_products(r, x, y, n, partial); return;
    case OF_PROD:
        load_factors(r, x, y, n, &f);
        for (int64_t i = 0; i < n; i++) {
            if (is_mixed(r))
                multiply_mixed(r, &f, x, y, i, &partial->as.product);
            else
                of__product_add_pair(&partial->as.product, f.a[i], f.b[i]);
        }
        partial->count += n;
        return;
    case OF_COUNT_NONZERO:
    case OF_ANY:
    case OF_ALL:
        load_factors(r, x, y, n, &f);
        for (int64_t i = 0; i < n; i++) partial->as.nonzero += product_is_true(f.a[i], f.b[i]);
        partial->count += n;
        return;
    default:
        load_factors(r, x, y, n, &f);
        for (int64_t i = 0; i < n; i++)
            terms.f64[i] = arg && r->map == OF_MAP_SQUARE ? __builtin_fabs(f.a[i])
                                                          : rounded_product(r, &f, x, y, i);
        of__partial_add(partial, r->kernels, terms.f64, n, index);
    }
}
