#include "sort/words.h"

#include <stdatomic.h>

#include "core/alloc.h"
#include "core/threads.h"
#include "sort/cached_words.h"
#include "sort/shares.h"

/* Bits of the digit that ranges are parted by, at most; a range is parted into so many that each
 * part is expected to have PART elements. */
#ifdef ONEFOLD_TEST_SMALL
enum { PART_BITS = 3, PART = 8 };
#else
enum { PART_BITS = 10, PART = 1 << 13 };
#endif
enum { PARTS = 1 << PART_BITS };

/* Words whose results begin at `start`. The same memory of another buffer is free for them. */
typedef struct range {
    uint64_t *words, *other;
    int64_t start, n;
    int rest; /* bits of the keys below those in the words */
} range;

typedef struct job {
    const of__sort_plan *plan;
    uint64_t *cached;            /* OF__CACHED_WORDS of each worker */
    int64_t (*counters)[PARTS];  /* of each worker */
    range whole;                 /* parted by all workers together */
    bool from_keys;              /* the first time: the words are made of keys */
    int digit_shift, digit_bits; /* the digit to part by */
    int64_t starts[PARTS + 1];   /* of the parts */
    int64_t least_together;      /* parts of so many are parted by all workers again */
    atomic_int next;             /* the next part to sort */
    int workers;
} job;

static int bit_length(uint64_t x) {
    return x == 0 ? 0 : 64 - __builtin_clzll(x);
}

static range part_of(range whole, int64_t start, int64_t n) {
    uint64_t *other = whole.other == NULL ? NULL : whole.other + start;
    return (range){whole.words + start, other, whole.start + start, n, whole.rest};
}

/* A part of what has been moved to the other buffer. */
static range moved_part_of(range whole, int64_t start, int64_t n) {
    return (range){whole.other + start, whole.words + start, whole.start + start, n, whole.rest};
}

/* Two buffers of words, and for each worker room to sort in and counters. */
size_t of__words_scratch(int64_t n, int workers) {
    if (n <= OF__FEW_WORDS) return 0;
    if (n <= OF__CACHED_WORDS) return 2 * (size_t)n * sizeof(uint64_t);
    return 2 * (size_t)n * sizeof(uint64_t) +
           (size_t)workers * (OF__CACHED_WORDS * sizeof(uint64_t) + PARTS * sizeof(int64_t));
}

/* ---- Keys and words ---- */

/* A key as it is counted: from its least value on, without bits that are the same in all. */
OF__INLINE uint64_t reduced_key(const of__sort_plan *plan, int bits, int64_t i) {
    uint64_t x = of__bits_at(bits, plan->request.keys, i);
    return (of__key_of(&plan->rule, bits, x) - plan->base) >> plan->low;
}

/* With the value as payload, of value_bits, or with the index, when that is 0. */
OF__INLINE uint64_t word_of(const of__sort_plan *plan, int bits, int value_bits, int64_t i) {
    uint64_t payload = value_bits == 0 ? (uint64_t)i & plan->index_mask
                                       : of__bits_at(value_bits, plan->request.values, i);
    return reduced_key(plan, bits, i) >> plan->rest << plan->payload_bits | payload;
}

OF__INLINE void make_words(const of__sort_plan *all, int bits, int value_bits, uint64_t *words) {
    const of__sort_plan plan = *all;
    for (int64_t i = 0; i < plan.request.n; i++) words[i] = word_of(&plan, bits, value_bits, i);
}

OF__INLINE void count_keys(const job *job, int bits, int64_t start, int64_t stop,
                           int64_t *counter) {
    const of__sort_plan plan = *job->plan;
    const int shift = plan.key_bits - job->digit_bits;
    for (int64_t i = start; i < stop; i++) counter[reduced_key(&plan, bits, i) >> shift]++;
}

OF__INLINE void part_keys(const job *job, int bits, int value_bits, int64_t start, int64_t stop,
                          int64_t *place) {
    const of__sort_plan plan = *job->plan;
    const int shift = job->digit_shift;
    uint64_t *to = job->whole.other;
    for (int64_t i = start; i < stop; i++) {
        uint64_t word = word_of(&plan, bits, value_bits, i);
        to[place[word >> shift]++] = word;
    }
}

