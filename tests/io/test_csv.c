/* CSV: what rows and cells are, which column is read, and what its numbers may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "io/file_fixture.h"

/* Reads a text in pieces of at most `most`, or whole when that is 0; expects these values. */
static void check_read(int from, const char *text, size_t size, const of_reader_opts *opts,
                       int64_t most, const double *values, int64_t count) {
    of_reader *reader;
    of_error err = {0};
    if (fixture_reader(from, "table.csv", text, size, opts, &reader, &err) != OF_OK)
        fail_msg("\"%s\": %s", text, err.message);
    assert_int_equal(of_reader_ndim(reader), 1);
    assert_int_equal(of_reader_shape(reader)[0], -1);
    assert_int_equal(of_reader_size(reader), -1);
    of_dtype dtype = opts->dtype == OF_DTYPE_NONE ? OF_F64 : opts->dtype;
    assert_int_equal(of_reader_dtype(reader), dtype);
    int64_t k = 0;
    while (true) {
        of_array *piece = NULL;
        of_status status = most == 0 ? of_reader_all(reader, &piece, &err)
                                     : of_reader_next(reader, most, &piece, &err);
        if (status != OF_OK) fail_msg("\"%s\": %s", text, err.message);
        if (piece == NULL) break;
        assert_int_equal(of_array_dtype(piece), dtype);
        assert_true(of_array_is_read_only(piece));
        if (most > 0) assert_in_range(of_array_size(piece), 1, most);
        for (int64_t i = 0; i < of_array_size(piece); i++, k++) {
            of_scalar element;
            assert_int_equal(of_array_get(piece, &i, &element, NULL), OF_OK);
            if (k >= count) fail_msg("\"%s\" has more than %d values", text, (int)count);
            if (of_scalar_to_f64(element) != values[k])
                fail_msg("\"%s\" has %g at %d, not %g", text, of_scalar_to_f64(element), (int)k,
                         values[k]);
        }
        of_array_release(piece);
        if (most == 0) break;
    }
    assert_int_equal(k, count);
    of_reader_close(reader);
}

static void check_sized(const char *text, size_t size, of_reader_opts opts, const double *values,
                        int64_t count) {
    opts.format = OF_FORMAT_CSV;
    for (int from = 0; from < FROM_COUNT; from++) {
        check_read(from, text, size, &opts, 0, values, count);
        check_read(from, text, size, &opts, 1, values, count);
        check_read(from, text, size, &opts, 1000, values, count);
    }
}

/* check(text, options, values...): the text is read as these values, however it arrives. */
#define check(text, opts, ...)                                                                     \
    check_sized(text, strlen(text), opts, (double[]){__VA_ARGS__},                                 \
                sizeof((double[]){__VA_ARGS__}) / sizeof(double))
#define OPTS(...) ((of_reader_opts){__VA_ARGS__})
#define NO_OPTS   ((of_reader_opts){0})

static void lines_are_rows(void **state) {
    (void)state;
    check("1\n2\n3\n", NO_OPTS, 1, 2, 3);
    check("1\n2\n3", NO_OPTS, 1, 2, 3);
    check("1\r\n2\r\n3\r\n", NO_OPTS, 1, 2, 3);
    check("1\r\n2\r\n3\r", NO_OPTS, 1, 2, 3);
    check("\n\n1\n\r\n  \n \t \r\n2\n\n", NO_OPTS, 1, 2);
    check("1,10\n2,20\n3,30\n", OPTS(.column = "1"), 10, 20, 30);
    check("  1 ,\t10 \n 2\t, 20\n", OPTS(.column = "1"), 10, 20);
    check("\xef\xbb\xbf"
          "5\n6\n",
          NO_OPTS, 5, 6);
    check("\xef\xbb\xbf"
          "a,b\n5,6\n",
          OPTS(.column = "a"), 5);
    check("4", NO_OPTS, 4);
    /* Only the chosen column is looked at. */
    check("1,x,\n2\n3,\"y,\",z,z\n", NO_OPTS, 1, 2, 3);
    check_sized("1\n2,\0,3\n", 8, NO_OPTS, (double[]){1, 2}, 2);
}

static void quotes_hold_cells_together(void **state) {
    (void)state;
    check("\"1\"\n\"2\" \r\n\" 3 \"\n", NO_OPTS, 1, 2, 3);
    check("\"a,b\",1\n\"c\"\"d\",2\n\"e\nf\r\n\ng\",3\n\"\",4\n\"\"\"\",5\n",
          OPTS(.column = "1", .delimiter = ','), 1, 2, 3, 4, 5);
    check("\"name, first\",\"said \"\"x\"\"\"\n7,8\n", OPTS(.column = "said \"x\""), 8);
    check("\"two\nlines\",b\n7,8\n", OPTS(.column = "two\nlines"), 7);
    check("5\" pipe,1\n6\" pipe,2\n", OPTS(.column = "1", .delimiter = ','), 1, 2);
    check("x,\"1\",y\n\"x\"rest,2,\"y\"\n", OPTS(.column = "1"), 1, 2);
}

