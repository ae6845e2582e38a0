/* of_gather and of_scatter: checks, then rows. */
#include <onefold/sort.h>

#include "array/checks.h"
#include "core/fail.h"
#include "core/threads.h"
#include "sort/rows.h"

static const of_gather_opts defaults = {0};

/* Looks at contiguous indices. */
static of_status check_range(const of_array *taken, int64_t n, int64_t rows, const char *name,
                             of_error *err) {
    int64_t bad = of__find_bad_index(taken->dtype, taken->data, n, rows);
    if (bad < 0) return OF_OK;
    char text[OF_SCALAR_TEXT_SIZE];
    of_scalar index =
        of_scalar_load(taken->dtype, taken->data + bad * (int64_t)of_dtype_size(taken->dtype));
    return of__fail(err, OF_ERR_INDEX, "indices has %s at position %lld, but %s has %lld rows",
                    of_scalar_format(index, text), (long long)bad, name, (long long)rows);
}

/* ---- Gather ---- */

/* The shape of what is gathered: that of the indices, then that of a row. */
static of_status gathered_shape(const of_array *src, const of_array *indices, const int64_t *n,
                                int *ndim, int64_t *shape, of_error *err) {
    int leading = n == NULL ? indices->ndim : 1;
    *ndim = leading + src->ndim - 1;
    if (*ndim > OF_MAX_DIMS)
        return of__fail(err, OF_ERR_VALUE,
                        "indices of %d dimensions and rows of %d make more than %d", leading,
                        src->ndim - 1, OF_MAX_DIMS);
    for (int i = 0; i < leading; i++) shape[i] = n == NULL ? indices->shape[i] : *n;
    for (int i = 1; i < src->ndim; i++) shape[leading + i - 1] = src->shape[i];
    return OF_OK;
}

of_status of_gather(const of_array *src, const of_array *indices, const of_gather_opts *opts,
                    of_array **out, of_error *err) {
    if (opts == NULL) opts = &defaults;
    int ndim;
    int64_t n, shape[OF_MAX_DIMS];
    OF_TRY(of__check_given(src, "src", err));
    OF_TRY(of__check_given(indices, "indices", err));
    OF_TRY(of__check_same_device(src, "src", indices, "indices", err));
    if (src->ndim == 0) return of__fail(err, OF_ERR_VALUE, "src has no dimension to gather from");
    OF_TRY(of__check_integers(indices, "indices", err));
    OF_TRY(of__check_limit(opts->n, indices->size, "indices", &n, err));
    OF_TRY(gathered_shape(src, indices, opts->n, &ndim, shape, err));

    of_array *taken = NULL, *gathered = NULL;
    of__rows rows = {0};
    of_status status = of__take_contiguous(indices, n, &taken, err);
    if (status != OF_OK) goto done;
    if (!opts->unchecked) status = check_range(taken, n, src->shape[0], "src", err);
    if (status != OF_OK) goto done;
    status = of_array_create(src->storage->device, src->dtype, ndim, shape, &gathered, err);
    if (status != OF_OK || gathered->size == 0) goto done;
    status = of__rows_take(src, 1, src->shape[0], &rows, err);
    if (status != OF_OK) goto done;
    of__gather_rows(gathered->data, &rows, taken->dtype, taken->data, n,
                    of__workers_for_elements(n, rows.bytes + 8));
done:
    of__rows_release(&rows);
    of_array_release(taken);
    if (status == OF_OK)
        *out = gathered;
    else
        of_array_release(gathered);
    return status;
}

/* ---- Scatter ---- */

/* How many dimensions of src number its rows. */
static of_status match_rows(const of_array *src, const of_array *indices, const of_array *dst,
                            const int64_t *n, int *leading, of_error *err) {
    bool fits = false;
    int inner = dst->ndim - 1;
    *leading = src->ndim - inner;
    if (*leading == indices->ndim) {
        fits = true;
        for (int i = 0; fits && i < *leading; i++) fits = src->shape[i] == indices->shape[i];
    }
    if (!fits && n != NULL && *leading == 1) fits = src->shape[0] >= *n;
    for (int i = 0; fits && i < inner; i++) fits = src->shape[*leading + i] == dst->shape[1 + i];
    if (fits) return OF_OK;
    char texts[3][OF__SHAPE_TEXT_SIZE];
    return of__fail(err, OF_ERR_VALUE,
                    "src has shape %s, which indices of shape %s do not put into shape %s",
                    of__shape_text(src->ndim, src->shape, texts[0]),
                    of__shape_text(indices->ndim, indices->shape, texts[1]),
                    of__shape_text(dst->ndim, dst->shape, texts[2]));
}

static of_status check_scatter(const of_array *src, const of_array *indices, const of_array *dst,
                               of_error *err) {
    OF_TRY(of__check_given(src, "src", err));
    OF_TRY(of__check_given(indices, "indices", err));
    OF_TRY(of__check_same_device(src, "src", indices, "indices", err));
    OF_TRY(of__check_given(dst, "dst", err));
    OF_TRY(of__check_same_device(src, "src", dst, "dst", err));
    if (dst->ndim == 0) return of__fail(err, OF_ERR_VALUE, "dst has no dimension to scatter to");
    OF_TRY(of__check_integers(indices, "indices", err));
    if (src->dtype != dst->dtype)
        return of__fail(err, OF_ERR_TYPE, "src has type %s, but dst has %s",
                        of_dtype_name(src->dtype), of_dtype_name(dst->dtype));
    OF_TRY(of__check_writable(dst, "dst", err));
    OF_TRY(of__check_apart(dst, "dst", src, "src", err));
    return of__check_apart(dst, "dst", indices, "indices", err);
}

of_status of_scatter(const of_array *src, const of_array *indices, of_array *dst,
                     const of_gather_opts *opts, of_error *err) {
    if (opts == NULL) opts = &defaults;
    int64_t n;
    int leading;
    OF_TRY(check_scatter(src, indices, dst, err));
    OF_TRY(of__check_limit(opts->n, indices->size, "indices", &n, err));
    OF_TRY(match_rows(src, indices, dst, opts->n, &leading, err));

    of_array *taken = NULL;
    of__rows from = {0}, to = {0};
    of_status status = of__take_contiguous(indices, n, &taken, err);
    if (status != OF_OK) goto done;
    if (!opts->unchecked) status = check_range(taken, n, dst->shape[0], "dst", err);
    if (status != OF_OK || n == 0 || dst->size == 0) goto done;
    status = of__rows_take(src, leading, n, &from, err);
    if (status != OF_OK) goto done;
    status = of__rows_take(dst, 1, dst->shape[0], &to, err);
    if (status != OF_OK) goto done;
    of__scatter_rows(&to, &from, taken->dtype, taken->data, n,
                     of__workers_for_elements(n, from.bytes + 8));
    if (to.copy != NULL) of__copy_elements(dst, to.copy);
done:
    of__rows_release(&from);
    of__rows_release(&to);
    of_array_release(taken);
    return status;
}
