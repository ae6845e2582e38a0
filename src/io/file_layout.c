#include "io/file_layout.h"

#include "array/array_internal.h"
#include "core/fail.h"

bool of__file_layout_measure(of__file_layout *layout) {
    int64_t bytes = (int64_t)of_dtype_size(layout->dtype);
    layout->size = 1;
    for (int dim = 0; dim < layout->ndim; dim++) {
        int64_t size = layout->shape[dim];
        if (size > 1 && __builtin_mul_overflow(bytes, size, &bytes)) return false;
        if (size == -1) {
            layout->size = -1;
        } else if (layout->size != -1) {
            layout->size *= size;
        }
    }
    return true;
}

int64_t of__file_layout_bytes(const of__file_layout *layout) {
    return layout->size < 0 ? -1 : layout->size * (int64_t)of_dtype_size(layout->dtype);
}

/* Works out the size of -1 for `bytes` bytes of data. */
static of_status infer(of__file_layout *layout, int64_t bytes, const of__source *source,
                       of_error *err) {
    int64_t step = (int64_t)of_dtype_size(layout->dtype);
    int unknown = 0;
    for (int dim = 0; dim < layout->ndim; dim++) {
        if (layout->shape[dim] == -1) {
            unknown = dim;
        } else {
            step *= layout->shape[dim];
        }
    }
    if (step == 0 || bytes % step != 0) {
        return of__source_fail(source, err, OF_ERR_FORMAT,
                               "%lld bytes of data do not divide into steps of %lld bytes (%s%s)",
                               (long long)bytes, (long long)step, of_dtype_name(layout->dtype),
                               layout->ndim > 1 ? " times the other dimensions" : "");
    }
    layout->shape[unknown] = bytes / step;
    layout->size = bytes / (int64_t)of_dtype_size(layout->dtype);
    return OF_OK;
}

of_status of__file_layout_fit(of__file_layout *layout, int64_t bytes, const of__source *source,
                              of_error *err) {
    if (layout->size < 0) return infer(layout, bytes, source, err);
    int64_t needed = of__file_layout_bytes(layout);
    if (bytes < needed || (layout->exact && bytes > needed)) {
        char shape[OF__SHAPE_TEXT_SIZE];
        return of__source_fail(source, err, OF_ERR_FORMAT,
                               "shape %s of %s takes %lld bytes of data, but there are %s%lld",
                               of__shape_text(layout->ndim, layout->shape, shape),
                               of_dtype_name(layout->dtype), (long long)needed,
                               bytes < needed ? "only " : "", (long long)bytes);
    }
    return OF_OK;
}

void of__file_layout_strides(const of__file_layout *layout, int64_t *strides) {
    int64_t stride = (int64_t)of_dtype_size(layout->dtype);
    for (int i = 0; i < layout->ndim; i++) {
        int dim = layout->fortran ? i : layout->ndim - 1 - i;
        strides[dim] = stride;
        if (layout->shape[dim] > 1) stride *= layout->shape[dim];
    }
}