/* The same for each size of keys and values. */

OF__INLINE void make_words_valued(const of__sort_plan *plan, int value_bits, uint64_t *words) {
    switch (plan->rule.bits) {
    case 8: make_words(plan, 8, value_bits, words); break;
    case 16: make_words(plan, 16, value_bits, words); break;
    case 32: make_words(plan, 32, value_bits, words); break;
    default: make_words(plan, 64, value_bits, words); break;
    }
}

static void make_words_any(const of__sort_plan *plan, uint64_t *words) {
    switch (plan->carries ? plan->payload_bits : 0) {
    case 0: make_words_valued(plan, 0, words); break;
    case 8: make_words_valued(plan, 8, words); break;
    case 16: make_words_valued(plan, 16, words); break;
    default: make_words_valued(plan, 32, words); break;
    }
}

OF__INLINE void part_keys_valued(const job *job, int value_bits, int64_t start, int64_t stop,
                                 int64_t *place) {
    switch (job->plan->rule.bits) {
    case 8: part_keys(job, 8, value_bits, start, stop, place); break;
    case 16: part_keys(job, 16, value_bits, start, stop, place); break;
    case 32: part_keys(job, 32, value_bits, start, stop, place); break;
    default: part_keys(job, 64, value_bits, start, stop, place); break;
    }
}

static void part_keys_any(const job *job, int64_t start, int64_t stop, int64_t *place) {
    switch (job->plan->carries ? job->plan->payload_bits : 0) {
    case 0: part_keys_valued(job, 0, start, stop, place); break;
    case 8: part_keys_valued(job, 8, start, stop, place); break;
    case 16: part_keys_valued(job, 16, start, stop, place); break;
    default: part_keys_valued(job, 32, start, stop, place); break;
    }
}

static void count_words(const uint64_t *words, int64_t n, int shift, uint64_t mask,
                        int64_t *counter) {
    for (int64_t i = 0; i < n; i++) counter[words[i] >> shift & mask]++;
}

static void part_words(const uint64_t *words, int64_t n, int shift, uint64_t mask, uint64_t *to,
                       int64_t *place) {
    for (int64_t i = 0; i < n; i++) to[place[words[i] >> shift & mask]++] = words[i];
}

/* ---- Results ---- */

/* What n sorted words stand for. */
static void emit_payloads(const of__sort_plan *plan, const uint64_t *words, int64_t start,
                          int64_t n) {
    const of__sort_request *request = &plan->request;
    const uint64_t mask = ~(UINT64_MAX << plan->payload_bits);
    void *out = plan->carries ? request->moved : request->order;
    int bits = plan->carries ? plan->payload_bits : 8 * (int)of_dtype_size(request->index_dtype);
    if (out == NULL) return;
    switch (bits) {
    case 8:
        for (int64_t i = 0; i < n; i++) of__put_bits(8, out, start + i, words[i] & mask);
        break;
    case 16:
        for (int64_t i = 0; i < n; i++) of__put_bits(16, out, start + i, words[i] & mask);
        break;
    case 32:
        for (int64_t i = 0; i < n; i++) of__put_bits(32, out, start + i, words[i] & mask);
        break;
    default:
        for (int64_t i = 0; i < n; i++) of__put_bits(64, out, start + i, words[i] & mask);
        break;
    }
}

/* Elements are made of their keys; where the words do not hold all of these, or where several
 * elements have one key, they are looked up. */
OF__INLINE void emit_elements(const of__sort_plan *all, int bits, const uint64_t *words,
                              int64_t start, int64_t n) {
    const of__sort_plan plan = *all;
    const uint64_t mask = ~(UINT64_MAX << plan.payload_bits);
    void *sorted = plan.request.sorted;
    for (int64_t i = 0; i < n; i++) {
        uint64_t key = plan.base + (words[i] >> plan.payload_bits << plan.low);
        of__put_bits(bits, sorted, start + i, of__element_of(&plan.rule, key));
    }
    for (int64_t i = 0; i < n && plan.looks_up; i++) {
        uint64_t key = plan.base + (words[i] >> plan.payload_bits << plan.low);
        if (plan.rest == 0 && !of__key_is_shared(&plan.rule, key)) continue;
        of__put_bits(bits, sorted, start + i,
                     of__bits_at(bits, plan.request.keys, (int64_t)(words[i] & mask)));
    }
}

