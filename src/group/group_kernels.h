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
     * Splits values into multiples of one unit or two, powers of two, and what is left:
     *
     *     x[i] = first[i] * unit[0] (+ second[i] * unit[1]) + rest[i], |rest[i]| <= last unit / 2
     *
     * exactly, where |x[i]| <= 2^50 first units, unit[0] <= 2^50 unit[1] and inverse[k] is
     * 1 / unit[k]. `second` is NULL for one unit. Infinities and NaNs leave a NaN, and multiples
     * that mean nothing. Returns how many rests are not 0. x may be rest.
     */
    int64_t (*split_f32)(const void *x, int64_t n, const double *unit, const double *inverse,
                         int64_t *first, int64_t *second, double *rest);
    int64_t (*split_f64)(const void *x, int64_t n, const double *unit, const double *inverse,
                         int64_t *first, int64_t *second, double *rest);

    /*
     * Splits n values, each of a group, and adds the multiples to the sums of the groups: one number
     * for each, or with `two` a pair, and as much after the last for values of no group. Whether a
     * rest is not 0.
     */
    bool (*add_f32)(bool two, const void *x, const int64_t *group, int64_t n, int64_t groups,
                    const double *unit, const double *inverse, int64_t *sums);
    bool (*add_f64)(bool two, const void *x, const int64_t *group, int64_t n, int64_t groups,
                    const double *unit, const double *inverse, int64_t *sums);

    /* Adds n numbers to n others, modulo 2^64. */
    void (*add)(int64_t *into, const int64_t *x, int64_t n);
} of__group_kernels;

extern const of__group_kernels of__group_kernels_baseline;
extern const of__group_kernels of__group_kernels_avx2;
extern const of__group_kernels of__group_kernels_avx512;

/* The table of the instruction set in use. */
const of__group_kernels *of__group_kernels_current(void);

#endif
