/* The contract's conversion of one value, slowly: exact values are __float128, which holds all 13
 * types exactly. */
#ifndef ONEFOLD_TESTS_SLOW_CONVERT_H
#define ONEFOLD_TESTS_SLOW_CONVERT_H

#include <onefold/dtype.h>

of_scalar slow_convert(of_scalar value, of_dtype dtype);

#endif
