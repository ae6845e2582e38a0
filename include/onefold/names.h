/*
 * Columns of text as numbers: what a table is grouped by is often a name.
 */
#ifndef ONEFOLD_NAMES_H
#define ONEFOLD_NAMES_H

#include <onefold/io.h>

OF_BEGIN_C

/* The different texts of a column, in the order of their bytes. */
typedef struct of_names of_names;

/**
 * Reads a CSV column of text: each cell becomes the number of its name.
 *
 *     names = the different cells, sorted by their bytes;
 *     for (i = 0; i < rows; i++) numbers[i] = where cells[i] stands among names;
 *
 * So equal numbers are equal texts, and numbers in order are texts in order.
 *
 * path      the file, or "-" for standard input.
 * opts      column, delimiter and skip_missing as for of_reader_open; others are not used. NULL: all
 *           defaults. The first line is a header when `column` is a name, and else a row.
 * numbers   receives a new i64 array of one dimension; the caller releases it.
 * names     receives the names; the caller frees them.
 *
 * Cells are taken without the blanks around them, quoted ones without their quotes and the blanks
 * inside these.
 * Cost: one pass, and a sort of the names; memory for the numbers and the names.
 * OF_ERR_FORMAT: there is no line, a cell is empty and skip_missing is not set, a cell holds a zero
 * byte, or the file is no CSV. OF_ERR_VALUE: the column is not there, or has its name twice.
 * OF_ERR_IO, OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_names_load(const char *path, const of_reader_opts *opts,
                                           of_array **numbers, of_names **names, of_error *err);

/** How many names there are. */
OF_API int64_t of_names_count(const of_names *names);

/** The name of a number, ended by a zero; NULL where there is none. It lives as long as `names`. */
OF_API const char *of_names_at(const of_names *names, int64_t number);

/** Frees names. NULL is allowed. */
OF_API void of_names_free(of_names *names);

OF_END_C

#endif
