/* Filling the tables. */
#include "group/group_table.h"

#include <math.h>
#include <string.h>

#include "array/widen.h"
#include "core/alloc.h"
#include "core/fail.h"
#include "core/isa.h"
#include "core/threads.h"
#include "reduce/kernels.h"
#include "reduce/load.h"

/* Units are normal numbers, and so is 2^50 times the first one, rounded up. */
enum { LEAST_EXPONENT = -800, MOST_EXPONENT = 1000, MOST_STEP = 50 };

const of__group_kernels *of__group_kernels_current(void) {
    switch (of__isa_current()) {
#if defined(__x86_64__)
    case OF__ISA_AVX512: return &of__group_kernels_avx512;
    case OF__ISA_AVX2: return &of__group_kernels_avx2;
#endif
    default: return &of__group_kernels_baseline;
    }
}

static void run(of__group_table *table, of__task task, void *context) {
    atomic_store(&table->pieces.next, 0);
    of__parallel(table->workers, task, context);
}

/* ---- The survey ---- */

/* Values looked at in a sample: so many blocks at equal distances. */
#ifdef ONEFOLD_TEST_SMALL
enum { SAMPLE_BLOCKS = 3 };
#else
enum { SAMPLE_BLOCKS = 64 };
#endif

static void survey_some(const of__group_table *table, int64_t start, int64_t n,
                        of__survey *survey) {
    const of__grouped *source = table->source;
    uint64_t buffer[OF__GROUP_BLOCK];
    const void *x = source->values_of(source->context, start, n, buffer);
    table->kernels->survey[source->dtype](x, n, survey);
}

typedef struct survey_call {
    of__group_table *table;
    of__survey *survey; /* one a worker */
} survey_call;

static void survey_rows(void *context, int worker) {
    survey_call *call = context;
    int64_t width = call->table->source->width;
    of__survey survey = {0, 0};
    of__group_reader reader;
    while (of__group_next_piece(&call->table->pieces, false, &reader))
        for (int64_t i = reader.row * width, n; i < reader.stop * width; i += n) {
            n = reader.stop * width - i;
            if (n > OF__GROUP_BLOCK) n = OF__GROUP_BLOCK;
            survey_some(call->table, i, n, &survey);
        }
    call->survey[worker] = survey;
}

static void survey_sample(void *context, int worker) {
    survey_call *call = context;
    int64_t values = call->table->source->rows * call->table->source->width;
    (void)worker;
    *call->survey = (of__survey){0, 0};
    for (int64_t k = 0; k < SAMPLE_BLOCKS; k++)
        survey_some(call->table, values / SAMPLE_BLOCKS * k, OF__GROUP_BLOCK, call->survey);
}

static int bits_of(int64_t count) {
    return count < 1 ? 0 : 64 - __builtin_clzll((uint64_t)count);
}

/* The units for magnitudes below 2^exponent. */
static void set_units(of__group_table *table, int exponent) {
    int step = 62 - bits_of(table->source->rows);
    if (exponent < LEAST_EXPONENT) exponent = LEAST_EXPONENT;
    table->step = step > MOST_STEP ? MOST_STEP : step;
    table->exponent = exponent - table->step;
    table->limit =
        of_scalar_convert(of_scalar_f64(ldexp(1, exponent)), table->source->dtype).as.bits;
    for (int k = 0; k < OF__GROUP_LEVELS; k++) {
        table->unit[k] = ldexp(1, table->exponent - k * table->step);
        table->inverse[k] = 1 / table->unit[k];
    }
}

