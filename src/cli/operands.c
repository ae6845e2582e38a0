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

/* Whether all cells are values of a type, and as many as wanted. */
static bool read_cells(const struct operand *operand, of_dtype dtype, int64_t least,
                       of_array **out) {
    of_reader *reader;
    of_reader_opts opts = operand->opts;
    opts.format = OF_FORMAT_CSV;
    opts.dtype = dtype;
    if (of_reader_open(operand->path, &opts, &reader, NULL) != OF_OK ||
        finish(reader, out, NULL) != OF_OK)
        return false;
    if (of_array_size(*out) >= least) return true;
    of_array_release(*out);
    return false;
}

static int read_rest(of_reader *reader, of_array **out) {
    of_error err = {0};
    return finish(reader, out, &err) == OF_OK ? EXIT_SUCCESS : fail(NULL, "%s", err.message);
}

static int read_names(const struct operand *operand, of_array **numbers, of_names **names) {
    of_error err = {0};
    if (of_names_load(operand->path, &operand->opts, numbers, names, &err) == OF_OK)
        return EXIT_SUCCESS;
    return fail(NULL, "%s", err.message);
}

/* CSV cells as the first of these that all of them are: the type preferred, f64 and, unless `names`
 * is NULL, text. One line of text alone is no header of a column of numbers. */
static int read_csv(const struct operand *operand, of_dtype preferred, of_array **out,
                    of_names **names) {
    of_reader *reader;
    const of_dtype numbers[] = {preferred, OF_F64};
    int64_t least = names != NULL ? 1 : 0;
    int status = EXIT_SUCCESS;
    for (int i = 0; i < (names != NULL ? 2 : 1) && status == EXIT_SUCCESS; i++) {
        status = rewind_operand(operand);
        if (status == EXIT_SUCCESS && read_cells(operand, numbers[i], least, out))
            return EXIT_SUCCESS;
    }
    if (status == EXIT_SUCCESS) status = rewind_operand(operand);
    if (status == EXIT_SUCCESS && names != NULL) return read_names(operand, out, names);
    if (status == EXIT_SUCCESS) status = start(operand, &reader);
    return status == EXIT_SUCCESS ? read_rest(reader, out) : status;
}

static int read_operand(const struct operand *operand, of_dtype preferred, of_array **out,
                        of_names **names) {
    of_reader *reader;
    bool tries = preferred != OF_DTYPE_NONE && operand->opts.dtype == OF_DTYPE_NONE;
    int status = tries || operand->again ? rewind_operand(operand) : EXIT_SUCCESS;
    if (status == EXIT_SUCCESS) status = start(operand, &reader);
    if (status != EXIT_SUCCESS) return status;
    if (!tries || !is_csv(reader)) return read_rest(reader, out);
    of_reader_close(reader);
    return read_csv(operand, preferred, out, names);
}

static struct operand first_operand(const struct settings *settings) {
    const char *second = settings->second;
    bool again = second != NULL && !operand_is_file(second);
    return (struct operand){settings->operand, settings->reader, again};
}

static struct operand second_operand(const struct settings *settings) {
    if (operand_is_file(settings->second)) return (struct operand){.path = settings->second};
    struct operand second = {settings->operand, settings->reader, true};
    second.opts.column = settings->second;
    second.opts.dtype = OF_DTYPE_NONE;
    return second;
}

int operand_read(const struct settings *settings, of_dtype preferred, of_array **out) {
    const struct operand operand = first_operand(settings);
    return read_operand(&operand, preferred, out, NULL);
}

int operand_read_second(const struct settings *settings, of_dtype preferred, of_array **out) {
    const struct operand operand = second_operand(settings);
    return read_operand(&operand, preferred, out, NULL);
}

int operand_read_keys(const struct settings *settings, of_array **keys, of_names **names) {
    const struct operand operand = first_operand(settings);
    *names = NULL;
    return read_operand(&operand, OF_I64, keys, names);
}

int operand_read_second_keys(const struct settings *settings, of_array **keys, of_names **names) {
    const struct operand operand = second_operand(settings);
    *names = NULL;
    return read_operand(&operand, OF_I64, keys, names);
}
