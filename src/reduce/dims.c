/* Choosing a way along dimensions, and ending it. */
#include "reduce/dims.h"

#include <math.h>
#include <string.h>

of__short_form of__reduction_form(const of__reduction *r) {
    of_dtype result = r->finish.result;
    if (r->map != OF_MAP_NONE || r->finish.init) return OF__FORM_NONE;
    switch (r->operation) {
    case OF_SUM:
    case OF_MEAN:
        if (r->kernels->sum_rows[r->source])
            return result == OF_F64 || result == r->source ? OF__FORM_PAIRS : OF__FORM_NONE;
        return r->operation == OF_SUM && r->kernels->add_rows[r->source] && !of_dtype_is_float(result)
                   ? OF__FORM_INTEGERS
                   : OF__FORM_NONE;
    case OF_MIN:
    case OF_MAX:
        return result == r->source && r->kernels->extreme[0][r->source].rows ? OF__FORM_KEYS : OF__FORM_NONE;
    default: return OF__FORM_NONE;
    }
}

/* Rows as long as this are better summed one by one. */
enum { LONGEST_ROW = 256, SHORTEST_ROW = 2, FEWEST_OUTPUTS = 8, FEWEST_COLUMNS = 16 };

of__path of__call_path(const of__call *call) {
    const of__layout *kept = &call->x_kept, *slice = &call->slice.x;
    int64_t size = slice->element_size;
    if (of__reduction_form(&call->reduction) == OF__FORM_NONE || slice->size < SHORTEST_ROW) return OF__PATH_ANY;
    if (kept->ndim == 0 || call->outputs == 0) return OF__PATH_ANY;
    if (of__layout_is_contiguous(slice) && kept->ndim == 1 && kept->strides[0] == slice->size * size)
        return slice->size <= LONGEST_ROW && call->outputs >= FEWEST_OUTPUTS ? OF__PATH_ROWS : OF__PATH_ANY;
    if (kept->strides[kept->ndim - 1] != size) return OF__PATH_ANY;
    bool dense = kept->ndim == 1 && slice->ndim == 1 && slice->strides[0] == kept->shape[0] * size;
    return dense || kept->shape[kept->ndim - 1] >= FEWEST_COLUMNS ? OF__PATH_COLUMNS : OF__PATH_ANY;
}

/* (high - low) / n, rounded once to f64; false where that is in doubt. The quotient is corrected by its remainder, and the
 * rounding is sure when a correction 2^-40 larger or smaller gives the same. */
static inline bool divide_pair(double high, double low, double n, double *out) {
    double sum = high - low, rest_of_sum = (high - sum) - low;
    double quotient = sum / n, size = fabs(quotient);
    if (rest_of_sum == 0 && size < INFINITY) {
        *out = quotient;
        return true;
    }
    if (!(size > 0x1p-900 && size < 0x1p1000)) return false;
    double correction = (__builtin_fma(-quotient, n, sum) + rest_of_sum) / n;
    double up = quotient + correction * (1 + 0x1p-40), down = quotient + correction * (1 - 0x1p-40);
    *out = up;
    return up == down;
}

/* An f64 that is a quotient rounded once, rounded again to f32; false where the first rounding may have decided the second. */
static inline bool narrow(double value, float *out) {
    uint64_t rest = of__f64_bits(value) & 0x1fffffff; /* the bits that an f32 drops */
    double size = fabs(value);
    *out = (float)value;
    return value == 0 || (size > 0x1p-120 && size < 0x1p126 && (rest < 0xfffffff || rest > 0x10000001));
}

/* Whether all sums are finite. A low part that is not comes with a high part that is not. */
static bool all_finite(int64_t n, const double *high) {
    bool finite = true;
    for (int64_t i = 0; i < n; i++) finite &= high[i] - high[i] == 0;
    return finite;
}

static void finish_sums(const of__answers *answers, bool has_low, int64_t first, int64_t n, const double *high,
                        const double *low) {
    char *out = answers->data + first * (int64_t)of_dtype_size(answers->dtype);
    for (int64_t i = 0; i < n && answers->dtype == OF_F32; i++) {
        float value = (float)high[i];
        memcpy(out + 4 * i, &value, 4);
    }
    for (int64_t i = 0; i < n && answers->dtype == OF_F64; i++) {
        double value = has_low ? high[i] - low[i] : high[i];
        memcpy(out + 8 * i, &value, 8);
    }
}

static bool finish_mean(const of__answers *answers, double length, double high, double low, char *out) {
    double mean;
    float narrowed;
    if (!divide_pair(high, low, length, &mean)) return false;
    if (answers->dtype == OF_F64) {
        memcpy(out, &mean, 8);
        return true;
    }
    if (!narrow(mean, &narrowed)) return false;
    memcpy(out, &narrowed, 4);
    return true;
}

void of__finish_pairs(const of__call *call, const of__answers *answers, int64_t first, int64_t n, const double *high,
                      const double *low) {
    const of__reduction *r = &call->reduction;
    bool has_low = r->source == OF_F64, finite = all_finite(n, high);
    int64_t size = (int64_t)of_dtype_size(answers->dtype);
    double length = (double)call->slice.x.size;
    if (r->operation == OF_SUM) {
        finish_sums(answers, has_low, first, n, high, low);
        if (finite) return;
    }
    for (int64_t i = 0; i < n; i++) {
        bool sure = high[i] - high[i] == 0;
        if (sure && r->operation == OF_MEAN)
            sure = finish_mean(answers, length, high[i], has_low ? low[i] : 0, answers->data + (first + i) * size);
        if (!sure) of__call_compute_some(call, answers, first + i, 1);
    }
}

void of__finish_integers(const of__answers *answers, int64_t first, int64_t n, const uint64_t *sum) {
    int64_t size = (int64_t)of_dtype_size(answers->dtype);
    char *out = answers->data + first * size;
    for (int64_t i = 0; i < n; i++) memcpy(out + i * size, &sum[i], (size_t)size); /* the low bytes, on a little-endian machine */
}