/* Looks at the values, or at some of them, and chooses the units. */
static of_status choose_units(of__group_table *table, bool *is_too_wide, of_error *err) {
    survey_call call = {table, of__alloc((size_t)table->workers * sizeof(of__survey))};
    if (!call.survey) return of__fail(err, OF_ERR_MEMORY, "no memory for a survey of the values");
    of_scalar largest = {.dtype = table->source->dtype};
    if (table->has_sampled)
        of__parallel(1, survey_sample, &call);
    else
        run(table, survey_rows, &call);
    for (int w = 0; w < (table->has_sampled ? 1 : table->workers); w++)
        if (call.survey[w].largest > largest.as.bits) largest.as.bits = call.survey[w].largest;
    of__free(call.survey);
    int exponent = LEAST_EXPONENT;
    if (largest.as.bits) frexp(of_scalar_to_f64(largest), &exponent);
    if (table->has_sampled) exponent++; /* others may be somewhat larger */
    *is_too_wide = exponent > MOST_EXPONENT;
    if (!*is_too_wide) set_units(table, exponent);
    return OF_OK;
}

/* ---- Adding ---- */

static bool make_table(of__group_table *table, int64_t **memory, int64_t rows_of_each) {
    if (*memory) return true;
    size_t rows = (size_t)table->source->groups + 1, width = (size_t)table->source->width;
    *memory = of__alloc_zeroed(rows * width * (size_t)rows_of_each * sizeof **memory);
    if (!*memory) atomic_store(&table->has_failed, true);
    return *memory;
}

OF__INLINE void add_to(int64_t *sum, int64_t number) {
    *sum = (int64_t)((uint64_t)*sum + (uint64_t)number);
}

static void add_row(const of__group_table *table, int64_t *into, const int64_t *multiple,
                    int64_t columns) {
    if (columns < 8)
        for (int64_t c = 0; c < columns; c++) add_to(into + c, multiple[c]);
    else
        table->kernels->add(into, multiple, columns);
}

/* Adds a block's multiples to a table of one row for each group, or of two where there are second
 * ones. A single value that is left out goes to the row after the last. */
OF__INLINE void add_rows_by(int rows_of_each, const of__group_table *table,
                            const of__group_block *block, const int64_t *first,
                            const int64_t *second, int64_t *sums) {
    uint64_t groups = (uint64_t)table->source->groups;
    int64_t width = table->source->width;
    if (width == 1) {
        const int64_t *number = block->group, rows = block->rows;
        for (int64_t i = 0; i < rows; i++) {
            uint64_t group = (uint64_t)number[i];
            int64_t *into = sums + (group < groups ? group : groups) * (uint64_t)rows_of_each;
            add_to(into, first[i]);
            if (rows_of_each == 2) add_to(into + 1, second[i]);
        }
        return;
    }
    for (int64_t i = 0; i < block->rows; i++) {
        if ((uint64_t)block->group[i] >= groups) continue;
        int64_t *into = sums + block->group[i] * width * rows_of_each + block->column;
        add_row(table, into, first + i * block->columns, block->columns);
        if (rows_of_each == 2)
            add_row(table, into + width, second + i * block->columns, block->columns);
    }
}

static void add_rows(const of__group_table *table, const of__group_block *block,
                     const int64_t *first, const int64_t *second, of__group_share *share) {
    if (second)
        add_rows_by(2, table, block, first, second, share->pairs);
    else
        add_rows_by(1, table, block, first, NULL, share->first);
}

/* What is left of a block's values: of which sums, and of which values of the block. */
typedef struct rests {
    int64_t count;
    int64_t sum[OF__GROUP_BLOCK];
    double rest[OF__GROUP_BLOCK];
    int32_t value[OF__GROUP_BLOCK];
} rests;

enum { LOOKED_AT = 8 };

static bool are_zero(const double *rest) {
    uint64_t bits = 0;
    for (int i = 0; i < LOOKED_AT; i++) bits |= of__f64_bits(rest[i]);
    return bits << 1 == 0;
}

