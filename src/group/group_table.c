/* Filling the tables. */
#include "group/group_table.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/isa.h"
#include "core/threads.h"
#include "group/group_widen.h"
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

typedef struct survey_call {
    of__group_table *table;
    of__survey *survey; /* one a worker */
} survey_call;

static void survey_rows(void *context, int worker) {
    survey_call *call = context;
    const of__grouped *source = call->table->source;
    of__survey survey = {0, 0};
    of__group_reader reader;
    while (of__group_next_piece(&call->table->pieces, false, &reader)) {
        int64_t start = reader.row * source->width, stop = reader.stop * source->width;
        for (int64_t i = start, n; i < stop; i += n) {
            n = stop - i < OF__GROUP_BLOCK ? stop - i : OF__GROUP_BLOCK;
            const void *x = source->values_of(source->context, i, n, reader.values);
            call->table->kernels->survey[source->dtype](x, n, &survey);
        }
    }
    call->survey[worker] = survey;
}

static int bits_of(int64_t count) {
    return count < 1 ? 0 : 64 - __builtin_clzll((uint64_t)count);
}

/* Chooses the units. False when no unit is large enough. */
static of_status choose_units(of__group_table *table, bool *is_too_wide, of_error *err) {
    survey_call call = {table, of__alloc((size_t)table->workers * sizeof(of__survey))};
    if (!call.survey) return of__fail(err, OF_ERR_MEMORY, "no memory for a survey of the values");
    run(table, survey_rows, &call);
    of_scalar largest = {.dtype = table->source->dtype};
    for (int w = 0; w < table->workers; w++) {
        if (call.survey[w].largest > largest.as.bits) largest.as.bits = call.survey[w].largest;
        table->has_minus_zero |= call.survey[w].minus_zero != 0;
    }
    of__free(call.survey);
    int exponent;
    frexp(of_scalar_to_f64(largest), &exponent);
    if (exponent > MOST_EXPONENT) *is_too_wide = true;
    if (exponent < LEAST_EXPONENT || !largest.as.bits) exponent = LEAST_EXPONENT;
    int step = 62 - bits_of(table->source->rows);
    table->step = step > MOST_STEP ? MOST_STEP : step;
    table->exponent = exponent - table->step;
    for (int k = 0; k < OF__GROUP_LEVELS; k++) {
        table->unit[k] = ldexp(1, table->exponent - k * table->step);
        table->inverse[k] = 1 / table->unit[k];
    }
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

static bool list_rests(of__group_table *table, const of__group_block *block, const rests *r,
                       of__group_share *share) {
    of_dtype dtype = table->source->dtype;
    int64_t size = (int64_t)of_dtype_size(dtype);
    if (share->listed + r->count > table->most_listed) {
        atomic_store(&table->is_too_wide, true);
        return false;
    }
    if (!share->list) share->list = of__alloc((size_t)table->most_listed * sizeof *share->list);
    if (!share->list) {
        atomic_store(&table->has_failed, true);
        return false;
    }
    for (int64_t i = 0; i < r->count; i++) {
        double value = r->rest[i];
        if (value - value != 0) /* of an infinity NaN is left */
            value = of__load_f64(dtype, (const char *)block->values + r->value[i] * size);
        share->list[share->listed++] = (of__listed){r->sum[i], value};
    }
    return true;
}

static bool add_floats(of__group_table *table, const of__group_block *block,
                       of__group_share *share) {
    int64_t first[OF__GROUP_BLOCK], second[OF__GROUP_BLOCK], n = block->rows * block->columns;
    double rest[OF__GROUP_BLOCK];
    float wide[OF__GROUP_BLOCK];
    const void *x = block->values;
    of_dtype dtype = table->source->dtype;
    if (dtype == OF_F16 || dtype == OF_BF16) {
        of__kernels_current()->widen[dtype](x, n, wide);
        x = wide;
    }
    bool two = share->takes_pairs;
    if (!(two ? make_table(table, &share->pairs, 2) : make_table(table, &share->first, 1)))
        return false;
    int64_t left = (dtype == OF_F64 ? table->kernels->split_f64 : table->kernels->split_f32)(
        x, n, table->unit, table->inverse, first, two ? second : NULL, rest);
    add_rows(table, block, first, two ? second : NULL, share);
    if (!left) return true;
    rests r;
    gather_rests(table, block, rest, &r);
    if (!two) {
        share->takes_pairs = left > n / 8;
        if (!make_table(table, &share->pairs, 2)) return false;
        left = table->kernels->split_f64(r.rest, r.count, table->unit + 1, table->inverse + 1,
                                         first, NULL, rest);
        for (int64_t i = 0; i < r.count; i++) add_to(second_of(table, share, r.sum[i]), first[i]);
        if (!left) return true;
        keep_rests(&r, rest);
    }
    if (!r.count) return true;
    if (!make_table(table, &share->third, 1)) return false;
    left = table->kernels->split_f64(r.rest, r.count, table->unit + 2, table->inverse + 2, first,
                                     NULL, rest);
    for (int64_t i = 0; i < r.count; i++) add_to(share->third + r.sum[i], first[i]);
    if (!left) return true;
    keep_rests(&r, rest);
    return list_rests(table, block, &r, share);
}

static bool add_integers(of__group_table *table, const of__group_block *block,
                         of__group_share *share) {
    int64_t buffer[OF__GROUP_BLOCK];
    if (!make_table(table, &share->first, 1)) return false;
    const int64_t *x =
        of__group_widen(table->source->dtype, block->values, block->rows * block->columns, buffer);
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

/* ---- The sign of zero ---- */

/* Whether sums have terms, and any but -0.0: asked for only where there is a -0.0 at all. */
static void note_signs(void *context, int worker) {
    of__group_table *table = context;
    const of__grouped *source = table->source;
    of__group_share *share = &table->share[worker];
    int64_t size = (int64_t)of_dtype_size(source->dtype);
    uint64_t minus_zero = UINT64_C(1) << (8 * size - 1);
    of__group_reader reader;
    of__group_block block;
    share->signs = of__alloc_zeroed((size_t)table->sums);
    if (!share->signs) {
        atomic_store(&table->has_failed, true);
        return;
    }
    while (of__group_next_piece(&table->pieces, true, &reader))
        while (of__group_next(&reader, &block)) {
            const char *x = block.values;
            for (int64_t i = 0; i < block.rows; i++)
                for (int64_t c = 0; c < block.columns; c++, x += size) {
                    uint64_t bits = 0;
                    memcpy(&bits, x, (size_t)size);
                    if ((uint64_t)block.group[i] < (uint64_t)source->groups)
                        share->signs[block.group[i] * source->width + block.column + c] |=
                            bits == minus_zero ? 1 : 2;
                }
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
    bool is_float = of_dtype_is_float(table->source->dtype);
    if (is_float) {
        of_status status = choose_units(table, is_too_wide, err);
        if (status != OF_OK || *is_too_wide) return status;
    }
    run(table, add_share, table);
    if (table->has_minus_zero && !atomic_load(&table->has_failed)) run(table, note_signs, table);
    if (atomic_load(&table->has_failed))
        return of__fail(err, OF_ERR_MEMORY, "no memory for %lld sums", (long long)table->sums);
    *is_too_wide = atomic_load(&table->is_too_wide);
    return *is_too_wide ? OF_OK : order_list(table, err);
}

of_status of__group_table_fill(of__group_table *table, const of__grouped *source, bool is_wide,
                               bool *is_too_wide, of_error *err) {
    bool is_float = of_dtype_is_float(source->dtype);
    int64_t sums = source->groups * source->width;
    *table = (of__group_table){.source = source,
                               .kernels = of__group_kernels_current(),
                               .sums = sums,
                               .workers = of__grouped_workers(source, sums),
                               .pieces = {.source = source}};
    *is_too_wide = !is_float && is_wide &&
                   (of_dtype_size(source->dtype) == 8 || source->rows > INT64_C(1) << 30);
    if (*is_too_wide) return OF_OK;
    table->most_listed = source->rows * source->width / 8 / table->workers + OF__GROUP_BLOCK;
    size_t bytes = (size_t)table->workers * sizeof *table->share;
    table->share = of__alloc_zeroed(bytes);
    if (!table->share) return of__fail(err, OF_ERR_MEMORY, "no memory for tables");
    of_status status = fill(table, is_too_wide, err);
    if (status != OF_OK || *is_too_wide) of__group_table_free(table);
    return status;
}

void of__group_table_free(of__group_table *table) {
    for (int w = 0; w < table->workers; w++) {
        of__group_share *share = &table->share[w];
        of__free(share->first);
        of__free(share->pairs);
        of__free(share->third);
        of__free(share->list);
        of__free(share->signs);
    }
    of__free(table->share);
    of__free(table->list);
    if (table->order.first) of__group_order_free(&table->order);
}
