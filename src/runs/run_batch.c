#include "runs/run_batch.h"

#include <string.h>

#include "core/convert.h"

/* ---- What is unsure ---- */

static int64_t all_unsure(int64_t count, int16_t *unsure) {
    for (int64_t k = 0; k < count; k++) unsure[k] = (int16_t)k;
    return count;
}

static int64_t list_special(const double *value, int64_t count, int16_t *unsure) {
    int64_t found = 0;
    for (int64_t k = 0; k < count; k++)
        if (value[k] - value[k] != 0) unsure[found++] = (int16_t)k;
    return found;
}

/* ---- Floats ---- */

/* 16-bit floats go as f32. */
enum { MOST_VALUES = 2 * OF__TILE, PADDING = 16 };

static of__run_values widen(const of__reduction *r, const of__run_values *runs, float *wide) {
    of__run_values as_f32 = *runs;
    int64_t first = runs->at[0], n = runs->at[runs->count] - first;
    r->kernels->widen[r->source](runs->x + 2 * first, n, wide + first);
    as_f32.x = (const char *)wide;
    as_f32.readable = runs->at[runs->count];
    return as_f32;
}

static uint16_t half_of(double value, of_dtype dtype) {
    return dtype == OF_F16 ? of__f16_from_f64(value) : of__bf16_from_f64(value);
}

/* The quotient lies next to the mean, and is 16-bit floats' to round where it is exact, or has
 * neighbours that round alike. */
static int64_t half_means(const double *sum, const of__run_values *runs, of_dtype dtype,
                          uint16_t *out, int16_t *unsure) {
    int64_t found = 0;
    for (int64_t k = 0; k < runs->count; k++) {
        double n = runs->at[k + 1] - runs->at[k], mean = sum[k] / n;
        out[k] = half_of(mean, dtype);
        bool exact = __builtin_fma(-mean, n, sum[k]) == 0;
        bool alike = half_of(mean * (1 + 0x1p-50), dtype) == half_of(mean * (1 - 0x1p-50), dtype);
        if (sum[k] - sum[k] != 0 || !(exact || alike)) unsure[found++] = (int16_t)k;
    }
    return found;
}

static int64_t sum_floats(const of__reduction *r, const of__run_kernels *kernels,
                          const of__run_values *runs, bool is_f64, char *out, int16_t *unsure) {
    double high[OF__SUMS], low[OF__SUMS];
    int64_t n = runs->count;
    of_dtype result = r->finish.result;
    if (!kernels->sum_runs[is_f64](runs->x, runs->at, n, runs->readable, high, low))
        return all_unsure(n, unsure);
    bool is_half = result == OF_F16 || result == OF_BF16;
    if (r->operation == OF_MEAN)
        return is_half ? half_means(high, runs, result, (uint16_t *)(void *)out, unsure)
                       : kernels->mean_runs(high, is_f64 ? low : NULL, runs->at, n,
                                            result == OF_F32, out, unsure);
    if (is_half) {
        for (int64_t k = 0; k < n; k++) ((uint16_t *)(void *)out)[k] = half_of(high[k], result);
        return list_special(high, n, unsure);
    }
    bool finite = r->kernels->round_sums(high, is_f64 ? low : NULL, n, result == OF_F32, out);
    return finite ? 0 : list_special(high, n, unsure);
}

static int64_t multiply_floats(const of__reduction *r, const of__run_kernels *kernels,
                               const of__run_values *runs, bool is_f64, char *out,
                               int16_t *unsure) {
    double product[OF__BATCH];
    int64_t found = 0, size = (int64_t)of_dtype_size(r->finish.result);
    if (!kernels->multiply_float_runs[is_f64](runs->x, runs->at, runs->count, product))
        return all_unsure(runs->count, unsure);
    for (int64_t k = 0; k < runs->count; k++) {
        of_scalar value = of_scalar_convert(of_scalar_f64(product[k]), r->finish.result);
        of_scalar_store(value, out + k * size);
        bool special = product[k] == 0 || product[k] - product[k] != 0;
        if (special || runs->at[k + 1] - runs->at[k] > OF__RUN) unsure[found++] = (int16_t)k;
    }
    return found;
}

