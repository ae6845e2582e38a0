/*
 * The bodies of exact scans of floats that each instruction set has of its own, over contiguous
 * elements of any alignment. A tile goes through two of them: one finds the prefixes within it,
 * exactly and independent of what comes before; the other adds the sum of what comes before, rounds,
 * and writes.
 */
#ifndef ONEFOLD_SCAN_SCAN_KERNELS_H
#define ONEFOLD_SCAN_SCAN_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

/* The most elements of a tile: 2^OF__SCAN_TILE_BITS. */
#define OF__SCAN_TILE_BITS 10
#ifdef ONEFOLD_TEST_SMALL
#define OF__SCAN_TILE 32
#else
#define OF__SCAN_TILE (1 << OF__SCAN_TILE_BITS)
#endif

/* The sum of all before a tile: high + low + a rest, each no more than half a unit in the last place
 * of the one before; finite, below 2^1000, and high is not -0.0. Where low is 0 the rest is too. */
typedef struct of__carry {
    double high, low;
} of__carry;

/* The most columns that are scanned at once, and the room of their arrays. */
#ifdef ONEFOLD_TEST_SMALL
enum { OF__SCAN_COLUMNS = 24 };
#else
enum { OF__SCAN_COLUMNS = 2048 };
#endif

/* The sums of columns as far as they have come: high + low, exactly. */
typedef struct of__columns {
    double *high, *low; /* OF__SCAN_COLUMNS each */
} of__columns;

/* Where f64 are cut: see scan_sum_f64_cpu.inc. */
enum { OF__LOWEST_CUT = -979, OF__HIGHEST_CUT = 990 };

typedef struct of__scan_kernels {
    /* start + the sums of the first 1, 2, ..., n of n floats. False when one of them is not exact or
     * not finite. */
    bool (*prefixes_f32)(const void *x, int64_t n, double start, double *sum);

    /* Writes sum[i] rounded to f32. */
    void (*narrow_f32)(const double *sum, int64_t n, void *out);

    /* Writes carry + sum[i] rounded once to f32, or rounded to odd. */
    void (*round_f32)(double carry, const double *sum, int64_t n, void *out);
    void (*round_odd)(double carry, const double *sum, int64_t n, double *out);

    /* The first for a carry with a low part. Whether the rounding of an element is in doubt: those
     * that are f32_in_doubt. */
    bool (*round_f32_after)(double high, const double *sum, int64_t n, void *out);
    bool (*f32_in_doubt)(double high, double sum);

    /* Cuts a carry so that the sums below may start with it. False when it does not fit the cut. */
    bool (*cut_carry)(of__carry carry, int cut, double *upper, double *lower);

    /* The same sums of f64, cut in two: sum[i] = upper[i] + lower[i]; they start where upper[-1] and
     * lower[-1] are. False when an element does not lie within the cut. */
    bool (*prefixes_f64)(const void *x, int64_t n, int cut, double *upper, double *lower);

    /* Writes upper[i] + lower[i], rounded. */
    void (*join_f64)(const double *upper, const double *lower, int64_t n, void *out);

    /* Writes carry + upper[i] + lower[i] rounded once. Whether the rounding of an element is in
     * doubt: those that are f64_in_doubt. */
    bool (*round_f64)(of__carry carry, int cut, const double *upper, const double *lower, int64_t n,
                      void *out);
    bool (*f64_in_doubt)(of__carry carry, int cut, double upper, double lower);

    /* Adds a row of n elements to the sums `old` of as many columns, which gives `next`, and writes
     * the rounded sums, or those before, to `out`, which has room for OF__SCAN_COLUMNS elements.
     * False when a sum is not held exactly. `old` has 0 from column n on, and so has `next`. */
    bool (*columns_f32)(const void *x, int64_t n, bool exclusive, const of__columns *old,
                        const of__columns *next, void *out);
    bool (*columns_f64)(const void *x, int64_t n, bool exclusive, const of__columns *old,
                        const of__columns *next, void *out);
} of__scan_kernels;

extern const of__scan_kernels of__scan_kernels_baseline;
extern const of__scan_kernels of__scan_kernels_avx2;

/* The table of the instruction set in use. On Zen 4 vectors of 512 bits gain nothing here, so that
 * AVX-512 takes those of AVX2. */
const of__scan_kernels *of__scan_kernels_current(void);

#endif
