/* Arrays as rows of bytes: what is moved by number. Row i is what index i of the first dimension,
 * or of the first few in row-major order, leaves. */
#ifndef ONEFOLD_SORT_ROWS_H
#define ONEFOLD_SORT_ROWS_H

#include "array/array_internal.h"

typedef struct of__rows {
    char *data;
    int64_t count, stride; /* bytes from row to row */
    int64_t bytes;         /* of a row */
    of_array *copy;        /* where the rows had to be made contiguous; NULL: the array's own */
} of__rows;

/* The first `count` rows of an array, for reading, by its first `dims` dimensions together, of
 * which it has as many rows or more. To be released. OF_ERR_MEMORY. */
of_status of__rows_take(const of_array *array, int dims, int64_t count, of__rows *out,
                        of_error *err);

void of__rows_release(of__rows *rows);

/* The first n elements in row-major order as contiguous memory: a view or a copy, to be released.
 * OF_ERR_MEMORY. */
of_status of__take_contiguous(const of_array *array, int64_t n, of_array **out, of_error *err);

/* out[i] = from[indices[i]], and to[indices[i]] = from[i], the last of equal indices winning.
 * Indices are of any integer type, contiguous, within range. Each shared among workers. */
void of__gather_rows(char *out, const of__rows *from, of_dtype index_dtype, const void *indices,
                     int64_t n, int workers);
void of__scatter_rows(const of__rows *to, const of__rows *from, of_dtype index_dtype,
                      const void *indices, int64_t n, int workers);

/* The position of the first index that is not from 0 to below `rows`; -1: there is none. */
int64_t of__find_bad_index(of_dtype index_dtype, const void *indices, int64_t n, int64_t rows);

#endif
