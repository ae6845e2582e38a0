/* Histograms: checks, range, edges. */
#include <math.h>

#include "array/checks.h"
#include "core/fail.h"
#include "core/fpenv.h"
#include "histogram/histogram_internal.h"

static of_status check(const of_array *x, int64_t bins, const of_histogram_opts *opts,
                       of_array **counts, of_error *err) {
    int64_t n;
    OF_TRY(of__check_given(x, "x", err));
    if (!counts) return of__fail(err, OF_ERR_VALUE, "counts is NULL");
    if (bins < 1)
        return of__fail(err, OF_ERR_VALUE, "bins is %lld; there must be at least 1",
                        (long long)bins);
    if (opts->outside != OF_OUTSIDE_CLAMP && opts->outside != OF_OUTSIDE_DROP)
        return of__fail(err, OF_ERR_VALUE, "outside is %d, which is neither clamp nor drop",
                        (int)opts->outside);
    OF_TRY(of__check_limit(opts->n, x->size, "x", &n, err));
    const of_array *weights = opts->weights;
    if (weights && weights->size != x->size)
        return of__fail(err, OF_ERR_VALUE, "weights has %lld elements, but x has %lld",
                        (long long)weights->size, (long long)x->size);
    return weights ? of__check_same_device(x, "x", weights, "weights", err) : OF_OK;
}

/* Brings a range to what the contract makes of it. */
static of_status settle_range(double *lo, double *hi, of_error *err) {
    char first[OF_SCALAR_TEXT_SIZE], second[OF_SCALAR_TEXT_SIZE];
    of_scalar_format(of_scalar_f64(*lo), first);
    of_scalar_format(of_scalar_f64(*hi), second);
    if (!isfinite(*lo) || !isfinite(*hi))
        return of__fail(err, OF_ERR_VALUE, "range is %s to %s, which is not finite", first, second);
    if (*lo > *hi)
        return of__fail(err, OF_ERR_VALUE, "range is %s to %s, which runs downward", first, second);
    if (*lo == *hi) *hi = fmax(*lo + 1, nextafter(*lo, INFINITY));
    if (!isfinite(*hi - *lo))
        return of__fail(err, OF_ERR_VALUE, "range is %s to %s, whose width overflows", first,
                        second);
    return OF_OK;
}

static void fill_edges(double *edges, int64_t bins, double lo, double hi, double width) {
    for (int64_t i = 0; i < bins; i++) {
        double edge = lo + (double)i * width;
        edges[i] = edge > hi ? hi : edge;
    }
    edges[bins] = hi;
}

/* Inside the floating-point environment. */
static of_status run(const of_array *x, int64_t bins, const of_histogram_opts *opts,
                     of_array *counts, of_array *edges, double lo, double hi, of_error *err) {
    of__sample sample = {of__layout_of(x), x->dtype, opts->n ? *opts->n : x->size};
    double width = (hi - lo) / (double)bins, *edge = of_array_mutable_data(edges);
    fill_edges(edge, bins, lo, hi, width);
    of__bins plan = of__bins_plan(x->dtype, bins, edge, width);
    if (opts->weights)
        return of__histogram_weigh(&sample, &plan, opts->outside, opts->weights,
                                   of_array_mutable_data(counts), err);
    return of__histogram_count(&sample, &plan, opts->outside, of_array_mutable_data(counts), err);
}

static of_status find_range(const of_array *x, const of_histogram_opts *opts, double *lo,
                            double *hi, of_error *err) {
    of__sample sample = {of__layout_of(x), x->dtype, opts->n ? *opts->n : x->size};
    if (opts->range) {
        *lo = opts->range[0];
        *hi = opts->range[1];
    } else {
        OF_TRY(of__histogram_range(&sample, lo, hi, err));
    }
    return settle_range(lo, hi, err);
}

of_status of_histogram(const of_array *x, int64_t bins, const of_histogram_opts *opts,
                       of_array **counts, of_array **edges, of_error *err) {
    static const of_histogram_opts defaults;
    if (!opts) opts = &defaults;
    OF_TRY(check(x, bins, opts, counts, err));
    double lo, hi;
    of__fpenv saved = of__fpenv_enter();
    of_array *made_counts = NULL, *made_edges = NULL;
    of_status status = find_range(x, opts, &lo, &hi, err);
    if (status != OF_OK) goto done;
    if (bins > OF__MOST_BINS) {
        status = of__fail(err, OF_ERR_UNSUPPORTED, "bins is %lld; there may be %lld at most",
                          (long long)bins, (long long)OF__MOST_BINS);
        goto done;
    }
    of_device *device = x->storage->device;
    int64_t edge_count = bins + 1;
    of_dtype type = opts->weights ? of__histogram_weight_type(opts->weights->dtype) : OF_I64;
    status = of_array_zeros(device, type, 1, &bins, &made_counts, err);
    if (status != OF_OK) goto done;
    status = of_array_create(device, OF_F64, 1, &edge_count, &made_edges, err);
    if (status != OF_OK) goto done;
    status = run(x, bins, opts, made_counts, made_edges, lo, hi, err);
    if (status != OF_OK) goto done;
    *counts = made_counts;
    made_counts = NULL;
    if (edges) {
        *edges = made_edges;
        made_edges = NULL;
    }
done:
    of_array_release(made_counts);
    of_array_release(made_edges);
    of__fpenv_leave(saved);
    return status;
}
