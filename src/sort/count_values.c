#include "sort/count_values.h"

#include "core/threads.h"
#include "sort/shares.h"

typedef struct job {
    const of__sort_plan *plan;
    int64_t values;
    int64_t *counters;    /* `values` of each worker */
    int64_t shared;       /* the value that several elements share; -1: there is none */
    int64_t first_shared; /* its place in the result */
} job;

size_t of__counts_scratch(int bits, int workers) {
    return (size_t)workers * (sizeof(int64_t) << bits);
}

OF__INLINE int64_t value_of(const of__sort_plan *plan, int bits, uint64_t x) {
    return (int64_t)((of__key_of(&plan->rule, bits, x) - plan->base) >> plan->low);
}

static uint64_t key_of_value(const of__sort_plan *plan, int64_t value) {
    return plan->base + ((uint64_t)value << plan->low);
}

/* ---- The loops, for each size of elements ---- */

OF__INLINE void count(const of__sort_plan *all, int bits, int64_t start, int64_t stop,
                      int64_t *counter) {
    const of__sort_plan plan = *all;
    for (int64_t i = start; i < stop; i++)
        counter[value_of(&plan, bits, of__bits_at(bits, plan.request.keys, i))]++;
}

OF__INLINE void fill(const job *job, int bits, int64_t start, int64_t stop) {
    const of__sort_plan *plan = job->plan;
    int64_t begin = 0;
    for (int64_t value = 0; value < job->values && begin < stop; value++) {
        int64_t end = begin;
        for (int worker = 0; worker < plan->request.workers; worker++)
            end += job->counters[worker * job->values + value];
        uint64_t x = of__element_of(&plan->rule, key_of_value(plan, value));
        int64_t last = end < stop ? end : stop;
        for (int64_t i = begin > start ? begin : start; i < last; i++)
            of__put_bits(bits, plan->request.sorted, i, x);
        begin = end;
    }
}

OF__INLINE void move_shared(const job *job, int bits, int64_t start, int64_t stop, int64_t at) {
    const of__sort_plan plan = *job->plan;
    for (int64_t i = start; i < stop; i++) {
        uint64_t x = of__bits_at(bits, plan.request.keys, i);
        if (value_of(&plan, bits, x) == job->shared)
            of__put_bits(bits, plan.request.sorted, at++, x);
    }
}

/* ---- Shares ---- */

static void count_share(void *context, int worker) {
    const job *job = context;
    const of__sort_request *r = &job->plan->request;
    int64_t start = of__share_start(r->n, r->workers, worker);
    int64_t stop = of__share_start(r->n, r->workers, worker + 1);
    int64_t *counter = job->counters + worker * job->values;
    memset(counter, 0, (size_t)job->values * sizeof *counter);
    switch (job->plan->rule.bits) {
    case 8: count(job->plan, 8, start, stop, counter); break;
    case 16: count(job->plan, 16, start, stop, counter); break;
    case 32: count(job->plan, 32, start, stop, counter); break;
    default: count(job->plan, 64, start, stop, counter); break;
    }
}

static void fill_share(void *context, int worker) {
    const job *job = context;
    const of__sort_request *r = &job->plan->request;
    int64_t start = of__share_start(r->n, r->workers, worker);
    int64_t stop = of__share_start(r->n, r->workers, worker + 1);
    switch (job->plan->rule.bits) {
    case 8: fill(job, 8, start, stop); break;
    case 16: fill(job, 16, start, stop); break;
    case 32: fill(job, 32, start, stop); break;
    default: fill(job, 64, start, stop); break;
    }
}

static void shared_share(void *context, int worker) {
    const job *job = context;
    const of__sort_request *r = &job->plan->request;
    int64_t start = of__share_start(r->n, r->workers, worker);
    int64_t stop = of__share_start(r->n, r->workers, worker + 1);
    int64_t at = job->first_shared;
    for (int before = 0; before < worker; before++)
        at += job->counters[before * job->values + job->shared];
    switch (job->plan->rule.bits) {
    case 8: move_shared(job, 8, start, stop, at); break;
    case 16: move_shared(job, 16, start, stop, at); break;
    case 32: move_shared(job, 32, start, stop, at); break;
    default: move_shared(job, 64, start, stop, at); break;
    }
}

/* Where the elements that share a key are wanted, as they are, after all else or before. */
static void find_shared(job *job) {
    const of__sort_plan *plan = job->plan;
    uint64_t key = (plan->rule.most ^ plan->rule.turn) - plan->base;
    job->shared = -1;
    if (!plan->looks_up) return;
    job->shared = (int64_t)(key >> plan->low);
    job->first_shared = 0;
    if (plan->rule.turn != 0) return;
    job->first_shared = plan->request.n;
    for (int worker = 0; worker < plan->request.workers; worker++)
        job->first_shared -= job->counters[worker * job->values + job->shared];
}

void of__sort_by_counts(const of__sort_plan *plan, void *scratch) {
    const int workers = plan->request.workers;
    job job = {.plan = plan, .values = INT64_C(1) << plan->key_bits, .counters = scratch};
    of__parallel(workers, count_share, &job);
    find_shared(&job);
    of__parallel(workers, fill_share, &job);
    if (job.shared >= 0) of__parallel(workers, shared_share, &job);
}
