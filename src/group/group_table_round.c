/* From the tables to the answers: the one rounding. */
#include <math.h>
#include <string.h>

#include "core/convert.h"
#include "core/round.h"
#include "core/threads.h"
#include "group/group_table.h"

/* Sums that a worker takes at once. */
#ifdef ONEFOLD_TEST_SMALL
enum { SUMS_TOGETHER = 7 };
#else
enum { SUMS_TOGETHER = 4096 };
#endif

typedef struct rounding {
    of__group_table *table;
    const int64_t *divisor;
    of_dtype dtype;
    char *out;
} rounding;

static int64_t level_sum(const of__group_table *table, int level, int64_t sum) {
    uint64_t total = 0;
    for (int w = 0; w < table->workers; w++)
        if (table->share[w].level[level]) total += (uint64_t)table->share[w].level[level][sum];
    return (int64_t)total;
}

static bool is_minus_zero(const of__group_table *table, int64_t sum) {
    int signs = 0;
    for (int w = 0; table->has_minus_zero && w < table->workers; w++)
        signs |= table->share[w].signs[sum];
    return signs == 1;
}

/* An f64 that no rounding has touched yet, as an element's bits. */
static uint64_t bits_of_f64(double value, of_dtype dtype) {
    switch (dtype) {
    case OF_F64: return of__f64_bits(value);
    case OF_F32: return of__f32_bits((float)value);
    case OF_F16: return of__f16_from_f64(value);
    default: return of__bf16_from_f64(value);
    }
}

/* The rounding of total * 2^exponent; total is not 0. */
static uint64_t round_total(__int128 total, int exponent, of_dtype dtype) {
    bool negative = total < 0;
    unsigned __int128 magnitude = negative ? -(unsigned __int128)total : (unsigned __int128)total;
    uint64_t high = (uint64_t)(magnitude >> 64), low = (uint64_t)magnitude;
    if (!high) {
        int shift = __builtin_clzll(low);
        return of__round_bits(dtype, negative, low << shift, exponent - shift, false);
    }
    int shift = __builtin_clzll(high);
    magnitude <<= shift;
    return of__round_bits(dtype, negative, (uint64_t)(magnitude >> 64), exponent + 64 - shift,
                          (uint64_t)magnitude != 0);
}

/* Everything that a sum is made of, in an accumulator. */
static void deposit_all(const of__group_table *table, int64_t sum, of_exact *exact) {
    of_exact_clear(exact);
    exact->count = 1;
    exact->not_negative_zeros = !is_minus_zero(table, sum);
    for (int k = 0; k < OF__GROUP_LEVELS; k++) {
        int64_t number = level_sum(table, k, sum);
        if (number) of__exact_deposit(exact, number, table->exponent - k * table->step);
    }
    const int64_t *first = table->order.first;
    for (int64_t i = first ? first[sum] : 0; first && i < first[sum + 1]; i++) {
        double value;
        memcpy(&value, table->order.values + i * (int64_t)sizeof value, sizeof value);
        of__exact_deposit_f64(exact, value);
    }
}

/* Whole numbers up to here are f64. */
static const int64_t whole_most = INT64_C(1) << 53;

static uint64_t round_float(const rounding *r, int64_t sum, int64_t divisor) {
    const of__group_table *table = r->table;
    const int64_t *first = table->order.first;
    bool is_listed = first && first[sum + 1] > first[sum];
    int64_t number = level_sum(table, 0, sum), second = level_sum(table, 1, sum);
    int64_t third = level_sum(table, 2, sum);
    bool is_short = number >= -whole_most && number <= whole_most && divisor <= whole_most;
    if (!is_listed && !third && !second) {
        if (!number) return of__zero_bits(r->dtype, is_minus_zero(table, sum));
        if (divisor == 1 && is_short) /* exact: units are normal numbers */
            return bits_of_f64((double)number * table->unit[0], r->dtype);
        if (is_short && r->dtype == OF_F64)
            return of__f64_bits((double)number / (double)divisor * table->unit[0]);
    }
    if (!is_listed && !third && divisor == 1) {
        __int128 total = (__int128)number * ((__int128)1 << table->step) + second;
        if (!total) return of__zero_bits(r->dtype, false);
        return round_total(total, table->exponent - table->step, r->dtype);
    }
    of_exact exact;
    deposit_all(table, sum, &exact);
    return of__exact_round_bits(&exact, (uint64_t)divisor, r->dtype);
}

static uint64_t round_integer(const rounding *r, int64_t sum, int64_t divisor) {
    int64_t number = level_sum(r->table, 0, sum);
    if (!of_dtype_is_float(r->dtype)) return (uint64_t)number;
    if (!number) return 0;
    if (number >= -whole_most && number <= whole_most && divisor <= whole_most &&
        (divisor == 1 || r->dtype == OF_F64))
        return bits_of_f64((double)number / (double)divisor, r->dtype);
    of_exact exact;
    of_exact_clear(&exact);
    exact.count = exact.not_negative_zeros = 1;
    of__exact_deposit(&exact, number, 0);
    return of__exact_round_bits(&exact, (uint64_t)divisor, r->dtype);
}

static void round_some(void *context, int worker) {
    (void)worker;
    rounding *r = context;
    of__group_table *table = r->table;
    bool is_float = of_dtype_is_float(table->source->dtype);
    int64_t size = (int64_t)of_dtype_size(r->dtype), width = table->source->width;
    for (;;) {
        int64_t start = atomic_fetch_add(&table->next, SUMS_TOGETHER);
        if (start >= table->sums) return;
        int64_t stop = table->sums - start < SUMS_TOGETHER ? table->sums : start + SUMS_TOGETHER;
        for (int64_t sum = start; sum < stop; sum++) {
            int64_t divisor = r->divisor ? r->divisor[sum / width] : 1;
            uint64_t bits = 0;
            if (divisor) bits = (is_float ? round_float : round_integer)(r, sum, divisor);
            memcpy(r->out + sum * size, &bits, (size_t)size);
        }
    }
}

void of__group_table_round(of__group_table *table, const int64_t *divisor, of_dtype dtype,
                           void *out) {
    rounding r = {table, divisor, dtype, out};
    atomic_store(&table->next, 0);
    of__parallel(table->workers, round_some, &r);
}
