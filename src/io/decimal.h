/* Decimal numbers as people write them, made numbers without a detour: the common short ones,
 * exactly. */
#ifndef ONEFOLD_IO_DECIMAL_H
#define ONEFOLD_IO_DECIMAL_H

#include <onefold/dtype.h>

/*
 * The value of type `dtype` that text[0 .. length) denotes, rounded once by integer arithmetic
 * alone:
 *
 *     decimal = ["+" | "-"] digits ["." digits] [("e" | "E") ["+" | "-"] digits], digits on one
 * side of "." at least
 *
 * False when the text is no decimal, or one that is left to of_scalar_parse: more than 19
 * significant digits, an exponent beyond 27, a fraction for an integer type, a value that an
 * integer type cannot hold, any bool.
 */
bool of__decimal_parse(const char *text, int64_t length, of_dtype dtype, of_scalar *out);

#endif
