/* The arrays of a command that takes them whole: FILE, and the second one that --key, --flags, --ids
 * or --weights names, be it another column of FILE or another file. */
#ifndef ONEFOLD_CLI_OPERANDS_H
#define ONEFOLD_CLI_OPERANDS_H

#include "cli/options.h"

/* Whether a word names a file rather than a column: it is "-", ends in .npy, .csv, .tsv or .txt, or
 * has a / in it. */
bool operand_is_file(const char *word);

/* FILE as messages call it. */
const char *operand_name(const struct settings *settings);

/*
 * These read FILE and the second array. `preferred` is what CSV cells are read as where all of them
 * are that; it does not count beside --dtype, which is about FILE alone. OF_DTYPE_NONE: f64.
 *
 * They return EXIT_SUCCESS, or EXIT_FAILURE after saying what is wrong.
 */
int operand_read(const struct settings *settings, of_dtype preferred, of_array **out);
int operand_read_second(const struct settings *settings, of_dtype preferred, of_array **out);

/* These read FILE or the second array as keys: CSV cells as i64 or else as f64 where all of them are
 * such numbers; else they are text, and *names is what the elements stand for. It is NULL otherwise.
 */
int operand_read_keys(const struct settings *settings, of_array **keys, of_names **names);
int operand_read_second_keys(const struct settings *settings, of_array **keys, of_names **names);

#endif
