/* Softmax and normalisation within segments: results as large as x. */
#include <string.h>

#include "array/widen.h"
#include "core/alloc.h"
#include "core/exponential.h"
#include "core/fail.h"
#include "core/fpenv.h"
#include "core/threads.h"
#include "group/float_bits.h"
#include "group/group_extreme.h"
#include "group/group_sums.h"
#include "reduce/load.h"
#include "segment/segment_call.h"

/* One pass over x: what is made of each value and of numbers of its segment. */
typedef struct pass {
    void (*body)(const struct pass *p, const of__group_block *block);
    const of__segment_call *call;
    const of__exp_table *table;
    const int64_t *largest; /* of each segment and column: the bits of an f64, or an integer */
    const double *sum;      /* of each segment and column */
    double *power;          /* as large as x: the exponentials */
    char *out;
    of_dtype dtype; /* of out */
    of__group_pieces pieces;
} pass;

/* ---- Numbers of segments ---- */

/* Copies the numbers of a block's segments and columns, of 8 bytes each, and 0 for rows that are
 * left out. Whether there are such. */
static bool gather(const of__segment_call *call, const void *table, const of__group_block *block,
                   void *out) {
    const uint64_t *number = table;
    uint64_t *to = out;
    int64_t width = call->width;
    bool leaves_out = false;
    for (int64_t i = 0; i < block->rows; i++) {
        bool is_in = (uint64_t)block->group[i] < (uint64_t)call->num_segments;
        const uint64_t *from = number + (is_in ? block->group[i] * width + block->column : 0);
        for (int64_t c = 0; c < block->columns; c++) *to++ = is_in ? from[c] : 0;
        leaves_out |= !is_in;
    }
    return leaves_out;
}

static void clear_left_out(const of__segment_call *call, const of__group_block *block,
                           double *values) {
    for (int64_t i = 0; i < block->rows; i++)
        if ((uint64_t)block->group[i] >= (uint64_t)call->num_segments)
            memset(values + i * block->columns, 0, (size_t)block->columns * sizeof *values);
}

/* ---- Exponentials ---- */

/* exp(x - largest) of the exact difference (TwoSum, Knuth 1969). */
static double power_of_float(const of__exp_table *table, double x, double largest) {
    double high = x - largest, part = high - x;
    double low = (x - (high - part)) - (largest + part);
    return of__exp(table, high, low);
}

/* Of integers modulo 2^64, whose difference is not. */
static double power_of_integer(const of__exp_table *table, int64_t x, int64_t largest) {
    uint64_t below = (uint64_t)largest - (uint64_t)x;
    return below > 1000 ? 0 : of__exp(table, -(double)below, 0);
}

static void take_powers(const pass *p, const of__group_block *block) {
    const of__segment_call *call = p->call;
    int64_t n = block->rows * block->columns;
    double *power = p->power + block->row * call->width + block->column;
    bool leaves_out;
    if (of_dtype_is_float(call->x_dtype)) {
        double x[OF__GROUP_BLOCK], largest[OF__GROUP_BLOCK];
        leaves_out = gather(call, p->largest, block, largest);
        of__load_floats(call->x_dtype, block->values, n, x);
        for (int64_t i = 0; i < n; i++) power[i] = power_of_float(p->table, x[i], largest[i]);
    } else {
        int64_t buffer[OF__GROUP_BLOCK], largest[OF__GROUP_BLOCK];
        leaves_out = gather(call, p->largest, block, largest);
        const int64_t *x = of__widen(call->x_dtype, block->values, n, buffer);
        for (int64_t i = 0; i < n; i++) power[i] = power_of_integer(p->table, x[i], largest[i]);
    }
    if (leaves_out) clear_left_out(call, block, power);
}

/* ---- Quotients ---- */

/*
 * a / b rounded to odd: cut off, the last bit set where something was. A later rounding to fewer
 * bits is then the only one. For 2^-600 <= a <= 1 <= b, so that the remainder is exact: the product
 * and its error by Dekker 1971.
 */
static double quotient_to_odd(double a, double b) {
    double quotient = a / b, product = quotient * b;
    const double factor = 0x1p27 + 1;
    double q_big = quotient * factor, b_big = b * factor;
    double q_high = q_big - (q_big - quotient), b_high = b_big - (b_big - b);
    double q_low = quotient - q_high, b_low = b - b_high;
    double error = ((q_high * b_high - product) + q_high * b_low + q_low * b_high) + q_low * b_low;
    double rest = (a - product) - error;
    if (rest == 0) return quotient;
    return of__f64_from_bits((of__f64_bits(quotient) - (rest < 0)) | 1);
}

