#include "runs/run_tiles.h"

#include <stdatomic.h>
#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "runs/pick.h"

/* Runs are kept where fewer than one in so many elements starts one. */
enum { KEPT_FROM = 5 };

#ifdef ONEFOLD_TEST_SMALL
enum { KEPT_BLOCK = 1 << 9 };
#else
enum { KEPT_BLOCK = 1 << 18 };
#endif
_Static_assert(KEPT_BLOCK >= OF__TILE / KEPT_FROM * 10 + 16,
               "a block holds a tile's keys and offsets");

/* Tiles are handed to workers in groups: large ones, since workers that fill one page of new memory
 * at the same time both wait for the system to make it. */
#ifdef ONEFOLD_TEST_SMALL
enum { GROUP = 2 };
#else
enum { GROUP = 16 };
#endif
enum { GROUPS_A_WORKER = 16 };

static int64_t group_of(const of__run_tiles *runs) {
    int64_t group = runs->tiles / (runs->workers * (int64_t)GROUPS_A_WORKER);
    return group < GROUP ? GROUP : group;
}

/* Where a tile's flags and offsets are put, and its elements, if they have to be. */
typedef struct tile_scratch {
    uint64_t elements[OF__TILE + 1];
    uint8_t flag[OF__FLAGS];
    uint16_t at[OF__OFFSETS];
} tile_scratch;

const void *of__tile_fetch(const of__layout *layout, int64_t start, int64_t n, void *buffer) {
    if (of__layout_is_contiguous(layout)) return layout->data + start * layout->element_size;
    for (int64_t i = 0; i < n; i += OF__FETCH) {
        int64_t m = n - i < OF__FETCH ? n - i : OF__FETCH, size = layout->element_size;
        char *to = (char *)buffer + i * size;
        const void *from = of__layout_fetch(layout, start + i, m, to);
        if (from != to) memcpy(to, from, (size_t)(m * size));
    }
    return buffer;
}

static int64_t elements_of(const of__run_tiles *runs, int64_t tile) {
    int64_t rest = runs->n - tile * OF__TILE;
    return rest < OF__TILE ? rest : OF__TILE;
}

/* Flags the starts of runs in a tile; returns the tile's elements. */
static const char *flag_starts(const of__run_tiles *runs, int64_t tile, tile_scratch *scratch) {
    int64_t start = tile * OF__TILE, n = elements_of(runs, tile), before = tile > 0;
    int64_t size = runs->keys.element_size;
    const char *x = of__tile_fetch(&runs->keys, start - before, n + before, scratch->elements);
    scratch->flag[0] = 1;
    runs->kernels->flag_changes[runs->dtype](x + size, n + before - 1,
                                             scratch->flag + (1 - before));
    memset(scratch->flag + n, 0, OF__FLAG_GROUP);
    return x + before * size;
}

/* ---- Keeping ---- */

static void *keep(of__kept_block **list, int64_t bytes) {
    of__kept_block *block = *list;
    bytes = (bytes + 7) & ~INT64_C(7);
    if (!block || KEPT_BLOCK - block->used < bytes) {
        block = of__alloc(sizeof *block + KEPT_BLOCK);
        if (!block) return NULL;
        *block = (of__kept_block){.next = *list};
        *list = block;
    }
    void *memory = block->memory + block->used;
    block->used += bytes;
    return memory;
}

/* Keeps the runs of a tile for the second pass. Without memory they are found again. */
static void keep_runs(const of__run_tiles *runs, of__kept_block **list, const char *x,
                      tile_scratch *scratch, of__run_tile *tile) {
    int64_t size = runs->keys.element_size,
            offsets = (tile->count + 1) * (int64_t)sizeof *scratch->at;
    char *memory = keep(list, offsets + tile->count * size);
    if (!memory) return;
    memcpy(memory, scratch->at, (size_t)offsets);
    of__pick(memory + offsets, x, scratch->at, tile->count, size);
    tile->kept = memory;
}

/* ---- The first pass ---- */

typedef struct search {
    of__run_tiles *runs;
    atomic_llong next;
} search;

static int32_t first_flag(const uint8_t *flag) {
    int32_t i = 0;
    while (!flag[i]) i++;
    return i;
}

static int32_t last_flag(const uint8_t *flag, int64_t n) {
    while (!flag[n - 1]) n--;
    return (int32_t)n - 1;
}

