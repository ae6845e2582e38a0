/* Rounding an exact value to a float type, once: the only place where values become floats. */
#ifndef ONEFOLD_CORE_ROUND_H
#define ONEFOLD_CORE_ROUND_H

#include <stdbool.h>
#include <stdint.h>

#include <onefold/dtype.h>

/*
 * The bits, in float type `dtype`, of (-1)^negative * (significand + t) * 2^exponent, to nearest,
 * ties to even, where t is 0 when `sticky` is false, else some number in the open interval (0, 1).
 * With sticky the significand must have its top bit set (or be at least 2^62), so that t lies below
 * every bit that decides. Any exponent: overflow gives infinity, underflow a subnormal or zero.
 */
uint64_t of__round_bits(of_dtype dtype, bool negative, uint64_t significand, int64_t exponent,
                        bool sticky);

/* The contract's quiet NaN, an infinity, a zero of float type `dtype`. */
uint64_t of__nan_bits(of_dtype dtype);
uint64_t of__infinity_bits(of_dtype dtype, bool negative);
uint64_t of__zero_bits(of_dtype dtype, bool negative);

/* The significant bits of a float type: 11, 8, 24, 53. */
int of__precision(of_dtype dtype);

#endif
