/* The public scans: what they accept, and how they are handed on. */
#include <onefold/scan.h>

#include "array/checks.h"
#include "core/fail.h"
#include "scan/scan_run.h"

/* ---- Checks ---- */

static of_status check_operation(of_operation operation, of_dtype dtype, of_error *err) {
    bool scans =
        operation == OF_SUM || operation == OF_PROD || operation == OF_MIN || operation == OF_MAX;
    if (!scans)
        return of__fail(err, OF_ERR_VALUE, "operation is %s; a scan takes sum, prod, min or max",
                        of_operation_name(operation));
    if (dtype == OF_BOOL && (operation == OF_SUM || operation == OF_PROD))
        return of__fail(err, OF_ERR_TYPE, "dst has type bool, which cannot hold a %s",
                        of_operation_name(operation));
    return OF_OK;
}

/* How many elements are scanned, of the whole arrays. */
static of_status resolve_flat_count(const of_array *src, const of_array *dst,
                                    const of_scan_opts *opts, int64_t *n, of_error *err) {
    OF_TRY(of__check_limit(opts->n, src->size, "src", n, err));
    if (opts->n == NULL && *n > dst->size)
        return of__fail(err, OF_ERR_VALUE, "src has %lld elements, but dst has room for %lld",
                        (long long)*n, (long long)dst->size);
    return of__check_limit(n, dst->size, "dst", n, err);
}

static of_status resolve_dim_count(const of_array *src, const of_array *dst,
                                   const of_scan_opts *opts, int *dim, int64_t *n, of_error *err) {
    OF_TRY(of__check_dim(src->ndim, *opts->dim, dim, err));
    char src_text[OF__SHAPE_TEXT_SIZE], dst_text[OF__SHAPE_TEXT_SIZE];
    if (!of__same_shape(src, dst))
        return of__fail(err, OF_ERR_VALUE, "dst has shape %s, but src has %s",
                        of__shape_text(dst->ndim, dst->shape, dst_text),
                        of__shape_text(src->ndim, src->shape, src_text));
    return of__check_limit(opts->n, src->shape[*dim], "src along dim", n, err);
}

/* One and the same elements in the same order. */
static bool is_in_place(const of_array *src, const of_array *dst) {
    of__flat from = of__flat_of(src), to = of__flat_of(dst);
    bool same = src->dtype == dst->dtype && from.data == to.data && from.ndim == to.ndim;
    for (int i = 0; same && i < from.ndim; i++)
        same = from.strides[i] == to.strides[i] && (i == 0 || from.shape[i] == to.shape[i]);
    return same;
}

static of_status check_target(const of_array *src, const of_array *dst, of_error *err) {
    OF_TRY(of__check_writable(dst, "dst", err));
    OF_TRY(of__check_same_device(src, "src", dst, "dst", err));
    if (of__arrays_overlap(src, dst) && !is_in_place(src, dst))
        return of__fail(err, OF_ERR_VALUE, "dst overlaps src, and is not the same array");
    return OF_OK;
}

/* ---- Calls ---- */

static of_status resolve(const of_array *src, const of_array *dst, const of_scan_opts *opts,
                         bool exclusive, of__scan *out, of_error *err) {
    OF_TRY(check_operation(opts->operation, dst->dtype, err));
    *out = (of__scan){
        .operation = opts->operation,
        .source = src->dtype,
        .dtype = dst->dtype,
        .source_size = of_dtype_size(src->dtype),
        .size = of_dtype_size(dst->dtype),
        .exclusive = exclusive,
        .convert = of__convert_row_for(dst->dtype, src->dtype),
        .kernels = of__kernels_current(),
        .scan_kernels = of__scan_kernels_current(),
    };
    if (opts->init == NULL) return OF_OK;
    if (of_dtype_size(opts->init->dtype) == 0)
        return of__fail(err, OF_ERR_TYPE, "init has type %d, which is no element type",
                        (int)opts->init->dtype);
    out->has_init = true;
    out->init = of_scalar_convert(*opts->init, dst->dtype);
    if (dst->dtype == OF_BOOL) out->init = of_scalar_bool(out->init.as.bits != 0);
    return OF_OK;
}

static of_status scan_array(const of_array *src, of_array *dst, const of_scan_opts *opts,
                            bool exclusive, of_scalar *total, of_error *err) {
    static const of_scan_opts defaults;
    OF_TRY(of__check_given(src, "src", err));
    OF_TRY(of__check_given(dst, "dst", err));
    if (opts == NULL) opts = &defaults;
    of__scan scan;
    int dim = 0;
    int64_t n = 0;
    OF_TRY(resolve(src, dst, opts, exclusive, &scan, err));
    if (opts->dim == NULL)
        OF_TRY(resolve_flat_count(src, dst, opts, &n, err));
    else
        OF_TRY(resolve_dim_count(src, dst, opts, &dim, &n, err));
    if (opts->dim != NULL && total != NULL)
        return of__fail(err, OF_ERR_VALUE, "total is given, but dim %d has one for every row",
                        *opts->dim);
    OF_TRY(check_target(src, dst, err));
    if (opts->dim != NULL) return of__scan_lanes(&scan, src, dst, dim, n, err);
    of__flat from = of__flat_of(src), to = of__flat_of(dst);
    of__scan_line(&scan, &from, &to, n, total);
    return OF_OK;
}

of_status of_inclusive_scan(const of_array *src, of_array *dst, const of_scan_opts *opts,
                            of_scalar *total, of_error *err) {
    return scan_array(src, dst, opts, false, total, err);
}

of_status of_exclusive_scan(const of_array *src, of_array *dst, const of_scan_opts *opts,
                            of_scalar *total, of_error *err) {
    return scan_array(src, dst, opts, true, total, err);
}
