/* The FILE of a command: opened by its options, then read in pieces or taken whole. What a reader
 * says of a failure names its file already. */
#ifndef ONEFOLD_CLI_INPUT_H
#define ONEFOLD_CLI_INPUT_H

#include "cli/options.h"

struct input {
    const char *name; /* for messages of other calls */
    of_reader *reader;
    int64_t piece_bytes; /* how much is read at once */
    int64_t count;       /* elements given out so far */
};

/* The next elements of the input, in row-major order. */
typedef of_status (*piece_taker)(void *context, const of_array *piece, of_error *err);

/* These return EXIT_SUCCESS, or EXIT_FAILURE after saying what is wrong. */
int input_open(struct input *input, const struct settings *settings);
int input_read_pieces(struct input *input, piece_taker take, void *context);
int input_read_whole(struct input *input, of_array **out);

/* The sizes of the input, complete once it has been read; returns how many. */
int input_shape(const struct input *input, int64_t *shape);

void input_close(struct input *input);

#endif