/* Those that are not 0 and belong to a group. */
static void gather_rests(const of__group_table *table, const of__group_block *block,
                         const double *rest, rests *out) {
    int64_t width = table->source->width, count = 0, values = block->rows * block->columns;
    for (int64_t i = 0; i < values; i++) {
        while (i + LOOKED_AT <= values && are_zero(rest + i)) i += LOOKED_AT;
        if (i >= values) break;
        if (rest[i] == 0) continue;
        int64_t row = width == 1 ? i : i / block->columns;
        if ((uint64_t)block->group[row] >= (uint64_t)table->source->groups) continue;
        out->sum[count] = block->group[row] * width + block->column + i - row * block->columns;
        out->rest[count] = rest[i];
        out->value[count++] = (int32_t)i;
    }
    out->count = count;
}

static void keep_rests(rests *r, const double *rest) {
    int64_t count = 0;
    for (int64_t i = 0; i < r->count; i++) {
        r->sum[count] = r->sum[i];
        r->rest[count] = rest[i];
        r->value[count] = r->value[i];
        count += rest[i] != 0;
    }
    r->count = count;
}

/* Where the pairs hold the multiples of the second unit of a sum. */
static int64_t *second_of(const of__group_table *table, const of__group_share *share, int64_t sum) {
    int64_t width = table->source->width, group = width == 1 ? sum : sum / width;
    return share->pairs + sum + (group + 1) * width;
}

/* Makes room for `more` values in a worker's list. */
static bool can_list(of__group_table *table, of__group_share *share, int64_t more) {
    if (share->listed + more > table->most_listed) {
        atomic_store(&table->is_too_wide, true);
        return false;
    }
    if (!share->list) share->list = of__alloc((size_t)table->most_listed * sizeof *share->list);
    if (!share->list) atomic_store(&table->has_failed, true);
    return share->list;
}

static bool list_rests(of__group_table *table, const of__group_block *block, const rests *r,
                       of__group_share *share) {
    of_dtype dtype = table->source->dtype;
    int64_t size = (int64_t)of_dtype_size(dtype);
    if (!can_list(table, share, r->count)) return false;
    for (int64_t i = 0; i < r->count; i++) {
        double value = r->rest[i];
        if (value - value != 0) /* of an infinity NaN is left */
            value = of__element_f64(dtype, (const char *)block->values + r->value[i] * size);
        share->list[share->listed++] = (of__listed){r->sum[i], value};
    }
    return true;
}

/* Adds what the units at hand have left of a block. */
static bool add_rests(of__group_table *table, const of__group_block *block, const double *rest,
                      of__group_share *share) {
    int64_t multiple[OF__GROUP_BLOCK], left;
    double still[OF__GROUP_BLOCK];
    rests r;
    gather_rests(table, block, rest, &r);
    if (!r.count) return true;
    if (!share->takes_pairs) {
        share->takes_pairs = r.count > block->rows * block->columns / 8;
        if (!make_table(table, &share->pairs, 2)) return false;
        left = table->kernels->split_f64(r.rest, r.count, table->unit + 1, table->inverse + 1,
                                         multiple, NULL, still);
        for (int64_t i = 0; i < r.count; i++)
            add_to(second_of(table, share, r.sum[i]), multiple[i]);
        if (!left) return true;
        keep_rests(&r, still);
    }
    if (!make_table(table, &share->third, 1)) return false;
    left = table->kernels->split_f64(r.rest, r.count, table->unit + 2, table->inverse + 2, multiple,
                                     NULL, still);
    for (int64_t i = 0; i < r.count; i++) add_to(share->third + r.sum[i], multiple[i]);
    if (!left) return true;
    keep_rests(&r, still);
    return list_rests(table, block, &r, share);
}

/* Values of a block as f32 or f64. */
typedef struct plain_values {
    const void *x;
    bool is_f64;
} plain_values;

/* Copies a block as f64, with 0 in place of the values that are too large for the units: these are
 * listed. */
