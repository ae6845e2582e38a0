/* Writing a file that appears under its name only when it is complete. */
#ifndef ONEFOLD_IO_REPLACE_FILE_H
#define ONEFOLD_IO_REPLACE_FILE_H

#include <limits.h>
#include <stdint.h>

#include <onefold/error.h>

typedef struct of__replacement {
    int fd;
    char target[PATH_MAX];    /* with symbolic links followed */
    char temporary[PATH_MAX]; /* beside the target; empty when writing goes to a device or pipe
                                 itself */
    char label[256];
} of__replacement;

/* Starts a file that will replace `path`, or be it. OF_ERR_IO. */
of_status of__replacement_open(const char *path, of__replacement *file, of_error *err);

of_status of__replacement_write(of__replacement *file, const void *bytes, int64_t size,
                                of_error *err);

/* Closes the file. When all went well so far (`status` is OF_OK) it takes the place of the target;
 * otherwise, or when that fails, nothing is left behind and the target is as it was. Returns the
 * status, or OF_ERR_IO. */
of_status of__replacement_close(of__replacement *file, of_status status, of_error *err);

#endif
