#include "group/group_order.h"

#include <stdatomic.h>
#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"

typedef struct counting {
    const of__grouped *source;
    int workers;
    /* groups numbers for each worker: how many of its rows belong to a group, then where its next
     * such row goes */
    int64_t *count;
    char *values;
    atomic_bool is_unordered; /* some row belongs to a lower group than one before */
} counting;

static int64_t share_start(const counting *c, int worker) {
    return (int64_t)((__int128)c->source->rows * worker / c->workers);
}

static void count_share(void *context, int worker) {
    counting *c = context;
    int64_t groups = c->source->groups, *count = c->count + worker * groups;
    memset(count, 0, (size_t)groups * sizeof *count);
    of__group_reader reader;
    of__group_block block;
    int64_t last = 0, start = share_start(c, worker);
    bool is_ordered = true;
    of__group_read(&reader, c->source, start, share_start(c, worker + 1), false);
    while (of__group_next(&reader, &block))
        for (int64_t i = 0; i < block.rows; i++) {
            int64_t group = block.group[i];
            if ((uint64_t)group >= (uint64_t)groups) {
                is_ordered = false; /* a row that is left out is out of place too */
                continue;
            }
            is_ordered &= group >= last;
            last = group;
            count[group]++;
        }
    if (!is_ordered) atomic_store(&c->is_unordered, true);
}

/* So many that their counts take no more memory than the rows. */
static int plan_workers(const of__grouped *source) {
    int workers = of__workers_for(of__grouped_bytes(source));
    while (workers > 1 && source->groups > source->rows / workers) workers--;
    return workers;
}

static of_status count_rows(counting *c, of_error *err) {
    int64_t groups = c->source->groups;
    if (groups > INT64_MAX / 8 / c->workers - 1)
        return of__fail(err, OF_ERR_MEMORY, "no memory for counts of %lld groups",
                        (long long)groups);
    c->count = of__alloc((size_t)groups * (size_t)c->workers * sizeof *c->count);
    if (!c->count)
        return of__fail(err, OF_ERR_MEMORY, "no memory for counts of %lld groups",
                        (long long)groups);
    of__parallel(c->workers, count_share, c);
    return OF_OK;
}

of_status of__group_count(const of__grouped *source, int64_t *count, of_error *err) {
    counting c = {.source = source, .workers = plan_workers(source)};
    if (c.workers == 1) { /* straight into the answer */
        c.count = count;
        of__parallel(1, count_share, &c);
        return OF_OK;
    }
    OF_TRY(count_rows(&c, err));
    for (int64_t g = 0; g < source->groups; g++) {
        count[g] = 0;
        for (int w = 0; w < c.workers; w++) count[g] += c.count[w * source->groups + g];
    }
    of__free(c.count);
    return OF_OK;
}

/* ---- Ordering ---- */

/* Turns the counts into the places of the workers' first rows. Whether the order is the rows' own.
 */
static bool place_groups(counting *c, int64_t *first) {
    int64_t next = 0, groups = c->source->groups;
    bool is_ordered = !atomic_load(&c->is_unordered);
    int last_worker = 0;
    for (int64_t g = 0; g < groups; g++) {
        first[g] = next;
        for (int w = 0; w < c->workers; w++) {
            int64_t rows = c->count[w * groups + g];
            c->count[w * groups + g] = next;
            next += rows;
            if (!rows) continue;
            is_ordered &= w >= last_worker;
            last_worker = w;
        }
    }
    first[groups] = next;
    return is_ordered;
}

static void move_share(void *context, int worker) {
    counting *c = context;
    int64_t groups = c->source->groups, width = c->source->width,
            *place = c->count + worker * groups;
    int64_t size = (int64_t)of_dtype_size(c->source->dtype);
    of__group_reader reader;
    of__group_block block;
    of__group_read(&reader, c->source, share_start(c, worker), share_start(c, worker + 1), true);
    while (of__group_next(&reader, &block)) {
        const char *from = block.values;
        bool is_row_end = block.column + block.columns == width;
        for (int64_t i = 0; i < block.rows; i++, from += block.columns * size) {
            int64_t group = block.group[i];
            if ((uint64_t)group >= (uint64_t)groups) continue;
            char *to = c->values + (place[group] * width + block.column) * size;
            memcpy(to, from, (size_t)(block.columns * size));
            place[group] += is_row_end;
        }
    }
}

of_status of__group_order_make(const of__grouped *source, of__group_order *out, of_error *err) {
    counting c = {.source = source, .workers = plan_workers(source)};
    OF_TRY(count_rows(&c, err));
    int64_t *first = of__alloc(((size_t)source->groups + 1) * sizeof *first);
    if (!first) {
        of__free(c.count);
        return of__fail(err, OF_ERR_MEMORY, "no memory for places of %lld groups",
                        (long long)source->groups);
    }
    if (place_groups(&c, first) && source->contiguous) {
        of__free(c.count);
        *out = (of__group_order){first, source->contiguous, NULL};
        return OF_OK;
    }
    int64_t kept = first[source->groups];
    c.values = of__alloc((size_t)(kept * source->width) * of_dtype_size(source->dtype));
    if (!c.values) {
        of__free(c.count);
        of__free(first);
        return of__fail(err, OF_ERR_MEMORY, "no memory for %lld rows in the order of their groups",
                        (long long)kept);
    }
    of__parallel(c.workers, move_share, &c);
    of__free(c.count);
    *out = (of__group_order){first, c.values, c.values};
    return OF_OK;
}

void of__group_order_free(of__group_order *order) {
    of__free(order->first);
    of__free(order->own);
}
