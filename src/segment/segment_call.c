#include "segment/segment_call.h"

#include <string.h>

#include "array/widen.h"
#include "core/fail.h"

/* ---- Reading ids and rows ---- */

static const int64_t *group_of(const void *context, int64_t row, int64_t n, int64_t *buffer) {
    const of__segment_call *call = context;
    uint32_t narrow[OF__GROUP_BLOCK];
    bool is_narrow = call->ids.element_size < (int64_t)sizeof *buffer;
    const void *ids = of__layout_fetch(&call->ids, row, n, is_narrow ? (void *)narrow : buffer);
    return of__widen(call->ids_dtype, ids, n, buffer);
}

static const void *values_of(const void *context, int64_t start, int64_t n, void *buffer) {
    const of__segment_call *call = context;
    return of__layout_fetch(&call->x, start, n, buffer);
}

_Static_assert(OF__GROUP_BLOCK <= OF__FETCH, "a layout hands over a block at once");

/* ---- Checks ---- */

static of_status check_ascending(const of__segment_call *call, of_error *err) {
    int64_t buffer[OF__GROUP_BLOCK], last = 0;
    /* Their order as signed numbers is that of numbers of the ids' type with this bit turned. */
    int64_t turned = call->ids_dtype == OF_U64 ? INT64_MIN : 0;
    for (int64_t row = 0, n; row < call->ids.size; row += n) {
        n = call->ids.size - row < OF__GROUP_BLOCK ? call->ids.size - row : OF__GROUP_BLOCK;
        const int64_t *ids = group_of(call, row, n, buffer);
        for (int64_t i = 0; i < n; i++) {
            if (row + i > 0 && (ids[i] ^ turned) < (last ^ turned)) {
                char text[OF_SCALAR_TEXT_SIZE], last_text[OF_SCALAR_TEXT_SIZE];
                of_scalar id = of_scalar_load(call->ids_dtype, &ids[i]);
                of_scalar_format(of_scalar_load(call->ids_dtype, &last), last_text);
                return of__fail(err, OF_ERR_VALUE, "sorted is set, but ids[%lld] is %s after %s",
                                (long long)(row + i), of_scalar_format(id, text), last_text);
            }
            last = ids[i];
        }
    }
    return OF_OK;
}

of_status of__segment_call_prepare(of__segment_call *call, const of_array *x, const of_array *ids,
                                   int64_t num_segments, const of_segment_opts *opts,
                                   of_error *err) {
    char text[OF__SHAPE_TEXT_SIZE];
    OF_TRY(of__check_given(x, "x", err));
    OF_TRY(of__check_given(ids, "ids", err));
    if (x->ndim < 1) return of__fail(err, OF_ERR_VALUE, "x has no dimensions; its rows need one");
    OF_TRY(of__check_integers(ids, "ids", err));
    if (ids->ndim != 1 || ids->size != x->shape[0])
        return of__fail(err, OF_ERR_VALUE, "ids has shape %s, but x has %lld rows",
                        of__shape_text(ids->ndim, ids->shape, text), (long long)x->shape[0]);
    OF_TRY(of__check_same_device(x, "x", ids, "ids", err));
    if (num_segments < 0)
        return of__fail(err, OF_ERR_VALUE, "num_segments is %lld; it must be 0 or more",
                        (long long)num_segments);
    *call = (of__segment_call){.num_segments = num_segments,
                               .x = of__layout_of(x),
                               .ids = of__layout_of(ids),
                               .x_dtype = x->dtype,
                               .ids_dtype = ids->dtype};
    if (!of__shape_size(x->ndim - 1, x->shape + 1, &call->width))
        call->width = 0; /* sizes beside a 0 may multiply past every limit */
    call->rows = (of__grouped){.rows = x->shape[0],
                               .width = call->width,
                               .groups = num_segments,
                               .dtype = x->dtype,
                               .context = call,
                               .group_of = group_of,
                               .values_of = values_of};
    if (of__layout_is_contiguous(&call->x)) call->rows.contiguous = call->x.data;
    if (opts->sorted && opts->check_sorted) OF_TRY(check_ascending(call, err));
    return OF_OK;
}

of_status of__fail_length(const char *name, int64_t i, of_dtype dtype, int64_t value,
                          of_error *err) {
    if (dtype == OF_U64)
        return of__fail(err, OF_ERR_VALUE, "%s[%lld] is %llu, which is past 2^63 - 1", name,
                        (long long)i, (unsigned long long)value);
    return of__fail(err, OF_ERR_VALUE, "%s[%lld] is %lld; it must be 0 or more", name, (long long)i,
                    (long long)value);
}

of_status of__segment_result(const of_array *x, int64_t num_segments, of_dtype dtype,
                             of_array **out, of_error *err) {
    int64_t shape[OF_MAX_DIMS];
    memcpy(shape, x->shape, sizeof shape);
    shape[0] = num_segments;
    return of_array_create(x->storage->device, dtype, x->ndim, shape, out, err);
}
