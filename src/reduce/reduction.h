/*
 * A reduction that has passed every check: what the public functions agree on before anything runs.
 */
#ifndef ONEFOLD_REDUCE_REDUCTION_H
#define ONEFOLD_REDUCE_REDUCTION_H

#include "reduce/layout.h"
#include "reduce/partial.h"

typedef struct of__reduction {
    of_operation asked;     /* the operation of the call */
    of_operation operation; /* what is done: dot, say, is a sum with a map */
    of_map map;
    of_dtype source, second; /* types of the sources; `second` is OF_DTYPE_NONE without one */
    of_dtype term;           /* type of the terms that are reduced, after the map; f64 where they
                                are products that are added exactly */
    bool in_floats;          /* prod: as a float's */
    bool wide_products;      /* argmin, argmax: of products that f64 does not hold */
    of__finish finish;
    const of__kernels *kernels;
} of__reduction;

/* Elements to be reduced: one source or two walked together. */
typedef struct of__terms {
    of__layout x, y; /* y only with OF_MAP_PRODUCT, and at least as long */
} of__terms;

/*
 * Checks everything about the types and options of a call but shapes and dims: whether the
 * operation takes acctype, init and map, and which type the result has. `along_dims`: whether mean,
 * absmax and statistics keep the source's float type.
 */
of_status of__reduction_resolve(of_dtype source, of_dtype second, of_operation operation,
                                const of_reduce_opts *opts, bool along_dims, of__reduction *out,
                                of_error *err);

/* Adds n terms from position `start` on to a partial. */
void of__reduction_feed(const of__reduction *reduction, const of__terms *terms, int64_t start,
                        int64_t n, of__partial *partial);

/* How many workers reducing `size` terms is worth, and the scratch memory that they need. */
int of__reduction_workers(const of__reduction *reduction, int64_t size);
int64_t of__reduction_scratch(const of__reduction *reduction, int64_t size, int workers);

/* Reduces all terms. `scratch` is what of__reduction_scratch says; NULL for one worker. */
void of__reduction_run(const of__reduction *reduction, const of__terms *terms, int workers,
                       void *scratch, of__partial *partial);

/* Reduces all terms and finishes. */
of_scalar of__reduction_answer(const of__reduction *reduction, const of__terms *terms, int workers,
                               void *scratch, const of__finish *finish);

/* map.c: adds n mapped terms; x and y are contiguous, y only for OF_MAP_PRODUCT. */
void of__map_add(const of__reduction *reduction, const void *x, const void *y, int64_t n,
                 int64_t index, of__partial *partial);

#endif
