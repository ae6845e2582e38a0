#include "cli/bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/bin_labels.h"

enum { SHORTEST = 8 }; /* bars are no shorter than this, however narrow the page */

static of_scalar count_at(const of_array *counts, int64_t i) {
    of_dtype dtype = of_array_dtype(counts);
    return of_scalar_load(dtype,
                          (const char *)of_array_data(counts) + (size_t)i * of_dtype_size(dtype));
}

/* The widest count, and the largest finite one. */
static void measure_counts(const of_array *counts, int *width, double *largest) {
    *width = 0;
    *largest = 0;
    for (int64_t i = 0; i < of_array_size(counts); i++) {
        char text[OF_SCALAR_TEXT_SIZE];
        of_scalar count = count_at(counts, i);
        int length = (int)strlen(of_scalar_format(count, text));
        double value = of_scalar_to_f64(count);
        if (length > *width) *width = length;
        if (isfinite(value) && value > *largest) *largest = value;
    }
}

/* Blocks of eighths of a column: U+2588 is the whole, U+258F one eighth. */
static void print_blocks(double columns) {
    int eighths = (int)lround(8 * columns);
    if (eighths == 0) eighths = 1;
    for (; eighths >= 8; eighths -= 8) fputs("\xe2\x96\x88", stdout);
    if (eighths > 0) printf("\xe2\x96%c", 0x90 - eighths);
}

static void print_signs(double columns) {
    int whole = (int)lround(columns);
    for (int i = 0; i < whole; i++) putchar('#');
    if (whole == 0) putchar('.');
}

void bars_print(const of_array *counts, const of_array *edges, int width, bool utf8) {
    int64_t bins = of_array_size(counts);
    struct bin_labels labels = bin_labels_choose(of_array_data(edges), bins);
    int count_width;
    double largest;
    measure_counts(counts, &count_width, &largest);
    int longest = width - (2 * labels.width + count_width + 8);
    if (longest < SHORTEST) longest = SHORTEST;
    for (int64_t i = 0; i < bins && !ferror(stdout); i++) {
        char low[LABEL_SIZE], high[LABEL_SIZE], text[OF_SCALAR_TEXT_SIZE];
        of_scalar count = count_at(counts, i);
        double share = of_scalar_to_f64(count) / largest;
        printf("[%*s, %*s%c  %*s", labels.width, bin_label(&labels, i, low), labels.width,
               bin_label(&labels, i + 1, high), i == bins - 1 ? ']' : ')', count_width,
               of_scalar_format(count, text));
        if (isfinite(share) && share > 0) {
            fputs("  ", stdout);
            (utf8 ? print_blocks : print_signs)(share * longest);
        }
        putchar('\n');
    }
}
