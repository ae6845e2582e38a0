/*
 * The row that most suites are made of: a reduction of a whole array, beside the plain loop that
 * does the same.
 */
#ifndef ONEFOLD_BENCH_WHOLE_H
#define ONEFOLD_BENCH_WHOLE_H

#include "compare.h"

/* Prints the row of one operation on an array, with the threads and the instruction set in use. */
void compare_whole(const char *suite, const of_array *array, const char *data,
                   of_operation operation, int repeats, const struct effort *effort);

#endif
