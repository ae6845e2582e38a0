/* Plans: how keys of what spread are sorted. */
#include "sort/radix.h"

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "sort/key_scan.h"
#include "sort/merge_few.h"
#include "sort/radix_pass.h"

static int bit_length(uint64_t x) {
    return x == 0 ? 0 : 64 - __builtin_clzll(x);
}

/* Covers the set bits of `mask` by digits of `width` bits; how many it takes. */
static int cover(uint64_t mask, int width, of__digit *digit) {
    int count = 0;
    while (mask != 0) {
        int shift = __builtin_ctzll(mask);
        int left = bit_length(mask) - shift, bits = left < width ? left : width;
        digit[count++] = (of__digit){shift, bits};
        mask &= ~((UINT64_MAX >> (64 - bits)) << shift);
    }
    return count;
}

/*
 * Which bits the digits have to cover: those that vary among the keys, or those of the distance to
 * the least key, whichever takes fewer passes. The first is better for keys with constant parts in
 * between, the second for keys that straddle a power of two.
 */
static void choose_digits(of__sort_plan *plan, const of__key_scan *scan) {
    int low = __builtin_ctzll(scan->varying); /* equal below here, so distances are 0 there */
    uint64_t spread = scan->most - scan->least;
    uint64_t distances = (UINT64_MAX >> (64 - bit_length(spread)) >> low) << low;
    int by_bits = cover(scan->varying, OF__DIGIT_BITS, plan->digit);
    int by_distance = cover(distances, OF__DIGIT_BITS, plan->digit);
    uint64_t mask = by_bits < by_distance ? scan->varying : distances;
    plan->base = by_bits < by_distance ? scan->least & ~scan->varying : scan->least;
    plan->key_bits = bit_length(mask);
    plan->digits = by_bits < by_distance ? by_bits : by_distance;
    int width = OF__DIGIT_BITS; /* as many passes, with digits as short as they can be */
    while (width > 1 && cover(mask, width - 1, plan->digit) == plan->digits) width--;
    cover(mask, width, plan->digit);
}

static size_t record_size(const of__sort_plan *plan) {
    if (plan->request.order == NULL) return (size_t)plan->rule.bits / 8;
    return plan->index_bits != 0 ? sizeof(uint64_t) : sizeof(of__wide_record);
}

/* Passes between the first, which reads the keys, and the last, which writes the result, have
 * buffers of their own; without an order the result is one of them. */
static int buffers_of(const of__sort_plan *plan) {
    int passes = plan->digits;
    if (plan->request.order == NULL) return passes > 1;
    return passes > 2 ? 2 : passes - 1;
}

static size_t scratch_of(const of__sort_plan *plan) {
    size_t buffer = of__buffer_bytes(plan->request.n, record_size(plan));
    return (size_t)buffers_of(plan) * buffer + of__counters_bytes(plan->request.workers);
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
    choose_digits(&plan, &scan);
    int index_bits = bit_length((uint64_t)n - 1);
    plan.index_bits = plan.key_bits + index_bits <= 64 ? index_bits : 0;
    if (n <= OF__MERGE_FEW) {
        plan.way = OF__SORT_MERGES;
        return plan;
    }
    plan.way = OF__SORT_DIGITS;
    plan.scratch = scratch_of(&plan);
    return plan;
}

size_t of__sort_most_scratch(of_dtype dtype, int64_t n, bool with_order, int workers) {
    if (n <= OF__MERGE_FEW) return 0;
    int bits = 8 * (int)of_dtype_size(dtype);
    bool is_word = bits + bit_length((uint64_t)n - 1) <= 64;
    size_t size =
        with_order ? is_word ? sizeof(uint64_t) : sizeof(of__wide_record) : (size_t)bits / 8;
    return 2 * of__buffer_bytes(n, size) + of__counters_bytes(workers);
}

/* ---- Orders that need no sorting ---- */

static void copy_share(void *context, int worker) {
    const of__sort_plan *plan = context;
    const of__sort_request *r = &plan->request;
    int64_t start = of__share_start(r->n, r->workers, worker);
    int64_t stop = of__share_start(r->n, r->workers, worker + 1);
    const bool turned = plan->way == OF__SORT_REVERSES;
    const int bits = plan->rule.bits;
    if (r->sorted != NULL && !turned)
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
    case OF__SORT_MERGES: of__merge_few(plan); break;
    default: of__sort_digits(plan, scratch); break;
    }
}

of_status of__sort(of_dtype dtype, bool descending, const void *keys, int64_t n, void *sorted,
                   void *order, of_dtype index_dtype, of_error *err) {
    of__sort_request request = {dtype,  descending, keys,        n,
                                sorted, order,      index_dtype, .workers = 1};
    int64_t bytes = n < INT64_MAX / 16 ? 16 * n : INT64_MAX; /* several passes over the keys */
    request.workers = of__workers_for(bytes);
    of__sort_plan plan = of__sort_plan_for(&request);
    void *scratch = plan.scratch == 0 ? NULL : of__alloc(plan.scratch);
    if (plan.scratch != 0 && scratch == NULL)
        return of__fail(err, OF_ERR_MEMORY, "no memory to sort %lld elements", (long long)n);
    of__sort_run(&plan, scratch);
    of__free(scratch);
    return OF_OK;
}
