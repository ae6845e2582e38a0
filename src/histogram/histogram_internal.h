/* The steps of a histogram. */
#ifndef ONEFOLD_HISTOGRAM_HISTOGRAM_INTERNAL_H
#define ONEFOLD_HISTOGRAM_HISTOGRAM_INTERNAL_H

#include <onefold/histogram.h>

#include "histogram/bins.h"
#include "reduce/layout.h"

/* What is counted: the first `size` elements of a layout. */
typedef struct of__sample {
    of__layout layout;
    of_dtype dtype;
    int64_t size;
} of__sample;

/* The smallest and largest element, rounded outward to f64. OF_ERR_VALUE: there is none, or one is
 * not finite. OF_ERR_MEMORY. */
of_status of__histogram_range(const of__sample *sample, double *lo, double *hi, of_error *err);

/* Adds to counts[i] how many elements are in bin i. OF_ERR_MEMORY: nothing was added. */
of_status of__histogram_count(const of__sample *sample, const of__bins *bins, of_outside outside,
                              int64_t *counts, of_error *err);

/* The type that weights are summed to: their own float type, i64 or u64. */
of_dtype of__histogram_weight_type(of_dtype weights);

/* Makes sums[i] the exact sum, rounded once, of the weights of the elements in bin i.
 * OF_ERR_MEMORY. */
of_status of__histogram_weigh(const of__sample *sample, const of__bins *bins, of_outside outside,
                              const of_array *weights, void *sums, of_error *err);

#endif
