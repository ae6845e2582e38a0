/*
 * The numbers that are measured with.
 */
#ifndef ONEFOLD_BENCH_DATASETS_H
#define ONEFOLD_BENCH_DATASETS_H

#include <onefold/onefold.h>

typedef enum distribution {
    NORMAL,      /* mean 0, deviation 1 */
    BINADES_58,  /* either sign, magnitudes log-uniform over 58 powers of two */
    LOG_UNIFORM, /* each finite pattern of bits alike */
    UNIFORM      /* integers: each alike */
} distribution;

const char *distribution_name(distribution distribution);

/* A new array of such numbers, the same each time. The caller releases it. */
of_array *make_dataset(of_dtype dtype, int ndim, const int64_t *shape, distribution distribution);

#endif