static void columns_are_numbers_or_names(void **state) {
    (void)state;
    const char *table = "date,price,volume\n2020,1.5,10\n2021,2.5,20\n";
    check(table, OPTS(.column = "price"), 1.5, 2.5);
    check(table, OPTS(.column = "1"), 1.5, 2.5);
    check(table, OPTS(.column = "volume"), 10, 20);
    check(table, NO_OPTS, 2020, 2021);
    check("a,,c\n1,2,3\n", OPTS(.column = ""), 2);
    check(",a\n0,1\n1,2\n", NO_OPTS, 0, 1);
    check(" a , b\n1,2\n", OPTS(.column = "b"), 2);
    /* A name says that the first line is a header, even one of numbers; a number leaves it to the
     * cell. */
    check("1990 ,1991x\n5,6\n", OPTS(.column = "1991x"), 6);
    check("1990,1991\n5,6\n", OPTS(.column = "1"), 1991, 6);
}

static void delimiters_are_found(void **state) {
    (void)state;
    check("a;b;c\n1;2;3\n", OPTS(.column = "b"), 2);
    check("a\tb\tc\n1\t2\t3\n", OPTS(.column = "b"), 2);
    check("a|b|c\n1|2|3\n", OPTS(.column = "b"), 2);
    check("\n \r\na|b|c\n1|2|3\n", OPTS(.column = "b"), 2);
    check("\"a,a,a,a\";\"b\"\n1;2\n", OPTS(.column = "1"), 2);
    check("a:b:c\n1:2:3\n", OPTS(.column = "b", .delimiter = ':'), 2);
    check("1 2\n3 4\n", OPTS(.column = "1", .delimiter = ' '), 2, 4);
    check("\t1\t2\n\t3\t4\n", OPTS(.column = "1"), 1, 3);
    check("a;b,c\n1;2\n", OPTS(.column = "b,c", .delimiter = ';'), 2);
}

static void missing_cells_are_left_out_when_asked(void **state) {
    (void)state;
    of_reader_opts opts = {.skip_missing = true, .column = "b"};
    check("a,b\n1,2\n3,\n4,   \n5,\"\"\n6,7\n", opts, 2, 7);
    check("a,b\n,1\n,\n", OPTS(.skip_missing = true, .column = "b"), 1);
    check("1\n\"\"\n2\n", OPTS(.skip_missing = true), 1, 2);
    check_sized("a,b\n1,\n", 7, opts, NULL, 0);
    check_sized("a,b\n", 4, opts, NULL, 0);
    check_sized("a,b", 3, opts, NULL, 0);
}

static void values_have_the_type_asked_for(void **state) {
    (void)state;
    check("x\n0.1\n1e300\n-0x1p-3\n Infinity\n", NO_OPTS, 0.1, 1e300, -0.125, 1. / 0.);
    check("0.1\n16777217\n", OPTS(.dtype = OF_F32), (double)0.1f, 16777216);
    check("65519\n65520\n0.1\n", OPTS(.dtype = OF_F16), 65504, 1. / 0., 0x1.998p-4);
    check("1.00390625\n1.01171875\n", OPTS(.dtype = OF_BF16), 1, 1.015625);
    check("-128\n127\n+5\n007\n", OPTS(.dtype = OF_I8), -128, 127, 5, 7);
    check("18446744073709549568\n0\n", OPTS(.dtype = OF_U64), 18446744073709549568., 0);
    check("true\nfalse\n1\n0\n", OPTS(.dtype = OF_BOOL), 1, 0, 1, 0);
    /* Once, not to binary64 first: 1 + 2^-24 + 2^-60 lies above the tie. */
    check("1.000000059604644775390625\n1.000000059604644776257986737988\n", OPTS(.dtype = OF_F32),
          1, 1 + 0x1p-23);
}

static void check_failure(const char *text, size_t size, of_reader_opts opts, of_status expected,
                          const char *message) {
    opts.format = OF_FORMAT_CSV;
    for (int from = 0; from < FROM_COUNT; from++) {
        of_reader *reader = NULL;
        of_error err = {0};
        of_status status = fixture_reader(from, "bad.csv", text, size, &opts, &reader, &err);
        if (status != OF_OK) {
            assert_failure(status, expected, &err, message);
            assert_null(reader);
            continue;
        }
        of_array *piece = NULL;
        do {
            of_array_release(piece);
            piece = NULL;
            status = of_reader_next(reader, 1, &piece, &err);
        } while (piece != NULL);
        assert_failure(status, expected, &err, message);
        assert_null(piece);
        assert_failure(of_reader_next(reader, 1, &piece, &err), OF_ERR_IO, &err, "failed before");
        of_reader_close(reader);

        err = (of_error){0};
        assert_int_equal(fixture_reader(from, "bad.csv", text, size, &opts, &reader, &err), OF_OK);
        assert_failure(of_reader_all(reader, &piece, &err), expected, &err, message);
        assert_null(piece);
        of_reader_close(reader);
    }
}

