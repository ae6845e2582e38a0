/* Histograms of every width of element, few bins and many, beside the usual loop. */
#include <string.h>

#include "datasets.h"
#include "plain.h"
#include "suites.h"

enum { FEW_BINS = 256, MANY_BINS = 100000 };

struct histogram {
    const of_array *array;
    int64_t bins;
    double range[2];
};

static void make_histogram(void *context) {
    const struct histogram *h = context;
    of_array *counts;
    of_error err;
    const of_histogram_opts opts = {.range = h->range};
    require(of_histogram(h->array, h->bins, &opts, &counts, NULL, &err), &err);
    of_array_release(counts);
}

/* As everybody writes it for f32: an element near an edge may end on either side. */
static void loop_f32(void *context) {
    static int64_t counts[MANY_BINS];
    const struct histogram *h = context;
    const float *x = of_array_data(h->array);
    const float low = (float)h->range[0], last = (float)(h->bins - 1);
    const float inverse = (float)((double)h->bins / (h->range[1] - h->range[0]));
    memset(counts, 0, sizeof counts);
    for (int64_t i = 0; i < of_array_size(h->array); i++) {
        float bin = (x[i] - low) * inverse;
        bin = bin < 0 ? 0 : bin > last ? last : bin;
        counts[(int)bin]++;
    }
    __asm__ volatile("" ::"r"(counts) : "memory");
}

static void compare_bins(const of_array *array, const char *data, int64_t bins,
                         const struct effort *effort) {
    of_dtype dtype = of_array_dtype(array);
    of_error err;
    struct histogram h = {array, bins, {-3, 3}};
    if (!of_dtype_is_float(dtype)) { /* all of them */
        h.range[1] = 1;
        for (size_t bit = 0; bit < 8 * of_dtype_size(dtype) - 1; bit++) h.range[1] *= 2;
        h.range[0] = -h.range[1];
    }
    for (int threads = 1; threads <= effort->threads; threads *= 2) {
        require(of_threads_set(threads, &err), &err);
        struct plain reader = {plain_reader_of(dtype), array, threads};
        struct row row = {
            .suite = "histogram",
            .operation = bins == FEW_BINS ? "256-bins" : "100000-bins",
            .data = data,
            .source = array,
            .dim = ALL_DIMS,
            .bytes = of_array_nbytes(array),
            .repeats = 1,
            .ours = {make_histogram, &h},
            .limit = {run_plain, &reader},
        };
        if (dtype == OF_F32 && threads == 1) {
            row.peer = "plain loop";
            row.other = (struct side){loop_f32, &h};
        }
        compare(&row, effort);
    }
}

void bench_histogram(const struct effort *effort) {
    static const of_dtype dtypes[] = {OF_F32, OF_F64, OF_F16, OF_I8, OF_I16, OF_I32, OF_I64};
    for (int i = 0; i < 7; i++) {
        distribution data = of_dtype_is_float(dtypes[i]) ? NORMAL : UNIFORM;
        int64_t count = long_count(dtypes[i], effort);
        of_array *array = make_dataset(dtypes[i], 1, &count, data);
        compare_bins(array, distribution_name(data), FEW_BINS, effort);
        if (dtypes[i] == OF_F32) compare_bins(array, distribution_name(data), MANY_BINS, effort);
        of_array_release(array);
    }
}
