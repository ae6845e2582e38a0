/*
 * Rows of values that belong to numbered groups: what the operations over groups read. A source
 * hands them over in blocks, as often and to as many threads at once as they like, so that group
 * numbers and values may be computed on the way (a histogram's bins).
 */
#ifndef ONEFOLD_GROUP_GROUPED_H
#define ONEFOLD_GROUP_GROUPED_H

#include <stdatomic.h>

#include <onefold/dtype.h>

/* The values that a source is asked for at once, at most; so many rows too. */
#ifdef ONEFOLD_TEST_SMALL
#define OF__GROUP_BLOCK 24
#else
#define OF__GROUP_BLOCK 512
#endif

typedef struct of__grouped {
    int64_t rows, width; /* values in a row; both 0 or more, their product at most 2^63 - 1 */
    int64_t groups;      /* groups * width is at most 2^63 - 1 */
    of_dtype dtype;      /* of the values */
    const void *context;
    /* The group numbers of n <= OF__GROUP_BLOCK rows: in `buffer`, which has room for them, or
     * elsewhere. Rows of a number outside 0 <= group < groups are left out. */
    const int64_t *(*group_of)(const void *context, int64_t row, int64_t n, int64_t *buffer);
    /* The values of number start .. start + n - 1, counted along the rows, contiguous: in `buffer`,
     * which has room for n <= OF__GROUP_BLOCK of them, or elsewhere. */
    const void *(*values_of)(const void *context, int64_t start, int64_t n, void *buffer);
    /* All values, where they lie contiguously in memory; else NULL. */
    const void *contiguous;
} of__grouped;

/* Some rows, or where rows are longer than a block, some columns of one. */
typedef struct of__group_block {
    int64_t row, rows, column, columns;
    const int64_t *group; /* `rows` numbers */
    const void *values;   /* rows * columns; NULL when they are not wanted */
} of__group_block;

typedef struct of__group_reader {
    const of__grouped *source;
    int64_t row, stop, column;
    bool wants_values;
    int64_t group[OF__GROUP_BLOCK];
    uint64_t values[OF__GROUP_BLOCK];
} of__group_reader;

/* Reads rows row <= i < stop. */
void of__group_read(of__group_reader *reader, const of__grouped *source, int64_t row, int64_t stop,
                    bool wants_values);

/* The next block; false at the end. It stands until the next call. */
bool of__group_next(of__group_reader *reader, of__group_block *block);

/* Rows handed out to workers, who take pieces of them in any order. */
typedef struct of__group_pieces {
    const of__grouped *source;
    atomic_llong next;
} of__group_pieces;

/* The next piece of rows, to be read by `reader`; false when there is none. */
bool of__group_next_piece(of__group_pieces *pieces, bool wants_values, of__group_reader *reader);

/* The bytes that are read in one pass, for of__workers_for. */
int64_t of__grouped_bytes(const of__grouped *source);

/* How many workers may have a table of `sums` numbers each, so that all of them together take no
 * more memory than the values; at least one. */
int of__grouped_workers(const of__grouped *source, int64_t sums);

#endif
