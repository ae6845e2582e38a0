/*
 * Which bin an element is in.
 *
 * Answers are slots: 0 for elements below the lowest edge, 1 to count for those in a bin, count + 1
 * above the highest edge, count + 2 for NaNs. So a slot, NaNs aside, is the number of edges that
 * the element reaches, except that it has to exceed the last one: hi itself is in the last bin.
 */
#ifndef ONEFOLD_HISTOGRAM_BINS_H
#define ONEFOLD_HISTOGRAM_BINS_H

#include <stdbool.h>
#include <stdint.h>

#include <onefold/dtype.h>

#include "core/bytes.h"

#define OF__MOST_BINS INT64_C(0x7ffffff8) /* slots are positive int32 */

typedef enum of__guess {
    OF__GUESS_F32,
    OF__GUESS_F64,
    OF__GUESS_NONE /* a guess could be wrong by half a bin: search */
} of__guess;

typedef struct of__bins {
    int64_t count;
    const double *edges; /* count + 1 */
    of__guess guess;
    /* A position is (x - low) * inverse + 1, in the guess's type: so far right that elements
     * whose position has a fraction of less than `doubt` or more than 1 - doubt aside, the slot is
     * its integer part. */
    double low, inverse, doubt;
} of__bins;

/* For elements of type `dtype`; the edges are those of the contract. */
of__bins of__bins_plan(of_dtype dtype, int64_t count, const double *edges, double width);

/* Elements that of__bins_slots takes at most. */
#define OF__MOST_SLOTS 2048

/* The slots of n contiguous elements of any alignment. */
void of__bins_slots(const of__bins *bins, of_dtype dtype, const void *x, int64_t n, int32_t *slot);

/* Integers that are counted by value, since there are few inside the range: first to last. */
typedef struct of__values {
    int64_t first, last;
    int32_t count; /* last - first + 1, 0 or more */
} of__values;

/* Values at most, so that their counters stay in cache. */
#ifdef ONEFOLD_TEST_SMALL
#define OF__MOST_VALUES 100
#else
#define OF__MOST_VALUES 4096
#endif

/* The integers of a type from the lowest edge to the highest. False when they are too many, or none
 * of the type's. */
bool of__values_plan(const of__bins *bins, of_dtype dtype, of__values *values);

/* 0 for an element below the first, 1 + its distance from the first, count + 1 above the last. */
void of__values_slots(const of__values *values, of_dtype dtype, const void *x, int64_t n,
                      int32_t *slot);

/* The bodies that each instruction set has of its own. */
typedef void of__slots_kernel(const of__bins *bins, const char *x, int64_t n, int32_t *slot);
typedef void of__values_kernel(const of__values *values, const char *x, int64_t n, int32_t *slot);

typedef struct of__bins_kernels {
    of__slots_kernel *f32;                                    /* guessed in f32 */
    of__slots_kernel *f32_wide, *f64, *i32, *u32, *i64, *u64; /* guessed in f64 */
    of__values_kernel *values[OF_DTYPE_END];                  /* NULL for floats */
} of__bins_kernels;

extern const of__bins_kernels of__bins_kernels_baseline, of__bins_kernels_avx2;

/* ---- An element against an edge, exactly ---- */

OF__INLINE bool of__f64_reaches(double x, double edge) {
    return x >= edge;
}

/* Where the edge is within reach of an int64, so is the integer next to it. */
OF__INLINE bool of__i64_reaches(int64_t x, double edge) {
    if (edge >= 0x1p63) return false;
    if (edge <= -0x1p63) return true;
    int64_t whole = (int64_t)edge;
    return x >= whole + ((double)whole < edge);
}

OF__INLINE bool of__u64_reaches(uint64_t x, double edge) {
    if (edge >= 0x1p64) return false;
    if (edge <= 0) return true;
    uint64_t whole = (uint64_t)edge;
    return x >= whole + ((double)whole < edge);
}

OF__INLINE bool of__f64_exceeds(double x, double edge) {
    return x > edge;
}

OF__INLINE bool of__i64_exceeds(int64_t x, double edge) {
    if (edge >= 0x1p63) return false;
    if (edge < -0x1p63) return true;
    int64_t whole = (int64_t)edge;
    return x > whole - ((double)whole > edge);
}

OF__INLINE bool of__u64_exceeds(uint64_t x, double edge) {
    if (edge >= 0x1p64) return false;
    return edge < 0 || x > (uint64_t)edge;
}

#endif
