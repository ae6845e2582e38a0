#include "reduce/product.h"

#include <string.h>

#include "core/bytes.h"
#include "core/round.h"

static const of__factor one = {1.0, 0};

/* Brings a significand of any normal size back to [1, 2). */
static of__factor normalized(double significand, int64_t exponent) {
    uint64_t bits = of__f64_bits(significand);
    int64_t shift = (int64_t)(bits >> 52 & 0x7ff) - 1023;
    return (of__factor){of__f64_from_bits(bits - ((uint64_t)shift << 52)), exponent + shift};
}

static of__factor multiply(of__factor a, of__factor b) {
    return normalized(a.significand * b.significand, a.exponent + b.exponent);
}

/* A finite number that is not zero as a factor. */
static of__factor factor_of(double value) {
    if (of__f64_bits(value) << 1 >> 53 == 0)
        return normalized(value * 0x1p64, -64); /* subnormal; exact */
    return normalized(value, 0);
}

/* Takes out what is no factor: the element's sign stays. */
static double without_special(of__product *product, double value) {
    if (value - value == 0 && value != 0) return value;
    if (value != value)
        product->nan = true;
    else if (value == 0)
        product->zero = true;
    else
        product->infinity = true;
    return __builtin_copysign(1.0, value);
}

void of__product_begin(of__product *product) {
    product->nan = product->infinity = product->zero = false;
    product->count = 0;
    product->height = 0;
    product->run = one;
}

static void push_tree(of__product *product, of__factor factor, int level) {
    while (product->height && product->stack[product->height - 1].level == level) {
        factor = multiply(product->stack[--product->height].factor, factor);
        level++;
    }
    product->stack[product->height].factor = factor;
    product->stack[product->height++].level = level;
}

static void add_factor(of__product *product, of__factor factor) {
    product->run = product->count % OF__RUN ? multiply(product->run, factor) : factor;
    if (++product->count % OF__RUN == 0) push_tree(product, product->run, 0);
}

void of__product_add(of__product *product, double value) {
    add_factor(product, factor_of(without_special(product, value)));
}

/* With the exponents taken out a run of significands in [1, 2) cannot overflow. */
bool of__product_add_run(of__product *product, const double run[OF__RUN]) {
    if (product->count % OF__RUN) return false;
    int64_t exponent = 0, abnormal = 0;
    double significand = 1;
    for (int i = 0; i < OF__RUN; i++) {
        uint64_t bits = of__f64_bits(run[i]);
        int64_t biased = (int64_t)(bits >> 52 & 0x7ff);
        exponent += biased - 1023;
        abnormal |= ((biased + 1) & 0x7ff) - 2;
        significand *= of__f64_from_bits((bits & ~(UINT64_C(0x7ff) << 52)) | UINT64_C(1023) << 52);
    }
    if (abnormal < 0) return false;
    push_tree(product, normalized(significand, exponent), 0);
    product->count += OF__RUN;
    return true;
}

bool of__product_at_block(const of__product *product) {
    return product->count % OF__PRODUCT_BLOCK == 0;
}

void of__product_add_block(of__product *product, of__factor factor) {
    push_tree(product, factor, OF__PRODUCT_BLOCK_LEVEL);
    product->count += OF__PRODUCT_BLOCK;
}

void of__product_add_pair(of__product *product, double a, double b) {
    bool special = a - a != 0 || b - b != 0 || a == 0 || b == 0;
    if (special)
        add_factor(product, factor_of(without_special(product, a * b)));
    else
        add_factor(product, multiply(factor_of(a), factor_of(b)));
}

void of__product_add_scaled(of__product *product, double value, int64_t exponent) {
    of__factor factor = factor_of(value);
    factor.exponent += exponent;
    add_factor(product, factor);
}

void of__product_append(of__product *product, const of__product *next) {
    for (int k = 0; k < next->height; k++)
        push_tree(product, next->stack[k].factor, next->stack[k].level);
    if (next->count % OF__RUN) product->run = next->run;
    product->count += next->count;
    product->nan |= next->nan;
    product->infinity |= next->infinity;
    product->zero |= next->zero;
}

of__factor of__product_trees(const of__product *product) {
    if (product->height == 0) return one;
    of__factor result = product->stack[0].factor;
    for (int k = 1; k < product->height; k++) result = multiply(result, product->stack[k].factor);
    return result;
}

uint64_t of__product_bits_after(const of__product *product, of__factor trees, const double *init,
                                of_dtype dtype) {
    of__product special; /* for its flags, as they are with init */
    special.nan = product->nan;
    special.infinity = product->infinity;
    special.zero = product->zero;
    of__factor result = trees;
    if (product->count % OF__RUN)
        result = product->height ? multiply(trees, product->run) : product->run;
    if (init) {
        of__factor first = factor_of(without_special(&special, *init));
        result = product->count ? multiply(first, result) : first;
    }
    bool negative = result.significand < 0;
    if (special.nan || (special.zero && special.infinity)) return of__nan_bits(dtype);
    if (special.zero) return of__zero_bits(dtype, negative);
    if (special.infinity) return of__infinity_bits(dtype, negative);
    uint64_t significand =
        (of__f64_bits(result.significand) & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    return of__round_bits(dtype, negative, significand, result.exponent - 52, false);
}

uint64_t of__product_bits(const of__product *product, const double *init, of_dtype dtype) {
    return of__product_bits_after(product, of__product_trees(product), init, dtype);
}
