/* The edges of a histogram's bins as a person reads them: all with the same number of decimals, and
 * no more of them than it takes to be right to a small part of a bin. */
#ifndef ONEFOLD_CLI_BIN_LABELS_H
#define ONEFOLD_CLI_BIN_LABELS_H

#include <stdint.h>

enum { LABEL_SIZE = 400 };

struct bin_labels {
    const double *edges; /* one more than bins */
    int64_t bins;
    int decimals;
    char conversion; /* 'f' or 'e', as in printf */
    int width;       /* of the widest label */
};

/* Chooses decimals and notation. The edges, finite and in order, must stay. */
struct bin_labels bin_labels_choose(const double *edges, int64_t bins);

/* Writes edge i. Returns `text`. */
char *bin_label(const struct bin_labels *labels, int64_t i, char text[LABEL_SIZE]);

#endif