#define refuse(text, opts, expected, message)                                                      \
    check_failure(text, strlen(text), opts, expected, message)

static void cells_that_are_no_numbers_are_refused(void **state) {
    (void)state;
    refuse("a\n1\nx\n", NO_OPTS, OF_ERR_FORMAT, "line 3, column 'a': 'x' is no f64");
    refuse("1\n2\nx\n", NO_OPTS, OF_ERR_FORMAT, "line 3, column 0: 'x' is no f64");
    refuse("a,b\n\n\"1\n\n\",2\n\n3,x\ty\n", OPTS(.column = "b"), OF_ERR_FORMAT,
           "line 7, column 'b': 'x?y' is no f64");
    refuse("a\n1\n\"\"\n", NO_OPTS, OF_ERR_FORMAT, "line 3, column 'a': the cell is empty");
    refuse("a,b\n1,2\n , 3\n", NO_OPTS, OF_ERR_FORMAT, "line 3, column 'a': the cell is empty");
    refuse("a\n1.5\n", OPTS(.dtype = OF_I32), OF_ERR_FORMAT, "line 2, column 'a': '1.5' is no i32");
    refuse("a\n1e2\n", OPTS(.dtype = OF_I32), OF_ERR_FORMAT, "'1e2' is no i32");
    refuse("a\n300\n", OPTS(.dtype = OF_I8), OF_ERR_FORMAT,
           "line 2, column 'a': '300' does not fit i8");
    refuse("a\n-1\n", OPTS(.dtype = OF_U64), OF_ERR_FORMAT, "'-1' does not fit u64");
    refuse("a\n18446744073709551616\n", OPTS(.dtype = OF_U64), OF_ERR_FORMAT, "does not fit u64");
    refuse("300\n1\n", OPTS(.dtype = OF_I8), OF_ERR_FORMAT,
           "line 1, column 0: '300' does not fit i8");
    refuse("1.5\n1\n", OPTS(.dtype = OF_I8), OF_ERR_FORMAT, "line 1, column 0: '1.5' is no i8");
    refuse("a\n2\n", OPTS(.dtype = OF_BOOL), OF_ERR_FORMAT, "'2' is no bool");
    refuse("a\n1,5\n1 5\n", OPTS(.delimiter = ';'), OF_ERR_FORMAT, "'1,5' is no f64");
    refuse("a\n\"1,000\"\n", NO_OPTS, OF_ERR_FORMAT, "'1,000' is no f64");
    refuse("a\n\"1\"2\n", NO_OPTS, OF_ERR_FORMAT,
           "line 2, column 'a': something follows the closing quote of '1'");
    refuse("a\n\"\"2\n", OPTS(.skip_missing = true), OF_ERR_FORMAT,
           "line 2, column 'a': something follows the closing quote of ''");
    refuse("a\n# 1\n", NO_OPTS, OF_ERR_FORMAT, "'# 1' is no f64");
    refuse("\xc3\xa9\n\xc3\xa9\n", NO_OPTS, OF_ERR_FORMAT,
           "column '\xc3\xa9': '\xc3\xa9' is no f64");
    check_failure("a\n1\0\n", 5, NO_OPTS, OF_ERR_FORMAT, "line 2, column 'a': '1?' is no f64");
    refuse("a\n12345678901234567890123456789012345678901234567890x\n", NO_OPTS, OF_ERR_FORMAT,
           "'12345678901234567890123456789012345678901234...' is no f64");
}

