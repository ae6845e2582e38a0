/* Sorting of elements that take few values: counted, and written as often as they occur. */
#ifndef ONEFOLD_SORT_COUNT_VALUES_H
#define ONEFOLD_SORT_COUNT_VALUES_H

#include "sort/radix.h"

/* Bits of the values' keys at most: counters for all of them stay in a cache. */
enum { OF__COUNTED_BITS = 16 };

size_t of__counts_scratch(int bits, int workers);

/* Runs a plan that counts. */
void of__sort_by_counts(const of__sort_plan *plan, void *scratch);

#endif