static void emit(const of__sort_plan *plan, const uint64_t *words, int64_t start, int64_t n) {
    emit_payloads(plan, words, start, n);
    if (plan->request.sorted == NULL) return;
    switch (plan->rule.bits) {
    case 8: emit_elements(plan, 8, words, start, n); break;
    case 16: emit_elements(plan, 16, words, start, n); break;
    case 32: emit_elements(plan, 32, words, start, n); break;
    default: emit_elements(plan, 64, words, start, n); break;
    }
}

/* ---- Ranges ---- */

static void sort_range(const of__sort_plan *plan, uint64_t *cached, range range);

/* Words that are equal but for their payloads: the next bits of their keys decide. */
static void refine(const of__sort_plan *plan, uint64_t *cached, range run) {
    const int most = 64 - plan->payload_bits, bits = run.rest < most ? run.rest : most;
    run.rest -= bits;
    for (int64_t i = 0; i < run.n; i++) {
        uint64_t index = run.words[i] & ~(UINT64_MAX << plan->payload_bits);
        uint64_t key = reduced_key(plan, plan->rule.bits, (int64_t)index) >> run.rest;
        run.words[i] = (key & UINT64_MAX >> (64 - bits)) << plan->payload_bits | index;
    }
    sort_range(plan, cached, run);
}

/* Sorted words become results. Those that hold only part of their keys are first sorted on, run by
 * run. */
static void finish(const of__sort_plan *plan, uint64_t *cached, range range,
                   const uint64_t *sorted) {
    if (range.rest == 0) {
        emit(plan, sorted, range.start, range.n);
        return;
    }
    if (sorted != range.words) memcpy(range.words, sorted, (size_t)range.n * sizeof *sorted);
    int64_t done = 0;
    for (int64_t i = 1, stop; i < range.n; i = stop) {
        stop = i + 1;
        uint64_t key = range.words[i] >> plan->payload_bits;
        if (range.words[i - 1] >> plan->payload_bits != key) continue;
        while (stop < range.n && range.words[stop] >> plan->payload_bits == key) stop++;
        emit(plan, range.words + done, range.start + done, i - 1 - done);
        refine(plan, cached, part_of(range, i - 1, stop - (i - 1)));
        done = stop;
        stop = stop + 1;
    }
    emit(plan, range.words + done, range.start + done, range.n - done);
}

static int digit_bits_for(int64_t n) {
    int bits = bit_length((uint64_t)(n / PART));
    return bits < 1 ? 1 : bits < PART_BITS ? bits : PART_BITS;
}

static void sort_range(const of__sort_plan *plan, uint64_t *cached, range range) {
    if (range.n <= OF__CACHED_WORDS) {
        finish(plan, cached, range,
               of__sort_cached_words(range.words, cached, range.n, plan->payload_bits));
        return;
    }
    int top = bit_length(of__varying_words(range.words, range.n) >> plan->payload_bits);
    if (top == 0) {
        finish(plan, cached, range, range.words);
        return;
    }
    int bits = digit_bits_for(range.n);
    if (bits > top) bits = top;
    const int shift = plan->payload_bits + top - bits;
    const uint64_t mask = ~(UINT64_MAX << bits);
    int64_t place[PARTS] = {0}, start = 0;
    count_words(range.words, range.n, shift, mask, place);
    for (uint64_t digit = 0; digit <= mask; digit++) {
        int64_t counted = place[digit];
        place[digit] = start;
        start += counted;
    }
    part_words(range.words, range.n, shift, mask, range.other, place);
    start = 0;
    for (uint64_t digit = 0; digit <= mask; digit++) { /* places are ends now */
        int64_t n = place[digit] - start;
        if (n > 0) sort_range(plan, cached, moved_part_of(range, start, n));
        start = place[digit];
    }
}

/* ---- All workers together ---- */

