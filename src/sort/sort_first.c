/*
 * Keys are counted by their leading digit. The digit in which the count reaches k is the last that
 * can matter: the keys up to it are collected, in the order of their indices, and sorted.
 */
#include "sort/sort_first.h"

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "sort/key_scan.h"
#include "sort/radix.h"
#include "sort/shares.h"

#ifdef ONEFOLD_TEST_SMALL
enum { DIGIT_BITS = 3 };
#else
enum { DIGIT_BITS = 11 };
#endif
enum { DIGITS = 1 << DIGIT_BITS };

typedef struct selection {
    of__key_rule rule;
    const char *keys;
    int64_t n;
    uint64_t least;
    int shift, workers;
    int64_t (*counters)[DIGITS]; /* of each worker */
    uint64_t last;               /* the digit up to which keys are collected */
    int64_t *start;              /* where each worker puts the first that it collects */
    int64_t *index;              /* of those collected */
    char *element;
} selection;

OF__INLINE uint64_t digit_at(const selection *s, int bits, int64_t i) {
    return (of__key_of(&s->rule, bits, of__bits_at(bits, s->keys, i)) - s->least) >> s->shift;
}

OF__INLINE void count(const selection *all, int bits, int64_t start, int64_t stop,
                      int64_t *counter) {
    const selection s = *all;
    for (int64_t i = start; i < stop; i++) counter[digit_at(&s, bits, i)]++;
}

OF__INLINE void collect(const selection *all, int bits, int64_t start, int64_t stop, int64_t at) {
    const selection s = *all;
    for (int64_t i = start; i < stop; i++) {
        if (digit_at(&s, bits, i) > s.last) continue;
        s.index[at] = i;
        of__put_bits(bits, s.element, at++, of__bits_at(bits, s.keys, i));
    }
}

static void count_share(void *context, int worker) {
    const selection *s = context;
    int64_t start = of__share_start(s->n, s->workers, worker);
    int64_t stop = of__share_start(s->n, s->workers, worker + 1);
    int64_t *counter = s->counters[worker];
    memset(counter, 0, sizeof *s->counters);
    switch (s->rule.bits) {
    case 8: count(s, 8, start, stop, counter); break;
    case 16: count(s, 16, start, stop, counter); break;
    case 32: count(s, 32, start, stop, counter); break;
    default: count(s, 64, start, stop, counter); break;
    }
}

static void collect_share(void *context, int worker) {
    const selection *s = context;
    int64_t start = of__share_start(s->n, s->workers, worker);
    int64_t stop = of__share_start(s->n, s->workers, worker + 1);
    switch (s->rule.bits) {
    case 8: collect(s, 8, start, stop, s->start[worker]); break;
    case 16: collect(s, 16, start, stop, s->start[worker]); break;
    case 32: collect(s, 32, start, stop, s->start[worker]); break;
    default: collect(s, 64, start, stop, s->start[worker]); break;
    }
}

/* Finds the last digit; how many keys there are up to it. */
static int64_t cut(selection *s, int64_t k) {
    int64_t before = 0;
    for (int digit = 0;; digit++) {
        for (int worker = 0; worker < s->workers; worker++) before += s->counters[worker][digit];
        if (before < k) continue;
        s->last = (uint64_t)digit;
        break;
    }
    int64_t place = 0;
    for (int worker = 0; worker < s->workers; worker++) {
        s->start[worker] = place;
        for (uint64_t digit = 0; digit <= s->last; digit++) place += s->counters[worker][digit];
    }
    return before;
}

static of_status sort_collected(const selection *s, of_dtype dtype, bool descending, int64_t m,
                                int64_t k, int64_t *index, of_error *err) {
    int64_t *order = of__alloc((size_t)m * sizeof *order);
    if (order == NULL)
        return of__fail(err, OF_ERR_MEMORY, "no memory for the order of %lld elements",
                        (long long)m);
    of_status status = of__sort(dtype, descending, s->element, m, NULL, order, OF_I64, err);
    for (int64_t i = 0; i < k && status == OF_OK; i++) index[i] = s->index[order[i]];
    of__free(order);
    return status;
}

of_status of__sort_first(of_dtype dtype, bool descending, const void *keys, int64_t n, int64_t k,
                         int64_t *index, of_error *err) {
    selection s = {.rule = of__key_rule_for(dtype, descending), .keys = keys, .n = n};
    s.workers = of__workers_for_elements(n, 2 * s.rule.bits / 8);
    of__key_scan scan = of__scan_keys(&s.rule, keys, n, s.workers);
    if (scan.rises) {
        for (int64_t i = 0; i < k; i++) index[i] = i;
        return OF_OK;
    }
    s.least = scan.least;
    int spread = 64 - __builtin_clzll(scan.most - scan.least);
    s.shift = spread > DIGIT_BITS ? spread - DIGIT_BITS : 0;

    of_status status = OF_OK;
    s.counters = of__alloc((size_t)s.workers * (sizeof *s.counters + sizeof *s.start));
    if (s.counters == NULL)
        return of__fail(err, OF_ERR_MEMORY, "no memory to count %lld elements", (long long)n);
    s.start = (int64_t *)(s.counters + s.workers);
    of__parallel(s.workers, count_share, &s);
    int64_t m = cut(&s, k);
    s.index = of__alloc((size_t)m * (sizeof *s.index + (size_t)s.rule.bits / 8));
    if (s.index != NULL) {
        s.element = (char *)(s.index + m);
        of__parallel(s.workers, collect_share, &s);
        status = sort_collected(&s, dtype, descending, m, k, index, err);
    } else {
        status = of__fail(err, OF_ERR_MEMORY, "no memory to collect %lld elements", (long long)m);
    }
    of__free(s.index);
    of__free(s.counters);
    return status;
}
