/* .npy files that are refused: what they may not say, and how the message says it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "io/file_fixture.h"
#include "io/npy_fixture.h"

#define PLAIN "'fortran_order': False, 'shape': (3,), }"

static void malformed_headers_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *header, *message;
    } bad[] = {
        {"", "ends after 0 bytes without '{'"},
        {"   ", "ends after 3 bytes without '{'"},
        {"(1,)", "byte 0 of the header is '(' where '{' is expected"},
        {"{}", "no key 'descr'"},
        {"{'descr': '<f4'}", "no key 'fortran_order'"},
        {"{'descr': '<f4', 'fortran_order': False}", "no key 'shape'"},
        {"{'descr': '<f4', 'descr': '<f4', " PLAIN,
         "byte 17 of the header: key 'descr' is there twice"},
        {"{'descr': '<f4', 'order': 1, " PLAIN, "key 'order' is unknown"},
        {"{'desc\xc3\xa9': '<f4', " PLAIN, "byte 6 of the header is 0xc3"},
        {"{'descr': '\xff', " PLAIN, "byte 11 of the header is 0xff"},
        {"\xef\xbb\xbf{'descr': '<f4', " PLAIN, "byte 0 of the header is 0xef"},
        {"{'descr': '<f\\64', " PLAIN, "is '\\' where a plain character"},
        {"{'descr': '<f4, ", "without the string's closing quote"},
        {"{'descr' '<f4', " PLAIN, "where ':' is expected"},
        {"{'descr': <f4, " PLAIN, "where a quoted string is expected"},
        {"{descr: '<f4', " PLAIN, "byte 1 of the header is 'd' where a quoted string is expected"},
        {"{'descr': [('x', '<f4'), " PLAIN, "without the closing bracket of 'descr'"},
        {"{'descr': ['\\", "without the closing bracket of 'descr'"},
        {"{'descr': '<f4' 'fortran_order': False}", "where '}' is expected"},
        {"{'descr': '<f4',, " PLAIN, "where a quoted string is expected"},
        {"{'descr': '<f4', " PLAIN " x", "is 'x' where nothing but blanks is expected"},
        {"{'descr': '<f4', " PLAIN "\n{}", "where nothing but blanks is expected"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)", "without '}'"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}", "where True or False is expected"},
        {"{'descr': '<f4', 'fortran_order': 'False', 'shape': (3,)}",
         "where True or False is expected"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 3}", "where '(' is expected"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': [3]}", "where '(' is expected"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3)}", "is ')' where ',' is expected"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3 4)}",
         "is '4' where ',' is expected"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
         "where a size of 0 or more is expected"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}",
         "is '-' where a size of 0 or more"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3.0,)}",
         "is '.' where ',' is expected"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3", "without ')'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,)}",
         "a size below 2^63"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2305843009213693952,)}",
         "past 2^63 - 1"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
         "past 2^63 - 1"},
        {"{'descr': '|u1', 'fortran_order': True, 'shape': (4294967296, 0, 4294967296)}",
         "past 2^63 - 1"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1)}",
         "more than 8 dimensions"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (7,)}",
         "shape (7,) of f32 takes 28 bytes of data, but there are only 24"},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2)}",
         "takes 32 bytes of data, but there are only 24"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846975,)}",
         "takes 9223372036854775800 bytes"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        for (int major = 1; major <= 3; major++) {
            of_array *array = NULL;
            of_error err = {0};
            of_status status = npy_load_text(major, bad[i].header, 24, OF_DTYPE_NONE, &array, &err);
            assert_failure(status, OF_ERR_FORMAT, &err, bad[i].message);
            assert_failure(status, OF_ERR_FORMAT, &err, "/text.npy: ");
            assert_null(array);
        }
    }
}

static void other_types_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *descr;
        of_dtype asked;
        const char *message;
    } bad[] = {
        {"'<c8'", OF_DTYPE_NONE, "descr '<c8' is a type that Onefold does not have"},
        {"'<c16'", OF_F64, "'<c16'"},
        {"'|O'", OF_DTYPE_NONE, "'|O'"},
        {"'<U5'", OF_DTYPE_NONE, "'<U5'"},
        {"'|S4'", OF_DTYPE_NONE, "'|S4'"},
        {"'<M8[ns]'", OF_DTYPE_NONE, "'<M8[ns]'"},
        {"'<m8'", OF_DTYPE_NONE, "'<m8'"},
        {"'<f16'", OF_DTYPE_NONE, "'<f16'"},
        {"'<b2'", OF_DTYPE_NONE, "'<b2'"},
        {"'|i4'", OF_DTYPE_NONE, "'|i4'"},
        {"''", OF_DTYPE_NONE, "descr ''"},
        {"'<'", OF_DTYPE_NONE, "descr '<'"},
        {"'f'", OF_DTYPE_NONE, "descr 'f'"},
        {"'|V2'", OF_DTYPE_NONE,
         "descr '|V2' is raw bytes; a dtype must say what they are, such as bf16"},
        {"'|V8'", OF_DTYPE_NONE, "descr '|V8' is raw bytes; a dtype must say what they are"},
        {"'bfloat16'", OF_DTYPE_NONE, "'bfloat16'"},
        {"'bfloat16'", OF_F16, "descr 'bfloat16' is not the dtype asked for, f16"},
        {"'|V2'", OF_F32, "descr '|V2' is not the dtype asked for, f32"},
        {"'|V16'", OF_F64, "'|V16'"},
        {"'<f4'", OF_F64, "descr '<f4' is not the dtype asked for, f64"},
        {"'<f4'", OF_I32, "descr '<f4' is not the dtype asked for, i32"},
        {"[('x', '<f4'), ('y', '<f4')]", OF_DTYPE_NONE,
         "descr [('x', '<f4'), ('y', '<f4')] is a record type, which Onefold does not have"},
        {"[('\xc3\xa9]', '<f4')]", OF_F32, "descr [('\xc3\xa9]', '<f4')] is a record type"},
        {"('<f4', (2,))", OF_DTYPE_NONE, "('<f4', (2,)) is a record type"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char header[200];
        snprintf(header, sizeof header, "{'descr': %s, " PLAIN, bad[i].descr);
        of_array *array = NULL;
        of_error err = {0};
        of_status status = npy_load_text(1, header, 24, bad[i].asked, &array, &err);
        assert_failure(status, OF_ERR_TYPE, &err, bad[i].message);
        assert_null(array);
    }
    of_array *array;
    of_error err = {0};
    assert_failure(of_npy_load("none.npy", NULL, (of_dtype)99, &array, &err), OF_ERR_TYPE, &err,
                   "99");
}

/* Loads bytes from a file and from a pipe; both have to fail alike. */
static void check_refused(const void *bytes, size_t size, of_status expected, const char *message) {
    of_array *array = NULL;
    of_error err = {0};
    of_status status =
        of_npy_load(fixture_file("bad.npy", bytes, size), NULL, OF_DTYPE_NONE, &array, &err);
    assert_failure(status, expected, &err, message);
    fixture_pipe pipe = fixture_pipe_start(bytes, size, SIZE_MAX);
    err = (of_error){0};
    status = of_npy_load(pipe.path, NULL, OF_DTYPE_NONE, &array, &err);
    assert_failure(status, expected, &err, message);
    fixture_pipe_end(&pipe);
    assert_null(array);
}

