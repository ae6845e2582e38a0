/* A histogram drawn with characters. */
#ifndef ONEFOLD_CLI_BARS_H
#define ONEFOLD_CLI_BARS_H

#include <onefold/array.h>

/*
 * Prints one line for each bin: the bin, its count, and a bar as long as the count is large beside
 * the largest, so that the longest line has `width` columns.
 *
 *     [0.0, 0.5)  1  ███████▌
 *     [0.5, 1.0]  4  ██████████████████████████████
 *
 * counts   of one dimension, any type: counts, or sums of weights. What is not above 0 has no bar.
 * edges    f64, one more than there are counts, finite and in order.
 * utf8     in eighths of a column; else in columns, and a point for less than half of one.
 */
void bars_print(const of_array *counts, const of_array *edges, int width, bool utf8);

#endif
