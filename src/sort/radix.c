/* Plans: how keys of what spread are sorted. */
#include "sort/radix.h"

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "sort/count_values.h"
#include "sort/digits.h"
#include "sort/key_scan.h"
#include "sort/shares.h"
#include "sort/words.h"

static int bit_length(uint64_t x) {
    return x == 0 ? 0 : 64 - __builtin_clzll(x);
}

/*
 * What has to be looked at of keys: the bits that vary among them, or those of the distance to the
 * least key, whichever takes fewer digits. The first is better for keys with constant parts in
 * between, the second for keys that straddle a power of two.
 */
static void choose_base(of__sort_plan *plan, const of__key_scan *scan) {
    of__digit digit[OF__MOST_DIGITS];
    int low = __builtin_ctzll(scan->varying); /* equal below here, so distances are 0 there */
    int spread = bit_length(scan->most - scan->least);
    uint64_t distances = UINT64_MAX >> (64 - spread) >> low << low;
    bool by_bits = plan->request.n > OF__FEW_WORDS && /* for few not worth the look */
                   of__cover(scan->varying, 8, digit) < of__cover(distances, 8, digit);
    plan->base = by_bits ? scan->least & ~scan->varying : scan->least;
    plan->low = low;
    plan->key_bits = bit_length(by_bits ? scan->varying : distances) - low;
}

static void plan_words(of__sort_plan *plan, bool shared) {
    const of__sort_request *request = &plan->request;
    bool is_alone = request->order == NULL && request->values == NULL; /* elements are all */
    int index_bits = bit_length((uint64_t)request->n - 1);
    plan->way = OF__SORT_WORDS;
    plan->carries = request->values != NULL && plan->key_bits + request->value_bits <= 64 &&
                    !(shared && request->sorted != NULL);
    if (plan->carries)
        plan->payload_bits = request->value_bits;
    else if (!is_alone || shared)
        plan->payload_bits = index_bits;
    plan->index_mask = ~(UINT64_MAX << plan->payload_bits);
    int room = 64 - plan->payload_bits;
    plan->rest = plan->key_bits > room ? plan->key_bits - room : 0;
    plan->looks_up = shared || plan->rest > 0;
    plan->scratch = of__words_scratch(request->n, request->workers);
}

/* Elements of few values, many times each. */
static bool are_counted(const of__sort_plan *plan) {
    const of__sort_request *request = &plan->request;
    return request->order == NULL && request->values == NULL &&
           plan->key_bits <= OF__COUNTED_BITS && request->n >> plan->key_bits > 0 &&
           request->n > OF__FEW_WORDS;
}

static void plan_counts(of__sort_plan *plan, bool shared) {
    plan->way = OF__SORT_COUNTS;
    plan->looks_up = shared;
    plan->scratch = of__counts_scratch(plan->key_bits, plan->request.workers);
}

of__sort_plan of__sort_plan_for(const of__sort_request *request) {
    of__sort_plan plan = {.request = *request,
                          .rule = of__key_rule_for(request->dtype, request->descending)};
    const int64_t n = request->n;
    if (n < 2) return plan;
    of__key_scan scan = of__scan_keys(&plan.rule, request->keys, n, request->workers);
    if (scan.rises) return plan;
    if (scan.falls) {
        plan.way = OF__SORT_REVERSES;
        return plan;
    }
    choose_base(&plan, &scan);
    bool shared =
        of__key_is_shared(&plan.rule, scan.most) || of__key_is_shared(&plan.rule, scan.least);
    if (are_counted(&plan))
        plan_counts(&plan, shared);
    else
        plan_words(&plan, shared);
    return plan;
}

size_t of__sort_most_scratch(int64_t n, bool with_order, int workers) {
    size_t words = of__words_scratch(n, workers);
    if (with_order || n <= OF__FEW_WORDS) return words;
    int bits = bit_length((uint64_t)n) - 1;
    size_t counts = of__counts_scratch(bits < OF__COUNTED_BITS ? bits : OF__COUNTED_BITS, workers);
    return words > counts ? words : counts;
}

/* ---- Orders that need no sorting ---- */

static void copy_share(void *context, int worker) {
    const of__sort_plan *plan = context;
    const of__sort_request *r = &plan->request;
    int64_t start = of__share_start(r->n, r->workers, worker);
    int64_t stop = of__share_start(r->n, r->workers, worker + 1);
    const bool turned = plan->way == OF__SORT_REVERSES;
    const int bits = plan->rule.bits;
    if (r->sorted != NULL && !turned && start < stop)
        memcpy((char *)r->sorted + start * (bits / 8), (const char *)r->keys + start * (bits / 8),
               (size_t)((stop - start) * (bits / 8)));
    for (int64_t i = start; i < stop && r->sorted != NULL && turned; i++)
        of__put_bits(bits, r->sorted, i, of__bits_at(bits, r->keys, r->n - 1 - i));
    const int index_size = 8 * (int)of_dtype_size(r->index_dtype);
    for (int64_t i = start; i < stop && r->order != NULL; i++)
        of__put_bits(index_size, r->order, i, (uint64_t)(turned ? r->n - 1 - i : i));
}

void of__sort_run(const of__sort_plan *plan, void *scratch) {
    switch (plan->way) {
    case OF__SORT_NOTHING:
    case OF__SORT_REVERSES: of__parallel(plan->request.workers, copy_share, (void *)plan); break;
    case OF__SORT_COUNTS: of__sort_by_counts(plan, scratch); break;
    case OF__SORT_WORDS: of__sort_words(plan, scratch); break;
    }
}

of_status of__sort_allocate_and_run(const of__sort_plan *plan, of_error *err) {
    void *scratch = plan->scratch == 0 ? NULL : of__alloc(plan->scratch);
    if (plan->scratch != 0 && scratch == NULL)
        return of__fail(err, OF_ERR_MEMORY, "no memory to sort %lld elements",
                        (long long)plan->request.n);
    of__sort_run(plan, scratch);
    of__free(scratch);
    return OF_OK;
}

int of__sort_workers(int64_t n) {
    return of__workers_for(n < INT64_MAX / 16 ? 16 * n : INT64_MAX);
}

of_status of__sort(of_dtype dtype, bool descending, const void *keys, int64_t n, void *sorted,
                   void *order, of_dtype index_dtype, of_error *err) {
    of__sort_request request = {dtype,  descending, keys,        n,
                                sorted, order,      index_dtype, .workers = of__sort_workers(n)};
    of__sort_plan plan = of__sort_plan_for(&request);
    return of__sort_allocate_and_run(&plan, err);
}