static int64_t reduce_floats(const of__reduction *r, const of__run_kernels *kernels,
                             const of__run_values *runs, char *out, int16_t *unsure) {
    float wide[MOST_VALUES + PADDING];
    of__run_values as_f32;
    bool is_f64 = r->source == OF_F64;
    if (r->kernels->widen[r->source]) {
        as_f32 = widen(r, runs, wide);
        runs = &as_f32;
    }
    return (r->operation == OF_PROD ? multiply_floats : sum_floats)(r, kernels, runs, is_f64, out,
                                                                    unsure);
}

/* ---- Integers ---- */

/* The low bytes of numbers modulo 2^64, on a little-endian machine. */
static void store_low(const uint64_t *value, int64_t count, int64_t size, char *out) {
    switch (size) {
    case 1:
        for (int64_t k = 0; k < count; k++) out[k] = (char)value[k];
        break;
    case 2:
        for (int64_t k = 0; k < count; k++) memcpy(out + 2 * k, &value[k], 2);
        break;
    case 4:
        for (int64_t k = 0; k < count; k++) memcpy(out + 4 * k, &value[k], 4);
        break;
    default: memcpy(out, value, (size_t)count * 8);
    }
}

/* Numbers of 64 bits that are not beyond 2^49 have sums below 2^63, as shorter ones have. */
static bool sums_fit(of_dtype dtype, const of__run_values *runs) {
    const uint64_t room = UINT64_C(1) << 49;
    if (of_dtype_size(dtype) < 8) return true;
    uint64_t beyond = 0;
    for (int64_t i = runs->at[0]; i < runs->at[runs->count]; i++) {
        uint64_t value;
        memcpy(&value, runs->x + 8 * i, 8);
        beyond |= dtype == OF_U64 ? value / room : (value + room) / (2 * room);
    }
    return !beyond;
}

/* A sum that an f64 holds is divided with one rounding. */
static int64_t integer_means(const uint64_t *sum, const of__run_values *runs, char *out,
                             int16_t *unsure) {
    int64_t found = 0;
    for (int64_t k = 0; k < runs->count; k++) {
        double mean = (double)(int64_t)sum[k] / (runs->at[k + 1] - runs->at[k]);
        memcpy(out + 8 * k, &mean, 8);
        if (sum[k] + (UINT64_C(1) << 53) > UINT64_C(1) << 54) unsure[found++] = (int16_t)k;
    }
    return found;
}

static int64_t reduce_integers(const of__reduction *r, const of__run_kernels *kernels,
                               const of__run_values *runs, char *out, int16_t *unsure) {
    uint64_t value[OF__BATCH];
    of_dtype result = r->finish.result;
    if (r->operation == OF_PROD)
        kernels->multiply_runs[r->source](runs->x, runs->at, runs->count, value);
    else
        kernels->add_runs[r->source](runs->x, runs->at, runs->count, value);
    if (r->operation == OF_MEAN)
        return sums_fit(r->source, runs) ? integer_means(value, runs, out, unsure)
                                         : all_unsure(runs->count, unsure);
    store_low(value, runs->count, (int64_t)of_dtype_size(result), out);
    return 0;
}

int64_t of__reduce_batch(const of__reduction *r, const of__run_kernels *kernels,
                         const of__run_values *runs, char *out, int16_t *unsure) {
    if (r->operation == OF_MIN || r->operation == OF_MAX) {
        bool largest = r->operation == OF_MAX;
        kernels->extreme_runs[largest][r->source](runs->x, runs->at, runs->count, out);
        return 0;
    }
    if (r->operation == OF_VAR) return all_unsure(runs->count, unsure);
    bool is_float = of_dtype_is_float(r->source);
    return (is_float ? reduce_floats : reduce_integers)(r, kernels, runs, out, unsure);
}
