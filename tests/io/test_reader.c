/* The reader: which format a file has, pieces, ends, and memory that is not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "core/alloc.h"
#include "io/file_fixture.h"
#include "io/npy_fixture.h"

static of_reader *opened(int from, const char *name, const void *bytes, size_t size,
                         const of_reader_opts *opts) {
    of_reader *reader = NULL;
    of_error err = {0};
    if (fixture_reader(from, name, bytes, size, opts, &reader, &err) != OF_OK)
        fail_msg("%s: %s", name, err.message);
    return reader;
}

static void check_format(int from, const char *name, const char *bytes, size_t size,
                         of_reader_opts opts, of_dtype dtype, int64_t count) {
    of_reader *reader = opened(from, name, bytes, size, &opts);
    assert_int_equal(of_reader_dtype(reader), dtype);
    of_array *all;
    assert_int_equal(of_reader_all(reader, &all, NULL), OF_OK);
    assert_int_equal(of_array_size(all), count);
    of_array_release(all);
    of_reader_close(reader);
}

static void formats_are_found(void **state) {
    (void)state;
    npy_bytes npy = npy_make(&(npy_case){1, "<i2", 2, false, 1, {5}});
    const of_reader_opts none = {0}, floats = {.dtype = OF_F32}, shorts = {.dtype = OF_I16};
    const char *names[] = {"x.npy", "x.csv", "x.bin", "x"};
    for (int i = 0; i < 4; i++)
        check_format(FROM_FILE, names[i], npy.data, npy.size, none, OF_I16, 5);
    check_format(FROM_PIPE, "", npy.data, npy.size, none, OF_I16, 5);
    check_format(FROM_SLOW_PIPE, "", npy.data, npy.size, shorts, OF_I16, 5);
    check_format(FROM_FILE, "x.npy", npy.data, npy.size,
                 (of_reader_opts){.format = OF_FORMAT_RAW, .dtype = OF_U8}, OF_U8,
                 (int64_t)npy.size);
    npy_free(&npy);

    const char *csv[] = {"x.csv", "x.tsv", "x.txt", "x.CSV"};
    for (int i = 0; i < 4; i++) check_format(FROM_FILE, csv[i], "a\n1\n2\n", 6, none, OF_F64, 2);
    check_format(FROM_FILE, "x.csv", "a\n1\n22\n", 7, floats, OF_F32, 2);
    check_format(FROM_FILE, "x.bin", "a\n1\n2\n22", 8, floats, OF_F32, 2);
    check_format(FROM_PIPE, "", "a\n1\n2\n22", 8, floats, OF_F32, 2);
    check_format(FROM_PIPE, "", "a\n1\n2\n22", 8, (of_reader_opts){.format = OF_FORMAT_CSV}, OF_F64,
                 3);
    check_format(FROM_SLOW_PIPE, "", "ab", 2, (of_reader_opts){.dtype = OF_U8}, OF_U8, 2);
}

static void check_open_failure(const char *name, const char *bytes, of_reader_opts opts,
                               of_status expected, const char *message) {
    of_reader *reader = NULL;
    of_error err = {0};
    of_status status = fixture_reader(FROM_FILE, name, bytes, strlen(bytes), &opts, &reader, &err);
    assert_failure(status, expected, &err, message);
    assert_null(reader);
}

static void wrong_options_are_refused(void **state) {
    (void)state;
    check_open_failure("x.bin", "abcd", (of_reader_opts){0}, OF_ERR_FORMAT,
                       "x.bin: neither .npy by content nor CSV by name (.csv, .tsv, .txt); raw "
                       "data needs a dtype");
    check_open_failure("x.bin", "", (of_reader_opts){0}, OF_ERR_FORMAT, "raw data needs a dtype");
    check_open_failure("x.csv", "", (of_reader_opts){0}, OF_ERR_FORMAT, "x.csv: the file is empty");
    check_open_failure("x.bin", "abcd", (of_reader_opts){.format = OF_FORMAT_NPY}, OF_ERR_FORMAT,
                       "not a .npy file");
    check_open_failure("x.bin", "abcd", (of_reader_opts){.format = OF_FORMAT_RAW}, OF_ERR_TYPE,
                       "dtype must be given");
    check_open_failure("x.bin", "abcd", (of_reader_opts){.format = 9}, OF_ERR_VALUE,
                       "format 9 is not a format");
    check_open_failure("x.bin", "abcd", (of_reader_opts){.dtype = OF_DTYPE_END}, OF_ERR_TYPE,
                       "is not a type");
    check_open_failure("x.bin", "abcd", (of_reader_opts){.dtype = OF_U8, .ndim = 9}, OF_ERR_VALUE,
                       "ndim 9");
    check_open_failure("x.bin", "abcd", (of_reader_opts){.dtype = OF_U8, .ndim = 1, .shape = {5}},
                       OF_ERR_FORMAT, "takes 5 bytes of data, but there are only 4");
    of_reader *reader = NULL;
    of_error err = {0};
    assert_failure(of_reader_open(fixture_path("no"), NULL, &reader, &err), OF_ERR_IO, &err,
                   "/no: No such file");
    assert_failure(of_reader_open(NULL, NULL, &reader, &err), OF_ERR_VALUE, &err, "path is NULL");
    assert_failure(of_reader_open(fixture_path(""), NULL, &reader, &err), OF_ERR_IO, &err,
                   "Is a directory");
    assert_null(reader);
    of_reader_close(NULL);
}

/* Reads all of a reader in pieces; returns the number of elements, which must be the bytes 0, 1, 2,
 * ... */
