/* Scans down columns that lie side by side in memory, row by row. */
#ifndef ONEFOLD_SCAN_SCAN_COLUMNS_H
#define ONEFOLD_SCAN_SCAN_COLUMNS_H

#include "scan/prefix.h"

/* Whether there are such scans: of elements of the scan's own type. */
bool of__scan_has_columns(const of__scan *scan);

/* Scans `rows` rows of n <= OF__SCAN_COLUMNS neighbours. Returns how many rows were done. Where they
 * are not all (sums of floats only), high[i] + low[i] are the sums of the columns so far; both have
 * room for OF__SCAN_COLUMNS numbers. */
int64_t of__scan_columns(const of__scan *scan, const char *from, int64_t from_step, char *to,
                         int64_t to_step, int64_t rows, int64_t n, double *high, double *low);

/* The prefix of a column whose sum is high + low. `any`: there are elements before. */
void of__columns_prefix(const of__scan *scan, double high, double low, bool any,
                        of__prefix *prefix);

#endif
