/*
 * The bodies of sums by group that each instruction set has of its own.
 */
#ifndef ONEFOLD_GROUP_GROUP_KERNELS_H
#define ONEFOLD_GROUP_GROUP_KERNELS_H

#include <onefold/dtype.h>

/* What must be known of floats before they are added to tables. */
typedef struct of__survey {
    uint64_t largest;    /* the bits of the largest finite magnitude; 0 when there is none */
    uint64_t minus_zero; /* not 0: there is a -0.0 */
} of__survey;

typedef struct of__group_kernels {
    /* Takes in n floats of a type; NULL for other types. Contiguous, of any alignment. */
    void (*survey[OF_DTYPE_END])(const void *x, int64_t n, of__survey *survey);

    /*
     * Splits values into multiples of a unit, a power of two, and what is left:
     *
     *     x[i] = multiple[i] * unit + rest[i], |rest[i]| <= unit / 2, exactly
     *
     * where |x[i]| <= 2^50 units, and inverse is 1 / unit. Infinities and NaNs leave a NaN, and a
     * multiple that means nothing. Returns how many rests are not 0. x may be rest.
     */
    int64_t (*split_f32)(const void *x, int64_t n, double unit, double inverse, int64_t *multiple,
                         double *rest);
    int64_t (*split_f64)(const void *x, int64_t n, double unit, double inverse, int64_t *multiple,
                         double *rest);

    /* Adds n numbers to n others, modulo 2^64. */
    void (*add)(int64_t *into, const int64_t *x, int64_t n);
} of__group_kernels;

extern const of__group_kernels of__group_kernels_baseline;
extern const of__group_kernels of__group_kernels_avx2;
extern const of__group_kernels of__group_kernels_avx512;

/* The table of the instruction set in use. */
const of__group_kernels *of__group_kernels_current(void);

#endif