static bool set_apart(of__group_table *table, const of__group_block *block, of__group_share *share,
                      double *to) {
    of_dtype dtype = table->source->dtype;
    int64_t size = (int64_t)of_dtype_size(dtype), width = table->source->width;
    double most = table->unit[0] * (double)(INT64_C(1) << table->step);
    const char *x = block->values;
    if (!can_list(table, share, block->rows * block->columns)) return false;
    for (int64_t i = 0; i < block->rows; i++)
        for (int64_t c = 0; c < block->columns; c++, x += size, to++) {
            *to = of__element_f64(dtype, x);
            if (!(fabs(*to) >= most) || *to - *to != 0) continue; /* infinities are found later */
            if ((uint64_t)block->group[i] < (uint64_t)table->source->groups)
                share->list[share->listed++] =
                    (of__listed){block->group[i] * width + block->column + c, *to};
            *to = 0;
        }
    return true;
}

static bool prepare_values(of__group_table *table, const of__group_block *block,
                           of__group_share *share, double *buffer, plain_values *out) {
    of_dtype dtype = table->source->dtype;
    int64_t n = block->rows * block->columns;
    of__survey survey = {0, 0};
    table->kernels->survey[dtype](block->values, n, &survey);
    if (survey.minus_zero && !of__group_note_minus_zeros(table, block, share)) return false;
    *out = (plain_values){block->values, dtype == OF_F64};
    if (survey.largest >= table->limit) {
        *out = (plain_values){buffer, true};
        return set_apart(table, block, share, buffer);
    }
    if (dtype == OF_F16 || dtype == OF_BF16) {
        of__kernels_current()->widen[dtype](block->values, n, (float *)(void *)buffer);
        out->x = buffer;
    }
    return true;
}

static bool add_floats(of__group_table *table, const of__group_block *block,
                       of__group_share *share) {
    const of__group_kernels *kernels = table->kernels;
    int64_t first[OF__GROUP_BLOCK], second[OF__GROUP_BLOCK], n = block->rows * block->columns;
    double buffer[OF__GROUP_BLOCK], rest[OF__GROUP_BLOCK];
    plain_values v;
    bool two = share->takes_pairs, single = table->source->width == 1;
    int64_t **sums = two ? &share->pairs : &share->first;
    if (!make_table(table, sums, two ? 2 : 1)) return false;
    if (!prepare_values(table, block, share, buffer, &v)) return false;
    if (single && !(v.is_f64 ? kernels->add_f64
                             : kernels->add_f32)(two, v.x, block->group, n, table->source->groups,
                                                 table->unit, table->inverse, *sums))
        return true;
    int64_t left = (v.is_f64 ? kernels->split_f64 : kernels->split_f32)(
        v.x, n, table->unit, table->inverse, first, two ? second : NULL, rest);
    if (!single) add_rows(table, block, first, two ? second : NULL, share);
    return !left || add_rests(table, block, rest, share);
}

static bool add_integers(of__group_table *table, const of__group_block *block,
                         of__group_share *share) {
    int64_t buffer[OF__GROUP_BLOCK];
    if (!make_table(table, &share->first, 1)) return false;
    const int64_t *x =
        of__widen(table->source->dtype, block->values, block->rows * block->columns, buffer);
    add_rows(table, block, x, NULL, share);
    return true;
}

static void add_share(void *context, int worker) {
    of__group_table *table = context;
    of__group_share *share = &table->share[worker];
    bool is_float = of_dtype_is_float(table->source->dtype);
    of__group_reader reader;
    of__group_block block;
    while (of__group_next_piece(&table->pieces, true, &reader))
        while (of__group_next(&reader, &block)) {
            bool is_added = (is_float ? add_floats : add_integers)(table, &block, share);
            if (!is_added || atomic_load_explicit(&table->is_too_wide, memory_order_relaxed))
                return;
        }
}

/* ---- The list, in the order of the sums ---- */

static const int64_t *listed_sum(const void *context, int64_t row, int64_t n, int64_t *buffer) {
    const of__listed *list = (const of__listed *)context + row;
    for (int64_t i = 0; i < n; i++) buffer[i] = list[i].sum;
    return buffer;
}

