/* One call of a public reduction, checked and laid out: outputs, and the slice that each is reduced
 * from. */
#ifndef ONEFOLD_REDUCE_CALL_H
#define ONEFOLD_REDUCE_CALL_H

#include "reduce/reduction.h"

typedef struct of__call {
    of__reduction reduction;
    int ndim;                  /* of the source */
    bool reduced[OF_MAX_DIMS]; /* dimensions of the source */
    int64_t outputs;           /* the product of the sizes of the others */
    of__layout x_kept, y_kept; /* where each output's slice starts; y only with two sources */
    of__terms slice;           /* the first output's slice */
    bool order_matters;        /* the slice's elements must be walked in row-major order */
    bool plain_answers;        /* they go to a new array, one after another */
    int workers;
    of_workspace *workspace; /* the caller's, or NULL */
} of__call;

/* What differs between a reduction to a value, to a new array, and into an array. */
typedef enum of__target { OF__TO_SCALAR, OF__TO_ARRAY, OF__INTO_ARRAY } of__target;

/* Checks and lays out a call. `into` only for OF__INTO_ARRAY. */
of_status of__call_prepare(const of_array *src, of_operation operation, const of_reduce_opts *opts,
                           of__target target, const of_array *into, of__call *out, of_error *err);

/* The terms of output number `output`. */
of__terms of__call_slice(const of__call *call, int64_t output);

/* Scratch memory: the workspace's or allocated. `scratch` may be NULL when none is needed. */
int64_t of__call_scratch(const of__call *call);
of_status of__call_acquire(const of__call *call, void **scratch, of_error *err);
void of__call_release(const of__call *call, void *scratch);

/* Where answers go: one element an output, in their order. */
typedef struct of__answers {
    of__layout layout;
    char *data;
    of_dtype dtype;
    bool fold; /* the old element is init, so that an answer is op(old, partial) */
} of__answers;

/* Computes every output. */
void of__call_run(const of__call *call, const of__answers *answers, void *scratch);

#endif