static int64_t count_bytes(of_reader *reader, int64_t most) {
    int64_t count = 0;
    of_array *piece;
    while (true) {
        of_error err = {0};
        if (of_reader_next(reader, most, &piece, &err) != OF_OK) fail_msg("%s", err.message);
        if (piece == NULL) return count;
        const unsigned char *bytes = of_array_data(piece);
        assert_in_range(of_array_size(piece), 1, most);
        for (int64_t i = 0; i < of_array_size(piece); i++)
            assert_int_equal(bytes[i], count++ & 0xff);
        of_array_release(piece);
    }
}

static void pieces_have_any_size(void **state) {
    (void)state;
    enum { SIZE = 3000000 };
    unsigned char *bytes = malloc(SIZE);
    for (int i = 0; i < SIZE; i++) bytes[i] = (unsigned char)i;
    of_reader_opts opts = {.format = OF_FORMAT_RAW, .dtype = OF_U8};
    const int64_t most[] = {1, 3, 4096, 999999, SIZE, INT64_MAX};
    for (int from = FROM_FILE; from <= FROM_PIPE; from++) {
        for (int i = 0; i < 6; i++) {
            int64_t size = most[i] < 10 ? 5000 : SIZE;
            of_reader *reader = opened(from, "bytes", bytes, (size_t)size, &opts);
            assert_int_equal(of_reader_size(reader), from == FROM_FILE ? size : -1);
            assert_int_equal(of_reader_shape(reader)[0], from == FROM_FILE ? size : -1);
            assert_int_equal(count_bytes(reader, most[i]), size);
            assert_int_equal(count_bytes(reader, most[i]), 0);
            of_reader_close(reader);
        }
    }
    free(bytes);
}

