/* Counts, sum and extremes in one pass over memory: each block is looked at several times while it
 * is in cache. */
#include <stdatomic.h>
#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/fpenv.h"
#include "core/round.h"
#include "core/threads.h"
#include "reduce/call.h"

enum { SUM, MIN, MAX, ARGMIN, ARGMAX, NONZERO, PARTIALS };
static const of_operation operations[PARTIALS] = {OF_SUM,    OF_MIN,    OF_MAX,
                                                  OF_ARGMIN, OF_ARGMAX, OF_COUNT_NONZERO};

typedef struct seen {
    of__partial partial[PARTIALS];
    int64_t nans, infinities;
} seen;

struct of_summarizer {
    of_dtype dtype;
    seen all;
};

static void begin(seen *s, of_dtype dtype) {
    for (int i = 0; i < PARTIALS; i++)
        of__partial_begin(&s->partial[i], operations[i], dtype, false);
    s->nans = s->infinities = 0;
}

static void count_specials(seen *s, of_dtype dtype, const char *x, int64_t n) {
    if (!of_dtype_is_float(dtype)) return;
    int64_t size = (int64_t)of_dtype_size(dtype), nans = 0, infinities = 0;
    uint64_t infinity = of__infinity_bits(dtype, false),
             magnitude = (UINT64_C(1) << (8 * size - 1)) - 1;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        memcpy(&bits, x + i * size, (size_t)size);
        nans += (bits & magnitude) > infinity;
        infinities += (bits & magnitude) == infinity;
    }
    s->nans += nans;
    s->infinities += infinities;
}

static void merge(seen *into, const seen *from) {
    for (int i = 0; i < PARTIALS; i++) of__partial_merge(&into->partial[i], &from->partial[i]);
    into->nans += from->nans;
    into->infinities += from->infinities;
}

of_status of_summarizer_create(of_dtype dtype, of_summarizer **out, of_error *err) {
    if (!of_dtype_size(dtype))
        return of__fail(err, OF_ERR_TYPE, "dtype is %d, which is no element type", (int)dtype);
    of_summarizer *summarizer = of__alloc(sizeof *summarizer);
    if (!summarizer) return of__fail(err, OF_ERR_MEMORY, "no memory for a summarizer");
    summarizer->dtype = dtype;
    begin(&summarizer->all, dtype);
    *out = summarizer;
    return OF_OK;
}

typedef struct pass {
    of__layout layout;
    of_dtype dtype;
    const of__kernels *kernels;
    int64_t first; /* index of the piece's first element */
    seen *workers;
    atomic_llong next;
} pass;

static void work(void *context, int worker) {
    pass *p = context;
    seen *s = &p->workers[worker];
    uint64_t buffer[OF__FETCH];
    begin(s, p->dtype);
    for (;;) {
        int64_t start = atomic_fetch_add(&p->next, OF__FETCH), rest = p->layout.size - start;
        if (rest <= 0) return;
        int64_t n = rest < OF__FETCH ? rest : OF__FETCH;
        const void *x = of__layout_fetch(&p->layout, start, n, buffer);
        for (int i = 0; i < PARTIALS; i++)
            of__partial_add(&s->partial[i], p->kernels, x, n, p->first + start);
        count_specials(s, p->dtype, x, n);
    }
}

of_status of_summarizer_update(of_summarizer *summarizer, const of_array *piece, of_error *err) {
    if (piece->dtype != summarizer->dtype)
        return of__fail(err, OF_ERR_TYPE, "piece has type %s, but the summarizer takes %s",
                        of_dtype_name(piece->dtype), of_dtype_name(summarizer->dtype));
    if (piece->size == 0) return OF_OK;
    pass p = {
        .layout = of__layout_of(piece), .dtype = piece->dtype, .kernels = of__kernels_current()};
    p.first = summarizer->all.partial[SUM].count;
    int workers = of__workers_for(piece->size * p.layout.element_size);
    p.workers = of__alloc((size_t)workers * sizeof *p.workers);
    if (!p.workers)
        return of__fail(err, OF_ERR_MEMORY, "no memory for the partial results of %d threads",
                        workers);
    of__parallel(workers, work, &p);
    for (int i = 0; i < workers; i++) merge(&summarizer->all, &p.workers[i]);
    of__free(p.workers);
    return OF_OK;
}

static of_scalar finish(const of_summarizer *summarizer, int which, of_operation operation,
                        of_dtype result) {
    of__partial partial = summarizer->all.partial[which];
    partial.operation = operation;
    return of__partial_finish(&partial, &(of__finish){.result = result});
}

void of_summarizer_result(const of_summarizer *summarizer, of_summary *out) {
    of_dtype dtype = summarizer->dtype;
    bool is_float = of_dtype_is_float(dtype), any = summarizer->all.partial[SUM].count > 0;
    of_dtype sum_type = is_float                                        ? dtype
                        : of_dtype_is_signed(dtype) || dtype == OF_BOOL ? OF_I64
                                                                        : OF_U64;
    of_summary s = {.count = summarizer->all.partial[SUM].count, .argmin = -1, .argmax = -1};
    of__fpenv saved = of__fpenv_enter();
    s.sum = finish(summarizer, SUM, OF_SUM, sum_type);
    s.mean = finish(summarizer, SUM, OF_MEAN, OF_F64);
    if (any) {
        s.min = finish(summarizer, MIN, OF_MIN, dtype);
        s.max = finish(summarizer, MAX, OF_MAX, dtype);
        s.argmin = summarizer->all.partial[ARGMIN].as.best.index;
        s.argmax = summarizer->all.partial[ARGMAX].as.best.index;
    }
    s.zeros = s.count - summarizer->all.partial[NONZERO].as.nonzero;
    s.nans = summarizer->all.nans;
    s.infinities = summarizer->all.infinities;
    of__fpenv_leave(saved);
    *out = s;
}

void of_summarizer_free(of_summarizer *summarizer) {
    of__free(summarizer);
}