static const void *listed_value(const void *context, int64_t start, int64_t n, void *buffer) {
    const of__listed *list = (const of__listed *)context + start;
    double *value = buffer;
    for (int64_t i = 0; i < n; i++) value[i] = list[i].value;
    return buffer;
}

static of_status order_list(of__group_table *table, of_error *err) {
    int64_t count = 0;
    for (int w = 0; w < table->workers; w++) count += table->share[w].listed;
    if (!count) return OF_OK;
    table->list = of__alloc((size_t)count * sizeof *table->list);
    if (!table->list)
        return of__fail(err, OF_ERR_MEMORY, "no memory for %lld values out of range",
                        (long long)count);
    of__listed *to = table->list;
    for (int w = 0; w < table->workers; w++) {
        of__group_share *share = &table->share[w];
        if (share->listed) memcpy(to, share->list, (size_t)share->listed * sizeof *to);
        to += share->listed;
    }
    of__grouped listed = {.rows = count,
                          .width = 1,
                          .groups = table->sums,
                          .dtype = OF_F64,
                          .context = table->list,
                          .group_of = listed_sum,
                          .values_of = listed_value};
    return of__group_order_make(&listed, &table->order, err);
}

/* ---- All of it ---- */

static of_status fill(of__group_table *table, bool *is_too_wide, of_error *err) {
    if (of_dtype_is_float(table->source->dtype)) {
        of_status status = choose_units(table, is_too_wide, err);
        if (status != OF_OK || *is_too_wide) return status;
    }
    run(table, add_share, table);
    if (atomic_load(&table->is_too_wide)) {
        *is_too_wide = true;
        return OF_OK;
    }
    if (atomic_load(&table->has_failed))
        return of__fail(err, OF_ERR_MEMORY, "no memory for %lld sums", (long long)table->sums);
    OF_TRY(of__group_find_minus_zeros(table, err));
    return order_list(table, err);
}

static of_status try_fill(of__group_table *table, const of__grouped *source, bool has_sampled,
                          bool *is_too_wide, of_error *err) {
    int64_t sums = source->groups * source->width;
    *table = (of__group_table){.source = source,
                               .kernels = of__group_kernels_current(),
                               .sums = sums,
                               .workers = of__grouped_workers(source, sums),
                               .has_sampled = has_sampled,
                               .pieces = {.source = source}};
    table->most_listed = source->rows * source->width / 8 / table->workers + 2 * OF__GROUP_BLOCK;
    table->share = of__alloc_zeroed((size_t)table->workers * sizeof *table->share);
    if (!table->share) return of__fail(err, OF_ERR_MEMORY, "no memory for tables");
    *is_too_wide = false;
    of_status status = fill(table, is_too_wide, err);
    if (status != OF_OK || *is_too_wide) of__group_table_free(table);
    return status;
}

of_status of__group_table_fill(of__group_table *table, const of__grouped *source, bool is_wide,
                               bool *is_too_wide, of_error *err) {
    bool is_float = of_dtype_is_float(source->dtype);
    bool can_overflow = of_dtype_size(source->dtype) == 8 || source->rows > INT64_C(1) << 30;
    *is_too_wide = !is_float && is_wide && can_overflow;
    if (*is_too_wide) return OF_OK;
    bool is_long = source->rows * source->width >= 2 * SAMPLE_BLOCKS * OF__GROUP_BLOCK;
    if (is_float && is_long) {
        OF_TRY(try_fill(table, source, true, is_too_wide, err));
        if (!*is_too_wide) return OF_OK;
    }
    return try_fill(table, source, false, is_too_wide, err);
}

void of__group_table_free(of__group_table *table) {
    for (int w = 0; w < table->workers; w++) {
        of__group_share *share = &table->share[w];
        of__free(share->first);
        of__free(share->pairs);
        of__free(share->third);
        of__free(share->list);
        of__free(share->minus_zero);
    }
    of__free(table->share);
    of__free(table->list);
    of__free(table->minus_zero);
    if (table->order.first) of__group_order_free(&table->order);
}
