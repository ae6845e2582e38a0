/*
 * Copying elements between arrays of any strides. The dimensions are put in the order of the
 * target's memory and merged where they can be; two of those that remain are cut into blocks, so
 * small that what is staged of one stays in the caches, and square where the source runs across the
 * target, so that cache lines are used whole.
 */
#include <stdlib.h>
#include <string.h>

#include "array/array_internal.h"
#include "array/convert_rows.h"
#include "core/bytes.h"
#include "core/threads.h"

#ifdef ONEFOLD_TEST_SMALL
enum { CONVERTED_ELEMENTS = 16, MOVED_ELEMENTS = 32, CROSSED_SIDE = 5 };
#else
enum { CONVERTED_ELEMENTS = 1024, MOVED_ELEMENTS = 1 << 16, CROSSED_SIDE = 64 };
#endif
enum { ELEMENT_BYTES = 8 }; /* of the largest type */

/* One dimension: how many indices, and the bytes from one to the next on both sides. */
typedef struct loop {
    int64_t count, to_step, from_step;
} loop;

typedef struct copy_plan {
    char *to;
    const char *from;
    size_t to_size, from_size; /* of an element */
    of__convert_row convert;   /* NULL: the types are equal */
    loop rows, columns;        /* of the whole plane */
    int64_t block_rows, block_columns;
    bool is_crossed; /* the source's memory runs along the rows */
    int ndim;        /* loops over blocks, the last two of them through the plane */
    loop loops[OF_MAX_DIMS + 2];
    int64_t blocks;
    int workers;
} copy_plan;

/* ---- Moving elements of one size ---- */

OF__INLINE void move_sized(size_t size, char *restrict to, int64_t to_step,
                           const char *restrict from, int64_t from_step, int64_t count) {
    for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, size);
}

OF__INLINE void move_row_sized(size_t size, char *restrict to, int64_t to_step,
                               const char *restrict from, int64_t from_step, int64_t count) {
    const int64_t next = (int64_t)size;
    if (to_step == next && from_step == next)
        memcpy(to, from, (size_t)count * size);
    else if (to_step == next && from_step == 0)
        move_sized(size, to, next, from, 0, count);
    else
        move_sized(size, to, to_step, from, from_step, count);
}

static void move_row(size_t size, char *restrict to, int64_t to_step, const char *restrict from,
                     int64_t from_step, int64_t count) {
    switch (size) {
    case 1: move_row_sized(1, to, to_step, from, from_step, count); break;
    case 2: move_row_sized(2, to, to_step, from, from_step, count); break;
    case 4: move_row_sized(4, to, to_step, from, from_step, count); break;
    default: move_row_sized(8, to, to_step, from, from_step, count); break;
    }
}

static void move_block(size_t size, char *to, loop rows, loop columns, const char *from) {
    for (int64_t row = 0; row < rows.count; row++)
        move_row(size, to + row * rows.to_step, columns.to_step, from + row * rows.from_step,
                 columns.from_step, columns.count);
}

/* ---- Staging ---- */

/* The elements of one block packed row by row, before and after conversion. */
enum { SCRATCH_ELEMENTS = CROSSED_SIDE * CROSSED_SIDE };
_Static_assert((int)SCRATCH_ELEMENTS >= (int)CONVERTED_ELEMENTS, "scratch holds any block");

typedef struct scratch {
    char gathered[SCRATCH_ELEMENTS * ELEMENT_BYTES], converted[SCRATCH_ELEMENTS * ELEMENT_BYTES];
} scratch;

/*
 * Gathers where the source is strided, scatters where the target is. Where the source runs across
 * the target it is read by columns: whole cache lines, which straight from source to target would
 * evict each other when the strides are powers of two.
 */
static void copy_staged(const copy_plan *plan, scratch *scratch, char *to, loop rows, loop columns,
                        const char *from) {
    const int64_t to_size = (int64_t)plan->to_size, from_size = (int64_t)plan->from_size;
    const bool gathers = rows.count > 1 || columns.from_step != from_size;
    const bool scatters = rows.count > 1 || columns.to_step != to_size;
    if (gathers) {
        loop packed_rows = {rows.count, columns.count * from_size, rows.from_step};
        loop packed_columns = {columns.count, from_size, columns.from_step};
        if (plan->is_crossed)
            move_block(plan->from_size, scratch->gathered, packed_columns, packed_rows, from);
        else
            move_block(plan->from_size, scratch->gathered, packed_rows, packed_columns, from);
        from = scratch->gathered;
    }
    if (plan->convert != NULL) {
        char *converted = scatters ? scratch->converted : to;
        plan->convert(converted, from, rows.count * columns.count);
        from = converted;
    }
    if (scatters) {
        loop packed_rows = {rows.count, rows.to_step, columns.count * to_size};
        loop packed_columns = {columns.count, columns.to_step, to_size};
        move_block(plan->to_size, to, packed_rows, packed_columns, from);
    }
}

/* ---- Planning ---- */

static int compare_target_steps(const void *a, const void *b) {
    int64_t step_a = llabs(((const loop *)a)->to_step), step_b = llabs(((const loop *)b)->to_step);
    return (step_a < step_b) - (step_a > step_b);
}

/* The dimensions of more than one index, the target's largest step first, neighbours merged. At
 * least two, the last two being the plane's rows and columns. Returns how many. */
