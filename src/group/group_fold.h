/* Any reduction of each group: its rows are brought together first (group_order.h). */
#ifndef ONEFOLD_GROUP_GROUP_FOLD_H
#define ONEFOLD_GROUP_GROUP_FOLD_H

#include <onefold/reduce.h>

#include "group/grouped.h"

/*
 *     for each group g, column c: out[g * width + c] = reduction of its values in order, or `empty`
 *
 * operation   sum, mean, prod, min, max or var
 * empty       what a group without rows gets, of the result's type
 * out         elements of type empty.dtype, to which answers are rounded once
 * OF_ERR_MEMORY: nothing is written.
 */
of_status of__group_fold(const of__grouped *source, of_operation operation, of_scalar empty,
                         void *out, of_error *err);

#endif
