/* Repeating the rows of an array. */
#include <stdatomic.h>
#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "segment/segment_call.h"

typedef struct repeating {
    const char *x;
    char *out;
    int64_t rows, total; /* along the dimension, before and after */
    int64_t row_bytes;
    int64_t all_rows;     /* of the result, over the dimensions before, too */
    const int64_t *start; /* rows + 1 numbers: where the repeats of a row begin; the last, total */
    int64_t piece;
    atomic_llong next;
} repeating;

/* The row that place `at` of the result is a repeat of: the last one that starts there or before. */
static int64_t row_at(const repeating *r, int64_t at) {
    int64_t low = 0, high = r->rows; /* start[low] <= at < start[high] */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (r->start[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void write_row(char *to, const char *row, int64_t bytes, int64_t times) {
    switch (bytes) { /* constant sizes make each copy a load and a store */
    case 1: memset(to, *row, (size_t)times); break;
    case 2:
        for (int64_t i = 0; i < times; i++) memcpy(to + 2 * i, row, 2);
        break;
    case 4:
        for (int64_t i = 0; i < times; i++) memcpy(to + 4 * i, row, 4);
        break;
    case 8:
        for (int64_t i = 0; i < times; i++) memcpy(to + 8 * i, row, 8);
        break;
    default:
        for (int64_t i = 0; i < times; i++) memcpy(to + i * bytes, row, (size_t)bytes);
    }
}

static void write_some(void *context, int worker) {
    (void)worker;
    repeating *r = context;
    for (;;) {
        int64_t begin = atomic_fetch_add(&r->next, r->piece);
        if (begin >= r->all_rows) return;
        int64_t end = r->all_rows - begin < r->piece ? r->all_rows : begin + r->piece;
        int64_t at = begin % r->total, base = begin / r->total * r->rows, row = row_at(r, at);
        while (begin < end) {
            while (r->start[row + 1] <= at) row++;
            int64_t times = r->start[row + 1] - at;
            if (times > end - begin) times = end - begin;
            write_row(r->out + begin * r->row_bytes, r->x + (base + row) * r->row_bytes,
                      r->row_bytes, times);
            begin += times;
            at += times;
            if (at < r->total) continue;
            at = row = 0;
            base += r->rows;
        }
    }
}

/* ---- Checks ---- */

static of_status check_total(const int64_t *total, int64_t rows, of_error *err) {
    if (!total) return OF_OK;
    if (*total < 0)
        return of__fail(err, OF_ERR_VALUE, "total_length is %lld; it must be 0 or more",
                        (long long)*total);
    if (*total && !rows)
        return of__fail(err, OF_ERR_VALUE,
                        "total_length is %lld, but x has no rows that could be repeated",
                        (long long)*total);
    return OF_OK;
}

/* Fills start[]: one more than rows. */
static of_status place_rows(const of_array *repeats, const int64_t *repeat, int64_t rows,
                            const int64_t *total, int64_t *start, of_error *err) {
    bool is_one = repeats->size == 1;
    int64_t next = 0;
    for (int64_t i = 0; i < rows; i++) {
        int64_t times = repeat[is_one ? 0 : i];
        if (times < 0)
            return of__fail_length("repeats", is_one ? 0 : i, repeats->dtype, times, err);
        start[i] = next;
        if (__builtin_add_overflow(next, times, &next))
            return of__fail(err, OF_ERR_VALUE, "repeats add up past 2^63 - 1");
    }
    if (is_one && !rows && repeat[0] < 0)
        return of__fail_length("repeats", 0, repeats->dtype, repeat[0], err);
    start[rows] = total ? *total : next;
    for (int64_t i = rows; i > 0 && start[i - 1] > start[rows]; i--) start[i - 1] = start[rows];
    return OF_OK;
}

static of_status check_repeats(const of_array *repeats, int64_t rows, of_error *err) {
    char text[OF__SHAPE_TEXT_SIZE];
    OF_TRY(of__check_integers(repeats, "repeats", err));
    if (repeats->ndim <= 1 && (repeats->size == 1 || repeats->size == rows)) return OF_OK;
    return of__fail(err, OF_ERR_VALUE, "repeats has shape %s, but x has %lld rows",
                    of__shape_text(repeats->ndim, repeats->shape, text), (long long)rows);
}

/* ---- The call ---- */

/* x as one array of `outer` * rows * `inner` elements. */
typedef struct shape_of_repeat {
    int64_t outer, rows, inner;
    int ndim, dim;
    int64_t shape[OF_MAX_DIMS];
} shape_of_repeat;

static of_status resolve_dim(const of_array *x, const int *dim, shape_of_repeat *s, of_error *err) {
    *s = (shape_of_repeat){.outer = 1, .rows = x->size, .inner = 1, .ndim = 1};
    if (!dim) return OF_OK;
    OF_TRY(of__check_dim(x->ndim, *dim, &s->dim, err));
    s->ndim = x->ndim;
    s->rows = x->shape[s->dim];
    for (int i = 0; i < x->ndim; i++) s->shape[i] = x->shape[i];
    for (int i = 0; i < x->ndim && x->size; i++) {
        if (i < s->dim) s->outer *= x->shape[i];
        if (i > s->dim) s->inner *= x->shape[i];
    }
    return OF_OK;
}

static of_status repeat_into(const of_array *x, const shape_of_repeat *s, const int64_t *start,
                             of_array *out, of_error *err) {
    of_array *packed = NULL;
    if (!out->size) return OF_OK;
    if (!of_array_is_contiguous(x)) OF_TRY(of_array_copy(x, &packed, err));
    int64_t total = start[s->rows];
    repeating r = {.x = packed ? packed->data : x->data,
                   .out = out->data,
                   .rows = s->rows,
                   .total = total,
                   .row_bytes = s->inner * (int64_t)of_dtype_size(x->dtype),
                   .all_rows = s->outer * total,
                   .start = start};
    int workers = of__workers_for(of_array_nbytes(out));
    r.piece = r.all_rows / (16 * (int64_t)workers) + 1;
    of__parallel(workers, write_some, &r);
    of_array_release(packed);
    return OF_OK;
}

of_status of_repeat(const of_array *x, const of_array *repeats, const of_repeat_opts *opts,
                    of_array **out, of_error *err) {
    static const of_repeat_opts defaults;
    shape_of_repeat s;
    of_array *numbers, *result = NULL;
    if (!opts) opts = &defaults;
    OF_TRY(of__check_given(x, "x", err));
    OF_TRY(of__check_given(repeats, "repeats", err));
    OF_TRY(resolve_dim(x, opts->dim, &s, err));
    OF_TRY(check_repeats(repeats, s.rows, err));
    OF_TRY(check_total(opts->total_length, s.rows, err));
    OF_TRY(of_array_convert(repeats, OF_I64, &numbers, err));
    int64_t *start = NULL;
    if ((size_t)s.rows < SIZE_MAX / sizeof *start - 1) /* views may repeat a few bytes that often */
        start = of__alloc(((size_t)s.rows + 1) * sizeof *start);
    of_status status = OF_OK;
    if (!start)
        status = of__fail(err, OF_ERR_MEMORY, "no memory for the places of %lld rows",
                          (long long)s.rows);
    if (status == OF_OK)
        status = place_rows(repeats, (const int64_t *)(const void *)numbers->data, s.rows,
                            opts->total_length, start, err);
    if (status == OF_OK) {
        s.shape[s.dim] = start[s.rows];
        status = of_array_create(x->storage->device, x->dtype, s.ndim, s.shape, &result, err);
    }
    if (status == OF_OK) status = repeat_into(x, &s, start, result, err);
    if (status == OF_OK)
        *out = result;
    else
        of_array_release(result);
    of__free(start);
    of_array_release(numbers);
    return status;
}
