/* From the tables to the answers: the one rounding. */
#include <math.h>
#include <string.h>

#include "core/round.h"
#include "core/threads.h"
#include "group/float_bits.h"
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
    atomic_llong next;
} rounding;

static bool is_minus_zero(const of__group_table *table, int64_t sum) {
    return table->minus_zero && table->minus_zero[sum];
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
static void deposit_all(const of__group_table *table, int64_t sum, const of__multiples *m,
                        of_exact *exact) {
    of_exact_clear(exact);
    exact->count = 1;
    exact->not_negative_zeros = 1;
    for (int k = 0; k < OF__GROUP_LEVELS; k++) {
        if (m->of_unit[k])
            of__exact_deposit(exact, m->of_unit[k], table->exponent - k * table->step);
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
    of__multiples m = of__multiples_of(table, sum);
    int64_t number = m.of_unit[0], second = m.of_unit[1], third = m.of_unit[2];
    bool is_short = number >= -whole_most && number <= whole_most && divisor <= whole_most;
    if (!is_listed && !third && !second) {
        if (!number) return of__zero_bits(r->dtype, is_minus_zero(table, sum));
        if (divisor == 1 && is_short) /* exact: units are normal numbers */
            return of__float_bits((double)number * table->unit[0], r->dtype);
        if (is_short && r->dtype == OF_F64)
            return of__f64_bits((double)number / (double)divisor * table->unit[0]);
    }
    if (!is_listed && !third && divisor == 1) {
        __int128 total = (__int128)number * ((__int128)1 << table->step) + second;
        if (!total) return of__zero_bits(r->dtype, false);
        return round_total(total, table->exponent - table->step, r->dtype);
    }
    of_exact exact;
    deposit_all(table, sum, &m, &exact);
    return of__exact_round_bits(&exact, (uint64_t)divisor, r->dtype);
}

static uint64_t round_integer(const rounding *r, int64_t sum, int64_t divisor) {
    int64_t number = of__multiples_of(r->table, sum).of_unit[0];
    if (!of_dtype_is_float(r->dtype)) return (uint64_t)number;
    if (!number) return 0;
    if (number >= -whole_most && number <= whole_most && divisor <= whole_most &&
        (divisor == 1 || r->dtype == OF_F64))
        return of__float_bits((double)number / (double)divisor, r->dtype);
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
        int64_t start = atomic_fetch_add(&r->next, SUMS_TOGETHER);
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
    rounding r = {table, divisor, dtype, out, 0};
    of__parallel(table->workers, round_some, &r);
}
