/* Between f64 and elements of any type, many at a time. To be called inside a task (fpenv.h). */
#ifndef ONEFOLD_GROUP_FLOAT_BITS_H
#define ONEFOLD_GROUP_FLOAT_BITS_H

#include <onefold/dtype.h>

/* The bits of a value rounded once to a float type, NaN becoming the contract's. */
uint64_t of__float_bits(double value, of_dtype dtype);

/* The same of n values, which become contiguous elements of any alignment. */
void of__store_floats(of_dtype dtype, const double *values, int64_t n, void *elements);

/* n contiguous elements of any alignment as f64: exact but for 64-bit integers, which round once. */
void of__load_floats(of_dtype dtype, const void *elements, int64_t n, double *values);

#endif
