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

/* Elements of a tile: they, their flags and offsets stay in the nearest caches. */
#ifdef ONEFOLD_TEST_SMALL
enum { OF__TILE = 16 };
#else
enum { OF__TILE = 4096 };
#endif

/* Flags are read in words of 8, so that those after the last one must be there and 0. */
enum { OF__FLAGS = OF__TILE + 8 };

typedef struct of__run_kernels {
    /* flag[i] = x[i] != x[i - 1] for 0 <= i < n, by ==: NaN differs from all, the zeros do not.
     * There is an x[-1]. */
    void (*flag_changes[OF_DTYPE_END])(const void *x, int64_t n, uint8_t *flag);

    /* flag[i] = x[i] != 0: true for NaN, false for -0.0. */
    void (*flag_nonzero[OF_DTYPE_END])(const void *x, int64_t n, uint8_t *flag);

    /* How many of n flags are set. */
    int64_t (*count_flags)(const uint8_t *flag, int64_t n);

    /* The offsets of the flags set among the first n <= OF__TILE; those from n to the next multiple
     * of 8 are there and 0. `at` has room for OF__TILE. Returns how many are set. */
    int64_t (*list_flags)(const uint8_t *flag, int64_t n, uint16_t *at);
} of__run_kernels;

/* The table of the instruction set in use. */
const of__run_kernels *of__run_kernels_current(void);

#endif
