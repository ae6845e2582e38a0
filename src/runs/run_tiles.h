/*
 * Where the runs of equal keys start, tile by tile.
 *
 * Finding them is a first pass over the keys, after which results can be allocated and each tile
 * knows where its runs go. In the second pass a tile's runs are looked up. Where runs are long, the
 * first pass keeps their offsets and keys, so that the keys are read once; where they are short,
 * keeping them would cost more than finding them again.
 */
#ifndef ONEFOLD_RUNS_RUN_TILES_H
#define ONEFOLD_RUNS_RUN_TILES_H

#include "reduce/layout.h"
#include "runs/run_kernels.h"

/* The runs that start in one tile. */
typedef struct of__run_tile {
    int64_t runs_before; /* that start in tiles before */
    int64_t end;         /* where the last one ends */
    int32_t count;
    int32_t first, last; /* offsets of the first and the last */
    char *kept;          /* their offsets and the last one's end, then their keys; NULL: to be found
                            again */
} of__run_tile;

/* Memory that a worker of the first pass keeps runs in. */
typedef struct of__kept_block {
    struct of__kept_block *next;
    int64_t used;
    char memory[];
} of__kept_block;

typedef struct of__run_tiles {
    of__layout keys;
    of_dtype dtype;
    const of__run_kernels *kernels;
    int64_t n, runs, tiles;
    of__run_tile *tile;
    int workers;
    of__kept_block **kept; /* one list a worker */
} of__run_tiles;

/* The first pass, over the first n elements. `bytes` of work a key, for choosing the number of
 * workers. OF_ERR_MEMORY. */
of_status of__run_tiles_find(const of_array *keys, int64_t n, int64_t bytes, of__run_tiles *out,
                             of_error *err);
void of__run_tiles_free(of__run_tiles *runs);

/* A tile in the second pass: runs number first_run and on start at `start` + at[0], at[1], ... */
typedef struct of__tile_view {
    int64_t start, n; /* its elements */
    int64_t first_run, count;
    uint16_t *at;     /* there is an at[count], for the visitor to use */
    const char *keys; /* of the runs, one after another, when `packed`; else of all elements */
    bool packed;
    const uint8_t *flag; /* of all elements, unless `packed` */
    int64_t end;         /* where its last run ends: in this tile or a later one */
} of__tile_view;

/*
 * The second pass: visits every tile, with all workers.
 *
 *     for each tile: visit(context, &view);
 */
typedef void of__tile_visit(void *context, const of__tile_view *view);
void of__run_tiles_visit(const of__run_tiles *runs, of__tile_visit *visit, void *context);

/* The n elements from `start`, contiguous: where they are, or copied to `buffer`.
 */
const void *of__tile_fetch(const of__layout *layout, int64_t start, int64_t n, void *buffer);

#endif
