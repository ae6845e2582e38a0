/*
 * Products of floats (contract 6): a fold in significands of 53 bits with an unbounded exponent, in
 * an order that the positions alone decide.
 *
 * Runs of 16 elements are folded from the left; the runs form aligned complete binary trees. A
 * stack of (factor, level) works as a binary counter: two trees of equal height become one, so what
 * lies on it from the bottom are the trees of the binary digits of the number of runs, the largest
 * first.
 */
#ifndef ONEFOLD_REDUCE_PRODUCT_H
#define ONEFOLD_REDUCE_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#include <onefold/dtype.h>

#define OF__RUN                 16 /* elements folded from the left */
#define OF__PRODUCT_BLOCK_LEVEL 7  /* a block is a tree of 2^7 runs */
#define OF__PRODUCT_BLOCK       (OF__RUN << OF__PRODUCT_BLOCK_LEVEL)

/* significand * 2^exponent, 1 <= |significand| < 2 */
typedef struct of__factor {
    double significand;
    int64_t exponent;
} of__factor;

/* Elements that are no factors: they enter the fold as 1 with their sign. */
typedef struct of__specials {
    bool nan, infinity, zero;
} of__specials;

typedef struct of__product {
    of__specials seen;
    int64_t count;
    of__factor run; /* of the count % 16 elements after the last whole run */
    int height;
    struct {
        of__factor factor;
        int level; /* the tree has 2^level runs */
    } stack[64];
} of__product;

void of__product_begin(of__product *product);

/* The product of one block of elements. False when one is zero, subnormal, infinite or NaN. Bodies
 * in kernels.h. */
typedef bool of__product_block(const void *x, of__factor *out);

/* Adds an element, rounded to f64. */
void of__product_add(of__product *product, double value);

/* Adds whole runs of elements, `runs` of them; the others must be readable. False, and nothing done,
 * when the last run is not complete or an element is zero, subnormal, infinite or NaN. */
#define OF__RUNS_TOGETHER 4
bool of__product_add_runs(of__product *product, const double x[OF__RUNS_TOGETHER * OF__RUN],
                          int runs);

/* Whether a block may come next, and adding one that a body has multiplied. */
bool of__product_at_block(const of__product *product);
void of__product_add_block(of__product *product, of__factor factor);

/* Adds one factor given as a rounded product a * b of two f64. */
void of__product_add_pair(of__product *product, double a, double b);

/* Adds one factor value * 2^exponent, value being finite and not zero. */
void of__product_add_scaled(of__product *product, double value, int64_t exponent);

/* Appends a product whose elements follow, and whose number is one of whole trees that align with
 * what is there. */
void of__product_append(of__product *product, const of__product *next);

/* The bits of op(init, product), rounded once to a float type; init may be NULL. */
uint64_t of__product_bits(const of__product *product, const double *init, of_dtype dtype);

/* The same in two steps, for many answers from one product as it grows: the left fold of the trees,
 * which changes with every run, and the rest. */
of__factor of__product_trees(const of__product *product);
uint64_t of__product_bits_after(const of__product *product, of__factor trees, const double *init,
                                of_dtype dtype);

#endif
