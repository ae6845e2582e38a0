/*
 * A pass counts how often each digit occurs in each worker's share of the records, adds up where
 * the records of each digit and worker begin, and moves them there. The first pass reads the keys
 * and makes records of them, the last one leaves only what was asked for.
 */
#include "sort/radix_pass.h"

#include "core/threads.h"

/* What a pass reads or writes. */
typedef enum form {
    ELEMENTS, /* of the keys' type */
    WORDS,    /* key << index_bits | index */
    WIDE,     /* of__wide_record */
    RESULT    /* an index, and the element if that is wanted too */
} form;

typedef struct pass {
    const of__sort_plan *plan;
    form from, to;
    const void *source;
    void *target;
    of__digit digit;
    int64_t *counters; /* 2^digit.bits for each worker */
} pass;

/* What a record holds: a key without its base, and its index, or its bits where elements move. */
typedef struct record {
    uint64_t key, index;
} record;

OF__INLINE record load(const of__sort_plan *plan, form from, int bits, form to, const void *source,
                       int64_t i) {
    if (from == ELEMENTS) {
        uint64_t x = of__bits_at(bits, source, i);
        uint64_t key = of__key_of(&plan->rule, bits, x) - plan->base;
        return (record){key, to == ELEMENTS ? x : (uint64_t)i};
    }
    if (from == WORDS) {
        uint64_t word = ((const uint64_t *)source)[i];
        return (record){word >> plan->index_bits, word & ~(UINT64_MAX << plan->index_bits)};
    }
    of__wide_record wide = ((const of__wide_record *)source)[i];
    return (record){wide.key, wide.index};
}

OF__INLINE void store(const of__sort_plan *plan, form to, int bits, int index_bits, void *target,
                      int64_t at, record r) {
    switch (to) {
    case ELEMENTS: of__put_bits(bits, target, at, r.index); break;
    case WORDS: ((uint64_t *)target)[at] = r.key << plan->index_bits | r.index; break;
    case WIDE: ((of__wide_record *)target)[at] = (of__wide_record){r.key, r.index}; break;
    case RESULT: of__put_bits(index_bits, target, at, r.index); break;
    }
}

OF__INLINE void scatter(const pass *pass, form from, form to, int bits, int index_bits,
                        int64_t start, int64_t stop, int64_t *place) {
    const of__sort_plan plan = *pass->plan;
    const int shift = pass->digit.shift;
    const uint64_t mask = ~(UINT64_MAX << pass->digit.bits);
    for (int64_t i = start; i < stop; i++) {
        record r = load(&plan, from, bits, to, pass->source, i);
        store(&plan, to, bits, index_bits, pass->target, place[r.key >> shift & mask]++, r);
    }
}

OF__INLINE void count(const pass *pass, form from, int bits, int64_t start, int64_t stop,
                      int64_t *counter) {
    const of__sort_plan plan = *pass->plan;
    const int shift = pass->digit.shift;
    const uint64_t mask = ~(UINT64_MAX << pass->digit.bits);
    for (int64_t i = start; i < stop; i++)
        counter[load(&plan, from, bits, from, pass->source, i).key >> shift & mask]++;
}

/* ---- The loop for each pair of forms ---- */

OF__INLINE void scatter_into(const pass *p, form from, int bits, int64_t start, int64_t stop,
                             int64_t *place) {
    switch (p->to) {
    case ELEMENTS:
        if (from == ELEMENTS) scatter(p, ELEMENTS, ELEMENTS, bits, 0, start, stop, place);
        break;
    case WORDS:
        if (from != WIDE) scatter(p, from, WORDS, bits, 0, start, stop, place);
        break;
    case WIDE:
        if (from != WORDS) scatter(p, from, WIDE, bits, 0, start, stop, place);
        break;
    case RESULT:
        if (p->plan->request.index_dtype == OF_I32)
            scatter(p, from, RESULT, bits, 32, start, stop, place);
        else
            scatter(p, from, RESULT, bits, 64, start, stop, place);
        break;
    }
}

static void scatter_share(void *context, int worker) {
    const pass *p = context;
    const of__sort_request *request = &p->plan->request;
    int64_t start = of__share_start(request->n, request->workers, worker);
    int64_t stop = of__share_start(request->n, request->workers, worker + 1);
    int64_t *place = p->counters + ((int64_t)worker << p->digit.bits);
    switch (p->from == ELEMENTS ? p->plan->rule.bits : 0) {
    case 8: scatter_into(p, ELEMENTS, 8, start, stop, place); break;
    case 16: scatter_into(p, ELEMENTS, 16, start, stop, place); break;
    case 32: scatter_into(p, ELEMENTS, 32, start, stop, place); break;
    case 64: scatter_into(p, ELEMENTS, 64, start, stop, place); break;
    default:
        if (p->from == WORDS)
            scatter_into(p, WORDS, 0, start, stop, place);
        else
            scatter_into(p, WIDE, 0, start, stop, place);
        break;
    }
}

