/*
 * One line of elements: by one worker from end to end, or by several in chunks.
 *
 * A worker takes the next chunk in order, folds it from memory, waits for the fold of all chunks
 * before it, passes on that of its own end, and only then scans the chunk, which lies in its cache.
 * The chunk before was taken earlier by somebody who waits for earlier ones alone, so that the
 * waiting ends.
 */
#include <sched.h>
#include <stdatomic.h>

#include "core/threads.h"
#include "scan/scan_run.h"

/* Tiles go through buffers where memory is strided or types differ. Chunks are whole trees of a
 * product, and small enough for the second-level cache beside what is written. */
#ifdef ONEFOLD_TEST_SMALL
enum { TILE = 16, CHUNK_BYTES = 64 * 8 };
#else
enum { TILE = 1024, CHUNK_BYTES = 128 << 10 };
#endif
enum { LARGEST_ELEMENT = 8 };
_Static_assert(CHUNK_BYTES / LARGEST_ELEMENT % OF__RUN == 0, "a chunk has whole runs");

typedef struct line {
    const of__scan *scan;
    const of__flat *from, *to;
    int64_t n, chunk, chunks;
    /* of elements that lie packed; else 0 */
    const char *packed_from;
    char *packed_to;
    atomic_llong next;  /* the chunk to be taken next */
    atomic_llong ready; /* the chunk whose `before` is known */
    of__partial before; /* all elements before that chunk */
    of_scalar *total;   /* or NULL */
} line;

static void *packed_data(const of__flat *flat, size_t size) {
    int64_t stride;
    bool packed = of__flat_is_line(flat, (int64_t)size, &stride) && stride == (int64_t)size;
    return packed ? flat->data : NULL;
}

static void plan(line *l, const of__scan *scan, const of__flat *from, const of__flat *to,
                 int64_t n) {
    l->scan = scan;
    l->from = from;
    l->to = to;
    l->n = n;
    l->chunk =
        CHUNK_BYTES / (int64_t)(scan->source_size > scan->size ? scan->source_size : scan->size);
    l->chunks = (n + l->chunk - 1) / l->chunk;
    l->packed_from = scan->convert == NULL ? packed_data(from, scan->source_size) : NULL;
    l->packed_to = packed_data(to, scan->size);
}

/* The next n <= TILE elements in the scan's type, in `buffer`. */
static void read_tile(const of__scan *scan, of__cursor *from, int64_t n, char *buffer) {
    char raw[TILE * LARGEST_ELEMENT];
    of__cursor_read(from, scan->convert == NULL ? buffer : raw, n, scan->source_size);
    if (scan->convert != NULL) scan->convert(buffer, raw, n);
}

static void scan_part(const line *l, of__prefix *prefix, int64_t start, int64_t n) {
    const of__scan *scan = l->scan;
    const int64_t size = (int64_t)scan->size;
    if (l->packed_from != NULL && l->packed_to != NULL) {
        of__prefix_scan(scan, prefix, l->packed_from + start * size, l->packed_to + start * size,
                        n);
        return;
    }
    char buffer[TILE * LARGEST_ELEMENT];
    of__cursor from = of__cursor_at(l->from, start), to = of__cursor_at(l->to, start);
    for (int64_t i = 0, m; i < n; i += m) {
        m = n - i < TILE ? n - i : TILE;
        read_tile(scan, &from, m, buffer);
        char *out = l->packed_to != NULL ? l->packed_to + (start + i) * size : buffer;
        of__prefix_scan(scan, prefix, buffer, out, m);
        if (out == buffer) of__cursor_write(&to, buffer, m, scan->size);
    }
}

static void fold_part(const line *l, of__partial *partial, int64_t start, int64_t n) {
    const of__scan *scan = l->scan;
    if (l->packed_from != NULL) {
        of__partial_add(partial, scan->kernels, l->packed_from + start * (int64_t)scan->size, n, 0);
        return;
    }
    char buffer[TILE * LARGEST_ELEMENT];
    of__cursor from = of__cursor_at(l->from, start);
    for (int64_t i = 0, m; i < n; i += m) {
        m = n - i < TILE ? n - i : TILE;
        read_tile(scan, &from, m, buffer);
        of__partial_add(partial, scan->kernels, buffer, m, 0);
    }
}

static void work(void *context, int worker) {
    (void)worker;
    line *l = context;
    of__partial own, before;
    of__prefix prefix;
    for (;;) {
        int64_t chunk = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
        if (chunk >= l->chunks) return;
        int64_t start = chunk * l->chunk, rest = l->n - start;
        int64_t n = rest < l->chunk ? rest : l->chunk;
        of__scan_begin_partial(l->scan, &own);
        fold_part(l, &own, start, n);
        while (atomic_load_explicit(&l->ready, memory_order_acquire) != chunk) sched_yield();
        before = l->before;
        of__partial_merge(&l->before, &own);
        atomic_store_explicit(&l->ready, chunk + 1, memory_order_release);
        of__prefix_begin(l->scan, &prefix);
        of__prefix_advance(l->scan, &prefix, &before);
        scan_part(l, &prefix, start, n);
        if (chunk == l->chunks - 1 && l->total != NULL)
            *l->total = of__prefix_value(l->scan, &prefix);
    }
}

static void work_alone(void *context, int worker) {
    (void)worker;
    line *l = context;
    of__prefix prefix;
    of__prefix_begin(l->scan, &prefix);
    scan_part(l, &prefix, 0, l->n);
    if (l->total != NULL) *l->total = of__prefix_value(l->scan, &prefix);
}

void of__scan_line(const of__scan *scan, const of__flat *from, const of__flat *to, int64_t n,
                   of_scalar *total) {
    line l;
    plan(&l, scan, from, to, n);
    l.total = total;
    int workers = of__workers_for(n * (int64_t)(scan->source_size + scan->size));
    if (l.chunks < 2) workers = 1;
    if (workers > 1) {
        atomic_init(&l.next, 0);
        atomic_init(&l.ready, 0);
        of__scan_begin_partial(scan, &l.before);
    }
    of__parallel(workers, workers > 1 ? work : work_alone, &l);
}

void of__scan_line_alone(const of__scan *scan, const of__flat *from, const of__flat *to,
                         int64_t n) {
    line l;
    plan(&l, scan, from, to, n);
    l.total = NULL;
    work_alone(&l, 0);
}
