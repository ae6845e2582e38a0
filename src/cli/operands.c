#include "cli/operands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/message.h"

static bool has_suffix(const char *word, const char *suffix) {
    size_t length = strlen(word), size = strlen(suffix);
    return length > size && strcasecmp(word + length - size, suffix) == 0;
}

bool operand_is_file(const char *word) {
    return strcmp(word, "-") == 0 || strchr(word, '/') != NULL || has_suffix(word, ".npy") ||
           has_suffix(word, ".csv") || has_suffix(word, ".tsv") || has_suffix(word, ".txt");
}

const char *operand_name(const struct settings *settings) {
    return strcmp(settings->operand, "-") == 0 ? "standard input" : settings->operand;
}

/* ---- Standard input, which is read more than once ---- */

static off_t input_start = -1; /* where it begins, once that is known */

static int fail_input(void) {
    return fail("standard input", "%s", strerror(errno));
}

/* Puts a temporary file with all of standard input in its place. */
static int spool(void) {
    char buffer[1 << 16];
    ssize_t got;
    FILE *file = tmpfile();
    if (file == NULL) return fail("temporary file", "%s", strerror(errno));
    while ((got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0 && fwrite(buffer, 1, (size_t)got, file) != (size_t)got) break;
    int status = EXIT_SUCCESS;
    if (got < 0)
        status = fail_input();
    else if (got > 0 || fflush(file) != 0)
        status = fail("temporary file", "%s", strerror(errno));
    else if (dup2(fileno(file), STDIN_FILENO) < 0)
        status = fail_input();
    fclose(file);
    return status;
}

/* Makes the next reading of standard input begin where the first one did. */
static int rewind_input(void) {
    if (input_start < 0 && (input_start = lseek(STDIN_FILENO, 0, SEEK_CUR)) < 0) {
        int status = spool();
        if (status != EXIT_SUCCESS) return status;
        input_start = 0;
    }
    return lseek(STDIN_FILENO, input_start, SEEK_SET) < 0 ? fail_input() : EXIT_SUCCESS;
}

/* ---- Reading ---- */

/* A way to read a file, maybe more than once. */
struct operand {
    const char *path;
    of_reader_opts opts;
    bool again; /* it will be read again after this */
};

static int rewind_operand(const struct operand *operand) {
    return strcmp(operand->path, "-") == 0 ? rewind_input() : EXIT_SUCCESS;
}

static int start(const struct operand *operand, of_reader **out) {
    of_error err = {0};
    if (of_reader_open(operand->path, &operand->opts, out, &err) == OF_OK) return EXIT_SUCCESS;
    return fail(NULL, "%s", err.message);
}

/* Takes what a reader has, and closes it. */
static of_status finish(of_reader *reader, of_array **out, of_error *err) {
    of_status status = of_reader_all(reader, out, err);
    of_reader_close(reader);
    return status;
}

/* Only CSV does not know how much there is. */
static bool is_csv(const of_reader *reader) {
    return of_reader_size(reader) < 0;
}

/* Whether all cells are values of a type. */
static bool read_cells(const struct operand *operand, of_dtype dtype, of_array **out) {
    of_reader *reader;
    of_reader_opts opts = operand->opts;
    opts.format = OF_FORMAT_CSV;
    opts.dtype = dtype;
    return of_reader_open(operand->path, &opts, &reader, NULL) == OF_OK &&
           finish(reader, out, NULL) == OF_OK;
}

static int read_operand(const struct operand *operand, of_dtype preferred, of_array **out) {
    of_reader *reader;
    of_error err = {0};
    int status = EXIT_SUCCESS;
    bool tries = preferred != OF_DTYPE_NONE && operand->opts.dtype == OF_DTYPE_NONE;
    if (tries || operand->again) status = rewind_operand(operand);
    if (status == EXIT_SUCCESS) status = start(operand, &reader);
    if (status == EXIT_SUCCESS && tries && is_csv(reader)) {
        of_reader_close(reader);
        status = rewind_operand(operand);
        if (status == EXIT_SUCCESS && read_cells(operand, preferred, out)) return EXIT_SUCCESS;
        if (status == EXIT_SUCCESS) status = rewind_operand(operand);
        if (status == EXIT_SUCCESS) status = start(operand, &reader);
    }
    if (status == EXIT_SUCCESS && finish(reader, out, &err) != OF_OK)
        status = fail(NULL, "%s", err.message);
    return status;
}

int operand_read(const struct settings *settings, of_dtype preferred, of_array **out) {
    const char *second = settings->second;
    const struct operand file = {.path = settings->operand,
                                 .opts = settings->reader,
                                 .again = second != NULL && !operand_is_file(second)};
    return read_operand(&file, preferred, out);
}

int operand_read_second(const struct settings *settings, of_dtype preferred, of_array **out) {
    struct operand second = {.path = settings->second};
    if (!operand_is_file(settings->second)) {
        second = (struct operand){settings->operand, settings->reader, true};
        second.opts.column = settings->second;
        second.opts.dtype = OF_DTYPE_NONE;
    }
    return read_operand(&second, preferred, out);
}