static void count_share(void *context, int worker) {
    const job *job = context;
    const range *whole = &job->whole;
    int64_t start = of__share_start(whole->n, job->workers, worker);
    int64_t stop = of__share_start(whole->n, job->workers, worker + 1);
    int64_t *counter = job->counters[worker];
    memset(counter, 0, sizeof *job->counters);
    switch (job->from_keys ? job->plan->rule.bits : 0) {
    case 8: count_keys(job, 8, start, stop, counter); break;
    case 16: count_keys(job, 16, start, stop, counter); break;
    case 32: count_keys(job, 32, start, stop, counter); break;
    case 64: count_keys(job, 64, start, stop, counter); break;
    default:
        count_words(whole->words + start, stop - start, job->digit_shift,
                    ~(UINT64_MAX << job->digit_bits), counter);
        break;
    }
}

static void part_share(void *context, int worker) {
    const job *job = context;
    const range *whole = &job->whole;
    int64_t start = of__share_start(whole->n, job->workers, worker);
    int64_t stop = of__share_start(whole->n, job->workers, worker + 1);
    int64_t *place = job->counters[worker];
    if (job->from_keys)
        part_keys_any(job, start, stop, place);
    else
        part_words(whole->words + start, stop - start, job->digit_shift,
                   ~(UINT64_MAX << job->digit_bits), whole->other, place);
}

/* Parts of the whole that are not too large for one worker are taken from a heap of work. */
static void sort_parts(void *context, int worker) {
    job *job = context;
    for (;;) {
        int part = atomic_fetch_add(&job->next, 1);
        if (part >> job->digit_bits != 0) return;
        int64_t start = job->starts[part], n = job->starts[part + 1] - start;
        if (n == 0 || n >= job->least_together) continue;
        sort_range(job->plan, job->cached + (int64_t)worker * OF__CACHED_WORDS,
                   moved_part_of(job->whole, start, n));
    }
}

static void part_together(job *job) {
    of__parallel(job->workers, count_share, job);
    int64_t place = 0;
    for (int part = 0; part < 1 << job->digit_bits; part++) {
        job->starts[part] = place;
        for (int worker = 0; worker < job->workers; worker++) {
            int64_t counted = job->counters[worker][part];
            job->counters[worker][part] = place;
            place += counted;
        }
    }
    job->starts[1 << job->digit_bits] = place;
    of__parallel(job->workers, part_share, job);
}

/* Parts the whole, sorts what one worker can, and does the same with each part that is left. */
static void sort_together(job *job) {
    part_together(job);
    atomic_store(&job->next, 0);
    of__parallel(job->workers, sort_parts, job);
    for (int part = 0; part < 1 << job->digit_bits; part++) {
        int64_t start = job->starts[part], n = job->starts[part + 1] - start;
        if (n < job->least_together) continue;
        struct job again = *job;
        again.from_keys = false;
        again.whole = moved_part_of(job->whole, start, n);
        int payload = job->plan->payload_bits;
        int top = bit_length(of__varying_words(again.whole.words, n) >> payload);
        if (top == 0) {
            finish(job->plan, job->cached, again.whole, again.whole.words);
            continue;
        }
        again.digit_bits = digit_bits_for(n);
        if (again.digit_bits > top) again.digit_bits = top;
        again.digit_shift = payload + top - again.digit_bits;
        sort_together(&again);
    }
}

void of__sort_words(const of__sort_plan *plan, void *scratch) {
    const int64_t n = plan->request.n;
    uint64_t few[2 * OF__FEW_WORDS], *words = n <= OF__FEW_WORDS ? few : scratch;
    if (n <= OF__CACHED_WORDS) {
        make_words_any(plan, words);
        sort_range(plan, words + n, (range){words, NULL, 0, n, plan->rest});
        return;
    }
    const int workers = plan->request.workers;
    job job = {.plan = plan,
               .cached = words + 2 * n,
               .whole = {words + n, words, 0, n, plan->rest},
               .from_keys = true,
               .digit_bits = digit_bits_for(n),
               .workers = workers};
    const int window = plan->key_bits - plan->rest;
    if (job.digit_bits > window) job.digit_bits = window;
    job.digit_shift = plan->payload_bits + window - job.digit_bits;
    job.counters = (int64_t(*)[PARTS])(job.cached + (int64_t)workers * OF__CACHED_WORDS);
    job.least_together = workers == 1 ? INT64_MAX : n / (2 * workers) + OF__CACHED_WORDS;
    sort_together(&job);
}