static void other_files_are_refused(void **state) {
    (void)state;
    check_refused("", 0, OF_ERR_FORMAT, "the file is empty");
    check_refused("PK\3\4 a zip archive", 17, OF_ERR_FORMAT, "not a .npy file");
    check_refused("\x93NUMPZ\1\0\0\0", 10, OF_ERR_FORMAT, "not a .npy file");
    check_refused("\x93NUMPY\0\0\0\0", 10, OF_ERR_FORMAT,
                  "version 0.0 of .npy is not one of 1.0, 2.0 and 3.0");
    check_refused("\x93NUMPY\4\0\0\0", 10, OF_ERR_FORMAT, "version 4.0");
    check_refused("\x93NUMPY\1\1\0\0", 10, OF_ERR_FORMAT, "version 1.1");
    check_refused("\x93NUMPY\1\0\xff\xff{", 11, OF_ERR_FORMAT,
                  "the file ends after 11 bytes, inside the .npy header");
    check_refused("\x93NUMPY\2\0\xff\xff\xff\xff{", 13, OF_ERR_FORMAT,
                  "header of 4294967295 bytes is longer than");
    check_refused("\x93NUMPY\3\0\1\0\0\0\0", 13, OF_ERR_FORMAT, "byte 0 of the header is 0x00");
}

