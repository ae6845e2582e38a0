/*
 * A scan under way: the fold of the elements so far, and the step that writes it for each element
 * of a block.
 */
#ifndef ONEFOLD_SCAN_PREFIX_H
#define ONEFOLD_SCAN_PREFIX_H

#include "array/convert_rows.h"
#include "reduce/partial.h"
#include "scan/prefix_sum.h"

/* What a scan is to do, once it has passed every check. */
typedef struct of__scan {
    of_operation operation;
    of_dtype source, dtype; /* of src's elements; of dst's, in which the scan runs */
    size_t source_size, size;
    bool exclusive, has_init;
    of_scalar init;          /* of dtype */
    of__convert_row convert; /* from source to dtype; NULL: they are equal */
    const of__kernels *kernels;
    const of__scan_kernels *scan_kernels;
} of__scan;

typedef struct of__prefix {
    union {
        of__prefix_sum sum; /* of floats */
        struct {
            of__product all;
            of__factor trees; /* of__product_trees of it */
        } product;            /* of floats */
        uint64_t bits;        /* others: the fold itself, init included */
    } as;
} of__prefix;

/* Of no elements. */
void of__prefix_begin(const of__scan *scan, of__prefix *prefix);

/* Takes in the elements of a partial, which the prefix has none before; of__scan_begin_partial
 * makes it. */
void of__prefix_advance(const of__scan *scan, of__prefix *prefix, const of__partial *partial);

/* A partial for totals of what the scan folds. */
void of__scan_begin_partial(const of__scan *scan, of__partial *partial);

/* Scans n elements of the scan's dtype; x and out are contiguous, of any alignment, and may be the
 * same. */
void of__prefix_scan(const of__scan *scan, of__prefix *prefix, const void *x, void *out, int64_t n);

/* The fold of all elements so far. */
of_scalar of__prefix_value(const of__scan *scan, const of__prefix *prefix);

/* ---- Types (scan_types.c) ---- */

/* Folds integers, or extremes of any type, on from *fold. */
typedef void of__scan_step(const void *x, void *out, int64_t n, bool exclusive, uint64_t *fold);

/* NULL where the operation has none: sums and products of floats, and of bool. */
of__scan_step *of__scan_step_for(of_operation operation, of_dtype dtype);

/* A row of a scan down n columns: `state` and `out` have one element of the dtype for each. */
typedef void of__scan_row(const void *x, int64_t n, bool exclusive, void *state, void *out);

/* Sums of integers, and extremes but of bool; NULL otherwise. */
of__scan_row *of__scan_row_for(of_operation operation, of_dtype dtype);

/* Makes each state what a fold of these bits is. */
void of__scan_row_begin(of_operation operation, of_dtype dtype, uint64_t bits, int64_t n,
                        void *state);

/* What the fold of nothing is: 0, 1, the largest, the smallest element. */
uint64_t of__scan_empty(of_operation operation, of_dtype dtype);

#endif