static void rows_without_the_column_are_refused(void **state) {
    (void)state;
    refuse("a,b,c\n1,2,3\n4,5\n", OPTS(.column = "c"), OF_ERR_FORMAT,
           "line 3 has 2 cells, none for column 'c'");
    refuse("a,b,c\n1,2,3\n4\n", OPTS(.column = "c", .skip_missing = true), OF_ERR_FORMAT,
           "line 3 has 1 cell, none");
    refuse("1,2\n3,4\n", OPTS(.column = "2"), OF_ERR_VALUE,
           "line 1 has 2 cells, none for column 2");
    refuse("1,2\n3,4\n", OPTS(.column = "9223372036854775807"), OF_ERR_VALUE, "line 1 has 2 cells");
    refuse("1,2\n3,4\n", OPTS(.column = "9223372036854775808"), OF_ERR_VALUE,
           "there is no column '9223372036854775808'; the first line has 1, 2");
    refuse("date,price\n1,2\n", OPTS(.column = "cost"), OF_ERR_VALUE,
           "there is no column 'cost'; the first line has date, price");
    refuse("a,b,a\n1,2,3\n", OPTS(.column = "a"), OF_ERR_VALUE,
           "2 columns have the name 'a'; give a number");
    refuse("a,b\n1,2\n", OPTS(.column = "A"), OF_ERR_VALUE, "there is no column 'A'");
    refuse("a,b\n1,2\n", OPTS(.column = "-1"), OF_ERR_VALUE, "there is no column '-1'");
}

static void other_texts_are_refused(void **state) {
    (void)state;
    refuse("", NO_OPTS, OF_ERR_FORMAT, "the file is empty");
    refuse("", OPTS(.column = "a"), OF_ERR_FORMAT, "the file is empty");
    refuse("\n \r\n\n", NO_OPTS, OF_ERR_FORMAT, "the file has blank lines only");
    refuse("\xef\xbb\xbf", NO_OPTS, OF_ERR_FORMAT, "the file has blank lines only");
    refuse("a\n1\n\"2\n3\n", NO_OPTS, OF_ERR_FORMAT, "line 3: a quote is never closed");
    refuse("a,b\n1,2\n3,\"4\n", NO_OPTS, OF_ERR_FORMAT, "line 3: a quote is never closed");
    refuse("\"", NO_OPTS, OF_ERR_FORMAT, "line 1: a quote is never closed");
    refuse("a\n1\n", OPTS(.delimiter = '"'), OF_ERR_VALUE,
           "delimiter 0x22 is a quote or ends lines");
    refuse("a\n1\n", OPTS(.delimiter = '\n'), OF_ERR_VALUE, "delimiter 0x0a");
    refuse("a\n1\n", OPTS(.delimiter = '\r'), OF_ERR_VALUE, "delimiter 0x0d");
}

/* Rows of every length around the size of the window, in front of the chosen column and in it. */
static void cells_lie_anywhere_in_the_window(void **state) {
    (void)state;
    enum { ROWS = 60000 };
    char *text = malloc(ROWS * 64);
    double *values = malloc(ROWS * sizeof *values);
    size_t size = 0;
    for (int row = 0; row < ROWS; row++) {
        values[row] = row * 0.25;
        size += (size_t)sprintf(text + size, "%.*s,%s%.2f%s,\"x\"\"\n%d\"\n", row % 17,
                                "aaaaaaaaaaaaaaaaa", row % 3 ? "" : "\"", values[row],
                                row % 3 ? "" : "\"", row);
    }
    of_reader_opts opts = {.format = OF_FORMAT_CSV, .column = "1", .delimiter = ','};
    for (int from = FROM_FILE; from <= FROM_PIPE; from++) {
        check_read(from, text, size, &opts, 0, values, ROWS);
        check_read(from, text, size, &opts, 777, values, ROWS);
        check_read(from, text, size, &opts, INT64_MAX, values, ROWS);
    }
    free(values);
    free(text);
}

/* A cell that nobody looks at may have any length; one that is looked at may not. */
static void long_cells_are_passed_over(void **state) {
    (void)state;
    const size_t length = 1 << 20;
    char *text = malloc(length + 100);
    memset(text, 'x', length);
    strcpy(text + length, ",1\n\"");
    memset(text + length + 4, 'y', 50);
    strcpy(text + length + 54, "\",2\n");
    check_read(FROM_FILE, text, length + 58, &OPTS(.format = OF_FORMAT_CSV, .column = "1"), 0,
               (double[]){1, 2}, 2);
    text[0] = '"';
    text[length - 1] = '"';
    check_read(FROM_PIPE, text, length + 58,
               &OPTS(.format = OF_FORMAT_CSV, .column = "1", .delimiter = ','), 0, (double[]){1, 2},
               2);
    check_failure(text, length + 58, OPTS(.delimiter = ','), OF_ERR_FORMAT,
                  "line 1: a cell is longer than");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_rows),
        cmocka_unit_test(quotes_hold_cells_together),
        cmocka_unit_test(columns_are_numbers_or_names),
        cmocka_unit_test(delimiters_are_found),
        cmocka_unit_test(missing_cells_are_left_out_when_asked),
        cmocka_unit_test(values_have_the_type_asked_for),
        cmocka_unit_test(cells_that_are_no_numbers_are_refused),
        cmocka_unit_test(rows_without_the_column_are_refused),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(cells_lie_anywhere_in_the_window),
        cmocka_unit_test(long_cells_are_passed_over),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