static void count_share(void *context, int worker) {
    const pass *p = context;
    const of__sort_request *request = &p->plan->request;
    int64_t start = of__share_start(request->n, request->workers, worker);
    int64_t stop = of__share_start(request->n, request->workers, worker + 1);
    int64_t *counter = p->counters + ((int64_t)worker << p->digit.bits);
    memset(counter, 0, sizeof *counter << p->digit.bits);
    switch (p->from == ELEMENTS ? p->plan->rule.bits : 0) {
    case 8: count(p, ELEMENTS, 8, start, stop, counter); break;
    case 16: count(p, ELEMENTS, 16, start, stop, counter); break;
    case 32: count(p, ELEMENTS, 32, start, stop, counter); break;
    case 64: count(p, ELEMENTS, 64, start, stop, counter); break;
    default:
        if (p->from == WORDS)
            count(p, WORDS, 0, start, stop, counter);
        else
            count(p, WIDE, 0, start, stop, counter);
        break;
    }
}

/* ---- Passes ---- */

/* Counts become places: those of a digit follow the digits below, worker after worker. */
static void add_up(const pass *p) {
    const int workers = p->plan->request.workers;
    int64_t place = 0;
    for (int64_t digit = 0; digit < INT64_C(1) << p->digit.bits; digit++)
        for (int worker = 0; worker < workers; worker++) {
            int64_t *counter = p->counters + ((int64_t)worker << p->digit.bits) + digit;
            int64_t counted = *counter;
            *counter = place;
            place += counted;
        }
}

static void run_pass(pass *p) {
    const int workers = p->plan->request.workers;
    of__parallel(workers, count_share, p);
    add_up(p);
    of__parallel(workers, scatter_share, p);
}

/* Elements alone: the result and one buffer take turns, so that the last pass ends in the result.
 */
static void sort_elements(const of__sort_plan *plan, char *buffer, int64_t *counters) {
    void *turn[2] = {plan->request.sorted, buffer};
    const void *source = plan->request.keys;
    for (int i = 0; i < plan->digits; i++) {
        void *target = turn[(plan->digits - 1 - i) % 2];
        pass p = {plan, ELEMENTS, ELEMENTS, source, target, plan->digit[i], counters};
        run_pass(&p);
        source = target;
    }
}

static void sort_records(const of__sort_plan *plan, char *buffer, size_t bytes, int64_t *counters) {
    const form records = plan->index_bits != 0 ? WORDS : WIDE;
    const void *source = plan->request.keys;
    for (int i = 0; i < plan->digits; i++) {
        bool is_last = i == plan->digits - 1;
        void *target = is_last ? plan->request.order : buffer + (size_t)(i % 2) * bytes;
        pass p = {.plan = plan,
                  .from = i == 0 ? ELEMENTS : records,
                  .to = is_last ? RESULT : records,
                  .source = source,
                  .target = target,
                  .digit = plan->digit[i],
                  .counters = counters};
        run_pass(&p);
        source = target;
    }
}

static void gather_sorted(void *context, int worker) {
    const of__sort_request *r = &((const of__sort_plan *)context)->request;
    const int bits = ((const of__sort_plan *)context)->rule.bits;
    const int index_bits = 8 * (int)of_dtype_size(r->index_dtype);
    int64_t start = of__share_start(r->n, r->workers, worker);
    int64_t stop = of__share_start(r->n, r->workers, worker + 1);
    for (int64_t i = start; i < stop; i++)
        of__put_bits(bits, r->sorted, i,
                     of__bits_at(bits, r->keys, (int64_t)of__bits_at(index_bits, r->order, i)));
}

void of__sort_digits(const of__sort_plan *plan, void *scratch) {
    const of__sort_request *request = &plan->request;
    int64_t *counters = scratch;
    char *buffer = (char *)scratch + of__counters_bytes(request->workers);
    if (request->order == NULL) {
        sort_elements(plan, buffer, counters);
        return;
    }
    size_t record = plan->index_bits != 0 ? sizeof(uint64_t) : sizeof(of__wide_record);
    sort_records(plan, buffer, of__buffer_bytes(request->n, record), counters);
    if (request->sorted != NULL) of__parallel(request->workers, gather_sorted, (void *)plan);
}
