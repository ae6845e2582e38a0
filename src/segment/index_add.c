/*
 * Adding rows to the rows of an array that indices name: a scatter-add whose result does not depend
 * on any order.
 *
 * The rows of `into` that are named are rows like any other: each is one more term of its own sum.
 * They are numbered among each other, so that a few additions to a large array stay cheap.
 */
#include <string.h>

#include "array/widen.h"
#include "core/alloc.h"
#include "core/fail.h"
#include "core/fpenv.h"
#include "group/group_sums.h"
#include "segment/segment_call.h"

typedef struct addition {
    of_array *into;
    int64_t rows, width; /* of src */
    of__layout src, indices;
    of_dtype indices_dtype;
    uint64_t *is_named;    /* a bit for each row of into */
    int64_t *named_before; /* for each word of bits: how many rows before it are named */
    int64_t *named;        /* the rows that are named, in order */
    int64_t named_count;
    char *old; /* what they held */
} addition;

static const int64_t *numbers_at(const addition *a, int64_t row, int64_t n, int64_t *buffer) {
    uint32_t narrow[OF__GROUP_BLOCK];
    bool is_narrow = a->indices.element_size < (int64_t)sizeof *buffer;
    const void *from = of__layout_fetch(&a->indices, row, n, is_narrow ? (void *)narrow : buffer);
    return of__widen(a->indices_dtype, from, n, buffer);
}

/* ---- Reading: the rows of src, then those of into that are named ---- */

static const int64_t *group_of(const void *context, int64_t row, int64_t n, int64_t *buffer) {
    const addition *a = context;
    int64_t from_src = row >= a->rows ? 0 : n < a->rows - row ? n : a->rows - row;
    if (from_src) {
        int64_t wide[OF__GROUP_BLOCK];
        const int64_t *index = numbers_at(a, row, from_src, wide);
        for (int64_t i = 0; i < from_src; i++) {
            uint64_t word = a->is_named[index[i] >> 6];
            uint64_t before = word & ((UINT64_C(1) << (index[i] & 63)) - 1);
            buffer[i] = a->named_before[index[i] >> 6] + __builtin_popcountll(before);
        }
    }
    for (int64_t i = from_src; i < n; i++) buffer[i] = row + i - a->rows;
    return buffer;
}

static const void *values_of(const void *context, int64_t start, int64_t n, void *buffer) {
    const addition *a = context;
    int64_t values = a->rows * a->width, size = a->src.element_size;
    if (start >= values) return a->old + (start - values) * size;
    if (start + n <= values) return of__layout_fetch(&a->src, start, n, buffer);
    int64_t from_src = values - start;
    const void *from = of__layout_fetch(&a->src, start, from_src, buffer);
    if (from != buffer) memcpy(buffer, from, (size_t)(from_src * size));
    memcpy((char *)buffer + from_src * size, a->old, (size_t)((n - from_src) * size));
    return buffer;
}

/* ---- The rows that are named ---- */

static of_status mark_rows(addition *a, of_error *err) {
    int64_t buffer[OF__GROUP_BLOCK], size = a->into->shape[0];
    for (int64_t row = 0, n; row < a->rows; row += n) {
        n = a->rows - row < OF__GROUP_BLOCK ? a->rows - row : OF__GROUP_BLOCK;
        const int64_t *index = numbers_at(a, row, n, buffer);
        for (int64_t i = 0; i < n; i++) {
            if ((uint64_t)index[i] >= (uint64_t)size) {
                of_scalar number = of_scalar_load(a->indices_dtype, &index[i]);
                char text[OF_SCALAR_TEXT_SIZE];
                return of__fail(err, OF_ERR_INDEX, "indices[%lld] is %s, but into has %lld rows",
                                (long long)(row + i), of_scalar_format(number, text),
                                (long long)size);
            }
            if (a->width) a->is_named[index[i] >> 6] |= UINT64_C(1) << (index[i] & 63);
        }
    }
    return OF_OK;
}

static of_status number_rows(addition *a, int64_t words, of_error *err) {
    a->named_count = 0;
    for (int64_t w = 0; w < words; w++) {
        a->named_before[w] = a->named_count;
        a->named_count += __builtin_popcountll(a->is_named[w]);
    }
    a->named = of__alloc((size_t)a->named_count * sizeof *a->named);
    if (!a->named)
        return of__fail(err, OF_ERR_MEMORY, "no memory for %lld rows", (long long)a->named_count);
    int64_t *named = a->named;
    for (int64_t w = 0; w < words; w++)
        for (uint64_t bits = a->is_named[w]; bits; bits &= bits - 1)
            *named++ = 64 * w + __builtin_ctzll(bits);
    return OF_OK;
}

