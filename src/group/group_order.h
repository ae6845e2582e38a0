/*
 * Rows put in the order of their groups, those of one group in the order they came: a counting
 * sort. Any operation over groups can then be made group by group.
 *
 * Memory: the values, 8 bytes a group for each worker, and 8 more; workers are few where groups are
 * many.
 */
#ifndef ONEFOLD_GROUP_GROUP_ORDER_H
#define ONEFOLD_GROUP_GROUP_ORDER_H

#include <onefold/error.h>

#include "group/grouped.h"

typedef struct of__group_order {
    int64_t *first; /* groups + 1 numbers: group g has rows first[g] <= i < first[g + 1] */
    const char *values;
    void *own; /* the memory of `values`, unless the source's serves */
} of__group_order;

/* OF_ERR_MEMORY. */
of_status of__group_order_make(const of__grouped *source, of__group_order *out, of_error *err);
void of__group_order_free(of__group_order *order);

/* How many rows each group has: `groups` numbers into `count`. OF_ERR_MEMORY. */
of_status of__group_count(const of__grouped *source, int64_t *count, of_error *err);

#endif
