#include "reduce/layout.h"

#include <string.h>

of__layout of__layout_begin(int64_t element_size) {
    return (of__layout){.element_size = element_size, .size = 1};
}

/* Joins the new dimension to the one before where both are walked with one stride. */
void of__layout_append(of__layout *layout, int64_t shape, int64_t stride) {
    layout->size *= shape;
    if (shape == 1) return;
    int last = layout->ndim - 1;
    if (layout->ndim && layout->strides[last] == shape * stride) {
        layout->shape[last] *= shape;
        layout->strides[last] = stride;
        return;
    }
    layout->shape[layout->ndim] = shape;
    layout->strides[layout->ndim++] = stride;
}

of__layout of__layout_of(const of_array *array) {
    of__layout layout = of__layout_begin((int64_t)of_dtype_size(array->dtype));
    layout.data = array->data;
    if (!array->size) { /* sizes beside a 0 may multiply past every limit */
        layout.size = 0;
        return layout;
    }
    for (int i = 0; i < array->ndim; i++)
        of__layout_append(&layout, array->shape[i], array->strides[i]);
    return layout;
}

void of__layout_forget_order(of__layout *layout) {
    for (int i = 0; i < layout->ndim; i++)
        if (layout->strides[i] < 0) {
            layout->data += (layout->shape[i] - 1) * layout->strides[i];
            layout->strides[i] = -layout->strides[i];
        }
    for (int i = 1; i < layout->ndim; i++) /* at most 8: insertion sort, the largest stride first */
        for (int j = i; j > 0 && layout->strides[j - 1] < layout->strides[j]; j--) {
            int64_t shape = layout->shape[j], stride = layout->strides[j];
            layout->shape[j] = layout->shape[j - 1];
            layout->strides[j] = layout->strides[j - 1];
            layout->shape[j - 1] = shape;
            layout->strides[j - 1] = stride;
        }
    of__layout joined = of__layout_begin(layout->element_size);
    joined.data = layout->data;
    for (int i = 0; i < layout->ndim; i++)
        of__layout_append(&joined, layout->shape[i], layout->strides[i]);
    joined.size = layout->size;
    *layout = joined;
}

bool of__layout_is_contiguous(const of__layout *layout) {
    return layout->ndim == 0 || (layout->ndim == 1 && layout->strides[0] == layout->element_size);
}

int64_t of__layout_offset(const of__layout *layout, int64_t position) {
    int64_t offset = 0;
    for (int i = layout->ndim - 1; i >= 0; i--) {
        offset += position % layout->shape[i] * layout->strides[i];
        position /= layout->shape[i];
    }
    return offset;
}

void of__copy_strided(void *to, const char *from, int64_t n, int64_t stride, int64_t element_size) {
    char *out = to;
    if (stride == element_size) {
        memcpy(out, from, (size_t)(n * element_size));
        return;
    }
    switch (element_size) { /* constant sizes make each copy a load and a store */
    case 1:
        for (int64_t i = 0; i < n; i++) out[i] = from[i * stride];
        break;
    case 2:
        for (int64_t i = 0; i < n; i++) memcpy(out + 2 * i, from + i * stride, 2);
        break;
    case 4:
        for (int64_t i = 0; i < n; i++) memcpy(out + 4 * i, from + i * stride, 4);
        break;
    default:
        for (int64_t i = 0; i < n; i++) memcpy(out + 8 * i, from + i * stride, 8);
        break;
    }
}

const void *of__layout_fetch(const of__layout *layout, int64_t start, int64_t n, void *buffer) {
    const char *from = layout->data + of__layout_offset(layout, start);
    if (layout->ndim == 0) return from;
    int inner = layout->ndim - 1;
    int64_t index[OF_MAX_DIMS], rest = start;
    for (int i = inner; i >= 0; i--) {
        index[i] = rest % layout->shape[i];
        rest /= layout->shape[i];
    }
    int64_t run = layout->shape[inner] - index[inner];
    if (run >= n && layout->strides[inner] == layout->element_size) return from;
    char *out = buffer;
    for (;;) {
        int64_t m = n < run ? n : run;
        of__copy_strided(out, from, m, layout->strides[inner], layout->element_size);
        out += m * layout->element_size;
        n -= m;
        if (n == 0) return buffer;
        from += (run - layout->shape[inner]) * layout->strides[inner]; /* to the start of the row */
        run = layout->shape[inner];
        for (int i = inner - 1; i >= 0; i--) {
            from += layout->strides[i];
            if (++index[i] < layout->shape[i]) break;
            from -= layout->shape[i] * layout->strides[i];
            index[i] = 0;
        }
    }
}
