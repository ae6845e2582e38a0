/* Values as JSON, on standard output. What JSON cannot write, "nan", "inf" and "-inf", becomes a
 * string. */
#ifndef ONEFOLD_CLI_JSON_H
#define ONEFOLD_CLI_JSON_H

#include <onefold/onefold.h>

void json_print_string(const char *text);
void json_print_scalar(of_scalar value);
void json_print_shape(int ndim, const int64_t *shape);

/* Row-major arrays only. Nested lists, the last dimension innermost. */
void json_print_array(const of_array *array);

/* The bytes of a value in hexadecimal, the lowest first, as a string. */
void json_print_bits(of_scalar value);

/* The bytes of all elements in row-major order. */
void json_print_array_bits(const of_array *array);

#endif