static int plan_loops(const of_array *to, const of_array *from, loop *loops) {
    int count = 0;
    for (int i = 0; i < to->ndim; i++)
        if (to->shape[i] != 1)
            loops[count++] = (loop){to->shape[i], to->strides[i], from->strides[i]};
    qsort(loops, (size_t)count, sizeof *loops, compare_target_steps);
    int merged = 0;
    for (int i = 0; i < count; i++) {
        loop *outer = &loops[merged - 1], inner = loops[i];
        if (merged > 0 && outer->to_step == inner.to_step * inner.count &&
            outer->from_step == inner.from_step * inner.count)
            *outer = (loop){outer->count * inner.count, inner.to_step, inner.from_step};
        else
            loops[merged++] = inner;
    }
    while (merged < 2) {
        memmove(loops + 1, loops, (size_t)merged++ * sizeof *loops);
        loops[0] = (loop){1, 0, 0};
    }
    return merged;
}

/* Makes `chosen` the last but one. */
static void choose_rows(loop *loops, int count, int chosen) {
    loop rows = loops[chosen];
    memmove(loops + chosen, loops + chosen + 1, (size_t)(count - 2 - chosen) * sizeof *loops);
    loops[count - 2] = rows;
}

static int64_t ceiling_of(int64_t amount, int64_t part) {
    return amount / part + (amount % part != 0);
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static void plan_blocks(copy_plan *plan) {
    loop *loops = plan->loops, *columns = &loops[plan->ndim - 1];
    int largest = 0,
        nearest = -1; /* of the others: by count; by the source's step, less than the columns' */
    int64_t nearest_step = llabs(columns->from_step);
    for (int i = 0; i < plan->ndim - 1; i++) {
        int64_t step = llabs(loops[i].from_step);
        if (loops[i].count > loops[largest].count) largest = i;
        if (loops[i].count == 1 || step == 0 || step >= nearest_step) continue;
        nearest = i;
        nearest_step = step;
    }
    plan->is_crossed = nearest >= 0;
    choose_rows(loops, plan->ndim, plan->is_crossed ? nearest : largest);
    loop *rows = &loops[plan->ndim - 2];
    plan->rows = *rows;
    plan->columns = *columns;

    int64_t elements = plan->is_crossed        ? CROSSED_SIDE * CROSSED_SIDE
                       : plan->convert != NULL ? CONVERTED_ELEMENTS
                                               : MOVED_ELEMENTS;
    plan->block_columns = smaller(columns->count, plan->is_crossed ? CROSSED_SIDE : elements);
    if (plan->ndim == 2 && rows->count == 1 && plan->convert == NULL)
        plan->block_columns = ceiling_of(columns->count, plan->workers); /* one run: whole shares */
    int64_t most_rows = elements / plan->block_columns;
    plan->block_rows = smaller(rows->count, most_rows < 1 ? 1 : most_rows);

    *rows = (loop){ceiling_of(rows->count, plan->block_rows), rows->to_step * plan->block_rows,
                   rows->from_step * plan->block_rows};
    *columns =
        (loop){ceiling_of(columns->count, plan->block_columns),
               columns->to_step * plan->block_columns, columns->from_step * plan->block_columns};
    plan->blocks = 1;
    for (int i = 0; i < plan->ndim; i++) plan->blocks *= loops[i].count;
}

/* ---- Running ---- */

static void copy_block(const copy_plan *plan, scratch *scratch, const int64_t *index, char *to,
                       const char *from) {
    int64_t row = index[plan->ndim - 2] * plan->block_rows;
    int64_t column = index[plan->ndim - 1] * plan->block_columns;
    loop rows = plan->rows, columns = plan->columns;
    rows.count = smaller(plan->block_rows, rows.count - row);
    columns.count = smaller(plan->block_columns, columns.count - column);
    if (plan->convert != NULL || (plan->is_crossed && rows.count > 1))
        copy_staged(plan, scratch, to, rows, columns, from);
    else
        move_block(plan->to_size, to, rows, columns, from);
}

static void copy_share(void *context, int worker) {
    const copy_plan *plan = context;
    int64_t share = ceiling_of(plan->blocks, plan->workers);
    int64_t first = smaller(share * worker, plan->blocks);
    int64_t last = smaller(first + share, plan->blocks);

    int64_t index[OF_MAX_DIMS + 2], rest = first;
    char *to = plan->to;
    const char *from = plan->from;
    scratch scratch;
    for (int i = plan->ndim - 1; i >= 0; i--) {
        loop l = plan->loops[i];
        index[i] = rest % l.count;
        rest /= l.count;
        to += index[i] * l.to_step;
        from += index[i] * l.from_step;
    }
    for (int64_t block = first; block < last; block++) {
        copy_block(plan, &scratch, index, to, from);
        for (int i = plan->ndim - 1; i >= 0; i--) { /* the next index, like an odometer */
            loop l = plan->loops[i];
            to += l.to_step;
            from += l.from_step;
            if (++index[i] < l.count) break;
            to -= l.to_step * l.count;
            from -= l.from_step * l.count;
            index[i] = 0;
        }
    }
}

void of__copy_elements(const of_array *to, const of_array *from) {
    if (to->size == 0) return;
    copy_plan plan = {
        .to = to->data,
        .from = from->data,
        .to_size = of_dtype_size(to->dtype),
        .from_size = of_dtype_size(from->dtype),
        .convert = of__convert_row_for(to->dtype, from->dtype),
    };
    int64_t to_bytes = of_array_nbytes(to), from_bytes = of_array_nbytes(from);
    plan.workers = of__workers_for(to_bytes > from_bytes ? to_bytes : from_bytes);
    plan.ndim = plan_loops(to, from, plan.loops);
    plan_blocks(&plan);
    of__parallel(plan.workers, copy_share, &plan);
}
