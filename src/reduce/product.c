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
static double without_special(of__specials *seen, double value) {
    if (value - value == 0 && value != 0) return value;
    if (value != value)
        seen->nan = true;
    else if (value == 0)
        seen->zero = true;
    else
        seen->infinity = true;
    return __builtin_copysign(1.0, value);
}

void of__product_begin(of__product *product) {
    product->seen = (of__specials){false, false, false};
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
    add_factor(product, factor_of(without_special(&product->seen, value)));
}

/* With the exponents taken out a run of significands in [1, 2) cannot overflow. The runs are
 * multiplied side by side, since each alone would wait for its last multiplication. */
static void multiply_runs(of__factor run[OF__RUNS_TOGETHER], const double *x) {
    double significand[OF__RUNS_TOGETHER];
    int64_t exponent[OF__RUNS_TOGETHER];
    for (int r = 0; r < OF__RUNS_TOGETHER; r++) {
        significand[r] = 1; /* times 1 is exact */
        exponent[r] = 0;
    }
    for (int i = 0; i < OF__RUN; i++)
        for (int r = 0; r < OF__RUNS_TOGETHER; r++) {
            uint64_t bits = of__f64_bits(x[r * OF__RUN + i]);
            exponent[r] += (int64_t)(bits >> 52 & 0x7ff) - 1023;
            significand[r] *=
                of__f64_from_bits((bits & ~(UINT64_C(0x7ff) << 52)) | UINT64_C(1023) << 52);
        }
    for (int r = 0; r < OF__RUNS_TOGETHER; r++) run[r] = normalized(significand[r], exponent[r]);
}

bool of__product_add_runs(of__product *product, const double x[OF__RUNS_TOGETHER * OF__RUN],
                          int runs) {
    if (product->count % OF__RUN) return false;
    int64_t abnormal = 0;
    for (int i = 0; i < runs * OF__RUN; i++)
        abnormal |= (int64_t)(((of__f64_bits(x[i]) >> 52) + 1) & 0x7ff) - 2;
    if (abnormal < 0) return false;
    of__factor run[OF__RUNS_TOGETHER];
    multiply_runs(run, x);
    for (int r = 0; r < runs; r++) push_tree(product, run[r], 0);
    product->count += runs * OF__RUN;
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
        add_factor(product, factor_of(without_special(&product->seen, a * b)));
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
    product->seen.nan |= next->seen.nan;
    product->seen.infinity |= next->seen.infinity;
    product->seen.zero |= next->seen.zero;
}

of__factor of__product_trees(const of__product *product) {
    if (product->height == 0) return one;
    of__factor result = product->stack[0].factor;
    for (int k = 1; k < product->height; k++) result = multiply(result, product->stack[k].factor);
    return result;
}

uint64_t of__product_bits_after(const of__product *product, of__factor trees, const double *init,
                                of_dtype dtype) {
    of__specials seen = product->seen;
    of__factor result = trees;
    if (product->count % OF__RUN)
        result = product->height ? multiply(trees, product->run) : product->run;
    if (init) {
        of__factor first = factor_of(without_special(&seen, *init));
        result = product->count ? multiply(first, result) : first;
    }
    bool negative = result.significand < 0;
    if (seen.nan || (seen.zero && seen.infinity)) return of__nan_bits(dtype);
    if (seen.zero) return of__zero_bits(dtype, negative);
    if (seen.infinity) return of__infinity_bits(dtype, negative);
    uint64_t significand =
        (of__f64_bits(result.significand) & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    return of__round_bits(dtype, negative, significand, result.exponent - 52, false);
}

uint64_t of__product_bits(const of__product *product, const double *init, of_dtype dtype) {
    return of__product_bits_after(product, of__product_trees(product), init, dtype);
}
