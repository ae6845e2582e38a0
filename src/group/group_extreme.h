/* The extremes of each group, in a table of the best so far. */
#ifndef ONEFOLD_GROUP_GROUP_EXTREME_H
#define ONEFOLD_GROUP_GROUP_EXTREME_H

#include <onefold/error.h>

#include "group/grouped.h"

/*
 *     for each row i with 0 <= group[i] < groups, each column c:
 *         out[group[i] * width + c] = min or max of it and value[i, c];   NaN if there is one
 *
 * largest   max, else min
 * empty     what a group without rows gets, of the values' type
 *
 * Memory: a value a sum for each worker, workers being few where sums are many.
 * OF_ERR_MEMORY: nothing is written.
 */
of_status of__group_extremes(const of__grouped *source, bool largest, of_scalar empty, void *out,
                             of_error *err);

#endif
