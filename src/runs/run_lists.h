/* What is listed of runs: keys, counts and indices. */
#ifndef ONEFOLD_RUNS_RUN_LISTS_H
#define ONEFOLD_RUNS_RUN_LISTS_H

#include "runs/run_tiles.h"

/* Where the lists are written; NULL where one is not wanted. */
typedef struct of__run_lists {
    char *keys, *counts, *first_index, *inverse;
    const of__run_kernels *kernels;
    int64_t key_size;
    bool wide; /* counts and indices are i64, else i32 */
} of__run_lists;

/* Writes what one tile adds to each list. */
void of__list_tile(const of__run_lists *lists, const of__tile_view *view);

#endif
