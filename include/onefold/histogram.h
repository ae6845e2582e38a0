/* Histograms: how many elements lie in each of a row of bins, or what they weigh. */
#ifndef ONEFOLD_HISTOGRAM_H
#define ONEFOLD_HISTOGRAM_H

#include <onefold/array.h>

OF_BEGIN_C

/* What becomes of elements outside the range, infinities too. */
typedef enum of_outside {
    OF_OUTSIDE_CLAMP = 0, /* they go to the first or the last bin */
    OF_OUTSIDE_DROP       /* they are left out */
} of_outside;

/* Options of of_histogram. Zero means the default, and a NULL pointer to the struct all defaults.
 */
typedef struct of_histogram_opts {
    const double *range; /* the two ends, lo and hi; NULL: the smallest and the largest element */
    of_outside outside;
    const of_array *weights; /* what each element counts for: as many as x has elements, of any type
                                and shape; NULL: one each */
    const int64_t *n;        /* only the first n elements in row-major order; NULL: all */
} of_histogram_opts;

/**
 * Counts the elements, or adds their weights, in each of `bins` bins of equal width.
 *
 *     width = (hi - lo) / bins;
 *     for (i = 0; i < bins; i++) edges[i] = min(lo + i * width, hi);    each operation in f64
 *     edges[bins] = hi;
 *     for (j = 0; j < n; j++) counts[the i with edges[i] <= x[j] < edges[i + 1]] += weights[j];
 *
 * x       any type, shape and strides; only read. Elements are compared with the edges exactly. One
 *         equal to hi is in the last bin, a NaN in none.
 * bins    1 to 2^31 - 8.
 * opts    NULL: all defaults. Without a range, ends that an f64 cannot hold are rounded outward. If
 *         lo equals hi, then hi becomes lo + 1, or the next f64 where that is lo again.
 * counts  receives a new array of `bins` elements on x's device; the caller releases it. i64; with
 *         weights of their float type, i64 for signed integers and bool, u64 for unsigned: their
 *         exact sum, rounded once, or modulo 2^64.
 * edges   receives a new f64 array of bins + 1 edges; the caller releases it. NULL: not wanted.
 *
 * Bits: contract 12; weights 3 and 4. Cost: one pass over x, one more for the range where none is
 * given, and O(bins); with weights one to four. Memory: the results; while it runs 4 to 16 bytes a
 * bin and thread, with weights 8 to 24, and where these lie too far apart a copy of them.
 * OF_ERR_VALUE: bins is below 1; an end of the range is not finite, lo is above hi, or hi - lo
 * overflows; no range is given and there is no element, or one that is not finite; n is negative or
 * larger than x; weights has another size; outside is neither. OF_ERR_UNSUPPORTED: more bins than
 * that. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_histogram(const of_array *x, int64_t bins,
                                          const of_histogram_opts *opts, of_array **counts,
                                          of_array **edges, of_error *err);

OF_END_C

#endif
