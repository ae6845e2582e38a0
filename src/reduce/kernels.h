/*
 * The bodies that each instruction set has of its own, over contiguous elements of any alignment.
 * One table an instruction set; everything above them is written once.
 */
#ifndef ONEFOLD_REDUCE_KERNELS_H
#define ONEFOLD_REDUCE_KERNELS_H

#include "exact/accumulator.h"
#include "reduce/product.h"

/* Callers hand over at most so many elements at once, so that integer lanes cannot overflow. */
#define OF__LONGEST_RUN (INT64_C(1) << 30)

/* small_sum takes at most so many. */
#define OF__SMALL_SUM 2048

/* Extremes of many slices at once. `best` holds a key for each column, of the element's size. */
typedef struct of__extreme_kernels {
    /* The extremes of `rows` adjacent rows of `length` elements. */
    void (*rows)(const void *x, int64_t rows, int64_t length, void *out);
    /* Takes in `rows` >= 1 rows, the first there are when `first`. */
    void (*columns)(const char *const *row, int rows, int64_t columns, bool first, void *best);
    /* Takes in other keys. */
    void (*merge)(void *best, const void *other, int64_t columns);
    /* The elements that keys stand for. */
    void (*elements)(const void *best, int64_t columns, void *out);
    /* The indices of the first extremes, NaNs before all else and the zeros equal: of rows, and of
     * columns, of which `rows` rows from number `first` on are taken in. */
    void (*arg_rows)(const void *x, int64_t rows, int64_t length, int64_t *index);
    void (*arg_columns)(const char *const *row, int rows, int64_t columns, int64_t first,
                        void *best, int64_t *index);
} of__extreme_kernels;

typedef struct of__kernels {
    /* Adds n elements, and what they hold of NaNs and infinities; counts and the sign of zero are
     * the caller's. */
    void (*sum[OF_DTYPE_END])(const void *x, int64_t n, of_exact *into);

    /* Adds n products, as `sum` does; x and y may be the same. NULL for other types than f32 and f64. */
    void (*dot[OF_DTYPE_END])(const void *x, const void *y, int64_t n, of_exact *into);

    /* Adds n elements to one sum and their squares to another. NULL for other types. */
    void (*moments[OF_DTYPE_END])(const void *x, int64_t n, of_exact *sum, of_exact *squares);

    /* The sum of n products of integers of at most 17 bits, n being below 2^30; of any. */
    int64_t (*dot_short)(const int32_t *x, const int32_t *y, int64_t n);
    void (*dot_int)(const int32_t *x, const int32_t *y, int64_t n, of_exact *into);

    /* The sum of 1 <= n <= OF__SMALL_SUM floats as high - low, both finite, -0.0 when all are;
     * false when it cannot be had so. NULL for other types. */
    bool (*small_sum[OF_DTYPE_END])(const void *x, int64_t n, double *high, double *low);

    /* The bits of the smallest and largest of n >= 1 elements, -0.0 below +0.0; when *nan is set
     * there is a NaN and the result means nothing. */
    uint64_t (*min[OF_DTYPE_END])(const void *x, int64_t n, bool *nan);
    uint64_t (*max[OF_DTYPE_END])(const void *x, int64_t n, bool *nan);

    /* The largest magnitude of n >= 1 elements: the bits without the sign of a float, the absolute
     * value of an integer. The bits of a NaN lie above those of infinity. */
    uint64_t (*absmax[OF_DTYPE_END])(const void *x, int64_t n);

    /* How many of n elements are not zero. */
    int64_t (*count_nonzero[OF_DTYPE_END])(const void *x, int64_t n);

    /* The product of a block of OF__PRODUCT_BLOCK floats; NULL for other types. */
    of__product_block *product_block[OF_DTYPE_END];

    /* The product of n integers modulo 2^64; NULL for floats. */
    uint64_t (*integer_product[OF_DTYPE_END])(const void *x, int64_t n);

    /* Widens n 16-bit floats; NULL for other types. */
    void (*widen[OF_DTYPE_END])(const void *x, int64_t n, float *out);

    /* Sums of `rows` adjacent rows of `length` floats, each high[r] - low[r], or for f32 high[r]
     * alone; false when one is not exact. Infinities and NaNs are left in the pairs. NULL for other
     * types. */
    bool (*sum_rows[OF_DTYPE_END])(const void *x, int64_t rows, int64_t length, double *high,
                                   double *low);

    /* Adds `rows` rows of floats onto the sums of their columns, from one pair of arrays into
     * another, or onto nothing when `high_in` is NULL; as sum_rows. */
    bool (*sum_columns[OF_DTYPE_END])(const char *const *row, int rows, int64_t columns,
                                      const double *high_in, const double *low_in, double *high,
                                      double *low);

    /* Rounds n sums high - low, or high alone when `low` is NULL, to f32 (then without low) or f64.
     * Whether all are finite; those that are not mean nothing. */
    bool (*round_sums)(const double *high, const double *low, int64_t n, bool to_f32, void *out);

    /* Rounds n sums divided by `length`, once. Lists those whose rounding is in doubt, or that are
     * not finite: how many. */
    int64_t (*round_means)(const double *high, const double *low, int64_t n, int64_t length,
                           bool to_f32, void *out, int64_t *unsure);

    /* The same for integers modulo 2^64; NULL for others. */
    void (*add_rows[OF_DTYPE_END])(const void *x, int64_t rows, int64_t length, uint64_t *sum);
    void (*add_columns[OF_DTYPE_END])(const char *const *row, int rows, int64_t columns,
                                      uint64_t *sum);

    /* The same for min [0] and max [1]; NULL for bool. */
    of__extreme_kernels extreme[2][OF_DTYPE_END];
} of__kernels;

extern const of__kernels of__kernels_baseline;
extern const of__kernels of__kernels_avx2;
extern const of__kernels of__kernels_avx512;

/* The table of the instruction set in use. */
const of__kernels *of__kernels_current(void);

#endif
