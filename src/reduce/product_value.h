/* Exact products of two elements of any types, as values that compare: what argmin and argmax of
 * products need where f64 does not hold them. */
#ifndef ONEFOLD_REDUCE_PRODUCT_VALUE_H
#define ONEFOLD_REDUCE_PRODUCT_VALUE_H

#include <onefold/dtype.h>

/* magnitude * 2^exponent, of 53 + 64 bits at most for a float, 128 for two integers. */
typedef struct of__product_value {
    unsigned __int128 magnitude;
    int exponent; /* 0 of zero; past every finite one of infinity */
    bool negative, nan;
} of__product_value;

of__product_value of__product_value_of(of_scalar a, of_scalar b);

/* Negative, 0 or positive as a is smaller, equal or larger; the zeros are equal, neither is NaN. */
int of__product_value_compare(const of__product_value *a, const of__product_value *b);

#endif
