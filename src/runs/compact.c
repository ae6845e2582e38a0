/* Selecting by flags: the elements, or their indices. */
#include <onefold/compact.h>

#include <string.h>

#include "array/checks.h"
#include "core/fail.h"
#include "runs/pick.h"
#include "runs/run_tiles.h"
#include "runs/selection.h"

static const of_compact_opts defaults;

/* ---- Moving rows ---- */

typedef struct move {
    of__layout src;
    int64_t row; /* elements of one */
    char *out;
    int64_t rest; /* the number of rows that are flagged: where the others go */
} move;

static void move_elements(const move *m, const of__selected *tile, char *out) {
    uint64_t buffer[OF__TILE];
    int64_t size = m->src.element_size;
    const char *x = of__tile_fetch(&m->src, tile->start, tile->n, buffer);
    if (tile->count == tile->n)
        memcpy(out, x, (size_t)(tile->n * size));
    else
        of__pick(out, x, tile->at, tile->count, size);
}

static void move_row(const move *m, int64_t row, char *out) {
    int64_t size = m->src.element_size, start = row * m->row;
    for (int64_t i = 0, n; i < m->row; i += n) {
        n = m->row - i < OF__TILE ? m->row - i : OF__TILE;
        char *to = out + i * size;
        const void *from = of__tile_fetch(&m->src, start + i, n, to);
        if (from != to) memcpy(to, from, (size_t)(n * size));
    }
}

static void move_tile(void *context, const of__selected *tile, bool set) {
    const move *m = context;
    int64_t bytes = m->row * m->src.element_size;
    char *out = m->out + (tile->before + (set ? 0 : m->rest)) * bytes;
    if (m->row == 1)
        move_elements(m, tile, out);
    else
        for (int64_t k = 0; k < tile->count; k++)
            move_row(m, tile->start + tile->at[k], out + k * bytes);
}

/* ---- The calls ---- */

/* What is flagged: rows, or single elements. */
typedef struct rows {
    int64_t n;
    int64_t row;  /* elements of one */
    bool is_flat; /* single elements of an array of several dimensions */
} rows;

static of_status check(const of_array *src, const of_array *flags, const of_compact_opts *opts,
                       of_array **out, rows *found, of_error *err) {
    char src_text[OF__SHAPE_TEXT_SIZE], flags_text[OF__SHAPE_TEXT_SIZE];
    OF_TRY(of__check_given(src, "src", err));
    OF_TRY(of__check_given(flags, "flags", err));
    if (!out) return of__fail(err, OF_ERR_VALUE, "out is NULL");
    OF_TRY(of__check_same_device(src, "src", flags, "flags", err));
    if (opts->index_dtype != OF_DTYPE_NONE)
        return of__fail(err, OF_ERR_TYPE, "index_dtype is given, but no indices are made");
    found->is_flat = flags->ndim != 1;
    bool fits = found->is_flat ? of__same_shape(src, flags)
                               : src->ndim > 0 && (opts->n || src->shape[0] == flags->shape[0]);
    if (!fits)
        return of__fail(err, OF_ERR_VALUE,
                        "flags has shape %s, but src has %s; flags are of one dimension, one a "
                        "row, or of src's shape",
                        of__shape_text(flags->ndim, flags->shape, flags_text),
                        of__shape_text(src->ndim, src->shape, src_text));
    OF_TRY(of__check_limit(opts->n, flags->size, "flags", &found->n, err));
    found->row = 1;
    if (found->is_flat) return OF_OK;
    if (opts->n) OF_TRY(of__check_limit(opts->n, src->shape[0], "src", &found->n, err));
    bool empty = src->size == 0;
    found->row = empty ? 0 : src->size / src->shape[0];
    return OF_OK;
}

/* A new array of so many rows. */
static of_status create_rows(const of_array *src, const rows *found, int64_t count, of_array **out,
                             of_error *err) {
    int64_t shape[OF_MAX_DIMS];
    memcpy(shape, src->shape, sizeof shape);
    shape[0] = count;
    return of_array_create(src->storage->device, src->dtype, found->is_flat ? 1 : src->ndim, shape,
                           out, err);
}

static of_status select_rows(const of_array *src, const of_array *flags,
                             const of_compact_opts *opts, bool both, of_array **out,
                             int64_t *true_count, of_error *err) {
    rows found;
    of__selection selection;
    if (!opts) opts = &defaults;
    OF_TRY(check(src, flags, opts, out, &found, err));
    int64_t row_bytes = found.row * (int64_t)of_dtype_size(src->dtype);
    int64_t bytes = row_bytes + (int64_t)of_dtype_size(flags->dtype);
    OF_TRY(of__selection_find(flags, found.n, bytes, &selection, err));
    int64_t count = selection.before[selection.pieces];
    of_array *made = NULL;
    of_status status = create_rows(src, &found, both ? found.n : count, &made, err);
    if (status == OF_OK) {
        move m = {of__layout_of(src), found.row, made->data, count};
        if (row_bytes > 0) of__selection_visit(&selection, both, move_tile, &m);
        if (true_count) *true_count = count;
        *out = made;
    }
    of__selection_free(&selection);
    return status;
}

of_status of_compact(const of_array *src, const of_array *flags, const of_compact_opts *opts,
                     of_array **out, of_error *err) {
    return select_rows(src, flags, opts, false, out, NULL, err);
}

of_status of_partition(const of_array *src, const of_array *flags, const of_compact_opts *opts,
                       of_array **out, int64_t *true_count, of_error *err) {
    return select_rows(src, flags, opts, true, out, true_count, err);
}

typedef struct indices {
    char *out;
    bool wide;
} indices;

static void write_indices(void *context, const of__selected *tile, bool set) {
    (void)set;
    const indices *i = context;
    of__pick_indices(i->out + tile->before * (i->wide ? 8 : 4), tile->start, tile->at, tile->count,
                     i->wide);
}

of_status of_nonzero(const of_array *flags, const of_compact_opts *opts, of_array **out,
                     of_error *err) {
    int64_t n;
    of_dtype index;
    of__selection selection;
    if (!opts) opts = &defaults;
    OF_TRY(of__check_given(flags, "flags", err));
    if (!out) return of__fail(err, OF_ERR_VALUE, "indices is NULL");
    OF_TRY(of__check_limit(opts->n, flags->size, "flags", &n, err));
    OF_TRY(of__check_index_dtype(opts->index_dtype, n, &index, err));
    OF_TRY(of__selection_find(flags, n, (int64_t)of_dtype_size(flags->dtype), &selection, err));
    of_array *made = NULL;
    of_status status =
        of__create_list(flags, index, selection.before[selection.pieces], &made, err);
    if (status == OF_OK) {
        indices i = {made->data, index == OF_I64};
        of__selection_visit(&selection, false, write_indices, &i);
        *out = made;
    }
    of__selection_free(&selection);
    return status;
}
