/* The work of `onefold check`: every item on the built-in data of every type, computed in every
 * way. */
#ifndef ONEFOLD_CLI_CHECK_RUN_H
#define ONEFOLD_CLI_CHECK_RUN_H

#include "cli/check_items.h"

enum { MOST_WAYS = 64 };

/* None of this may change a bit. */
struct way {
    const char *isa;
    int threads;
    bool strided;
};

struct check_outcome {
    int way_count;
    struct way ways[MOST_WAYS];
    uint64_t hash[CHECK_ITEM_COUNT][OF_DTYPE_END][MOST_WAYS]; /* of the bits of all results */
};

/* Computes in every way, or in those with one instruction set (unless NULL) or number of threads
 * (unless 0). Fails when something could not be computed at all; results that differ are no failure
 * here. */
of_status check_run(const char *only_isa, int only_threads, struct check_outcome *out,
                    of_error *err);

/* Whether all ways gave the same bits for one item and type. */
bool check_agrees(const struct check_outcome *outcome, int item, of_dtype dtype);

/* A hash over the results of all items and types, as the first way computed them. */
uint64_t check_fingerprint(const struct check_outcome *outcome);

#endif
