#include "sort/rows.h"

#include <stdatomic.h>
#include <string.h>

#include "array/widen.h"
#include "core/bytes.h"
#include "core/fail.h"
#include "core/threads.h"
#include "sort/shares.h"

/* Indices widened at once. */
#ifdef ONEFOLD_TEST_SMALL
enum { INDEX_BLOCK = 10 };
#else
enum { INDEX_BLOCK = 1024 };
#endif

/* ---- Taking ---- */

of_status of__take_contiguous(const of_array *array, int64_t n, of_array **out, of_error *err) {
    of_array part = *array; /* as few of the first dimension as hold n */
    int64_t row = 1;
    for (int i = 1; i < part.ndim && n > 0; i++) row *= part.shape[i];
    if (part.ndim > 0 && n > 0) {
        part.shape[0] = (n + row - 1) / row;
        part.size = part.shape[0] * row;
    }
    if (n == 0 || of_array_is_contiguous(&part)) return of__array_view(array, out, err);
    return of_array_copy(&part, out, err);
}

static bool is_row_contiguous(const of_array *array) {
    of_array row = *array;
    row.shape[0] = 1;
    row.size = array->size / array->shape[0];
    return of_array_is_contiguous(&row);
}

of_status of__rows_take(const of_array *array, int dims, int64_t count, of__rows *out,
                        of_error *err) {
    *out = (of__rows){.data = array->data, .count = count};
    out->bytes = (int64_t)of_dtype_size(array->dtype);
    for (int i = dims; i < array->ndim; i++) out->bytes *= array->shape[i];
    if (count == 0 || out->bytes == 0) {
        out->bytes = count == 0 ? out->bytes : 0;
        return OF_OK;
    }
    out->stride = out->bytes;
    if (dims == 1 && is_row_contiguous(array)) {
        out->stride = array->strides[0];
        return OF_OK;
    }
    int64_t elements = count * (out->bytes / (int64_t)of_dtype_size(array->dtype));
    OF_TRY(of__take_contiguous(array, elements, &out->copy, err));
    out->data = out->copy->data;
    return OF_OK;
}

void of__rows_release(of__rows *rows) {
    of_array_release(rows->copy);
    rows->copy = NULL;
}

/* ---- Indices ---- */

/* Indices from number `start` on: where they are, or in `block`. A u64 past INT64_MAX comes out
 * negative. */
static const int64_t *read_indices(of_dtype dtype, const void *indices, int64_t start, int64_t n,
                                   int64_t *block) {
    return of__widen(dtype, (const char *)indices + start * (int64_t)of_dtype_size(dtype), n,
                     block);
}

typedef struct look_job {
    of_dtype dtype;
    const void *indices;
    int64_t n, rows;
    int workers;
    atomic_llong first; /* the position of a bad index, none before it being known; n: none is */
} look_job;

static void look_at(look_job *job, const int64_t *index, int64_t start, int64_t n) {
    int64_t bad = 0; /* negative when one is */
    for (int64_t i = 0; i < n; i++) bad |= index[i] | (job->rows - 1 - (index[i] & INT64_MAX));
    if (bad >= 0) return;
    int64_t i = 0;
    while (index[i] >= 0 && index[i] < job->rows) i++;
    long long first = atomic_load(&job->first);
    while (start + i < first && !atomic_compare_exchange_weak(&job->first, &first, start + i)) {
    }
}

static void look_at_share(void *context, int worker) {
    look_job *job = context;
    int64_t block[INDEX_BLOCK];
    int64_t stop = of__share_start(job->n, job->workers, worker + 1);
    for (int64_t i = of__share_start(job->n, job->workers, worker); i < stop; i += INDEX_BLOCK) {
        if (i > atomic_load_explicit(&job->first, memory_order_relaxed)) return;
        int64_t m = stop - i < INDEX_BLOCK ? stop - i : INDEX_BLOCK;
        look_at(job, read_indices(job->dtype, job->indices, i, m, block), i, m);
    }
}

int64_t of__find_bad_index(of_dtype dtype, const void *indices, int64_t n, int64_t rows) {
    look_job job = {dtype, indices, n, rows, of__workers_for(n * (int64_t)of_dtype_size(dtype)), n};
    if (n == 0) return -1;
    of__parallel(job.workers, look_at_share, &job);
    int64_t first = atomic_load(&job.first);
    return first < n ? first : -1;
}

