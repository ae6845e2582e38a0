/* Any bytes as a .npy file: read whole, in pieces and from a pipe, which must agree. */
#include <string.h>

#include <onefold/onefold.h>

#include "memory_file.h"

/* Reads a file in pieces and compares them with its elements in row-major order. */
static void check_pieces(const char *path, of_dtype dtype, const of_array *expected,
                         bool may_refuse) {
    of_reader_opts opts = {.format = OF_FORMAT_NPY, .dtype = dtype};
    of_reader *reader;
    REQUIRE(of_reader_open(path, &opts, &reader, NULL) == OF_OK);
    const char *rest = of_array_data(expected);
    int64_t left = of_array_nbytes(expected);
    while (true) {
        of_array *piece = NULL;
        of_status status = of_reader_next(reader, 3, &piece, NULL);
        if (status == OF_ERR_UNSUPPORTED && may_refuse) break;
        REQUIRE(status == OF_OK);
        if (piece == NULL) {
            REQUIRE(left == 0);
            break;
        }
        int64_t size = of_array_nbytes(piece);
        REQUIRE(size > 0 && size <= left && memcmp(of_array_data(piece), rest, (size_t)size) == 0);
        rest += size;
        left -= size;
        of_array_release(piece);
    }
    of_reader_close(reader);
}

/* Loads from a path, to row-major order; NULL when that is refused. */
static of_array *load(const char *path, of_dtype dtype, of_error *err) {
    of_array *array, *copy;
    if (of_npy_load(path, NULL, dtype, &array, err) != OF_OK) {
        REQUIRE(err->code != OF_OK && strlen(err->message) > 0);
        return NULL;
    }
    REQUIRE(of_array_copy(array, &copy, NULL) == OF_OK);
    of_array_release(array);
    return copy;
}

static void check_type(const uint8_t *bytes, size_t size, of_dtype dtype) {
    memory_file file = memory_file_make(bytes, size);
    of_error err = {0}, pipe_err = {0};
    of_array *array = load(file.path, dtype, &err);
    if (array != NULL) check_pieces(file.path, dtype, array, false);
    memory_file_close(file);
    if (size <= PIPE_HOLDS) {
        memory_file pipe = memory_pipe_make(bytes, size);
        of_array *piped = load(pipe.path, dtype, &pipe_err);
        memory_file_close(pipe);
        REQUIRE(err.code == pipe_err.code);
        if (piped != NULL) {
            size_t nbytes = (size_t)of_array_nbytes(array);
            REQUIRE((size_t)of_array_nbytes(piped) == nbytes);
            REQUIRE(nbytes == 0 || memcmp(of_array_data(array), of_array_data(piped), nbytes) == 0);
            pipe = memory_pipe_make(bytes, size);
            check_pieces(pipe.path, dtype, array, true);
            memory_file_close(pipe);
        }
        of_array_release(piped);
    }
    of_array_release(array);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    check_type(bytes, size, OF_DTYPE_NONE);
    check_type(bytes, size, OF_BF16);
    return 0;
}
