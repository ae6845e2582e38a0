/* The first k of an order, without sorting the rest. */
#ifndef ONEFOLD_SORT_SORT_FIRST_H
#define ONEFOLD_SORT_SORT_FIRST_H

#include <onefold/array.h>

#include "sort/key_rule.h"

/* index[i] = order[i] for i < k, order being the stable one of n contiguous keys, 0 < k <= n.
 * OF_ERR_MEMORY: nothing was written. */
of_status of__sort_first(of_dtype dtype, bool descending, const void *keys, int64_t n, int64_t k,
                         int64_t *index, of_error *err);

#endif