static void shapes_are_known_where_they_can_be(void **state) {
    (void)state;
    const char bytes[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    of_reader_opts opts = {.dtype = OF_U8, .ndim = 2, .shape = {3, -1}};
    of_reader *reader = opened(FROM_FILE, "bytes", bytes, 12, &opts);
    assert_int_equal(of_reader_ndim(reader), 2);
    assert_int_equal(of_reader_shape(reader)[1], 4);
    of_reader_close(reader);

    reader = opened(FROM_PIPE, "", bytes, 12, &opts);
    assert_int_equal(of_reader_ndim(reader), 2);
    assert_int_equal(of_reader_shape(reader)[0], 3);
    assert_int_equal(of_reader_shape(reader)[1], -1);
    assert_int_equal(of_reader_size(reader), -1);
    assert_int_equal(count_bytes(reader, 5), 12);
    assert_int_equal(of_reader_shape(reader)[1], 4);
    assert_int_equal(of_reader_size(reader), 12);
    of_reader_close(reader);

    opts.shape[1] = 4;
    reader = opened(FROM_SLOW_PIPE, "", bytes, 12, &opts);
    assert_int_equal(of_reader_size(reader), 12);
    of_array *all;
    assert_int_equal(of_reader_all(reader, &all, NULL), OF_OK);
    assert_memory_equal(of_array_data(all), bytes, 12);
    assert_int_equal(of_array_ndim(all), 2);
    of_array_release(all);
    of_reader_close(reader);
}

/* Reads pieces until the failure, which must be this one. */
static void check_failing_pieces(size_t size, of_reader_opts opts, const char *message) {
    const char bytes[12] = {0};
    of_reader *reader = opened(FROM_PIPE, "", bytes, size, &opts);
    of_array *piece = NULL;
    of_error err = {0};
    of_status status;
    do {
        of_array_release(piece);
        piece = NULL;
        status = of_reader_next(reader, 2, &piece, &err);
    } while (piece != NULL);
    assert_failure(status, OF_ERR_FORMAT, &err, message);
    of_reader_close(reader);
}

static void pipes_that_end_wrongly_are_refused(void **state) {
    (void)state;
    check_failing_pieces(7, (of_reader_opts){.dtype = OF_U16},
                         "7 bytes of data do not divide into steps of 2 bytes");
    check_failing_pieces(10, (of_reader_opts){.dtype = OF_U16, .ndim = 2, .shape = {-1, 3}},
                         "10 bytes of data do not divide into steps of 6 bytes");
    check_failing_pieces(10, (of_reader_opts){.dtype = OF_U16, .ndim = 1, .shape = {6}},
                         "there are only 10");
    check_failing_pieces(12, (of_reader_opts){.dtype = OF_U16, .ndim = 1, .shape = {5}},
                         "there is more data than the 10");
}

static void calls_out_of_turn_are_refused(void **state) {
    (void)state;
    const of_reader_opts opts = {.dtype = OF_U8};
    of_reader *reader = opened(FROM_FILE, "bytes", "\0\1\2", 3, &opts);
    of_array *piece = NULL, *all = NULL;
    of_error err = {0};
    assert_failure(of_reader_next(reader, 0, &piece, &err), OF_ERR_VALUE, &err, "most is 0");
    assert_failure(of_reader_next(reader, -5, &piece, &err), OF_ERR_VALUE, &err, "most is -5");
    assert_int_equal(of_reader_next(reader, 1, &piece, NULL), OF_OK);
    of_array_release(piece);
    assert_failure(of_reader_all(reader, &all, &err), OF_ERR_VALUE, &err, "reading has begun");
    assert_null(all);
    of_reader_close(reader);

    reader = opened(FROM_FILE, "bytes", "\0\1\2", 3, &opts);
    assert_int_equal(of_reader_all(reader, &all, NULL), OF_OK);
    assert_int_equal(of_reader_next(reader, 1, &piece, NULL), OF_OK);
    assert_null(piece);
    assert_failure(of_reader_all(reader, &piece, &err), OF_ERR_VALUE, &err, "reading has begun");
    of_reader_close(reader);
    assert_memory_equal(of_array_data(all), "\0\1\2", 3);
    of_array_release(all);
}

static void standard_input_is_read_in_pieces(void **state) {
    (void)state;
    fixture_pipe pipe = fixture_pipe_start("x,y\n0,5\n1,6\n2,7\n", 16, 3);
    int saved = fixture_standard_input(pipe.reading_end);
    of_reader_opts opts = {.format = OF_FORMAT_CSV, .column = "x", .dtype = OF_U8};
    of_reader *reader;
    assert_int_equal(of_reader_open("-", &opts, &reader, NULL), OF_OK);
    assert_int_equal(count_bytes(reader, 2), 3);
    of_reader_close(reader);
    char rest;
    assert_int_equal(read(STDIN_FILENO, &rest, 1),
                     0); /* closing the reader leaves standard input open */
    of_error err = {0};
    assert_failure(of_reader_open("-", &opts, &reader, &err), OF_ERR_FORMAT, &err,
                   "standard input: the file is empty");
    fixture_standard_input(saved);
    fixture_pipe_end(&pipe);
}

/* ---- Memory that is not there ---- */

typedef struct scenario {
    const char *name;
    int from;
    npy_bytes file;
    of_reader_opts opts;
    int64_t most; /* 0: all at once */
} scenario;

/* Reads a file to its end, and gives back everything whatever happens. */
static of_status read_to_end(const scenario *scene, of_error *err) {
    of_reader *reader = NULL;
    of_array *piece = NULL;
    of_status status = fixture_reader(scene->from, scene->name, scene->file.data, scene->file.size,
                                      &scene->opts, &reader, err);
    if (status == OF_OK && scene->most == 0) {
        status = of_reader_all(reader, &piece, err);
        of_array_release(piece);
    } else if (status == OF_OK) {
        do {
            of_array_release(piece);
            piece = NULL;
            status = of_reader_next(reader, scene->most, &piece, err);
        } while (piece != NULL);
    }
    of_reader_close(reader);
    return status;
}

static of_status save_strided(const scenario *scene, of_error *err) {
    of_array *array;
    int64_t shape[] = {2, 3}, strides[] = {1, 2};
    of__alloc_fail_after(-1);
    assert_int_equal(of_array_wrap(NULL, OF_U8, 2, shape, strides, scene->file.data, 0, NULL, NULL,
                                   &array, NULL),
                     OF_OK);
    of__alloc_fail_after((int64_t)scene->most);
    of_status status = of_npy_save(fixture_path("strided.npy"), array, err);
    of_array_release(array);
    return status;
}

/* Lets the first allocation fail, then the second, ... until the call succeeds. */
static void failing_memory_is_reported(void **state) {
    (void)state;
    const npy_case row_major = {1, "<f4", 4, false, 2, {30, 20}},
                   fortran = {1, "<f4", 4, true, 2, {30, 20}},
                   swapped = {1, ">f4", 4, false, 2, {30, 20}},
                   turned = {1, ">f4", 4, true, 2, {30, 20}};
    npy_bytes csv = {0};
    for (int i = 0; i < 200; i++) npy_append(&csv, "1.5,2\n", 6);
    npy_append(&csv, "", 0);
    const scenario scenes[] = {
        {"a.npy", FROM_FILE, npy_make(&row_major), {0}, 0},
        {"b.npy", FROM_FILE, npy_make(&row_major), {0}, 100},
        {"c.npy", FROM_FILE, npy_make(&fortran), {0}, 0},
        {"d.npy", FROM_FILE, npy_make(&fortran), {0}, 100},
        {"e.npy", FROM_FILE, npy_make(&swapped), {0}, 0},
        {"f.npy", FROM_FILE, npy_make(&swapped), {0}, 100},
        {"g.npy", FROM_FILE, npy_make(&turned), {0}, 0},
        {"h.npy", FROM_FILE, npy_make(&turned), {0}, 100},
        {"i", FROM_PIPE, npy_make(&row_major), {0}, 0},
        {"j", FROM_PIPE, npy_make(&row_major), {0}, 100},
        {"k", FROM_PIPE, npy_make(&row_major), {.format = OF_FORMAT_RAW, .dtype = OF_U8}, 0},
        {"l.csv", FROM_FILE, csv, {0}, 0},
        {"m.csv", FROM_FILE, csv, {.column = "1"}, 100},
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        of_status status;
        int64_t allowed = 0;
        do {
            of_error err = {0};
            of__alloc_fail_after(allowed++);
            status = read_to_end(&scenes[i], &err);
            of__alloc_fail_after(-1);
            if (status != OF_OK) assert_failure(status, OF_ERR_MEMORY, &err, "");
        } while (status != OF_OK);
        if (allowed < 3) fail_msg("%s allocates nothing", scenes[i].name);
    }
    scenario saved = scenes[0];
    of_error err = {0};
    saved.most = 0;
    assert_failure(save_strided(&saved, &err), OF_ERR_MEMORY, &err, "could not be allocated");
    saved.most = 1;
    assert_int_equal(save_strided(&saved, &err), OF_OK);
    of__alloc_fail_after(-1);
    for (size_t i = 0; i + 1 < sizeof scenes / sizeof *scenes; i++) {
        npy_bytes file = scenes[i].file;
        npy_free(&file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_found),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(pieces_have_any_size),
        cmocka_unit_test(shapes_are_known_where_they_can_be),
        cmocka_unit_test(pipes_that_end_wrongly_are_refused),
        cmocka_unit_test(calls_out_of_turn_are_refused),
        cmocka_unit_test(standard_input_is_read_in_pieces),
        cmocka_unit_test(failing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
