#include "reduce/arrays.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference/reference.h"

static const char *const layout_names[] = {
#define LAYOUT(name) #name,
#include "reduce/layouts.def"
#undef LAYOUT
};

const char *layout_name(layout how) {
    return layout_names[how];
}

static void free_memory(void *data, void *context) {
    (void)data;
    free(context);
}

/* The strides of a layout, before some of them are made negative or zero; returns the bytes that it
 * takes. */
static int64_t lay_out(layout how, int64_t size, int ndim, const int64_t *shape, int64_t *strides) {
    int64_t next = size * (how == LAYOUT_step_2 ? 2 : how == LAYOUT_step_3 ? 3 : 1);
    for (int i = 0; i < ndim; i++) {
        int dim = how == LAYOUT_transposed ? i : ndim - 1 - i;
        strides[dim] = next;
        next *= shape[dim] > 0 ? shape[dim] : 1;
        if (how == LAYOUT_padded && i == 0) next += size;
    }
    return next;
}

of_array *array_make(of_dtype dtype, data_kind kind, uint64_t seed, layout how, int ndim,
                     const int64_t *shape) {
    int64_t strides[OF_MAX_DIMS], size = ref_size(dtype), count = 1;
    int64_t bytes = lay_out(how, size, ndim, shape, strides);
    char *memory = aligned_alloc(64, (size_t)(bytes + 8 + 63) / 64 * 64);
    assert_non_null(memory);
    memset(memory, 0xff, (size_t)bytes + 8);
    char *first = memory;
    if (how >= LAYOUT_offset_1 && how <= LAYOUT_offset_7) first += how - LAYOUT_contiguous;
    for (int dim = 0; dim < ndim; dim++) {
        count *= shape[dim];
        if (how == LAYOUT_reversed) {
            if (shape[dim]) first += (shape[dim] - 1) * strides[dim];
            strides[dim] = -strides[dim];
        }
    }
    if (ndim && how == LAYOUT_repeated_first) strides[0] = 0;
    if (ndim && how == LAYOUT_repeated_last) strides[ndim - 1] = 0;

    char *packed = malloc((size_t)(count * size + 1));
    assert_non_null(packed);
    data_fill(packed, dtype, kind, count, seed);
    for (int64_t i = 0; i < count; i++) {
        char *element = first;
        int64_t rest = i;
        for (int dim = ndim - 1; dim >= 0; dim--) {
            element += rest % shape[dim] * strides[dim];
            rest /= shape[dim];
        }
        memcpy(element, packed + i * size, (size_t)size);
    }
    free(packed);

    of_array *array;
    of_error err = {0};
    of_status status = of_array_wrap(NULL, dtype, ndim, shape, strides, first, 0, free_memory,
                                     memory, &array, &err);
    if (status != OF_OK) fail_msg("of_array_wrap: %s", err.message);
    return array;
}

of_array *array_from(of_dtype dtype, int64_t count, const void *elements) {
    size_t bytes = (size_t)(count * ref_size(dtype));
    void *memory = malloc(bytes + 1);
    assert_non_null(memory);
    memcpy(memory, elements, bytes);
    of_array *array;
    assert_int_equal(
        of_array_wrap(NULL, dtype, 1, &count, NULL, memory, 0, free_memory, memory, &array, NULL),
        OF_OK);
    return array;
}

int64_t array_slice_size(const of_array *array, dim_set dims) {
    int64_t size = 1;
    for (int dim = 0; dim < of_array_ndim(array); dim++)
        if (dims >> dim & 1) size *= of_array_shape(array)[dim];
    return size;
}

/* The distance in bytes to the element at a row-major position of some dimensions, the others being
 * at 0. */
static int64_t distance(const of_array *array, dim_set dims, int64_t position) {
    int64_t bytes = 0;
    for (int dim = of_array_ndim(array) - 1; dim >= 0; dim--) {
        if (!(dims >> dim & 1)) continue;
        bytes += position % of_array_shape(array)[dim] * of_array_strides(array)[dim];
        position /= of_array_shape(array)[dim];
    }
    return bytes;
}

void array_gather(const of_array *array, dim_set dims, int64_t outer, void *elements) {
    size_t size = (size_t)ref_size(of_array_dtype(array));
    int64_t count = array_slice_size(array, dims);
    if (count == 0) return;
    const char *start = (const char *)of_array_data(array) + distance(array, ~dims, outer);
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)elements + (size_t)i * size, start + distance(array, dims, i), size);
}
