/* Many short rows, one after another: tiles of them among threads. */
#include <stdatomic.h>

#include "core/threads.h"
#include "reduce/dims.h"

enum { TILE = 512 };

typedef struct rows {
    const of__call *call;
    const of__answers *answers;
    of__short_form form;
    int64_t count, length;
    int64_t tiles; /* taken at once */
    atomic_llong next;
} rows;

/* Elements of 16-bit floats that are widened at once. */
enum { WIDENED = 8192 };

static bool sum_wide_rows(const of__reduction *r, const char *x, int64_t n, int64_t length,
                          double *high, double *low) {
    float wide[WIDENED];
    int64_t at_once = WIDENED / length;
    bool exact = true;
    for (int64_t i = 0; i < n && exact; i += at_once) {
        int64_t m = n - i < at_once ? n - i : at_once;
        r->kernels->widen[r->source](x + 2 * i * length, m * length, wide);
        exact = r->kernels->sum_rows[OF_F32](wide, m, length, high + i, low + i);
    }
    return exact;
}

static void sum_tile(const rows *all, const char *x, int64_t first, int64_t n) {
    const of__reduction *r = &all->call->reduction;
    double high[TILE], low[TILE];
    bool exact = r->kernels->widen[r->source]
                     ? sum_wide_rows(r, x, n, all->length, high, low)
                     : r->kernels->sum_rows[r->source](x, n, all->length, high, low);
    if (exact)
        of__finish_pairs(all->call, all->answers, first, n, high, low);
    else
        of__call_compute_some(all->call, all->answers, first, n);
}

static void do_tile(const rows *all, int64_t first, int64_t n) {
    const of__reduction *r = &all->call->reduction;
    const char *x = all->call->x_kept.data + first * all->call->x_kept.strides[0];
    char *out = all->answers->data + first * (int64_t)of_dtype_size(all->answers->dtype);
    uint64_t sum[TILE];
    switch (all->form) {
    case OF__FORM_PAIRS: sum_tile(all, x, first, n); break;
    case OF__FORM_INTEGERS:
        r->kernels->add_rows[r->source](x, n, all->length, sum);
        of__finish_integers(all->answers, first, n, sum);
        break;
    case OF__FORM_INDICES:
        r->kernels->extreme[r->operation == OF_ARGMAX][r->source].arg_rows(x, n, all->length,
                                                                           (int64_t *)(void *)out);
        break;
    default: r->kernels->extreme[r->operation == OF_MAX][r->source].rows(x, n, all->length, out);
    }
}

static void work(void *context, int worker) {
    (void)worker;
    rows *all = context;
    for (;;) {
        int64_t start = atomic_fetch_add(&all->next, all->tiles * TILE),
                stop = start + all->tiles * TILE;
        if (start >= all->count) return;
        if (stop > all->count) stop = all->count;
        for (int64_t first = start; first < stop; first += TILE)
            do_tile(all, first, stop - first < TILE ? stop - first : TILE);
    }
}

void of__run_rows(const of__call *call, const of__answers *answers) {
    rows all = {.call = call, .answers = answers, .form = of__reduction_form(&call->reduction)};
    all.count = call->outputs;
    all.length = call->slice.x.size;
    all.tiles = all.count / (TILE * 32 * (int64_t)call->workers) + 1;
    of__parallel(call->workers, work, &all);
}
