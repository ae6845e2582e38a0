/* Weighted histograms: the exact sums of groups, the groups being bins. */
#include "group/group_sums.h"
#include "histogram/histogram_internal.h"

typedef struct weighing {
    const of__sample *sample;
    const of__bins *bins;
    of_outside outside;
    of__layout weights;
} weighing;

_Static_assert(OF__GROUP_BLOCK <= OF__MOST_SLOTS && OF__GROUP_BLOCK <= OF__FETCH,
               "a block of rows must be one of elements");

static const int64_t *bin_of(const void *context, int64_t row, int64_t n, int64_t *buffer) {
    const weighing *w = context;
    uint64_t elements[OF__GROUP_BLOCK];
    int32_t slot[OF__GROUP_BLOCK];
    const void *x = of__layout_fetch(&w->sample->layout, row, n, elements);
    of__bins_slots(w->bins, w->sample->dtype, x, n, slot);
    int64_t last = w->bins->count - 1;
    bool clamp = w->outside == OF_OUTSIDE_CLAMP;
    for (int64_t i = 0; i < n; i++) {
        int64_t bin = (int64_t)slot[i] - 1; /* -1, last + 1 and NaNs' last + 2 are no groups */
        if (clamp) bin = bin < 0 ? 0 : bin == last + 1 ? last : bin;
        buffer[i] = bin;
    }
    return buffer;
}

static const void *weights_of(const void *context, int64_t start, int64_t n, void *buffer) {
    const weighing *w = context;
    return of__layout_fetch(&w->weights, start, n, buffer);
}

of_dtype of__histogram_weight_type(of_dtype weights) {
    if (of_dtype_is_float(weights)) return weights;
    return of_dtype_is_signed(weights) || weights == OF_BOOL ? OF_I64 : OF_U64;
}

of_status of__histogram_weigh(const of__sample *sample, const of__bins *bins, of_outside outside,
                              const of_array *weights, void *sums, of_error *err) {
    weighing w = {sample, bins, outside, of__layout_of(weights)};
    of__grouped rows = {.rows = sample->size,
                        .width = 1,
                        .groups = bins->count,
                        .dtype = weights->dtype,
                        .context = &w,
                        .group_of = bin_of,
                        .values_of = weights_of};
    if (of__layout_is_contiguous(&w.weights)) rows.contiguous = w.weights.data;
    return of__group_sums(&rows, of__histogram_weight_type(weights->dtype), sums, err);
}
