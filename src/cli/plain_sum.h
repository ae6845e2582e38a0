/* The yardstick of `onefold bench`: an ordinary vectorized sum, as fast as memory and as inexact as
 * usual. */
#ifndef ONEFOLD_CLI_PLAIN_SUM_H
#define ONEFOLD_CLI_PLAIN_SUM_H

#include <onefold/array.h>

/* Sums a contiguous array of f32, f64 or i32 (modulo 2^32) with some threads, and returns the sum
 * so that it cannot be left out. */
double plain_sum(const of_array *array, int threads);

#endif
