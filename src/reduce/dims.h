/*
 * The fast ways along dimensions: many short rows that lie one after another, and columns that lie
 * side by side. What they cannot answer exactly they hand back, output by output.
 */
#ifndef ONEFOLD_REDUCE_DIMS_H
#define ONEFOLD_REDUCE_DIMS_H

#include "reduce/call.h"

typedef enum of__path { OF__PATH_ANY, OF__PATH_ROWS, OF__PATH_COLUMNS } of__path;

/* What a fast path works with in place of partials. */
typedef enum of__short_form {
    OF__FORM_NONE,
    OF__FORM_PAIRS,
    OF__FORM_INTEGERS,
    OF__FORM_KEYS,
    OF__FORM_INDICES
} of__short_form;

/* Which form a reduction has, when nothing but the elements enters. */
of__short_form of__reduction_form(const of__reduction *reduction);

/* The type in which its elements are summed as pairs: f32 for 16-bit floats, else their own. */
of_dtype of__summed_type(const of__reduction *reduction);

/* Which way a call goes. `answers` are a plain row-major array of the result's type, and not folded
 * into. */
of__path of__call_path(const of__call *call);

void of__run_rows(const of__call *call, const of__answers *answers);

int64_t of__columns_scratch(const of__call *call);
void of__run_columns(const of__call *call, const of__answers *answers, void *scratch);

/* Computes n outputs the general way, on the caller's thread. */
void of__call_compute_some(const of__call *call, const of__answers *answers, int64_t first,
                           int64_t n);

/* Turns n pairs high - low, each the exact sum of `length` elements, into answers; computes those
 * that need more the general way. `first` is the number of the first output. */
void of__finish_pairs(const of__call *call, const of__answers *answers, int64_t first, int64_t n,
                      const double *high, const double *low);

/* Stores sums modulo 2^64 as answers. */
void of__finish_integers(const of__answers *answers, int64_t first, int64_t n, const uint64_t *sum);

#endif
