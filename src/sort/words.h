/*
 * Sorting of words: in the high bits of each what is left of a key, in the low bits its payload, an
 * index or a value. Large ranges are parted by their leading digit, until they fit into a cache;
 * there they are sorted by digits from the least significant one on.
 */
#ifndef ONEFOLD_SORT_WORDS_H
#define ONEFOLD_SORT_WORDS_H

#include "sort/radix.h"

/* Up to so many keys are sorted without memory from the heap. */
#ifdef ONEFOLD_TEST_SMALL
enum { OF__FEW_WORDS = 24 };
#else
enum { OF__FEW_WORDS = 256 };
#endif

/* Of words of n keys. */
size_t of__words_scratch(int64_t n, int workers);

/* Runs a plan of words. */
void of__sort_words(const of__sort_plan *plan, void *scratch);

#endif
