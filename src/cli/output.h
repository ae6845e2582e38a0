/* Where the result of a command goes: to standard output as text or JSON, or into files. */
#ifndef ONEFOLD_CLI_OUTPUT_H
#define ONEFOLD_CLI_OUTPUT_H

#include "cli/options.h"

/* One array of a result, row-major. */
struct part {
    const char *name; /* the head of its column, and its name in JSON */
    const of_array *array;
    const char *file;      /* the .npy file that it is written to; NULL: it is printed */
    const of_names *names; /* NULL, or what its i64 elements stand for */
};

/* Larger results are not printed on a terminal. Returns EXIT_SUCCESS, or EXIT_FAILURE after saying
 * so of the file called `name`. */
int output_check_size(const struct settings *settings, const char *name, int64_t size);

/* What a command found: arrays, side by side as they are printed. */
struct result {
    struct part parts[3];
    int count;
    int main; /* the part that JSON tells of first, without a name; the others follow by name */
};

/* Writes the parts that have a file, and prints the others. */
int output_deliver(const char *operation, const struct settings *settings,
                   const struct result *result);

/* As output_deliver, for a result of one array. */
int output_deliver_array(const char *operation, const struct settings *settings,
                         const of_array *array);

#endif
