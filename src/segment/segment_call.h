/* One call over segments, checked: what its functions agree on before anything runs. */
#ifndef ONEFOLD_SEGMENT_SEGMENT_CALL_H
#define ONEFOLD_SEGMENT_SEGMENT_CALL_H

#include <onefold/segment.h>

#include "array/checks.h"
#include "group/grouped.h"
#include "reduce/layout.h"

typedef struct of__segment_call {
    int64_t num_segments, width; /* of a row: the product of the other dimensions */
    of__layout x, ids;
    of_dtype x_dtype, ids_dtype;
    /* Reads the rows. Points into this struct, which must stay where it is. */
    of__grouped rows;
} of__segment_call;

/* Checks x, ids and num_segments, and the hint where opts ask for it, and lays them out into *call.
 */
of_status of__segment_call_prepare(of__segment_call *call, const of_array *x, const of_array *ids,
                                   int64_t num_segments, const of_segment_opts *opts,
                                   of_error *err);

/* OF_ERR_VALUE for name[i], an element of type `dtype` that as an int64 is the negative `value`. */
of_status of__fail_length(const char *name, int64_t i, of_dtype dtype, int64_t value,
                          of_error *err);

/* A new array of shape (num_segments, ...), the rest being x's. */
of_status of__segment_result(const of_array *x, int64_t num_segments, of_dtype dtype,
                             of_array **out, of_error *err);

#endif
