/*
 * The bodies that each instruction set has of its own, over contiguous elements of any alignment. One table an
 * instruction set; everything above them is written once.
 */
#ifndef ONEFOLD_REDUCE_KERNELS_H
#define ONEFOLD_REDUCE_KERNELS_H

#include "exact/accumulator.h"
#include "reduce/product.h"

/* Callers hand over at most so many elements at once, so that integer lanes cannot overflow. */
#define OF__LONGEST_RUN (INT64_C(1) << 30)

/* small_sum takes at most so many. */
#define OF__SMALL_SUM 2048

typedef struct of__kernels {
    /* Adds n elements, and what they hold of NaNs and infinities; counts and the sign of zero are the caller's. */
    void (*sum[OF_DTYPE_END])(const void *x, int64_t n, of_exact *into);

    /* The sum of 1 <= n <= OF__SMALL_SUM floats as high - low, both finite, -0.0 when all are; false when it cannot
     * be had so. NULL for other types. */
    bool (*small_sum[OF_DTYPE_END])(const void *x, int64_t n, double *high, double *low);

    /* The bits of the smallest and largest of n >= 1 elements, -0.0 below +0.0; when *nan is set there is a NaN and
     * the result means nothing. */
    uint64_t (*min[OF_DTYPE_END])(const void *x, int64_t n, bool *nan);
    uint64_t (*max[OF_DTYPE_END])(const void *x, int64_t n, bool *nan);

    /* The largest magnitude of n >= 1 elements: the bits without the sign of a float, the absolute value of an
     * integer. The bits of a NaN lie above those of infinity. */
    uint64_t (*absmax[OF_DTYPE_END])(const void *x, int64_t n);

    /* How many of n elements are not zero. */
    int64_t (*count_nonzero[OF_DTYPE_END])(const void *x, int64_t n);

    /* The product of a block of OF__PRODUCT_BLOCK floats; NULL for other types. */
    of__product_block *product_block[OF_DTYPE_END];

    /* The product of n integers modulo 2^64; NULL for floats. */
    uint64_t (*integer_product[OF_DTYPE_END])(const void *x, int64_t n);
} of__kernels;

extern const of__kernels of__kernels_baseline;
extern const of__kernels of__kernels_avx2;
extern const of__kernels of__kernels_avx512;

/* The table of the instruction set in use. */
const of__kernels *of__kernels_current(void);

#endif
