/* Views: other shapes and strides over the same memory. */
#include <string.h>

#include "array/array_internal.h"
#include "core/fail.h"

of_status of__check_dim(int ndim, int dim, int *out, of_error *err) {
    if (dim < -ndim || dim >= ndim)
        return of__fail(err, OF_ERR_VALUE, "dim %d is out of range for an array of %d dimension%s",
                        dim, ndim, ndim == 1 ? "" : "s");
    *out = dim < 0 ? dim + ndim : dim;
    return OF_OK;
}

/* ---- Slice ---- */

static of_status check_slice(int64_t size, int64_t start, int64_t length, int64_t step,
                             of_error *err) {
    if (step == 0) return of__fail(err, OF_ERR_VALUE, "step is 0");
    if (length < 0)
        return of__fail(err, OF_ERR_VALUE, "length %lld is negative", (long long)length);
    if (start < 0 || start > size || (start == size && length > 0))
        return of__fail(err, OF_ERR_INDEX,
                        "start %lld is out of range for a dimension of size %lld", (long long)start,
                        (long long)size);
    if (length == 0) return OF_OK;
    int64_t last;
    if (__builtin_mul_overflow(length - 1, step, &last) ||
        __builtin_add_overflow(start, last, &last) || last < 0 || last >= size)
        return of__fail(err, OF_ERR_INDEX,
                        "start %lld, length %lld and step %lld leave a dimension of size %lld",
                        (long long)start, (long long)length, (long long)step, (long long)size);
    return OF_OK;
}

of_status of_array_slice(of_array *src, int dim, int64_t start, int64_t length, int64_t step,
                         of_array **out, of_error *err) {
    of_array *view;
    OF_TRY(of__check_dim(src->ndim, dim, &dim, err));
    OF_TRY(check_slice(src->shape[dim], start, length, step, err));
    OF_TRY(of__array_view(src, &view, err));
    view->shape[dim] = length;
    of__shape_size(view->ndim, view->shape, &view->size); /* at most that of src */
    if (length > 1) view->strides[dim] *= step; /* else never stepped over, and it might overflow */
    if (view->size > 0) view->data += start * src->strides[dim];
    *out = view;
    return OF_OK;
}

/* ---- Reshape ---- */

/* Fills in the one size that may be -1 and checks that the sizes multiply to `size`. */
static of_status resolve_shape(int64_t size, int ndim, const int64_t *wanted, int64_t *shape,
                               of_error *err) {
    if (ndim < 0 || ndim > OF_MAX_DIMS)
        return of__fail(err, OF_ERR_VALUE, "ndim %d is not from 0 to %d", ndim, OF_MAX_DIMS);
    if (ndim > 0 && wanted == NULL) return of__fail(err, OF_ERR_VALUE, "shape is missing");
    int inferred = -1;
    for (int i = 0; i < ndim; i++) {
        shape[i] = wanted[i];
        if (wanted[i] >= 0) continue;
        if (wanted[i] < -1)
            return of__fail(err, OF_ERR_VALUE, "size %lld of dimension %d is negative",
                            (long long)wanted[i], i);
        if (inferred >= 0)
            return of__fail(err, OF_ERR_VALUE, "dimensions %d and %d are both -1", inferred, i);
        inferred = i;
        shape[i] = 1;
    }
    int64_t product;
    bool fits = of__shape_size(ndim, shape, &product);
    if (inferred >= 0) {
        fits = fits && product > 0 && size % product == 0;
        if (fits) shape[inferred] = size / product;
    } else {
        fits = fits && product == size;
    }
    if (fits) return OF_OK;
    char text[OF__SHAPE_TEXT_SIZE];
    return of__fail(err, OF_ERR_VALUE, "%lld elements cannot have the shape %s", (long long)size,
                    of__shape_text(ndim, wanted, text));
}

/*
 * The strides of `shape` over the elements of src, at least two, in row-major order. From the last
 * dimension on, the dimensions of src that are stepped through with a single stride form a run; as
 * many dimensions of the shape must fill it exactly. False when one dimension of the shape would
 * need two strides.
 */
static bool find_strides(const of_array *src, int ndim, const int64_t *shape, int64_t *strides) {
    int next = ndim - 1; /* the dimension of the shape to lay out next */
    for (int dim = src->ndim - 1; dim >= 0;) {
        if (src->shape[dim] == 1) { /* its stride says nothing */
            dim--;
            continue;
        }
        int64_t stride = src->strides[dim], run = 1, run_bytes = stride;
        while (dim >= 0 && (src->shape[dim] == 1 || src->strides[dim] == run_bytes)) {
            run *= src->shape[dim];
            if (__builtin_mul_overflow(run, stride, &run_bytes)) run_bytes = 0;
            dim--;
        }
        int64_t laid = 1;
        while (next >= 0 && (laid < run || shape[next] == 1)) {
            strides[next] = shape[next] == 1 ? stride : laid * stride;
            laid *= shape[next--];
        }
        if (laid != run) return false;
    }
    return true;
}

of_status of_array_reshape(of_array *src, int ndim, const int64_t *shape, of_array **out,
                           of_error *err) {
    int64_t resolved[OF_MAX_DIMS] = {0}, strides[OF_MAX_DIMS] = {0};
    OF_TRY(resolve_shape(src->size, ndim, shape, resolved, err));
    bool possible = of_array_is_contiguous(src)
                        ? of__row_major_strides(ndim, resolved, of_dtype_size(src->dtype), strides)
                        : find_strides(src, ndim, resolved, strides);
    if (!possible) {
        char text[OF__SHAPE_TEXT_SIZE];
        return of__fail(err, OF_ERR_VALUE,
                        "the strides of the array allow no view of shape %s; copy it first",
                        of__shape_text(ndim, resolved, text));
    }
    of_array *view;
    OF_TRY(of__array_view(src, &view, err));
    view->ndim = ndim;
    memcpy(view->shape, resolved, sizeof resolved);
    memcpy(view->strides, strides, sizeof strides);
    *out = view;
    return OF_OK;
}

/* ---- Transpose ---- */

of_status of_array_transpose(of_array *src, const int *axes, of_array **out, of_error *err) {
    int order[OF_MAX_DIMS];
    bool taken[OF_MAX_DIMS] = {false};
    for (int i = 0; i < src->ndim; i++) {
        OF_TRY(
            of__check_dim(src->ndim, axes == NULL ? src->ndim - 1 - i : axes[i], &order[i], err));
        if (taken[order[i]])
            return of__fail(err, OF_ERR_VALUE, "dim %d stands twice in axes", axes[i]);
        taken[order[i]] = true;
    }
    of_array *view;
    OF_TRY(of__array_view(src, &view, err));
    for (int i = 0; i < src->ndim; i++) {
        view->shape[i] = src->shape[order[i]];
        view->strides[i] = src->strides[order[i]];
    }
    *out = view;
    return OF_OK;
}
