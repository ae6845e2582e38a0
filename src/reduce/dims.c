/* Choosing a way along dimensions, and ending it. */
#include "reduce/dims.h"

#include <string.h>

of_dtype of__summed_type(const of__reduction *r) {
    return r->kernels->widen[r->source] ? OF_F32 : r->source;
}

of__short_form of__reduction_form(const of__reduction *r) {
    of_dtype result = r->finish.result;
    if (r->map != OF_MAP_NONE || r->finish.init) return OF__FORM_NONE;
    switch (r->operation) {
    case OF_SUM:
    case OF_MEAN:
        if (r->kernels->sum_rows[of__summed_type(r)])
            return result == OF_F64 ||
                           (result == r->source && (r->operation == OF_SUM || result == OF_F32))
                       ? OF__FORM_PAIRS
                       : OF__FORM_NONE;
        return r->operation == OF_SUM && r->kernels->add_rows[r->source] &&
                       !of_dtype_is_float(result)
                   ? OF__FORM_INTEGERS
                   : OF__FORM_NONE;
    case OF_MIN:
    case OF_MAX:
        return result == r->source && r->kernels->extreme[0][r->source].rows ? OF__FORM_KEYS
                                                                             : OF__FORM_NONE;
    case OF_ARGMIN:
    case OF_ARGMAX:
        return r->kernels->extreme[0][r->source].arg_rows ? OF__FORM_INDICES : OF__FORM_NONE;
    default: return OF__FORM_NONE;
    }
}

/* Rows as long as this are better summed one by one. */
enum { LONGEST_ROW = 256, SHORTEST_ROW = 2, FEWEST_OUTPUTS = 8, FEWEST_COLUMNS = 16 };

of__path of__call_path(const of__call *call) {
    const of__layout *kept = &call->x_kept, *slice = &call->slice.x;
    int64_t size = slice->element_size;
    if (of__reduction_form(&call->reduction) == OF__FORM_NONE || slice->size < SHORTEST_ROW)
        return OF__PATH_ANY;
    if (kept->ndim == 0 || call->outputs == 0) return OF__PATH_ANY;
    if (of__layout_is_contiguous(slice) && kept->ndim == 1 &&
        kept->strides[0] == slice->size * size)
        return slice->size <= LONGEST_ROW && call->outputs >= FEWEST_OUTPUTS ? OF__PATH_ROWS
                                                                             : OF__PATH_ANY;
    if (kept->strides[kept->ndim - 1] != size) return OF__PATH_ANY;
    /* indices of columns are not put together from parts */
    bool whole_columns = of__reduction_form(&call->reduction) == OF__FORM_INDICES;
    if (whole_columns)
        return kept->size >= FEWEST_COLUMNS * (int64_t)call->workers ? OF__PATH_COLUMNS
                                                                     : OF__PATH_ANY;
    bool dense = kept->ndim == 1 && slice->ndim == 1 && slice->strides[0] == kept->shape[0] * size;
    return dense || kept->shape[kept->ndim - 1] >= FEWEST_COLUMNS ? OF__PATH_COLUMNS : OF__PATH_ANY;
}

void of__finish_pairs(const of__call *call, const of__answers *answers, int64_t first, int64_t n,
                      const double *high, const double *low) {
    const of__reduction *r = &call->reduction;
    enum { TILE = 512 };
    bool to_f32 = answers->dtype == OF_F32, has_low = r->source == OF_F64;
    char *out = answers->data + first * (int64_t)of_dtype_size(answers->dtype);
    if (answers->dtype == OF_F16 || answers->dtype == OF_BF16) { /* sums, exact in `high` */
        for (int64_t i = 0; i < n; i++)
            of_scalar_store(of_scalar_convert(of_scalar_f64(high[i]), answers->dtype), out + 2 * i);
        return;
    }
    if (r->operation == OF_SUM) {
        if (r->kernels->round_sums(high, has_low ? low : NULL, n, to_f32, out)) return;
        for (int64_t i = 0; i < n; i++)
            if (high[i] - high[i] != 0) of__call_compute_some(call, answers, first + i, 1);
        return;
    }
    for (int64_t start = 0; start < n; start += TILE) {
        int64_t unsure[TILE], m = n - start < TILE ? n - start : TILE;
        int64_t count = r->kernels->round_means(high + start, has_low ? low + start : NULL, m,
                                                call->slice.x.size, to_f32,
                                                out + start * (to_f32 ? 4 : 8), unsure);
        for (int64_t i = 0; i < count; i++)
            of__call_compute_some(call, answers, first + start + unsure[i], 1);
    }
}

void of__finish_integers(const of__answers *answers, int64_t first, int64_t n,
                         const uint64_t *sum) {
    int64_t size = (int64_t)of_dtype_size(answers->dtype);
    char *out = answers->data + first * size;
    for (int64_t i = 0; i < n; i++)
        memcpy(out + i * size, &sum[i],
               (size_t)size); /* the low bytes, on a little-endian machine */
}
