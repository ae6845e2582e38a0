/*
 * Stable sorting of contiguous keys in the order of contract 9, into a permutation, sorted
 * elements, or both. What other operations build on.
 *
 *     order[0 .. n) is the stable order of keys[0 .. n);  sorted[i] = keys[order[i]];
 *
 * A plan looks at the keys and says how much scratch memory running it takes, so that everything
 * is allocated before anything is written.
 */
#ifndef ONEFOLD_SORT_RADIX_H
#define ONEFOLD_SORT_RADIX_H

#include <onefold/array.h>

#include "sort/key_rule.h"

/* What to sort, and into what. Elements of any alignment; no two of the three may overlap. */
typedef struct of__sort_request {
    of_dtype dtype;
    bool descending;
    const void *keys;
    int64_t n;
    void *sorted;         /* n elements of `dtype`; NULL: not wanted */
    void *order;          /* n indices; NULL: not wanted */
    of_dtype index_dtype; /* of `order`: OF_I32, for n up to 2^31, or OF_I64 */
    int workers;          /* of__workers_for says how many pay */
} of__sort_request;

/* One digit of the keys: sorted by in one pass over them. */
typedef struct of__digit {
    int shift, bits;
} of__digit;

enum { OF__MOST_DIGITS = 64 };

typedef struct of__sort_plan {
    of__sort_request request;
    of__key_rule rule;
    enum {
        OF__SORT_NOTHING,  /* in order already */
        OF__SORT_REVERSES, /* in reverse order, no two equal */
        OF__SORT_MERGES,   /* few */
        OF__SORT_DIGITS
    } way;
    uint64_t base;  /* subtracted from every key */
    int key_bits;   /* of what is left */
    int index_bits; /* of an index, where a record is one word: key above index; 0 where it is two
                     */
    int digits;
    of__digit digit[OF__MOST_DIGITS]; /* the least significant first */
    size_t scratch;                   /* bytes; 0: none needed */
} of__sort_plan;

/* Reads the keys once. */
of__sort_plan of__sort_plan_for(const of__sort_request *request);

/* An upper bound of the scratch that plans take for n elements or fewer of a type. */
size_t of__sort_most_scratch(of_dtype dtype, int64_t n, bool with_order, int workers);

/* Does it. */
void of__sort_run(const of__sort_plan *plan, void *scratch);

/* Plans, allocates and runs, with as many threads as pay. OF_ERR_MEMORY: nothing was written. */
of_status of__sort(of_dtype dtype, bool descending, const void *keys, int64_t n, void *sorted,
                   void *order, of_dtype index_dtype, of_error *err);

#endif