/* Copies the named rows of into to `old`, or back. */
static void move_rows(const addition *a, bool back) {
    const of_array *into = a->into;
    int64_t size = a->src.element_size, bytes = a->width * size;
    of__layout row = of__layout_begin(size);
    for (int i = 1; i < into->ndim; i++) of__layout_append(&row, into->shape[i], into->strides[i]);
    bool is_whole = of__layout_is_contiguous(&row);
    for (int64_t k = 0; k < a->named_count; k++) {
        char *packed = a->old + k * bytes, *place = into->data + a->named[k] * into->strides[0];
        if (is_whole) {
            memcpy(back ? place : packed, back ? packed : place, (size_t)bytes);
            continue;
        }
        for (int64_t c = 0; c < a->width; c++) {
            char *element = place + of__layout_offset(&row, c);
            memcpy(back ? element : packed + c * size, back ? packed + c * size : element,
                   (size_t)size);
        }
    }
}

/* ---- The call ---- */

static of_status check(const of_array *into, const of_array *indices, const of_array *src,
                       of_error *err) {
    char src_text[OF__SHAPE_TEXT_SIZE], text[OF__SHAPE_TEXT_SIZE];
    OF_TRY(of__check_given(into, "into", err));
    OF_TRY(of__check_given(indices, "indices", err));
    OF_TRY(of__check_given(src, "src", err));
    if (into->ndim < 1)
        return of__fail(err, OF_ERR_VALUE, "into has no dimensions; its rows need one");
    OF_TRY(of__check_integers(indices, "indices", err));
    if (into->dtype == OF_BOOL)
        return of__fail(err, OF_ERR_TYPE, "into has type bool, which cannot hold a sum");
    if (src->dtype != into->dtype)
        return of__fail(err, OF_ERR_TYPE, "src has type %s, but into has %s",
                        of_dtype_name(src->dtype), of_dtype_name(into->dtype));
    bool fits = src->ndim == into->ndim;
    for (int i = 1; fits && i < src->ndim; i++) fits = src->shape[i] == into->shape[i];
    if (!fits)
        return of__fail(err, OF_ERR_VALUE, "src has shape %s, whose rows do not fit into %s",
                        of__shape_text(src->ndim, src->shape, src_text),
                        of__shape_text(into->ndim, into->shape, text));
    if (indices->ndim != 1 || indices->size != src->shape[0])
        return of__fail(err, OF_ERR_VALUE, "indices has shape %s, but src has %lld rows",
                        of__shape_text(indices->ndim, indices->shape, text),
                        (long long)src->shape[0]);
    OF_TRY(of__check_same_device(into, "into", src, "src", err));
    OF_TRY(of__check_same_device(into, "into", indices, "indices", err));
    OF_TRY(of__check_writable(into, "into", err));
    OF_TRY(of__check_apart(into, "into", src, "src", err));
    return of__check_apart(into, "into", indices, "indices", err);
}

static of_status add(addition *a, int64_t words, of_error *err) {
    OF_TRY(mark_rows(a, err));
    if (!a->width || !a->rows) return OF_OK;
    OF_TRY(number_rows(a, words, err));
    size_t bytes = (size_t)(a->named_count * a->width * a->src.element_size);
    a->old = of__alloc(bytes);
    if (!a->old)
        return of__fail(err, OF_ERR_MEMORY, "no memory for %lld rows", (long long)a->named_count);
    move_rows(a, false);
    of__grouped rows = {.rows = a->rows + a->named_count,
                        .width = a->width,
                        .groups = a->named_count,
                        .dtype = a->into->dtype,
                        .context = a,
                        .group_of = group_of,
                        .values_of = values_of};
    of__fpenv saved = of__fpenv_enter();
    of_status status = of__group_sums(&rows, a->into->dtype, a->old, err);
    of__fpenv_leave(saved);
    if (status == OF_OK) move_rows(a, true);
    return status;
}

of_status of_index_add(of_array *into, const of_array *indices, const of_array *src,
                       of_error *err) {
    OF_TRY(check(into, indices, src, err));
    addition a = {.into = into,
                  .rows = src->shape[0],
                  .src = of__layout_of(src),
                  .indices = of__layout_of(indices),
                  .indices_dtype = indices->dtype};
    if (!of__shape_size(src->ndim - 1, src->shape + 1, &a.width)) a.width = 0;
    int64_t words = a.width ? into->shape[0] / 64 + 1 : 0;
    a.is_named = of__alloc_zeroed((size_t)words * sizeof *a.is_named);
    a.named_before = of__alloc((size_t)words * sizeof *a.named_before);
    of_status status = a.is_named && a.named_before
                           ? add(&a, words, err)
                           : of__fail(err, OF_ERR_MEMORY, "no memory for marks of %lld rows",
                                      (long long)into->shape[0]);
    of__free(a.is_named);
    of__free(a.named_before);
    of__free(a.named);
    of__free(a.old);
    return status;
}
