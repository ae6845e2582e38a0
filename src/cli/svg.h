/* A histogram as a picture that needs nothing beside it: SVG with its own fonts' names and colours. */
#ifndef ONEFOLD_CLI_SVG_H
#define ONEFOLD_CLI_SVG_H

#include <onefold/array.h>

struct svg_words {
    const char *title;      /* above the picture */
    const char *horizontal; /* what is counted: under the axis of the bins; or NULL */
    const char *vertical;   /* what the bars are: above their axis */
};

/*
 * Writes the picture to a file: bars over axes with round ticks, and text for those who do not see
 * them.
 *
 * counts   of one dimension, any type. Bars go down from zero where they are negative; NaN and
 *          infinities have none.
 * edges    f64, one more than there are counts, finite and in order.
 *
 * Returns EXIT_SUCCESS, or EXIT_FAILURE after saying what is wrong.
 */
int svg_write(const char *path, const struct svg_words *words, const of_array *counts,
              const of_array *edges);

#endif
