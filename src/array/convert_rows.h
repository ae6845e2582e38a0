/* Conversion of elements that lie one after another, for each pair of types. */
#ifndef ONEFOLD_ARRAY_CONVERT_ROWS_H
#define ONEFOLD_ARRAY_CONVERT_ROWS_H

#include <stdint.h>

#include <onefold/dtype.h>

/* Converts `count` elements; memory of any alignment that does not overlap. */
typedef void (*of__convert_row)(char *restrict to, const char *restrict from, int64_t count);

/* NULL when the types are equal: elements of one type are moved, not converted. */
of__convert_row of__convert_row_for(of_dtype to, of_dtype from);

#endif
