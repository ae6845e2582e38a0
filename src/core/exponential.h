/*
 * The exponential of a number that is 0 or less, correctly rounded to f64.
 */
#ifndef ONEFOLD_CORE_EXPONENTIAL_H
#define ONEFOLD_CORE_EXPONENTIAL_H

#include <stdint.h>

/* 2^(j / 128) for 0 <= j < 128, as sums of two f64. */
typedef struct of__exp_table {
    double high[128], low[128];
} of__exp_table;

/* The table, made when it is first asked for; any thread may ask. */
const of__exp_table *of__exp_table_get(void);

/*
 * exp(high + low), rounded once to nearest, ties to even, of the exact sum.
 *
 * high <= 0, |low| at most half a unit in the last place of high; -infinity gives 0, NaN NaN. To be
 * called inside a task (fpenv.h).
 */
double of__exp(const of__exp_table *table, double high, double low);

/* The same, for numbers that are not 0 and give a result that is not, in integers of as many bits
 * as it takes: some microseconds. */
double of__exp_wide(double high, double low);

/* Fills the table. */
void of__exp_wide_table(of__exp_table *table);

#endif
