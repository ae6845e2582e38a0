/*
 * The exact sum of a growing prefix of floats.
 *
 * Nearly always two doubles hold it: high + low, high being their sum rounded. Where they do not,
 * the accumulator does, and is left again when the sum fits into two doubles. Neither NaNs nor
 * infinities nor the sign of a zero enter them: those are known apart.
 */
#ifndef ONEFOLD_SCAN_PREFIX_SUM_H
#define ONEFOLD_SCAN_PREFIX_SUM_H

#include "exact/accumulator.h"
#include "scan/scan_kernels.h"

typedef struct of__prefix_sum {
    double high, low;                        /* the finite terms, unless is_wide */
    bool is_wide;                            /* they are in `exact` */
    bool any, not_negative_zeros;            /* terms there are; that are other than -0.0 */
    bool nan, plus_infinity, minus_infinity; /* there are */
    int cut;                                 /* where f64 were cut last */
    int apart; /* tiles still to be summed apart from what is before: not long ago both together did
                  not fit */
    of_exact exact; /* means nothing unless is_wide */
} of__prefix_sum;

void of__prefix_sum_begin(of__prefix_sum *sum);

/* Adds one term of any kind. */
void of__prefix_sum_add(of__prefix_sum *sum, double term);

/* Makes the finite terms a + b, exactly, both being finite and well below 2^1000. */
void of__prefix_sum_become(of__prefix_sum *sum, double a, double b);

/* Adds the terms of an accumulator that counts them. */
void of__prefix_sum_merge(of__prefix_sum *sum, const of_exact *terms);

/* The bits of the sum, rounded once. */
uint64_t of__prefix_sum_bits(const of__prefix_sum *sum, of_dtype dtype);

/* The same with two more finite terms, which are not added. */
uint64_t of__prefix_sum_bits_with(const of__prefix_sum *sum, double a, double b, of_dtype dtype);

/* The finite terms as a carry; false when they are too large for one. May leave the accumulator. */
bool of__prefix_sum_carry(of__prefix_sum *sum, of__carry *carry);

/* Scans n elements of a float type; x and out may be the same. In scan_sum.c. */
void of__prefix_sum_scan(of__prefix_sum *sum, const of__scan_kernels *kernels, of_dtype dtype,
                         bool exclusive, const char *x, char *out, int64_t n);

#endif