/* A power over a sum of such, which is 1 or more, or both NaN. */
static double power_quotient(double power, double sum, bool to_f64) {
    if (to_f64 || !(power >= 0x1p-600)) return power / sum; /* below: 0 in every narrower type */
    return quotient_to_odd(power, sum);
}

static void store(const pass *p, const of__group_block *block, const double *values) {
    int64_t place = block->row * p->call->width + block->column;
    of__store_floats(p->dtype, values, block->rows * block->columns,
                     p->out + place * (int64_t)of_dtype_size(p->dtype));
}

static void divide_powers(const pass *p, const of__group_block *block) {
    double sum[OF__GROUP_BLOCK], quotient[OF__GROUP_BLOCK];
    const double *power = block->values;
    bool leaves_out = gather(p->call, p->sum, block, sum), to_f64 = p->dtype == OF_F64;
    for (int64_t i = 0; i < block->rows * block->columns; i++)
        quotient[i] = power_quotient(power[i], sum[i], to_f64);
    if (leaves_out) clear_left_out(p->call, block, quotient);
    store(p, block, quotient);
}

/* x over the sum. Rounding to f64 first changes nothing, since the other types have less than half of
 * its bits (Figueroa 1995), and their quotients are normal numbers of f64. */
static void normalize_block(const pass *p, const of__group_block *block) {
    double x[OF__GROUP_BLOCK], sum[OF__GROUP_BLOCK];
    int64_t n = block->rows * block->columns;
    gather(p->call, p->sum, block, sum);
    of__load_floats(p->call->x_dtype, block->values, n, x);
    for (int64_t i = 0; i < n; i++) {
        double quotient = x[i] / sum[i];
        x[i] = sum[i] == 0 ? 0 : quotient;
    }
    store(p, block, x);
}

/* ---- Passes ---- */

static void run_blocks(void *context, int worker) {
    (void)worker;
    pass *p = context;
    of__group_reader reader;
    of__group_block block;
    while (of__group_next_piece(&p->pieces, true, &reader))
        while (of__group_next(&reader, &block)) p->body(p, &block);
}

static void run(pass *p, const of__grouped *rows,
                void (*body)(const pass *p, const of__group_block *block)) {
    p->body = body;
    p->pieces = (of__group_pieces){.source = rows};
    of__parallel(of__workers_for(of__grouped_bytes(rows)), run_blocks, p);
}

/* ---- Tables of the segments ---- */

/* The largest of each segment, as 8 bytes: the elements are widened from the end on. */
static of_status find_largest(const of__segment_call *call, int64_t *largest, of_error *err) {
    of_dtype dtype = call->x_dtype;
    int64_t size = (int64_t)of_dtype_size(dtype), sums = call->num_segments * call->width;
    char *elements = (char *)largest;
    of_scalar empty;
    OF_TRY(of_empty_segment_identity(dtype, OF_GROUP_MAX, &empty, err));
    OF_TRY(of__group_extremes(&call->rows, true, empty, elements, err));
    for (int64_t i = sums - 1; i >= 0; i--) {
        char element[8];
        memcpy(element, elements + i * size, (size_t)size);
        if (of_dtype_is_float(dtype))
            largest[i] = (int64_t)of__f64_bits(of__element_f64(dtype, element));
        else
            largest[i] = of_scalar_convert(of_scalar_load(dtype, element), OF_I64).as.i64;
    }
    return OF_OK;
}

static const void *power_values(const void *context, int64_t start, int64_t n, void *buffer) {
    (void)n;
    (void)buffer;
    return ((const pass *)context)->power + start;
}

static const int64_t *power_groups(const void *context, int64_t row, int64_t n, int64_t *buffer) {
    const of__segment_call *call = ((const pass *)context)->call;
    return call->rows.group_of(call->rows.context, row, n, buffer);
}

static of_status softmax(pass *p, int64_t *largest, double *sum, of_error *err) {
    OF_TRY(find_largest(p->call, largest, err));
    run(p, &p->call->rows, take_powers);
    of__grouped powers = p->call->rows;
    powers.dtype = OF_F64;
    powers.context = p;
    powers.contiguous = p->power;
    powers.group_of = power_groups;
    powers.values_of = power_values;
    OF_TRY(of__group_sums(&powers, OF_F64, sum, err));
    run(p, &powers, divide_powers);
    return OF_OK;
}

