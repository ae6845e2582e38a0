/*
 * Scans along a dimension: a lane for each index of the others. Lanes that lie along memory are
 * scanned one by one. Lanes that lie across it are scanned side by side, a block of neighbours at a
 * time: some rows of the block are packed lane by lane, so that cache lines are used whole,
 * scanned, and written back.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "scan/scan_columns.h"
#include "scan/scan_run.h"

#ifdef ONEFOLD_TEST_SMALL
enum { BLOCK_LANES = 3, BLOCK_ROWS = 5 };
#else
enum { BLOCK_LANES = 32, BLOCK_ROWS = 64 };
#endif
enum { LARGEST_ELEMENT = 8 };

/* A dimension across the lanes: how many indices, and the bytes from one to the next. */
typedef struct across {
    int64_t count, from_step, to_step;
} across;

typedef struct lanes {
    const of__scan *scan;
    const char *from;
    char *to;
    int64_t n, from_step, to_step; /* along a lane */
    int ndim;
    across dims[OF_MAX_DIMS]; /* the target's largest step first */
    int64_t count, block, blocks;
    atomic_llong next;
    bool as_columns;      /* the lanes of a block are neighbours in memory */
    of__prefix *prefixes; /* BLOCK_LANES for each worker; NULL where lanes go one by one */
} lanes;

static int compare_steps(const void *a, const void *b) {
    int64_t x = llabs(((const across *)a)->to_step), y = llabs(((const across *)b)->to_step);
    return (x < y) - (x > y);
}

/* Enough blocks for all threads where there are enough columns. */
static int64_t columns_for(int64_t count) {
    int64_t columns = OF__SCAN_COLUMNS;
    while (columns > BLOCK_LANES && count / columns < 2 * (int64_t)of_threads_get()) columns /= 2;
    return columns;
}

static void plan(lanes *l, const of__scan *scan, const of_array *src, const of_array *dst, int dim,
                 int64_t n) {
    *l = (lanes){.scan = scan, .from = src->data, .to = dst->data, .n = n, .count = 1};
    l->from_step = src->strides[dim];
    l->to_step = dst->strides[dim];
    for (int i = 0; i < src->ndim; i++) {
        if (i == dim || src->shape[i] == 1) continue;
        l->dims[l->ndim++] = (across){src->shape[i], src->strides[i], dst->strides[i]};
        l->count *= src->shape[i];
    }
    qsort(l->dims, (size_t)l->ndim, sizeof *l->dims, compare_steps);
    bool along = l->ndim == 0 || llabs(l->to_step) < llabs(l->dims[l->ndim - 1].to_step);
    l->block = along ? 1 : l->dims[l->ndim - 1].count;
    l->as_columns = l->block > 1 && of__scan_has_columns(scan) &&
                    l->dims[l->ndim - 1].from_step == (int64_t)scan->source_size &&
                    l->dims[l->ndim - 1].to_step == (int64_t)scan->size;
    const int64_t most = l->as_columns ? columns_for(l->count) : BLOCK_LANES;
    if (l->block > most) l->block = most;
    /* blocks stay within a row of the innermost dimension */
    int64_t innermost = l->ndim == 0 ? 1 : l->dims[l->ndim - 1].count;
    l->blocks = l->count / innermost * ((innermost + l->block - 1) / l->block);
}

/* Where a block's first lane starts; how many lanes it has. */
static int64_t find_block(const lanes *l, int64_t block, const char **from, char **to) {
    *from = l->from;
    *to = l->to;
    if (l->ndim == 0) return 1;
    across inner = l->dims[l->ndim - 1];
    int64_t in_row = (inner.count + l->block - 1) / l->block;
    int64_t first = block % in_row * l->block, rest = block / in_row;
    *from += first * inner.from_step;
    *to += first * inner.to_step;
    for (int i = l->ndim - 2; i >= 0; i--) {
        *from += rest % l->dims[i].count * l->dims[i].from_step;
        *to += rest % l->dims[i].count * l->dims[i].to_step;
        rest /= l->dims[i].count;
    }
    return inner.count - first < l->block ? inner.count - first : l->block;
}

static of__flat flat_lane(const char *data, int64_t n, int64_t step) {
    of__flat flat = {.data = (char *)data, .size = n, .ndim = n > 1};
    flat.shape[0] = n;
    flat.strides[0] = step;
    return flat;
}

