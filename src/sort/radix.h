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

/* What to sort, and into what. Elements of any alignment; no two of the arrays may overlap. */
typedef struct of__sort_request {
    of_dtype dtype;
    bool descending;
    const void *keys;
    int64_t n;
    void *sorted;         /* n elements of `dtype`; NULL: not wanted */
    void *order;          /* n indices; NULL: not wanted */
    of_dtype index_dtype; /* of `order`: OF_I32, for n up to 2^31, or OF_I64 */
    int workers;          /* of__workers_for says how many pay */

    /* Instead of an order, if the plan says that it carries them: n values of value_bits bits, 8,
     * 16 or 32, moved as the keys are. Else the order is to be given before the plan runs. */
    const void *values;
    void *moved;
    int value_bits;
} of__sort_request;

typedef struct of__sort_plan {
    of__sort_request request;
    of__key_rule rule;
    enum {
        OF__SORT_NOTHING,  /* in order already */
        OF__SORT_REVERSES, /* in reverse order, no two equal */
        OF__SORT_COUNTS,   /* elements of few values: count_values.h */
        OF__SORT_WORDS     /* of keys with indices, values or nothing: words.h */
    } way;
    size_t scratch; /* bytes; 0: none needed */

    /* What is left of a key: (key - base) >> low, of key_bits bits. */
    uint64_t base;
    int low, key_bits;

    int payload_bits;    /* of an index or a value, in the low bits of a word */
    uint64_t index_mask; /* of an index there; 0: the payload is none */
    int rest;            /* low bits of the keys for which a word has no room */
    bool carries;        /* the payload is the value */
    bool looks_up;       /* some elements cannot be told from their keys in words */
} of__sort_plan;

/* Reads the keys once. */
of__sort_plan of__sort_plan_for(const of__sort_request *request);

/* An upper bound of the scratch that plans take for n elements. */
size_t of__sort_most_scratch(int64_t n, bool with_order, int workers);

/* Does it. */
void of__sort_run(const of__sort_plan *plan, void *scratch);

/* Allocates the scratch as well. OF_ERR_MEMORY: nothing was written. */
of_status of__sort_allocate_and_run(const of__sort_plan *plan, of_error *err);

/* How many threads pay to sort n elements. */
int of__sort_workers(int64_t n);

/* Plans, allocates and runs, with as many threads as pay. OF_ERR_MEMORY: nothing was written. */
of_status of__sort(of_dtype dtype, bool descending, const void *keys, int64_t n, void *sorted,
                   void *order, of_dtype index_dtype, of_error *err);

#endif