static void search_tile(const of__run_tiles *runs, int64_t index, of__kept_block **list,
                        tile_scratch *scratch) {
    int64_t n = elements_of(runs, index);
    const char *x = flag_starts(runs, index, scratch);
    of__run_tile *tile = &runs->tile[index];
    *tile = (of__run_tile){.count = (int32_t)runs->kernels->count_flags(scratch->flag, n)};
    if (tile->count == 0) return;
    if (tile->count * KEPT_FROM > n) {
        tile->first = first_flag(scratch->flag);
        tile->last = last_flag(scratch->flag, n);
        return;
    }
    runs->kernels->list_flags(scratch->flag, n, tile->count, scratch->at);
    tile->first = scratch->at[0];
    tile->last = scratch->at[tile->count - 1];
    keep_runs(runs, list, x, scratch, tile);
}

static void search_tiles(void *context, int worker) {
    search *s = context;
    of__run_tiles *runs = s->runs;
    const int64_t group = group_of(runs);
    tile_scratch scratch;
    for (;;) {
        int64_t tile = atomic_fetch_add(&s->next, group);
        for (int64_t k = 0; k < group; k++, tile++) {
            if (tile >= runs->tiles) return;
            search_tile(runs, tile, &runs->kept[worker], &scratch);
        }
    }
}

/* A run ends where the next one starts, in whatever tile. */
static void number_runs(of__run_tiles *runs) {
    int64_t end = runs->n, count = 0;
    for (int64_t i = runs->tiles - 1; i >= 0; i--) {
        runs->tile[i].end = end;
        if (runs->tile[i].count) end = i * OF__TILE + runs->tile[i].first;
    }
    for (int64_t i = 0; i < runs->tiles; i++) {
        runs->tile[i].runs_before = count;
        count += runs->tile[i].count;
    }
    runs->runs = count;
}

of_status of__run_tiles_find(const of_array *keys, int64_t n, int64_t bytes, of__run_tiles *out,
                             of_error *err) {
    of__run_tiles runs = {
        .keys = of__layout_of(keys),
        .dtype = keys->dtype,
        .kernels = of__run_kernels_current(),
        .n = n,
        .tiles = (n + OF__TILE - 1) / OF__TILE,
    };
    runs.workers = of__workers_for_elements(n, bytes);
    int64_t lists = runs.workers * (int64_t)sizeof *runs.kept;
    int64_t records = runs.tiles * (int64_t)sizeof *runs.tile;
    runs.kept = of__alloc_zeroed((size_t)(lists + records));
    if (!runs.kept)
        return of__fail(err, OF_ERR_MEMORY, "no memory for the runs of %lld keys", (long long)n);
    runs.tile = (of__run_tile *)(void *)(runs.kept + runs.workers);
    search s = {.runs = &runs};
    of__parallel(runs.workers, search_tiles, &s);
    number_runs(&runs);
    *out = runs;
    return OF_OK;
}

void of__run_tiles_free(of__run_tiles *runs) {
    for (int worker = 0; worker < runs->workers; worker++)
        for (of__kept_block *block = runs->kept[worker], *next; block; block = next) {
            next = block->next;
            of__free(block);
        }
    of__free(runs->kept);
}

/* ---- The second pass ---- */

static of__tile_view view_tile(const of__run_tiles *runs, int64_t index, tile_scratch *scratch) {
    const of__run_tile *tile = &runs->tile[index];
    of__tile_view view = {
        .start = index * OF__TILE,
        .n = elements_of(runs, index),
        .first_run = tile->runs_before,
        .count = tile->count,
        .at = scratch->at,
        .end = tile->end,
    };
    if (tile->count == 0) return view;
    if (tile->kept) {
        view.at = (uint16_t *)(void *)tile->kept;
        view.keys = tile->kept + (tile->count + 1) * (int64_t)sizeof *view.at;
        view.packed = true;
        return view;
    }
    view.keys = flag_starts(runs, index, scratch);
    view.flag = scratch->flag;
    runs->kernels->list_flags(scratch->flag, view.n, view.count, scratch->at);
    return view;
}

typedef struct tour {
    const of__run_tiles *runs;
    of__tile_visit *visit;
    void *context;
    atomic_llong next;
} tour;

static void visit_tiles(void *context, int worker) {
    (void)worker;
    tour *t = context;
    const int64_t group = group_of(t->runs);
    tile_scratch scratch;
    for (;;) {
        int64_t tile = atomic_fetch_add(&t->next, group);
        for (int64_t k = 0; k < group; k++, tile++) {
            if (tile >= t->runs->tiles) return;
            of__tile_view view = view_tile(t->runs, tile, &scratch);
            t->visit(t->context, &view);
        }
    }
}

void of__run_tiles_visit(const of__run_tiles *runs, of__tile_visit *visit, void *context) {
    tour t = {.runs = runs, .visit = visit, .context = context};
    of__parallel(runs->workers, visit_tiles, &t);
}
