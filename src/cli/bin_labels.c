#include "cli/bin_labels.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of this size and more, or whose largest is this small, are written with an exponent. */
static const double large = 1e9, small = 1e-4;

/* How far off a label may be, in bins: a hundredth is less than can be told from a bar. */
static const double tolerated = 0.01;

static double scale_of(const struct bin_labels *labels) {
    return fmax(fabs(labels->edges[0]), fabs(labels->edges[labels->bins]));
}

static bool are_near(const struct bin_labels *labels) {
    const double *edges = labels->edges;
    char text[LABEL_SIZE];
    for (int64_t i = 0; i <= labels->bins; i++) {
        /* Halved, since the width of a bin may be all that f64 holds. */
        double bin = i > 0 ? edges[i] / 2 - edges[i - 1] / 2 : edges[1] / 2 - edges[0] / 2;
        double label = strtod(bin_label(labels, i, text), NULL);
        if (fabs(label / 2 - edges[i] / 2) > tolerated * bin) return false;
    }
    return true;
}

struct bin_labels bin_labels_choose(const double *edges, int64_t bins) {
    struct bin_labels labels = {.edges = edges, .bins = bins, .conversion = 'f'};
    double scale = scale_of(&labels);
    if (scale >= large || (scale < small && scale > 0)) labels.conversion = 'e';
    int most = labels.conversion == 'e' ? 16 : 24; /* which tell all doubles apart */
    while (labels.decimals < most && !are_near(&labels)) labels.decimals++;
    for (int64_t i = 0; i <= bins; i++) {
        char text[LABEL_SIZE];
        int width = (int)strlen(bin_label(&labels, i, text));
        if (width > labels.width) labels.width = width;
    }
    return labels;
}

char *bin_label(const struct bin_labels *labels, int64_t i, char text[LABEL_SIZE]) {
    bool has_exponent = labels->conversion == 'e';
    if (has_exponent && labels->edges[i] == 0) return strcpy(text, "0");
    snprintf(text, LABEL_SIZE, has_exponent ? "%.*e" : "%.*f", labels->decimals, labels->edges[i]);
    bool is_negative_zero = text[0] == '-' && strpbrk(text, "123456789") == NULL;
    return is_negative_zero ? memmove(text, text + 1, strlen(text)) : text;
}
