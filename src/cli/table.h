/* A small array as text. */
#ifndef ONEFOLD_CLI_TABLE_H
#define ONEFOLD_CLI_TABLE_H

#include <onefold/array.h>

/* Prints a row-major array: one value a line when it has one dimension; otherwise one row a line,
 * in columns, and from three dimensions on each matrix under a line that tells which it is, as in
 * "[1, :, :]". */
void table_print(const of_array *array);

#endif
