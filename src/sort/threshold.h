/* Where a value of any type lies among the keys of another type, exactly. */
#ifndef ONEFOLD_SORT_THRESHOLD_H
#define ONEFOLD_SORT_THRESHOLD_H

#include "sort/key_rule.h"

/* The least ascending key whose element is not before the value, or, with `after`, is behind it.
 * False when there is none: all elements come before. An integer 0 is +0.0. */
bool of__threshold(const of__key_rule *rule, of_dtype dtype, of_scalar value, bool after,
                   uint64_t *out);

#endif
