/* Sorting by digits: passes that each put the records in the stable order of one digit. */
#ifndef ONEFOLD_SORT_RADIX_PASS_H
#define ONEFOLD_SORT_RADIX_PASS_H

#include "core/alloc.h"
#include "sort/radix.h"
#include "sort/shares.h"

/* Bits of a digit at most. A pass costs as much as filling 2^bits counters, and writes to as many
 * places of memory at once. */
#ifdef ONEFOLD_TEST_SMALL
enum { OF__DIGIT_BITS = 3 };
#else
enum { OF__DIGIT_BITS = 8 };
#endif

/* A key and its index, where both do not fit into one word. */
typedef struct of__wide_record {
    uint64_t key, index;
} of__wide_record;

/* Of a buffer of n records, such that another may follow it. */
OF__INLINE size_t of__buffer_bytes(int64_t n, size_t record) {
    return ((size_t)n * record + OF__ALIGNMENT - 1) / OF__ALIGNMENT * OF__ALIGNMENT;
}

/* Of the counters of all workers. */
OF__INLINE size_t of__counters_bytes(int workers) {
    return (size_t)workers * (sizeof(int64_t) << OF__DIGIT_BITS);
}

/* Runs a plan of digits. */
void of__sort_digits(const of__sort_plan *plan, void *scratch);

#endif
