/*
 * A reduction under way: what is known of the elements seen so far. Every operation is begun, fed
 * with contiguous blocks, merged and finished through these functions, whether over a whole array,
 * a slice, or data in pieces.
 */
#ifndef ONEFOLD_REDUCE_PARTIAL_H
#define ONEFOLD_REDUCE_PARTIAL_H

#include <onefold/reduce.h>

#include "reduce/kernels.h"
#include "reduce/product_value.h"

/* Two sums made in one pass. */
typedef struct of__two_sums {
    of_exact first;    /* of the elements; of the weights */
    of_exact products; /* of their squares; of elements times weights */
} of__two_sums;

typedef struct of__partial {
    of_operation operation; /* none that of__reduction_resolve turns into another */
    of_dtype dtype;         /* of the elements */
    bool in_floats;         /* prod: as a float's, whatever the type of the elements */
    int64_t count;          /* of the elements seen */
    union {
        of_exact sum;             /* sum, mean */
        of__two_sums two;         /* var, weighted_mean */
        of__product product;      /* prod in floats */
        uint64_t integer_product; /* prod of integers, modulo 2^64 */
        int64_t nonzero;          /* count_nonzero, any, all */
        struct {
            uint64_t
                bits; /* min, max, argmin, argmax: of the best element; absmax: the magnitude */
            int64_t index; /* argmin, argmax: of the first best element, or the first NaN */
            bool nan;
            bool is_product; /* argmin, argmax: the best is `product`, not `bits` */
            of__product_value product;
        } best; /* means nothing while count is 0 */
    } as;
} of__partial;

void of__partial_begin(of__partial *partial, of_operation operation, of_dtype dtype,
                       bool in_floats);

/* Adds n contiguous elements of any alignment; the first has flat index `index` (argmin and argmax
 * only). */
void of__partial_add(of__partial *partial, const of__kernels *kernels, const void *x, int64_t n,
                     int64_t index);

/* Adds n contiguous elements to a sum and counts them. */
void of__elements_add(of_exact *sum, const of__kernels *kernels, of_dtype dtype, const void *x,
                      int64_t n);

/* Adds the products of n contiguous pairs, exactly, integers too, and counts them. */
void of__products_add(of_exact *sum, const of__kernels *kernels, of_dtype x_type, const void *x,
                      of_dtype y_type, const void *y, int64_t n);

/* Adds n contiguous elements to one sum and their squares to another; what they count is of no use. */
void of__moments_add(of_exact *sum, of_exact *squares, const of__kernels *kernels, of_dtype dtype,
                     const void *x, int64_t n);

/* Adds the exact product of two values of any types. */
void of__deposit_mixed_product(of_exact *sum, of_scalar a, of_scalar b);

/* Adds what another partial of the same operation has seen. Their order matters to float products
 * alone: there `from` follows, in whole trees (of__product_append). */
void of__partial_merge(of__partial *into, const of__partial *from);

/* How the answer is to look. */
typedef struct of__finish {
    of_dtype result;       /* its type */
    bool root;             /* the square root of what the operation says */
    const of_scalar *init; /* or NULL */
} of__finish;

/* The answer. The operation has one for no elements (of__has_empty_value), or there are some, or
 * there is an init. */
of_scalar of__partial_finish(const of__partial *partial, const of__finish *finish);

/* Whether the operation of no elements has a value. */
bool of__has_empty_value(of_operation operation);

/* A key whose unsigned order is the contract's order of the elements of a type, for values without
 * NaN. */
uint64_t of__order_key(of_dtype dtype, uint64_t bits);

#endif
