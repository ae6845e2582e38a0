/* The built-in data of `onefold check`: the same numbers on every machine, forever. */
#ifndef ONEFOLD_CLI_CHECK_DATA_H
#define ONEFOLD_CLI_CHECK_DATA_H

#include <onefold/onefold.h>

enum {
    MOST_CHECK_ARRAYS = 16,
    LARGE_CHECK_BYTES = 3 << 20, /* of the first two arrays: enough for three threads */
    LARGE_WIDE_ARRAY = 0         /* the one whose product is no more than 0, and slow to find */
};

/* Arrays of one type, of 1 or 3 dimensions. strided[i] holds the elements of dense[i] in another
 * layout: the last dimension outermost, backwards and with a gap after each element. */
struct check_data {
    int count;
    of_array *dense[MOST_CHECK_ARRAYS];
    of_array *strided[MOST_CHECK_ARRAYS];
};

/* Makes the arrays of a type; check_data_free is due also after a failure. */
of_status check_data_create(of_dtype dtype, struct check_data *out, of_error *err);

void check_data_free(struct check_data *data);

#endif
