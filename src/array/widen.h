/* Integers of any type as 64 bits: what is read as a number of a group, an index, a term modulo
 * 2^64. */
#ifndef ONEFOLD_ARRAY_WIDEN_H
#define ONEFOLD_ARRAY_WIDEN_H

#include <onefold/dtype.h>

/* n contiguous integers, or bools as 0 and 1, of any alignment: where they are, or in `buffer`.
 * u64 from 2^63 on turn negative. */
const int64_t *of__widen(of_dtype dtype, const void *from, int64_t n, int64_t *buffer);

#endif
