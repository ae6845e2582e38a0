#include "io/gather.h"

#include <string.h>

#include "array/array_internal.h"

/* `count` elements, `stride` bytes apart. The size is a constant where this is inlined, so that
 * memcpy is a move. */
static inline __attribute__((always_inline)) void
copy_run(char *to, const char *from, int64_t count, int64_t stride, size_t size) {
    for (int64_t i = 0; i < count; i++) memcpy(to + i * (int64_t)size, from + i * stride, size);
}

static void copy_elements(char *to, const char *from, int64_t count, int64_t stride, size_t size) {
    if (stride == (int64_t)size) {
        memcpy(to, from, (size_t)count * size);
        return;
    }
    switch (size) {
    case 1: copy_run(to, from, count, stride, 1); break;
    case 2: copy_run(to, from, count, stride, 2); break;
    case 4: copy_run(to, from, count, stride, 4); break;
    default: copy_run(to, from, count, stride, 8); break;
    }
}

void of__array_gather(const of_array *array, int64_t first, int64_t count, void *to) {
    if (count == 0) return;
    size_t size = of_dtype_size(array->dtype);
    int last = array->ndim - 1;
    int64_t inner = last < 0 ? 1 : array->shape[last];
    int64_t inner_stride = last < 0 ? 0 : array->strides[last];

    int64_t index[OF_MAX_DIMS];
    const char *row = array->data;
    int64_t start = first % inner, rest = first / inner;
    for (int dim = last - 1; dim >= 0; dim--) {
        index[dim] = rest % array->shape[dim];
        rest /= array->shape[dim];
        row += index[dim] * array->strides[dim];
    }

    char *out = to;
    while (true) {
        int64_t run = inner - start < count ? inner - start : count;
        copy_elements(out, row + start * inner_stride, run, inner_stride, size);
        out += run * (int64_t)size;
        count -= run;
        if (count == 0) return;
        start = 0;
        for (int dim = last - 1; dim >= 0; dim--) {
            row += array->strides[dim];
            if (++index[dim] < array->shape[dim]) break;
            row -= array->shape[dim] * array->strides[dim];
            index[dim] = 0;
        }
    }
}
