/* The first n elements of arrays that are there: copied and filled. */
#include <string.h>

#include <onefold/copy.h>

#include "array/checks.h"
#include "array/convert_rows.h"
#include "array/flat.h"
#include "core/fail.h"
#include "core/threads.h"

/* ---- Checks ---- */

static bool same_elements(const of_array *a, const of_array *b) {
    bool same = a->data == b->data && a->dtype == b->dtype && a->ndim == b->ndim;
    for (int i = 0; same && i < a->ndim; i++)
        same = a->shape[i] == b->shape[i] && a->strides[i] == b->strides[i];
    return same;
}

/* ---- Between arrays whose indices have nothing in common ---- */

/* Elements that go through a buffer at once where one side is strided or types differ. */
#ifdef ONEFOLD_TEST_SMALL
enum { TILE = 8 };
#else
enum { TILE = 512 };
#endif
enum { LARGEST_ELEMENT = 8 };

typedef struct flat_copy {
    of__flat to, from;
    size_t to_size, from_size;
    of__convert_row convert; /* NULL: the types are equal */
    int64_t offset, n;
    int workers;
} flat_copy;

/* Copies a run that has one stride on each side. */
static void copy_run(const flat_copy *c, char *to, int64_t to_stride, const char *from,
                     int64_t from_stride, int64_t count) {
    char gathered[TILE * LARGEST_ELEMENT], converted[TILE * LARGEST_ELEMENT];
    if (c->convert == NULL) {
        of__move_elements(to, to_stride, from, from_stride, count, c->to_size);
        return;
    }
    const int64_t to_size = (int64_t)c->to_size, from_size = (int64_t)c->from_size;
    for (int64_t i = 0, m; i < count; i += m) {
        m = count - i < TILE ? count - i : TILE;
        const char *packed = from + i * from_stride;
        if (from_stride != from_size) {
            of__move_elements(gathered, from_size, packed, from_stride, m, c->from_size);
            packed = gathered;
        }
        char *out = to_stride == to_size ? to + i * to_stride : converted;
        c->convert(out, packed, m);
        if (out == converted)
            of__move_elements(to + i * to_stride, to_stride, converted, to_size, m, c->to_size);
    }
}

static void copy_share(void *context, int worker) {
    const flat_copy *c = context;
    int64_t share = c->n / c->workers, more = c->n % c->workers;
    int64_t start = share * worker + (worker < more ? worker : more);
    int64_t rest = share + (worker < more);
    if (rest == 0) return;
    of__cursor to = of__cursor_at(&c->to, c->offset + start);
    of__cursor from = of__cursor_at(&c->from, start);
    for (int64_t m; rest > 0; rest -= m) {
        m = to.run < from.run ? to.run : from.run;
        if (m > rest) m = rest;
        copy_run(c, to.at, to.stride, from.at, from.stride, m);
        of__cursor_step(&to, m);
        of__cursor_step(&from, m);
    }
}

static void copy_unlike(const of_array *src, of_array *dst, int64_t offset, int64_t n) {
    flat_copy c = {
        .to = of__flat_of(dst),
        .from = of__flat_of(src),
        .to_size = of_dtype_size(dst->dtype),
        .from_size = of_dtype_size(src->dtype),
        .convert = of__convert_row_for(dst->dtype, src->dtype),
        .offset = offset,
        .n = n,
    };
    c.workers = of__workers_for(n * (int64_t)(c.to_size > c.from_size ? c.to_size : c.from_size));
    of__parallel(c.workers, copy_share, &c);
}

/* ---- Copy ---- */

/* The n elements from `start` on of an array that one stride leads through. */
static of_array line_of(const of_array *array, int64_t stride, int64_t start, int64_t n) {
    of_array line = *array;
    line.data += start * stride;
    line.ndim = 1;
    line.size = line.shape[0] = n;
    line.strides[0] = stride;
    return line;
}

static void copy_elements(const of_array *src, of_array *dst, int64_t offset, int64_t n) {
    of__flat from = of__flat_of(src), to = of__flat_of(dst);
    int64_t from_stride, to_stride;
    if (of__flat_is_line(&from, (int64_t)of_dtype_size(src->dtype), &from_stride) &&
        of__flat_is_line(&to, (int64_t)of_dtype_size(dst->dtype), &to_stride)) {
        of_array source = line_of(src, from_stride, 0, n);
        of_array target = line_of(dst, to_stride, offset, n);
        of__copy_elements(&target, &source);
        return;
    }
    if (n == src->size && of__same_shape(src, dst))
        of__copy_elements(dst, src);
    else
        copy_unlike(src, dst, offset, n);
}

of_status of_copy_with_offset(const of_array *src, of_array *dst, int64_t dst_offset, int64_t n,
                              of_error *err) {
    OF_TRY(of__check_given(src, "src", err));
    OF_TRY(of__check_given(dst, "dst", err));
    OF_TRY(of__check_limit(&n, src->size, "src", &n, err));
    OF_TRY(of__check_limit(&n, dst->size, "dst", &n, err));
    if (dst_offset < 0)
        return of__fail(err, OF_ERR_VALUE, "dst_offset %lld is negative", (long long)dst_offset);
    if (dst_offset > dst->size - n)
        return of__fail(
            err, OF_ERR_VALUE, "dst_offset %lld and n %lld reach past the %lld element%s of dst",
            (long long)dst_offset, (long long)n, (long long)dst->size, dst->size == 1 ? "" : "s");
    OF_TRY(of__check_writable(dst, "dst", err));
    OF_TRY(of__check_same_device(src, "src", dst, "dst", err));
    if (n == 0) return OF_OK;
    if (of__arrays_overlap(src, dst)) {
        bool contiguous = of_array_is_contiguous(src) && of_array_is_contiguous(dst);
        if (src->dtype == dst->dtype && contiguous) {
            size_t size = of_dtype_size(src->dtype);
            memmove(dst->data + dst_offset * (int64_t)size, src->data, (size_t)n * size);
            return OF_OK;
        }
        if (dst_offset == 0 && same_elements(src, dst)) return OF_OK; /* each onto itself */
        return of__fail(err, OF_ERR_VALUE,
                        "dst overlaps src, and not as contiguous arrays of one type");
    }
    copy_elements(src, dst, dst_offset, n);
    return OF_OK;
}

of_status of_copy(const of_array *src, of_array *dst, int64_t n, of_error *err) {
    return of_copy_with_offset(src, dst, 0, n, err);
}

/* ---- Fill ---- */

of_status of_fill_value(of_array *dst, of_scalar value, int64_t n, of_error *err) {
    OF_TRY(of__check_given(dst, "dst", err));
    OF_TRY(of__check_limit(&n, dst->size, "dst", &n, err));
    if (dst->read_only) return of__fail(err, OF_ERR_VALUE, "dst is read-only");
    OF_TRY(of__check_dtype(value.dtype, err));
    if (n == 0) return OF_OK;
    of_scalar converted = of_scalar_convert(value, dst->dtype);
    of_array everywhere = *dst; /* the value at every index: no stride leads away from it */
    everywhere.data = (char *)&converted.as;
    for (int i = 0; i < dst->ndim; i++) everywhere.strides[i] = 0;
    copy_elements(&everywhere, dst, 0, n);
    return OF_OK;
}
