/*
 * How sides of a comparison are timed: in one run, on the same buffers, taking turns, so that what
 * else the machine does meets them alike. Figures are medians over the turns, of ratios taken turn
 * by turn.
 */
#ifndef ONEFOLD_BENCH_COMPARE_H
#define ONEFOLD_BENCH_COMPARE_H

#include <onefold/onefold.h>

/* How much is measured. */
struct effort {
    int log2_count; /* long arrays have at most 2^log2_count elements */
    int64_t bytes;  /* and at most so many bytes */
    int turns;
    int threads; /* of the whole machine */
};

/* The elements of a long array. */
int64_t long_count(of_dtype dtype, const struct effort *effort);

/* Something to time; run(context) does it once. No run: there is no such side. */
struct side {
    void (*run)(void *context);
    void *context;
};

/* One comparison: a row of the table. */
struct row {
    const char *suite;
    const char *operation;
    const char *data; /* how the numbers are distributed */
    const char *peer; /* NULL: none */
    const of_array *source;
    int dim;                        /* the dimension reduced; ALL_DIMS */
    int64_t bytes;                  /* read and written by a call */
    int64_t limit_bytes;            /* those that `limit` moves; 0: the source's */
    int repeats;                    /* calls a turn */
    struct side ours, other, limit; /* `limit` moves memory as fast as the machine can */
};

enum { ALL_DIMS = -1 };

/* Times the sides of a row and prints it as one line of JSON, with the threads and the instruction
 * set in use. */
void compare(const struct row *row, const struct effort *effort);

/* Prints what the program was built with and runs on, as one line of JSON. */
void print_machine(void);

/* Ends the program with a message unless the status is OF_OK. */
void require(of_status status, const of_error *err);

#endif
