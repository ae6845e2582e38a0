/* From f64 to an element of any float type. */
#ifndef ONEFOLD_GROUP_FLOAT_BITS_H
#define ONEFOLD_GROUP_FLOAT_BITS_H

#include <onefold/dtype.h>

/* The bits of a value rounded once to a float type, NaN becoming the contract's. To be called inside
 * a task (fpenv.h). */
uint64_t of__float_bits(double value, of_dtype dtype);

#endif
