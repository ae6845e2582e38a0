/*
 * The bodies that runs and selections have of their own for each instruction set, over contiguous
 * elements of any alignment.
 *
 * Everything goes by tiles. A tile's elements become flags, a byte of 0 or 1 each; where the flags
 * stand becomes a list of offsets; and elements are picked by the list. Only the first step knows
 * types, and only the last one sizes.
 */
#ifndef ONEFOLD_RUNS_RUN_KERNELS_H
#define ONEFOLD_RUNS_RUN_KERNELS_H

#include <stdbool.h>

#include <onefold/dtype.h>

/* Elements of a tile: they, their flags and offsets stay in the nearest cache, and while one tile is
 * worked on memory delivers the next. */
#ifdef ONEFOLD_TEST_SMALL
enum { OF__TILE = 16 };
#else
enum { OF__TILE = 1024 };
#endif

/* Flags are read in groups of 64, so that those from the last one to the next multiple of 64 must be
 * there and 0; offsets are written eight at a time. */
enum { OF__FLAG_GROUP = 64, OF__FLAGS = OF__TILE + OF__FLAG_GROUP, OF__OFFSETS = OF__TILE + 8 };

/* Runs that are reduced at once, and room for their sums. */
#ifdef ONEFOLD_TEST_SMALL
enum { OF__BATCH = 5 };
#else
enum { OF__BATCH = 128 };
#endif
enum { OF__SUMS = OF__BATCH + 8 };

typedef struct of__run_kernels {
    /* flag[i] = x[i] != x[i - 1] for 0 <= i < n, by ==: NaN differs from all, the zeros do not.
     * There is an x[-1]. */
    void (*flag_changes[OF_DTYPE_END])(const void *x, int64_t n, uint8_t *flag);

    /* flag[i] = x[i] != 0: true for NaN, false for -0.0. */
    void (*flag_nonzero[OF_DTYPE_END])(const void *x, int64_t n, uint8_t *flag);

    /* How many of the first n flags are set, with zeros behind. */
    int64_t (*count_flags)(const uint8_t *flag, int64_t n);

    /* The offsets of the `count` flags set among the first n <= OF__TILE, with zeros behind; `at` has
     * room for OF__OFFSETS. */
    void (*list_flags)(const uint8_t *flag, int64_t n, int64_t count, uint16_t *at);

    /* Writes the first of the `count` elements of `size` bytes whose flags are set; returns how many:
     * 0 where that would gain nothing, and else all but some of the last. */
    int64_t (*squeeze_flagged)(const void *x, const uint8_t *flag, int64_t n, int64_t count,
                               int64_t size, void *out);

    /*
     * Many short runs of contiguous values: run k is x[at[k]] to x[at[k + 1] - 1], of which there is
     * at least one; at most OF__BATCH runs.
     */

    /* The extreme of each: min [0], max [1]; for bool of its bytes. */
    void (*extreme_runs[2][OF_DTYPE_END])(const void *x, const uint16_t *at, int64_t count,
                                          void *out);

    /* The sum and the product of each modulo 2^64; NULL for floats. */
    void (*add_runs[OF_DTYPE_END])(const void *x, const uint16_t *at, int64_t count, uint64_t *sum);
    void (*multiply_runs[OF_DTYPE_END])(const void *x, const uint16_t *at, int64_t count,
                                        uint64_t *product);

    /* The sum of each as high[k] - low[k], or for f32 high[k] alone; false when one is not exact.
     * Infinities and NaNs are left in the pairs. `readable` elements of x may be read. The arrays
     * have room for OF__SUMS. For f32 [0] and f64 [1]. */
    bool (*sum_runs[2])(const void *x, const uint16_t *at, int64_t count, int64_t readable,
                        double *high, double *low);

    /* Rounds the means of such sums. Lists those whose rounding is in doubt, or that are not finite:
     * how many. `low` may be NULL. */
    int64_t (*mean_runs)(const double *high, const double *low, const uint16_t *at, int64_t count,
                         bool to_f32, void *out, int16_t *unsure);

    /* The product of each, which means nothing where it is 0 or not finite or a run has more than
     * OF__RUN elements; false when none does. For f32 [0] and f64 [1]. */
    bool (*multiply_float_runs[2])(const void *x, const uint16_t *at, int64_t count,
                                   double *product);
} of__run_kernels;

/* The table of the instruction set in use. */
const of__run_kernels *of__run_kernels_current(void);

#endif