/* ---- Moving ---- */

typedef struct move_job {
    of__rows to, from;
    of_dtype index_dtype;
    const void *indices;
    int64_t n;
    int workers;
} move_job;

OF__INLINE void gather_sized(size_t size, char *restrict out, const of__rows *from,
                             const int64_t *index, int64_t n) {
    const char *data = from->data;
    const int64_t stride = from->stride;
    for (int64_t i = 0; i < n; i++) memcpy(out + i * (int64_t)size, data + index[i] * stride, size);
}

static void gather_block(char *out, const of__rows *from, const int64_t *index, int64_t n) {
    switch (from->bytes) {
    case 1: gather_sized(1, out, from, index, n); break;
    case 2: gather_sized(2, out, from, index, n); break;
    case 4: gather_sized(4, out, from, index, n); break;
    case 8: gather_sized(8, out, from, index, n); break;
    case 12: gather_sized(12, out, from, index, n); break;
    case 16: gather_sized(16, out, from, index, n); break;
    case 24: gather_sized(24, out, from, index, n); break;
    default: gather_sized((size_t)from->bytes, out, from, index, n); break;
    }
}

static void gather_share(void *context, int worker) {
    const move_job *job = context;
    int64_t block[INDEX_BLOCK];
    int64_t stop = of__share_start(job->n, job->workers, worker + 1);
    for (int64_t i = of__share_start(job->n, job->workers, worker); i < stop; i += INDEX_BLOCK) {
        int64_t m = stop - i < INDEX_BLOCK ? stop - i : INDEX_BLOCK;
        const int64_t *index = read_indices(job->index_dtype, job->indices, i, m, block);
        gather_block(job->to.data + i * job->from.bytes, &job->from, index, m);
    }
}

void of__gather_rows(char *out, const of__rows *from, of_dtype index_dtype, const void *indices,
                     int64_t n, int workers) {
    if (n == 0 || from->bytes == 0) return;
    move_job job = {{.data = out}, *from, index_dtype, indices, n, workers};
    of__parallel(workers, gather_share, &job);
}

OF__INLINE void scatter_sized(size_t size, const of__rows *to, int64_t low, int64_t count,
                              const char *from, int64_t stride, const int64_t *index, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        if ((uint64_t)(index[i] - low) < (uint64_t)count)
            memcpy(to->data + index[i] * to->stride, from + i * stride, size);
}

static void scatter_block(const of__rows *to, int64_t low, int64_t count, const char *from,
                          int64_t stride, const int64_t *index, int64_t n) {
    switch (to->bytes) {
    case 1: scatter_sized(1, to, low, count, from, stride, index, n); break;
    case 2: scatter_sized(2, to, low, count, from, stride, index, n); break;
    case 4: scatter_sized(4, to, low, count, from, stride, index, n); break;
    case 8: scatter_sized(8, to, low, count, from, stride, index, n); break;
    default: scatter_sized((size_t)to->bytes, to, low, count, from, stride, index, n); break;
    }
}

/* Each worker has a share of the target, so that of equal indices the last one wins; it reads all
 * indices. */
static void scatter_share(void *context, int worker) {
    const move_job *job = context;
    int64_t block[INDEX_BLOCK];
    int64_t low = of__share_start(job->to.count, job->workers, worker);
    int64_t count = of__share_start(job->to.count, job->workers, worker + 1) - low;
    for (int64_t i = 0; i < job->n; i += INDEX_BLOCK) {
        int64_t m = job->n - i < INDEX_BLOCK ? job->n - i : INDEX_BLOCK;
        const int64_t *index = read_indices(job->index_dtype, job->indices, i, m, block);
        scatter_block(&job->to, low, count, job->from.data + i * job->from.stride, job->from.stride,
                      index, m);
    }
}

void of__scatter_rows(const of__rows *to, const of__rows *from, of_dtype index_dtype,
                      const void *indices, int64_t n, int workers) {
    if (n == 0 || from->bytes == 0) return;
    move_job job = {*to, *from, index_dtype, indices, n, workers};
    of__parallel(workers, scatter_share, &job);
}
