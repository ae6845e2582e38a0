#include "cli/input.h"

#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/progress.h"

/* From a mapped file, pieces beside which starting the threads costs nothing; from a pipe, pieces
 * that arrive often and are still in the cache when they are reduced. */
enum { MAPPED_PIECE_BYTES = 1 << 25, PIPED_PIECE_BYTES = 1 << 20 };

int input_open(struct input *input, const struct settings *settings) {
    bool piped = strcmp(settings->operand, "-") == 0;
    *input = (struct input){
        .name = piped ? "standard input" : settings->operand,
        .piece_bytes = piped ? PIPED_PIECE_BYTES : MAPPED_PIECE_BYTES,
    };
    of_error err = {0};
    if (of_reader_open(settings->operand, &settings->reader, &input->reader, &err) != OF_OK)
        return fail(NULL, "%s", err.message);
    return EXIT_SUCCESS;
}

/* A Fortran-ordered .npy file from a pipe cannot be cut into row-major pieces: it is one. */
static of_status next_piece(struct input *input, int64_t most, of_array **piece, of_error *err) {
    of_status status = of_reader_next(input->reader, most, piece, err);
    if (status == OF_ERR_UNSUPPORTED && input->count == 0)
        return of_reader_all(input->reader, piece, err);
    return status;
}

int input_read_pieces(struct input *input, piece_taker take, void *context) {
    int64_t element_bytes = (int64_t)of_dtype_size(of_reader_dtype(input->reader));
    int64_t size = of_reader_size(input->reader);
    struct progress progress;
    progress_start(&progress, size < 0 ? -1 : size * element_bytes);
    of_error err = {0};
    of_status read, taken = OF_OK;
    for (;;) {
        of_array *piece = NULL;
        read = next_piece(input, input->piece_bytes / element_bytes, &piece, &err);
        if (read != OF_OK || piece == NULL) break;
        input->count += of_array_size(piece);
        taken = take(context, piece, &err);
        of_array_release(piece);
        if (taken != OF_OK) break;
        progress_show(&progress, input->count * element_bytes);
    }
    progress_end(&progress);
    if (taken != OF_OK) return fail(input->name, "%s", err.message);
    return read == OF_OK ? EXIT_SUCCESS : fail(NULL, "%s", err.message);
}

int input_read_whole(struct input *input, of_array **out) {
    of_error err = {0};
    if (of_reader_all(input->reader, out, &err) != OF_OK) return fail(NULL, "%s", err.message);
    input->count = of_array_size(*out);
    return EXIT_SUCCESS;
}

int input_shape(const struct input *input, int64_t *shape) {
    int ndim = of_reader_ndim(input->reader);
    int unknown = -1;
    int64_t rest = input->count;
    for (int i = 0; i < ndim; i++) {
        shape[i] = of_reader_shape(input->reader)[i];
        if (shape[i] < 0)
            unknown = i;
        else if (shape[i] > 0)
            rest /= shape[i];
    }
    if (unknown >= 0) shape[unknown] = rest;
    return ndim;
}

void input_close(struct input *input) {
    of_reader_close(input->reader);
    input->reader = NULL;
}
