/*
 * Which rows of an array are flagged. The flags are looked at twice: pieces are counted, which says
 * where the rows of each go, and then walked again.
 */
#ifndef ONEFOLD_RUNS_SELECTION_H
#define ONEFOLD_RUNS_SELECTION_H

#include "reduce/layout.h"
#include "runs/run_kernels.h"

typedef struct of__selection {
    of__layout flags;
    of_dtype dtype; /* of the flags */
    const of__run_kernels *kernels;
    int64_t n; /* flags looked at */
    int64_t piece, pieces;
    int64_t *before; /* flags set before each piece, and at the end all */
    int workers;
} of__selection;

/* Counts the first n flags. `bytes` of work a flag, for choosing the number of workers.
 * OF_ERR_MEMORY. */
of_status of__selection_find(const of_array *flags, int64_t n, int64_t bytes, of__selection *out,
                             of_error *err);
void of__selection_free(of__selection *selection);

/* Flags of a tile: those set stand at `start` + at[0], at[1], ..., and are preceded by `before`
 * others. */
typedef struct of__selected {
    int64_t start, n;
    int64_t before, count;
    const uint16_t *at;
} of__selected;

/*
 * The second look, with all workers: visits the tiles, with the flags that are set; with `both`,
 * then with those that are not.
 */
typedef void of__selected_visit(void *context, const of__selected *tile, bool set);
void of__selection_visit(const of__selection *selection, bool both, of__selected_visit *visit,
                         void *context);

#endif
