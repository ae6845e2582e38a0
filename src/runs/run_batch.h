/* Many short runs of values, reduced together where that is exact. */
#ifndef ONEFOLD_RUNS_RUN_BATCH_H
#define ONEFOLD_RUNS_RUN_BATCH_H

#include "reduce/reduction.h"
#include "runs/run_kernels.h"

/* The values of a tile's runs: run k is x[at[k]] to x[at[k + 1] - 1]. */
typedef struct of__run_values {
    const char *x;
    int64_t readable; /* elements of x that may be read */
    const uint16_t *at;
    int64_t count; /* of runs, at most OF__BATCH */
} of__run_values;

/*
 * Writes the answers of a reduction without map and init for each run, in the type of the result,
 * one after another. Lists in `unsure`, which has room for OF__BATCH, the runs whose answers have to
 * be found singly. Returns how many.
 */
int64_t of__reduce_batch(const of__reduction *reduction, const of__run_kernels *kernels,
                         const of__run_values *runs, char *out, int16_t *unsure);

#endif
