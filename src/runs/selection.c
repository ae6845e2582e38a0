#include "runs/selection.h"

#include <stdatomic.h>
#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "runs/run_tiles.h"

enum { PIECES_A_WORKER = 16 };

typedef struct walk {
    const of__selection *selection;
    bool both;
    of__selected_visit *visit;
    void *context;
    atomic_llong next;
} walk;

/* Flags of a tile as bytes, with zeros behind. */
static int64_t flag_tile(const of__selection *s, int64_t start, int64_t stop, uint8_t *flag) {
    uint64_t buffer[OF__TILE];
    int64_t n = stop - start < OF__TILE ? stop - start : OF__TILE;
    s->kernels->flag_nonzero[s->dtype](of__tile_fetch(&s->flags, start, n, buffer), n, flag);
    memset(flag + n, 0, OF__FLAG_GROUP);
    return n;
}

static int64_t piece_end(const of__selection *s, int64_t piece) {
    int64_t start = piece * s->piece;
    return s->n - start < s->piece ? s->n : start + s->piece;
}

static void count_pieces(void *context, int worker) {
    (void)worker;
    walk *w = context;
    const of__selection *s = w->selection;
    uint8_t flag[OF__FLAGS];
    for (int64_t piece; (piece = atomic_fetch_add(&w->next, 1)) < s->pieces;) {
        int64_t count = 0, end = piece_end(s, piece);
        for (int64_t i = piece * s->piece; i < end; i += OF__TILE)
            count += s->kernels->count_flags(flag, flag_tile(s, i, end, flag));
        s->before[piece] = count;
    }
}

of_status of__selection_find(const of_array *flags, int64_t n, int64_t bytes, of__selection *out,
                             of_error *err) {
    of__selection s = {
        .flags = of__layout_of(flags),
        .dtype = flags->dtype,
        .kernels = of__run_kernels_current(),
        .n = n,
    };
    s.workers = of__workers_for_elements(n, bytes);
    int64_t share = n / (s.workers * (int64_t)PIECES_A_WORKER) + 1;
    s.piece = (share + OF__TILE - 1) / OF__TILE * OF__TILE;
    s.pieces = (n + s.piece - 1) / s.piece;
    s.before = of__alloc((size_t)(s.pieces + 1) * sizeof *s.before);
    if (!s.before)
        return of__fail(err, OF_ERR_MEMORY, "no memory for the counts of %lld flags", (long long)n);
    walk w = {.selection = &s};
    of__parallel(s.workers, count_pieces, &w);
    int64_t all = 0;
    for (int64_t i = 0; i < s.pieces; i++) {
        int64_t count = s.before[i];
        s.before[i] = all;
        all += count;
    }
    s.before[s.pieces] = all;
    *out = s;
    return OF_OK;
}

void of__selection_free(of__selection *selection) {
    of__free(selection->before);
}

static void visit_tile(const walk *w, of__selected *tile, uint8_t *flag) {
    const of__selection *s = w->selection;
    uint16_t at[OF__OFFSETS];
    tile->at = at;
    tile->count = s->kernels->count_flags(flag, tile->n);
    s->kernels->list_flags(flag, tile->n, tile->count, at);
    int64_t count = tile->count, before = tile->before;
    if (count > 0) w->visit(w->context, tile, true);
    if (w->both && count < tile->n) {
        for (int64_t i = 0; i < tile->n; i++) flag[i] ^= 1;
        tile->before = tile->start - before;
        tile->count = tile->n - count;
        s->kernels->list_flags(flag, tile->n, tile->count, at);
        w->visit(w->context, tile, false);
    }
    tile->before = before + count;
}

static void visit_pieces(void *context, int worker) {
    (void)worker;
    walk *w = context;
    const of__selection *s = w->selection;
    uint8_t flag[OF__FLAGS];
    for (int64_t piece; (piece = atomic_fetch_add(&w->next, 1)) < s->pieces;) {
        of__selected tile = {.start = piece * s->piece, .before = s->before[piece]};
        for (int64_t end = piece_end(s, piece); tile.start < end; tile.start += tile.n) {
            tile.n = flag_tile(s, tile.start, end, flag);
            visit_tile(w, &tile, flag);
        }
    }
}

void of__selection_visit(const of__selection *selection, bool both, of__selected_visit *visit,
                         void *context) {
    walk w = {.selection = selection, .both = both, .visit = visit, .context = context};
    of__parallel(selection->workers, visit_pieces, &w);
}
