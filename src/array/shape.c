/* Shapes and strides: sizes without overflow, row-major order, the bytes that an array touches, and
 * text. */
#include <stdio.h>
#include <string.h>

#include "array/array_internal.h"

bool of__shape_size(int ndim, const int64_t *shape, int64_t *out) {
    int64_t product = 1; /* of the sizes that are not zero, so that order does not matter */
    bool is_empty = false;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] < 0) return false;
        if (shape[i] == 0)
            is_empty = true;
        else if (__builtin_mul_overflow(product, shape[i], &product))
            return false;
    }
    *out = is_empty ? 0 : product;
    return true;
}

bool of__row_major_strides(int ndim, const int64_t *shape, size_t element_size, int64_t *strides) {
    int64_t bytes = (int64_t)element_size;
    for (int i = ndim - 1; i >= 0; i--) {
        strides[i] = bytes;
        int64_t size = shape[i] == 0 ? 1 : shape[i];
        if (__builtin_mul_overflow(bytes, size, &bytes)) return false;
    }
    return true;
}

bool of__strides_reach(int ndim, const int64_t *shape, const int64_t *strides, size_t element_size,
                       int64_t *low, int64_t *high) {
    int64_t before = 0, after = (int64_t)element_size;
    for (int i = 0; i < ndim; i++) {
        int64_t reach;
        if (__builtin_mul_overflow(shape[i] - 1, strides[i], &reach)) return false;
        int64_t *end = reach < 0 ? &before : &after;
        if (__builtin_add_overflow(*end, reach, end)) return false;
    }
    *low = before;
    *high = after;
    return true;
}

void of__array_extent(const of_array *array, const char **low, const char **high) {
    *low = *high = NULL;
    if (array->size == 0) return;
    int64_t before = 0, after = 0; /* they fit: checked when the array was made */
    of__strides_reach(array->ndim, array->shape, array->strides, of_dtype_size(array->dtype),
                      &before, &after);
    *low = array->data + before;
    *high = array->data + after;
}

bool of__same_shape(const of_array *a, const of_array *b) {
    return a->ndim == b->ndim &&
           memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) == 0;
}

bool of__arrays_overlap(const of_array *a, const of_array *b) {
    const char *a_low, *a_high, *b_low, *b_high;
    of__array_extent(a, &a_low, &a_high);
    of__array_extent(b, &b_low, &b_high);
    return a_low < b_high && b_low < a_high; /* never for NULLs */
}

char *of__shape_text(int ndim, const int64_t *shape, char *text) {
    int used = sprintf(text, "(");
    for (int i = 0; i < ndim; i++)
        used += sprintf(text + used, "%s%lld", i > 0 ? ", " : "", (long long)shape[i]);
    sprintf(text + used, ndim == 1 ? ",)" : ")");
    return text;
}
