/* One line on the terminal that tells how far a long reading is. Silent where standard error is no
 * terminal. */
#ifndef ONEFOLD_CLI_PROGRESS_H
#define ONEFOLD_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    int64_t total_bytes; /* -1 when it is not known */
    double start;        /* seconds on the steady clock */
    double last_shown;
    bool wanted;
    bool shown;
};

/* Starts the clock; nothing is shown before a second has passed. */
void progress_start(struct progress *progress, int64_t total_bytes);

/* Shows the line, at most ten times a second. */
void progress_show(struct progress *progress, int64_t done_bytes);

/* Erases the line. */
void progress_end(struct progress *progress);

#endif