/* Every way to cut a file short is noticed. */
static void cut_files_are_refused(void **state) {
    (void)state;
    npy_case made = {2, "<u2", 2, false, 2, {3, 2}};
    npy_bytes file = npy_make(&made);
    for (size_t size = 0; size < file.size; size++)
        check_refused(file.data, size, OF_ERR_FORMAT, "");
    check_refused(file.data, 7, OF_ERR_FORMAT,
                  "the file ends after 7 bytes, inside the .npy prefix");
    check_refused(file.data, 11, OF_ERR_FORMAT,
                  "the file ends after 11 bytes, inside the .npy prefix");
    check_refused(file.data, file.size - 1, OF_ERR_FORMAT,
                  "takes 12 bytes of data, but there are only 11");
    npy_free(&file);
}

/* A header from a pipe is believed only as far as data arrives. */
static void promises_of_pipes_cost_nothing(void **state) {
    (void)state;
    npy_bytes file = npy_with_header(
        1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000,)}");
    npy_append(&file, "12345678", 8);
    check_refused(file.data, file.size, OF_ERR_FORMAT,
                  "takes 8000000000000000 bytes of data, but there are only 8");
    of_reader *reader;
    of_array *piece;
    of_error err = {0};
    assert_int_equal(fixture_reader(FROM_PIPE, "", file.data, file.size, NULL, &reader, &err),
                     OF_OK);
    assert_int_equal(of_reader_size(reader), 1000000000000000);
    assert_failure(of_reader_next(reader, 1000, &piece, &err), OF_ERR_FORMAT, &err,
                   "there are only 8");
    of_reader_close(reader);
    npy_free(&file);
}

static void unreadable_files_are_refused(void **state) {
    (void)state;
    of_array *array = NULL;
    of_error err = {0};
    const char *path = fixture_path("missing.npy");
    of_status status = of_npy_load(path, NULL, OF_DTYPE_NONE, &array, &err);
    assert_failure(status, OF_ERR_IO, &err, "missing.npy: No such file or directory");
    status = of_npy_load(fixture_path(""), NULL, OF_DTYPE_NONE, &array, &err);
    assert_failure(status, OF_ERR_IO, &err, "/: Is a directory");
    assert_failure(of_npy_load(NULL, NULL, OF_DTYPE_NONE, &array, &err), OF_ERR_VALUE, &err,
                   "path is NULL");
    assert_failure(of_npy_load("", NULL, OF_DTYPE_NONE, &array, &err), OF_ERR_IO, &err,
                   "No such file");

    char longest[5000];
    memset(longest, 'x', sizeof longest);
    strcpy(longest + 4500, "end.npy");
    status = of_npy_load(longest, NULL, OF_DTYPE_NONE, &array, &err);
    assert_failure(status, OF_ERR_IO, &err, "xxend.npy: File name too long");

    const char *secret = fixture_file("secret.npy", "x", 1);
    assert_int_equal(chmod(secret, 0), 0);
    bool is_root = geteuid() == 0;
    if (is_root) assert_int_equal(seteuid(65534), 0);
    status = of_npy_load(secret, NULL, OF_DTYPE_NONE, &array, &err);
    if (is_root) assert_int_equal(seteuid(0), 0);
    assert_failure(status, OF_ERR_IO, &err, "Permission denied");
    assert_null(array);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_headers_are_refused),
        cmocka_unit_test(other_types_are_refused),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(promises_of_pipes_cost_nothing),
        cmocka_unit_test(unreadable_files_are_refused),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