/* The sum of each segment in the arithmetic of the result, as f64. */
static of_status normalize(pass *p, double *sum, of_error *err) {
    int64_t size = (int64_t)of_dtype_size(p->dtype), sums = p->call->num_segments * p->call->width;
    char *elements = (char *)sum;
    OF_TRY(of__group_sums(&p->call->rows, p->dtype, elements, err));
    for (int64_t i = sums - 1; i >= 0; i--) {
        char element[8];
        memcpy(element, elements + i * size, (size_t)size);
        sum[i] = of__element_f64(p->dtype, element);
    }
    run(p, &p->call->rows, normalize_block);
    return OF_OK;
}

/* ---- The calls ---- */

static of_status prepare(of__segment_call *call, const of_array *x, const of_array *ids,
                         int64_t num_segments, const of_segment_opts *opts, of_array **out,
                         of_error *err) {
    static const of_segment_opts defaults;
    if (!opts) opts = &defaults;
    if (opts->constant)
        return of__fail(err, OF_ERR_VALUE, "constant is given, but only min and max take one");
    OF_TRY(of__segment_call_prepare(call, x, ids, num_segments, opts, err));
    int64_t sums;
    if (__builtin_mul_overflow(num_segments, call->width, &sums) || sums > INT64_MAX / 8)
        return of__fail(err, OF_ERR_VALUE,
                        "num_segments is %lld, which is too many for rows of %lld",
                        (long long)num_segments, (long long)call->width);
    of_dtype dtype = of_dtype_is_float(x->dtype) ? x->dtype : OF_F64;
    return of_array_create(x->storage->device, dtype, x->ndim, x->shape, out, err);
}

static void *new_table(const of__segment_call *call) {
    return of__alloc((size_t)(call->num_segments * call->width) * 8);
}

static of_status no_memory(const of__segment_call *call, of_error *err) {
    return of__fail(err, OF_ERR_MEMORY, "no memory for %lld segments of %lld columns",
                    (long long)call->num_segments, (long long)call->width);
}

static of_status run_softmax(const of__segment_call *call, of_array *result, of_error *err) {
    bool is_f64 = result->dtype == OF_F64; /* powers turn into quotients in place */
    int64_t *largest = new_table(call);
    double *sum = new_table(call);
    double *power =
        is_f64 ? (double *)(void *)result->data : of__alloc((size_t)result->size * sizeof *power);
    pass p = {.call = call,
              .table = of__exp_table_get(),
              .largest = largest,
              .sum = sum,
              .power = power,
              .out = result->data,
              .dtype = result->dtype};
    of_status status =
        largest && sum && power ? softmax(&p, largest, sum, err) : no_memory(call, err);
    of__free(largest);
    of__free(sum);
    if (!is_f64) of__free(power);
    return status;
}

static of_status run_normalize(const of__segment_call *call, of_array *result, of_error *err) {
    double *sum = new_table(call);
    if (!sum) return no_memory(call, err);
    pass p = {.call = call, .sum = sum, .out = result->data, .dtype = result->dtype};
    of_status status = normalize(&p, sum, err);
    of__free(sum);
    return status;
}

typedef of_status runner(const of__segment_call *call, of_array *result, of_error *err);

static of_status compute(runner *run_call, const of_array *x, const of_array *ids,
                         int64_t num_segments, const of_segment_opts *opts, of_array **out,
                         of_error *err) {
    of__segment_call call;
    of_array *result;
    OF_TRY(prepare(&call, x, ids, num_segments, opts, &result, err));
    if (result->size) {
        of__fpenv saved = of__fpenv_enter();
        of_status status = run_call(&call, result, err);
        of__fpenv_leave(saved);
        if (status != OF_OK) {
            of_array_release(result);
            return status;
        }
    }
    *out = result;
    return OF_OK;
}

of_status of_segment_softmax(const of_array *x, const of_array *ids, int64_t num_segments,
                             const of_segment_opts *opts, of_array **out, of_error *err) {
    return compute(run_softmax, x, ids, num_segments, opts, out, err);
}

of_status of_segment_normalize(const of_array *x, const of_array *ids, int64_t num_segments,
                               const of_segment_opts *opts, of_array **out, of_error *err) {
    return compute(run_normalize, x, ids, num_segments, opts, out, err);
}
