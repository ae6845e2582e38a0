/* A small array as text. */
#ifndef ONEFOLD_CLI_TABLE_H
#define ONEFOLD_CLI_TABLE_H

#include <onefold/names.h>

/* Prints a row-major array: one value a line when it has one dimension; otherwise one row a line,
 * in columns, and from three dimensions on each matrix under a line that tells which it is, as in
 * "[1, :, :]". */
void table_print(const of_array *array);

/* A column of a table: an array of one dimension, and what stands above it. */
struct column {
    const char *title; /* NULL: nothing */
    const of_array *array;
    const of_names *names; /* NULL, or what the i64 elements stand for */
};

enum { MOST_COLUMNS = 4 };

/* Prints up to MOST_COLUMNS columns of equal length side by side, numbers to the right and names to
 * the left. */
void table_print_columns(const struct column *columns, int count);

#endif
