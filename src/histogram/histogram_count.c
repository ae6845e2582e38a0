/* Counting: each worker in tables of its own, which are added up at the end. */
#include <stdatomic.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "histogram/histogram_internal.h"

/* An increment has to wait for an earlier one of the same counter; with several tables in turn the
 * same counter comes up less often. */
enum { COPIES = 4 };

#ifdef ONEFOLD_TEST_SMALL
enum { PIECE = 64, BLOCK = 32, MOST_COPIED = 40 };
static const int64_t most_uncarried = 1000;
#else
enum {
    PIECE = 1 << 17,   /* elements that a worker takes at once */
    BLOCK = 2048,      /* whose slots are found before they are counted */
    MOST_COPIED = 1024 /* slots of which there are COPIES */
};
static const int64_t most_uncarried = INT64_C(1) << 31; /* increments that 32 bits hold */
#endif

typedef struct pass {
    const of__sample *sample;
    const of__bins *bins;
    bool by_value; /* counted by `values` first, whose slots are found afterwards */
    of__values values;
    int copies;
    int64_t slots;    /* counters in a table */
    uint32_t *tables; /* `copies` a worker */
    int64_t *counts;  /* by bin, for what is carried and at the end */
    int64_t below, above;
    atomic_llong next;
} pass;

static void count_slots(const int32_t *slot, int64_t n, uint32_t *table, int64_t slots,
                        int copies) {
    int64_t i = 0;
    if (copies == COPIES) {
        uint32_t *second = table + slots, *third = second + slots, *fourth = third + slots;
        for (; i + 4 <= n; i += 4) {
            table[slot[i]]++;
            second[slot[i + 1]]++;
            third[slot[i + 2]]++;
            fourth[slot[i + 3]]++;
        }
    }
    for (; i < n; i++) table[slot[i]]++;
}

static void add(pass *p, int64_t slot, int64_t count) {
    if (count == 0) return;
    int64_t *to = slot == 0 ? &p->below : slot <= p->bins->count ? &p->counts[slot - 1] : &p->above;
    if (slot <= p->bins->count + 1) __atomic_fetch_add(to, count, __ATOMIC_RELAXED);
}

/* The sum of a table's copies, which are emptied. */
static int64_t take(pass *p, uint32_t *table, int64_t slot) {
    int64_t count = 0;
    for (int copy = 0; copy < p->copies; copy++) {
        count += table[copy * p->slots + slot];
        table[copy * p->slots + slot] = 0;
    }
    return count;
}

static void carry_values(pass *p, uint32_t *table) {
    of_dtype dtype = p->sample->dtype;
    int64_t count = p->values.count, size = (int64_t)of_dtype_size(dtype);
    add(p, 0, take(p, table, 0));
    add(p, p->bins->count + 1, take(p, table, count + 1));
    for (int64_t i = 0, n; i < count; i += n) {
        char value[BLOCK * sizeof(int64_t)];
        int32_t slot[BLOCK];
        n = count - i < BLOCK ? count - i : BLOCK;
        for (int64_t k = 0; k < n; k++) {
            of_scalar v = of_scalar_convert(of_scalar_i64(p->values.first + i + k), dtype);
            of_scalar_store(v, value + k * size);
        }
        of__bins_slots(p->bins, dtype, value, n, slot);
        for (int64_t k = 0; k < n; k++) add(p, slot[k], take(p, table, i + k + 1));
    }
}

/* Empties a worker's tables. */
static void carry(pass *p, uint32_t *table) {
    if (p->by_value)
        carry_values(p, table);
    else
        for (int64_t i = 0; i < p->slots; i++) add(p, i, take(p, table, i));
}

static void work(void *context, int worker) {
    pass *p = context;
    const of__sample *sample = p->sample;
    uint32_t *table = p->tables + worker * p->copies * p->slots;
    uint64_t buffer[BLOCK];
    int32_t slot[BLOCK];
    for (int64_t uncarried = 0;;) {
        int64_t start = atomic_fetch_add(&p->next, PIECE), end = start + PIECE;
        if (start >= sample->size) return;
        if (end > sample->size) end = sample->size;
        for (int64_t i = start, n; i < end; i += n) {
            n = end - i < BLOCK ? end - i : BLOCK;
            const void *x = of__layout_fetch(&sample->layout, i, n, buffer);
            if (p->by_value)
                of__values_slots(&p->values, sample->dtype, x, n, slot);
            else
                of__bins_slots(p->bins, sample->dtype, x, n, slot);
            count_slots(slot, n, table, p->slots, p->copies);
        }
        uncarried += end - start;
        if (uncarried > most_uncarried - PIECE) {
            carry(p, table);
            uncarried = 0;
        }
    }
}

of_status of__histogram_count(const of__sample *sample, const of__bins *bins, of_outside outside,
                              int64_t *counts, of_error *err) {
    pass p = {.sample = sample, .bins = bins, .counts = counts, .slots = bins->count + 3};
    int64_t bytes = sample->size * sample->layout.element_size;
    p.by_value = of__values_plan(bins, sample->dtype, &p.values) && sample->size > p.values.count;
    if (p.by_value) p.slots = p.values.count + 2;
    p.copies = p.slots <= MOST_COPIED ? COPIES : 1;
    int workers = of__workers_for(bytes);
    while (workers > 1 && p.slots > sample->size / workers) workers--; /* tables cost too */
    p.tables =
        of__alloc_zeroed((size_t)workers * (size_t)p.copies * (size_t)p.slots * sizeof *p.tables);
    if (!p.tables)
        return of__fail(err, OF_ERR_MEMORY, "no memory to count %lld bins in %d threads",
                        (long long)bins->count, workers);
    of__parallel(workers, work, &p);
    for (int worker = 0; worker < workers; worker++)
        carry(&p, p.tables + worker * p.copies * p.slots);
    of__free(p.tables);
    if (outside == OF_OUTSIDE_CLAMP) {
        counts[0] += p.below;
        counts[bins->count - 1] += p.above;
    }
    return OF_OK;
}
