/* Sorting of words that fit into a cache: see words.h. */
#ifndef ONEFOLD_SORT_CACHED_WORDS_H
#define ONEFOLD_SORT_CACHED_WORDS_H

#include <stdint.h>

/* At most so many: with as many again beside them they stay in a second-level cache. */
#ifdef ONEFOLD_TEST_SMALL
enum { OF__CACHED_WORDS = 64 };
#else
enum { OF__CACHED_WORDS = 1 << 14 };
#endif

/* Sorts n words by their bits from `payload_bits` on, stably. Returns where they are then: in
 * `words` or in `other`, which has room for as many. */
uint64_t *of__sort_cached_words(uint64_t *words, uint64_t *other, int64_t n, int payload_bits);

/* The bits in which words differ. */
uint64_t of__varying_words(const uint64_t *words, int64_t n);

#endif
