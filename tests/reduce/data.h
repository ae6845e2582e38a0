/* Hard data for reductions, by name: each element is a function of the kind, the seed, the length
 * and its index. */
#ifndef ONEFOLD_TESTS_DATA_H
#define ONEFOLD_TESTS_DATA_H

#include <onefold/dtype.h>

typedef enum data_kind {
#define KIND(name, families) DATA_##name,
#include "reduce/kinds.def"
#undef KIND
    DATA_KIND_COUNT
} data_kind;

const char *data_kind_name(data_kind kind);

/* Whether elements of a type come in a kind. */
bool data_kind_has(data_kind kind, of_dtype dtype);

/* Writes `count` packed elements. */
void data_fill(void *elements, of_dtype dtype, data_kind kind, int64_t count, uint64_t seed);

/* A number of 64 random bits for each position of each seed (SplitMix64). */
uint64_t data_random(uint64_t seed, uint64_t position);

/* A random order of count things: order[] becomes a permutation of 0 .. count - 1. */
void data_shuffle(int64_t *order, int64_t count, uint64_t seed);

#endif