static void scan_lane(const lanes *l, const char *from, char *to, bool alone) {
    of__flat source = flat_lane(from, l->n, l->from_step), target = flat_lane(to, l->n, l->to_step);
    if (alone)
        of__scan_line_alone(l->scan, &source, &target, l->n);
    else
        of__scan_line(l->scan, &source, &target, l->n, NULL);
}

/* Scans at most BLOCK_LANES neighbouring lanes from a row on, some rows at a time. */
static void scan_packed(const lanes *l, of__prefix *prefixes, const char *from, char *to,
                        int64_t count, int64_t first_row) {
    const of__scan *scan = l->scan;
    const across inner = l->dims[l->ndim - 1];
    char raw[BLOCK_LANES * BLOCK_ROWS * LARGEST_ELEMENT];
    char packed[BLOCK_LANES * BLOCK_ROWS * LARGEST_ELEMENT];
    char *read = scan->convert == NULL ? packed : raw;
    for (int64_t row = first_row, rows; row < l->n; row += rows) {
        rows = l->n - row < BLOCK_ROWS ? l->n - row : BLOCK_ROWS;
        for (int64_t r = 0; r < rows; r++)
            of__move_elements(read + r * (int64_t)scan->source_size,
                              rows * (int64_t)scan->source_size, from + (row + r) * l->from_step,
                              inner.from_step, count, scan->source_size);
        if (scan->convert != NULL) scan->convert(packed, raw, rows * count);
        for (int64_t k = 0; k < count; k++) {
            char *lane = packed + k * rows * (int64_t)scan->size;
            of__prefix_scan(scan, &prefixes[k], lane, lane, rows);
        }
        for (int64_t r = 0; r < rows; r++)
            of__move_elements(to + (row + r) * l->to_step, inner.to_step,
                              packed + r * (int64_t)scan->size, rows * (int64_t)scan->size, count,
                              scan->size);
    }
}

static void scan_block(const lanes *l, of__prefix *prefixes, const char *from, char *to,
                       int64_t count) {
    double high[OF__SCAN_COLUMNS], low[OF__SCAN_COLUMNS];
    int64_t row = 0;
    if (l->as_columns)
        row = of__scan_columns(l->scan, from, l->from_step, to, l->to_step, l->n, count, high, low);
    if (row == l->n) return;
    const across inner = l->dims[l->ndim - 1];
    for (int64_t k = 0, m; k < count; k += m) {
        m = count - k < BLOCK_LANES ? count - k : BLOCK_LANES;
        for (int64_t j = 0; j < m; j++) {
            if (l->as_columns)
                of__columns_prefix(l->scan, high[k + j], low[k + j], row > 0, &prefixes[j]);
            else
                of__prefix_begin(l->scan, &prefixes[j]);
        }
        scan_packed(l, prefixes, from + k * inner.from_step, to + k * inner.to_step, m, row);
    }
}

static void work(void *context, int worker) {
    lanes *l = context;
    for (;;) {
        int64_t block = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
        if (block >= l->blocks) return;
        const char *from;
        char *to;
        int64_t count = find_block(l, block, &from, &to);
        if (l->prefixes == NULL)
            scan_lane(l, from, to, true);
        else
            scan_block(l, l->prefixes + worker * BLOCK_LANES, from, to, count);
    }
}

of_status of__scan_lanes(const of__scan *scan, const of_array *src, of_array *dst, int dim,
                         int64_t n, of_error *err) {
    lanes l;
    if (n == 0 || src->size == 0) return OF_OK;
    plan(&l, scan, src, dst, dim, n);
    int workers = of__workers_for(l.count * n * (int64_t)(scan->source_size + scan->size));
    if (workers > 1 && l.block == 1 && l.count < 2 * (int64_t)workers) {
        for (int64_t lane = 0; lane < l.count; lane++) { /* all workers to each */
            const char *from;
            char *to;
            find_block(&l, lane, &from, &to);
            scan_lane(&l, from, to, false);
        }
        return OF_OK;
    }
    if (l.blocks < workers) workers = (int)l.blocks;
    if (l.block > 1) {
        l.prefixes = of__alloc((size_t)workers * BLOCK_LANES * sizeof *l.prefixes);
        if (l.prefixes == NULL) return of__fail(err, OF_ERR_MEMORY, "no memory for a scan");
    }
    atomic_init(&l.next, 0);
    of__parallel(workers, work, &l);
    of__free(l.prefixes);
    return OF_OK;
}
