/* What `onefold check` computes of each array: every reduction, and what else there is. */
#ifndef ONEFOLD_CLI_CHECK_ITEMS_H
#define ONEFOLD_CLI_CHECK_ITEMS_H

#include <xxhash.h>

#include <onefold/onefold.h>

/* An array to compute of. */
struct check_source {
    of_array *array;
    bool is_large; /* what takes long is left out: small arrays tell as much */
    bool is_wide;  /* its product is no more than 0, and slow to find */
};

struct check_item {
    const char *name;
    /* Adds the bits of its results to a hash. That there is no result is one too; other failures
     * are returned. */
    of_status (*hash)(XXH3_state_t *hash, const struct check_item *item,
                      const struct check_source *source, of_error *err);
    of_operation operation; /* of a reduction */
};

enum { OTHER_CHECK_ITEMS = 7, CHECK_ITEM_COUNT = OF_OPERATION_END + OTHER_CHECK_ITEMS };

extern const struct check_item check_items[CHECK_ITEM_COUNT];

#endif
