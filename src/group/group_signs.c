/*
 * The sign of zero: a sum is -0.0 when it has terms and all of them are. Most data has no -0.0; where
 * there is one, what matters are the sums that have one and are 0. Only for their sake, and that is
 * seldom, are the rows read again.
 */
#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "group/group_table.h"

of__multiples of__multiples_of(const of__group_table *table, int64_t sum) {
    uint64_t first = 0, second = 0, third = 0;
    int64_t width = table->source->width, group = width == 1 ? sum : sum / width;
    for (int w = 0; w < table->workers; w++) {
        const of__group_share *share = &table->share[w];
        if (share->first) first += (uint64_t)share->first[sum];
        if (share->third) third += (uint64_t)share->third[sum];
        if (!share->pairs) continue;
        first += (uint64_t)share->pairs[sum + group * width];
        second += (uint64_t)share->pairs[sum + (group + 1) * width];
    }
    return (of__multiples){{(int64_t)first, (int64_t)second, (int64_t)third}};
}

/* Walks over a block: whether value number `i` is -0.0, and the sum it goes to, or -1. */
typedef struct walk {
    const char *x;
    int64_t size;
    uint64_t minus_zero;
} walk;

static walk walk_over(const of__group_table *table, const of__group_block *block) {
    int64_t size = (int64_t)of_dtype_size(table->source->dtype);
    return (walk){block->values, size, UINT64_C(1) << (8 * size - 1)};
}

static bool is_minus_zero(const walk *w, int64_t i) {
    uint64_t bits = 0;
    memcpy(&bits, w->x + i * w->size, (size_t)w->size);
    return bits == w->minus_zero;
}

bool of__group_note_minus_zeros(of__group_table *table, const of__group_block *block,
                                of__group_share *share) {
    walk w = walk_over(table, block);
    if (!share->minus_zero) share->minus_zero = of__alloc_zeroed((size_t)table->sums);
    if (!share->minus_zero) {
        atomic_store(&table->has_failed, true);
        return false;
    }
    for (int64_t row = 0, i = 0; row < block->rows; row++) {
        bool is_in = (uint64_t)block->group[row] < (uint64_t)table->source->groups;
        int64_t sum = block->group[row] * (is_in ? table->source->width : 0) + block->column;
        for (int64_t c = 0; c < block->columns; c++, i++)
            if (is_in && is_minus_zero(&w, i)) share->minus_zero[sum + c] = 1;
    }
    return true;
}

/* Another term makes a sum that may be -0.0 one that is not. */
static void look_for_others(void *context, int worker) {
    (void)worker;
    of__group_table *table = context;
    of__group_reader reader;
    of__group_block block;
    while (of__group_next_piece(&table->pieces, true, &reader))
        while (of__group_next(&reader, &block)) {
            walk w = walk_over(table, &block);
            for (int64_t row = 0, i = 0; row < block.rows; row++) {
                int64_t group = block.group[row];
                if ((uint64_t)group >= (uint64_t)table->source->groups) {
                    i += block.columns;
                    continue;
                }
                atomic_uchar *mark =
                    table->minus_zero + group * table->source->width + block.column;
                for (int64_t c = 0; c < block.columns; c++, i++)
                    if (atomic_load_explicit(mark + c, memory_order_relaxed) &&
                        !is_minus_zero(&w, i))
                        atomic_store_explicit(mark + c, 0, memory_order_relaxed);
            }
        }
}

static bool has_minus_zero(const of__group_table *table, int64_t sum) {
    for (int w = 0; w < table->workers; w++)
        if (table->share[w].minus_zero && table->share[w].minus_zero[sum]) return true;
    return false;
}

of_status of__group_find_minus_zeros(of__group_table *table, of_error *err) {
    bool is_noted = false;
    for (int w = 0; w < table->workers; w++) is_noted |= table->share[w].minus_zero != NULL;
    if (!is_noted) return OF_OK;
    atomic_uchar *marks = of__alloc_zeroed((size_t)table->sums);
    if (!marks)
        return of__fail(err, OF_ERR_MEMORY, "no memory for signs of %lld sums",
                        (long long)table->sums);
    bool is_any = false;
    for (int64_t sum = 0; sum < table->sums; sum++) {
        if (!has_minus_zero(table, sum)) continue;
        of__multiples m = of__multiples_of(table, sum);
        bool is_zero = !m.of_unit[0] && !m.of_unit[1] && !m.of_unit[2];
        atomic_init(&marks[sum], is_zero);
        is_any |= is_zero;
    }
    table->minus_zero = marks;
    if (!is_any) return OF_OK;
    atomic_store(&table->pieces.next, 0);
    of__parallel(table->workers, look_for_others, table);
    return OF_OK;
}
