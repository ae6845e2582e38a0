#include "io/raw.h"

#include <string.h>

#include <onefold/io.h>

#include "array/array_internal.h"
#include "core/fail.h"
#include "io/file_elements.h"

of_status of__raw_layout(of_dtype dtype, int ndim, const int64_t *shape, of__file_layout *layout,
                         of_error *err) {
    OF_TRY(of__check_dtype(dtype, err));
    if (ndim < 0 || ndim > OF_MAX_DIMS) {
        return of__fail(err, OF_ERR_VALUE, "ndim %d is not from 0 to %d", ndim, OF_MAX_DIMS);
    }
    if (shape == NULL && ndim > 0)
        return of__fail(err, OF_ERR_VALUE, "shape is NULL for ndim %d", ndim);
    of__file_layout result = {.dtype = dtype, .ndim = ndim, .exact = true};
    if (shape == NULL) {
        result.ndim = 1;
        result.shape[0] = -1;
    } else {
        memcpy(result.shape, shape, (size_t)ndim * sizeof shape[0]);
    }
    int open = 0;
    for (int dim = 0; dim < result.ndim; dim++) {
        if (result.shape[dim] >= 0) continue;
        if (result.shape[dim] < -1 || open++ > 0) {
            return of__fail(err, OF_ERR_VALUE, "size %lld of dim %d is negative%s",
                            (long long)result.shape[dim], dim,
                            result.shape[dim] == -1 ? ", and only one may be -1" : "");
        }
    }
    if (!of__file_layout_measure(&result)) {
        return of__fail(err, OF_ERR_VALUE, "the shape's size in bytes is past 2^63 - 1");
    }
    *layout = result;
    return OF_OK;
}

of_status of_raw_load(const char *path, of_device *device, of_dtype dtype, int ndim,
                      const int64_t *shape, of_array **out, of_error *err) {
    of__source source;
    of__file_layout layout;
    OF_TRY(of__raw_layout(dtype, ndim, shape, &layout, err));
    OF_TRY(of__source_open(path, &source, err));
    of_status status = of__elements_load(&source, &layout, device, out, err);
    of__source_close(&source);
    return status;
}
