#include "array/flat.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"

of__flat of__flat_of(const of_array *array) {
    of__flat flat = {.data = array->data, .size = array->size};
    if (array->size == 0) return flat; /* sizes beside a 0 may multiply past every limit */
    for (int i = 0; i < array->ndim; i++) {
        int64_t shape = array->shape[i], stride = array->strides[i];
        if (shape == 1) continue;
        int last = flat.ndim - 1;
        if (flat.ndim > 0 && flat.strides[last] == shape * stride) {
            flat.shape[last] *= shape;
            flat.strides[last] = stride;
        } else {
            flat.shape[flat.ndim] = shape;
            flat.strides[flat.ndim++] = stride;
        }
    }
    return flat;
}

bool of__flat_is_line(const of__flat *flat, int64_t element_size, int64_t *stride) {
    *stride = flat->ndim == 0 ? element_size : flat->strides[0];
    return flat->ndim <= 1;
}

of__cursor of__cursor_at(const of__flat *flat, int64_t position) {
    of__cursor cursor = {.flat = flat, .at = flat->data, .run = 1};
    for (int i = flat->ndim - 1; i >= 0; i--) {
        cursor.index[i] = position % flat->shape[i];
        cursor.at += cursor.index[i] * flat->strides[i];
        position /= flat->shape[i];
    }
    if (flat->ndim > 0) {
        cursor.run = flat->shape[flat->ndim - 1] - cursor.index[flat->ndim - 1];
        cursor.stride = flat->strides[flat->ndim - 1];
    }
    return cursor;
}

void of__cursor_step(of__cursor *cursor, int64_t count) {
    const of__flat *flat = cursor->flat;
    int inner = flat->ndim - 1;
    cursor->at += count * cursor->stride;
    cursor->run -= count;
    if (cursor->run > 0 || inner < 0) return;
    cursor->at -= flat->shape[inner] * cursor->stride; /* back to the start of the row */
    cursor->run = flat->shape[inner];
    cursor->index[inner] = 0;
    for (int i = inner - 1; i >= 0; i--) {
        cursor->at += flat->strides[i];
        if (++cursor->index[i] < flat->shape[i]) break;
        cursor->at -= flat->shape[i] * flat->strides[i];
        cursor->index[i] = 0;
    }
}

OF__INLINE void move_sized(char *restrict to, int64_t to_stride, const char *restrict from,
                           int64_t from_stride, int64_t count, size_t size) {
    for (int64_t i = 0; i < count; i++) memcpy(to + i * to_stride, from + i * from_stride, size);
}

/* Constant sizes make each move a load and a store. */
void of__move_elements(char *to, int64_t to_stride, const char *from, int64_t from_stride,
                       int64_t count, size_t size) {
    if (to_stride == (int64_t)size && from_stride == (int64_t)size) {
        memcpy(to, from, (size_t)count * size);
        return;
    }
    switch (size) {
    case 1: move_sized(to, to_stride, from, from_stride, count, 1); break;
    case 2: move_sized(to, to_stride, from, from_stride, count, 2); break;
    case 4: move_sized(to, to_stride, from, from_stride, count, 4); break;
    default: move_sized(to, to_stride, from, from_stride, count, 8); break;
    }
}

void of__cursor_read(of__cursor *cursor, void *packed, int64_t n, size_t size) {
    char *to = packed;
    for (int64_t m; n > 0; n -= m, to += m * (int64_t)size) {
        m = n < cursor->run ? n : cursor->run;
        of__move_elements(to, (int64_t)size, cursor->at, cursor->stride, m, size);
        of__cursor_step(cursor, m);
    }
}

void of__cursor_write(of__cursor *cursor, const void *packed, int64_t n, size_t size) {
    const char *from = packed;
    for (int64_t m; n > 0; n -= m, from += m * (int64_t)size) {
        m = n < cursor->run ? n : cursor->run;
        of__move_elements(cursor->at, cursor->stride, from, (int64_t)size, m, size);
        of__cursor_step(cursor, m);
    }
}

typedef struct step {
    int64_t stride, shape;
} step;

static int compare_strides(const void *a, const void *b) {
    int64_t x = ((const step *)a)->stride, y = ((const step *)b)->stride;
    return (x > y) - (x < y);
}

bool of__array_may_repeat(const of_array *array) {
    step steps[OF_MAX_DIMS];
    int count = 0;
    if (array->size < 2) return false;
    for (int i = 0; i < array->ndim; i++)
        if (array->shape[i] > 1) steps[count++] = (step){llabs(array->strides[i]), array->shape[i]};
    qsort(steps, (size_t)count, sizeof *steps, compare_strides);
    int64_t reach = (int64_t)of_dtype_size(array->dtype); /* of the smaller ones; it fits */
    for (int i = 0; i < count; i++) {
        if (steps[i].stride < reach) return true;
        reach += (steps[i].shape - 1) * steps[i].stride;
    }
    return false;
}
