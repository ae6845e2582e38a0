/* Any bytes as CSV: read whole, in pieces and from a pipe, which must agree; and as text. */
#include <stdlib.h>
#include <string.h>

#include <onefold/onefold.h>

#include "memory_file.h"

/* All values of a file; NULL when something is refused, which `err` then says. */
static of_array *read_all(const char *path, const of_reader_opts *opts, of_error *err) {
    of_reader *reader;
    of_array *array = NULL;
    if (of_reader_open(path, opts, &reader, err) != OF_OK) return NULL;
    if (of_reader_all(reader, &array, err) != OF_OK) REQUIRE(array == NULL);
    of_reader_close(reader);
    return array;
}

/* Reads pieces of at most `most` and compares them with the whole, or with the failure to read it.
 */
static void check_pieces(const char *path, const of_reader_opts *opts, int64_t most,
                         const of_array *whole, const of_error *failure) {
    of_reader *reader;
    of_array *piece = NULL;
    of_error err = {0};
    of_status status = of_reader_open(path, opts, &reader, &err);
    if (status != OF_OK) {
        REQUIRE(status == failure->code);
        return;
    }
    int64_t offset = 0;
    while ((status = of_reader_next(reader, most, &piece, &err)) == OF_OK && piece != NULL) {
        int64_t size = of_array_nbytes(piece);
        if (whole != NULL) {
            REQUIRE(offset + size <= of_array_nbytes(whole));
            const char *expected = (const char *)of_array_data(whole) + offset;
            REQUIRE(memcmp(of_array_data(piece), expected, (size_t)size) == 0);
        }
        offset += size;
        of_array_release(piece);
    }
    REQUIRE(status == failure->code);
    REQUIRE(whole == NULL || offset == of_array_nbytes(whole));
    of_reader_close(reader);
}

static void check_options(const uint8_t *bytes, size_t size, of_reader_opts opts) {
    opts.format = OF_FORMAT_CSV;
    memory_file file = memory_file_make(bytes, size);
    of_error err = {0};
    of_array *whole = read_all(file.path, &opts, &err);
    REQUIRE((whole == NULL) == (err.code != OF_OK));
    check_pieces(file.path, &opts, 1, whole, &err);
    memory_file_close(file);
    if (size <= PIPE_HOLDS) {
        memory_file pipe = memory_pipe_make(bytes, size);
        check_pieces(pipe.path, &opts, 1000, whole, &err);
        memory_file_close(pipe);
    }
    of_array_release(whole);
}

/* Names are sorted and each is some cell's; a column with a header that is numbers is text too. */
static void check_names(const uint8_t *bytes, size_t size, of_reader_opts opts) {
    memory_file file = memory_file_make(bytes, size);
    of_array *numbers = NULL;
    of_names *names = NULL;
    of_status status = of_names_load(file.path, &opts, &numbers, &names, NULL);
    opts.format = OF_FORMAT_CSV;
    of_array *values = opts.column != NULL ? read_all(file.path, &opts, NULL) : NULL;
    REQUIRE(values == NULL || status == OF_OK);
    if (status == OF_OK) {
        int64_t count = of_names_count(names), rows = of_array_size(numbers);
        const int64_t *number = of_array_data(numbers);
        for (int64_t i = 1; i < count; i++)
            REQUIRE(strcmp(of_names_at(names, i - 1), of_names_at(names, i)) < 0);
        char *seen = calloc((size_t)count + 1, 1);
        REQUIRE(seen != NULL);
        for (int64_t i = 0; i < rows; i++) {
            REQUIRE(number[i] >= 0 && number[i] < count);
            seen[number[i]] = 1;
        }
        REQUIRE(strlen(seen) == (size_t)count);
        free(seen);
        REQUIRE(values == NULL || of_array_size(values) == rows);
    }
    of_array_release(values);
    of_array_release(numbers);
    of_names_free(names);
    memory_file_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    check_options(bytes, size, (of_reader_opts){0});
    check_options(bytes, size,
                  (of_reader_opts){.column = "1", .skip_missing = true, .dtype = OF_F32});
    check_options(bytes, size, (of_reader_opts){.column = "x", .dtype = OF_I16});
    check_options(bytes, size,
                  (of_reader_opts){.delimiter = ';', .dtype = OF_U64, .skip_missing = true});
    check_options(bytes, size, (of_reader_opts){.dtype = OF_BOOL});
    check_names(bytes, size, (of_reader_opts){0});
    check_names(bytes, size, (of_reader_opts){.column = "x"});
    check_names(bytes, size, (of_reader_opts){.column = "x", .skip_missing = true});
    return 0;
}
