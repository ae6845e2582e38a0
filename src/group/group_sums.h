/*
 * The exact sums of many groups at once, each rounded once: the engine of segment sums,
 * scatter-adds and weighted histograms.
 *
 * Values are added to tables of integers (group_table.h). Where they lie too far apart for tables
 * the rows are brought together group by group (group_order.h).
 */
#ifndef ONEFOLD_GROUP_GROUP_SUMS_H
#define ONEFOLD_GROUP_GROUP_SUMS_H

#include <onefold/error.h>

#include "group/grouped.h"

/*
 *     for each row i with 0 <= group[i] < groups, each column c:
 *         sum[group[i] * width + c] += value[i, c];
 *     out[...] = sum[...] rounded once;    in real numbers; -0.0 when there are terms and all are
 *
 * dtype   of the sums: a float type, or where the values are integers or bool an integer type,
 *         which takes the sum modulo its width
 * out     groups * width sums, row by row
 *
 * No rows: 0. Memory: for each worker 8 bytes a sum for one to three levels; workers are few where
 * sums are many. Values too far apart: O(values).
 * OF_ERR_MEMORY: nothing is written.
 */
of_status of__group_sums(const of__grouped *source, of_dtype dtype, void *out, of_error *err);

/* The same of the means: the exact sums over the number of rows, rounded once to a float type. */
of_status of__group_means(const of__grouped *source, of_dtype dtype, void *out, of_error *err);

#endif
