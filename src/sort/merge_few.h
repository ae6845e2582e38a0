/* Sorting few keys without memory from the heap, by insertion and merging. */
#ifndef ONEFOLD_SORT_MERGE_FEW_H
#define ONEFOLD_SORT_MERGE_FEW_H

#include "sort/radix.h"

/* Up to so many keys. */
#ifdef ONEFOLD_TEST_SMALL
enum { OF__MERGE_FEW = 24 };
#else
enum { OF__MERGE_FEW = 256 };
#endif

/* Runs a plan for 2 to OF__MERGE_FEW keys. */
void of__merge_few(const of__sort_plan *plan);

#endif
