/*
 * Sums of groups in tables of integers.
 *
 * A finite float is split into whole multiples of a unit and a rest below it, the rest into
 * multiples of a smaller unit, and so on; multiples are added up as integers, one number for each
 * sum and unit. Integer adds are exact and commute: any worker may add any row, and the workers'
 * tables are added in the end. The first unit follows from the largest magnitude and the number of
 * rows, so that no number overflows:
 *
 *     |multiple| <= 2^step, rows * 2^step <= 2^62, unit[k + 1] = unit[k] * 2^-step
 *
 * The largest magnitude is that of a sample; values that turn out to be larger are listed. So is
 * what is left after the last unit, infinities and NaNs. When the list of a sample grows long the
 * table is made again for the largest magnitude of all. When that one's does, the data spans more
 * than step * OF__GROUP_LEVELS binades, and the table gives up.
 */
#ifndef ONEFOLD_GROUP_GROUP_TABLE_H
#define ONEFOLD_GROUP_GROUP_TABLE_H

#include <stdatomic.h>

#include <onefold/error.h>

#include "exact/accumulator.h"
#include "group/group_kernels.h"
#include "group/group_order.h"

#define OF__GROUP_LEVELS 3

/* A value that no unit divides, and the sum it belongs to. */
typedef struct of__listed {
    int64_t sum;
    double value;
} of__listed;

/* What one worker adds to. Tables have room for one row more than there are groups, for the rows
 * that are left out; they are NULL until they are needed. */
typedef struct of__group_share {
    int64_t *first; /* multiples of unit[0]: a row of `width` numbers for each group */
    int64_t *pairs; /* of unit[0] and unit[1]: a row of each, one after the other, for each group */
    int64_t *third; /* of unit[2] */
    of__listed *list;
    int64_t listed;
    uint8_t *minus_zero; /* not 0: the sum has a term that is -0.0; NULL when none has */
    bool takes_pairs;    /* the last block left many rests of unit[0] */
} of__group_share;

typedef struct of__group_table {
    const of__grouped *source;
    const of__group_kernels *kernels;
    int64_t sums;
    int workers;
    of__group_share *share; /* one a worker */
    int exponent, step;     /* unit[k] is 2^(exponent - k * step) */
    double unit[OF__GROUP_LEVELS], inverse[OF__GROUP_LEVELS];
    uint64_t limit;           /* magnitudes whose bits are lower are below 2^step first units */
    bool has_sampled;         /* the limit is a guess: larger values are listed */
    int64_t most_listed;      /* for each worker */
    atomic_uchar *minus_zero; /* not 0: the sum is -0.0; NULL when none is */
    of__listed *list;         /* all that was listed */
    of__group_order order;    /* of the list, by sum; first is NULL when nothing was listed */
    of__group_pieces pieces;
    atomic_bool has_failed, is_too_wide;
} of__group_table;

/* The multiples of each unit that a sum is made of. */
typedef struct of__multiples {
    int64_t of_unit[OF__GROUP_LEVELS];
} of__multiples;

of__multiples of__multiples_of(const of__group_table *table, int64_t sum);

/*
 * Adds all rows. *is_too_wide: the table gave up, since the values lie too far apart or, `is_wide`
 * telling that sums may not wrap, integers are too many; nothing is left to free.
 * OF_ERR_MEMORY.
 */
of_status of__group_table_fill(of__group_table *table, const of__grouped *source, bool is_wide,
                               bool *is_too_wide, of_error *err);

/*
 * Rounds all sums to elements of a type, once; integers modulo its width.
 *
 * divisor   one number for each group that its sums are divided by, the answer being 0 where it is
 *           0; NULL: none
 */
void of__group_table_round(of__group_table *table, const int64_t *divisor, of_dtype dtype,
                           void *out);

/* group_signs.c: notes the sums that a block has -0.0 for; false when there is no memory. Then, with
 * everything added, finds those that have no other terms. */
bool of__group_note_minus_zeros(of__group_table *table, const of__group_block *block,
                                of__group_share *share);
of_status of__group_find_minus_zeros(of__group_table *table, of_error *err);

void of__group_table_free(of__group_table *table);

#endif
