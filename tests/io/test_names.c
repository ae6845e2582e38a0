/* Columns of text: which cells are rows, and what number each becomes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "core/alloc.h"
#include "io/file_fixture.h"

static of_status load(int from, const char *text, size_t size, const of_reader_opts *opts,
                      of_array **numbers, of_names **names, of_error *err) {
    if (from == FROM_FILE)
        return of_names_load(fixture_file("table.csv", text, size), opts, numbers, names, err);
    fixture_pipe pipe = fixture_pipe_start(text, size, from == FROM_SLOW_PIPE ? 1 : size);
    of_status status = of_names_load(pipe.path, opts, numbers, names, err);
    fixture_pipe_end(&pipe);
    return status;
}

/* Expects the rows of a text to be these, by looking their numbers up among the names. */
static void check_rows(const char *text, of_reader_opts opts, const char *const *rows,
                       int64_t count) {
    for (int from = 0; from < FROM_COUNT; from++) {
        of_array *numbers;
        of_names *names;
        of_error err = {0};
        if (load(from, text, strlen(text), &opts, &numbers, &names, &err) != OF_OK)
            fail_msg("\"%s\": %s", text, err.message);
        assert_int_equal(of_array_dtype(numbers), OF_I64);
        assert_int_equal(of_array_ndim(numbers), 1);
        assert_int_equal(of_array_size(numbers), count);
        const int64_t *number = of_array_data(numbers);
        for (int64_t i = 0; i < count; i++)
            assert_string_equal(of_names_at(names, number[i]), rows[i]);
        for (int64_t i = 1; i < of_names_count(names); i++)
            assert_true(strcmp(of_names_at(names, i - 1), of_names_at(names, i)) < 0);
        assert_null(of_names_at(names, -1));
        assert_null(of_names_at(names, of_names_count(names)));
        of_array_release(numbers);
        of_names_free(names);
    }
}

#define check(text, opts, ...)                                                                     \
    check_rows(text, opts, (const char *const[]){__VA_ARGS__},                                     \
               sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
#define OPTS(...) ((of_reader_opts){__VA_ARGS__})

static void cells_become_names(void **state) {
    (void)state;
    check("b\na\nb\nc\na\n", OPTS(0), "b", "a", "b", "c", "a");
    check("one\r\ntwo\r\n\r\none", OPTS(0), "one", "two", "one");
    check(" a ,1\n\"a\",2\n\" a\",3\n\"x, \"\"y\"\"\",4\n", OPTS(.delimiter = ','), "a", "a", "a",
          "x, \"y\"");
    check("1,x\n01,y\n1.0,z\n", OPTS(0), "1", "01", "1.0");
    check("1,x\n2,y\n", OPTS(.column = "1"), "x", "y");
}

static void a_named_column_has_a_header(void **state) {
    (void)state;
    check("price,region\n1,west\n2,east\n3,west\n", OPTS(.column = "region"), "west", "east",
          "west");
    check("price;region\n1;west\n2;east\n", OPTS(.column = "1", .delimiter = ';'), "region", "west",
          "east");
}

/* As memcmp has it: by unsigned bytes, what goes on after its end is larger. */
static void names_are_in_the_order_of_their_bytes(void **state) {
    (void)state;
    of_array *numbers;
    of_names *names;
    const char text[] = "b\nab\n\xc3\xa9\na\nB\nabc\n";
    assert_int_equal(load(FROM_FILE, text, sizeof text - 1, NULL, &numbers, &names, NULL), OF_OK);
    static const char *const sorted[] = {"B", "a", "ab", "abc", "b", "\xc3\xa9"};
    static const int64_t expected[] = {4, 2, 5, 1, 0, 3};
    assert_int_equal(of_names_count(names), 6);
    for (int i = 0; i < 6; i++) assert_string_equal(of_names_at(names, i), sorted[i]);
    assert_memory_equal(of_array_data(numbers), expected, sizeof expected);
    of_array_release(numbers);
    of_names_free(names);
}

static void empty_cells_are_left_out_when_asked(void **state) {
    (void)state;
    check("a,1\n,2\nb,3\n", OPTS(.skip_missing = true), "a", "b");
    of_array *numbers;
    of_names *names;
    assert_int_equal(load(FROM_FILE, "k,v\n,1\n", 7, &OPTS(.column = "k", .skip_missing = true),
                          &numbers, &names, NULL),
                     OF_OK);
    assert_int_equal(of_array_size(numbers), 0);
    assert_int_equal(of_names_count(names), 0);
    of_array_release(numbers);
    of_names_free(names);
}

static void check_failure(const char *text, size_t size, of_reader_opts opts, of_status code,
                          const char *part) {
    of_array *numbers = NULL;
    of_names *names = NULL;
    of_error err = {0};
    of_status status = load(FROM_FILE, text, size, &opts, &numbers, &names, &err);
    assert_failure(status, code, &err, part);
    assert_null(numbers);
    assert_null(names);
}

static void what_is_no_text_is_refused(void **state) {
    (void)state;
    check_failure("", 0, OPTS(0), OF_ERR_FORMAT, "the file is empty");
    check_failure("\n\n", 2, OPTS(0), OF_ERR_FORMAT, "blank lines only");
    check_failure("k,v\na,1\n,2\n", 11, OPTS(.column = "k"), OF_ERR_FORMAT,
                  "line 3, column 'k': the cell is empty");
    check_failure("a\nb\0c\n", 6, OPTS(0), OF_ERR_FORMAT,
                  "line 2, column 0: the cell holds a zero byte");
    check_failure("a\n\"b\"c\n", 7, OPTS(0), OF_ERR_FORMAT, "line 2, column 0: something follows");
    check_failure("a,b\nc\n", 6, OPTS(.column = "1"), OF_ERR_FORMAT, "line 2 has 1 cell, none for");
    check_failure("a,b\n", 4, OPTS(.column = "c"), OF_ERR_VALUE, "there is no column 'c'");
    of_error err = {0};
    assert_failure(of_names_load(fixture_path("nowhere.csv"), NULL, NULL, NULL, &err), OF_ERR_IO,
                   &err, "No such file");
    assert_failure(of_names_load(NULL, NULL, NULL, NULL, &err), OF_ERR_VALUE, &err, "path is NULL");
}

enum { MANY = 3000 };

/* Row i is "name", then 1237 i modulo MANY: all names once, in no order, and then again. */
static char *many_rows(size_t *size) {
    char *text = malloc(2 * MANY * 12), *end = text;
    assert_non_null(text);
    for (int i = 0; i < 2 * MANY; i++) end += sprintf(end, "name%04d\n", 1237 * i % MANY);
    *size = (size_t)(end - text);
    return text;
}

static void many_names_are_told_apart(void **state) {
    (void)state;
    of_array *numbers;
    of_names *names;
    size_t size;
    char *text = many_rows(&size);
    assert_int_equal(load(FROM_FILE, text, size, NULL, &numbers, &names, NULL), OF_OK);
    assert_int_equal(of_names_count(names), MANY);
    assert_int_equal(of_array_size(numbers), 2 * MANY);
    for (int i = 0; i < 2 * MANY; i++)
        assert_int_equal(((const int64_t *)of_array_data(numbers))[i], 1237 * i % MANY);
    of_array_release(numbers);
    of_names_free(names);
    free(text);
}

/* Every allocation fails once; the sanitizers see what leaks. */
static void memory_runs_out(void **state) {
    (void)state;
    size_t size;
    char *text = many_rows(&size);
    const char *path = fixture_file("many.csv", text, size);
    int failures = 0;
    for (;; failures++) {
        of_array *numbers = NULL;
        of_names *names = NULL;
        of_error err = {0};
        of__alloc_fail_after(failures);
        of_status status = of_names_load(path, NULL, &numbers, &names, &err);
        of__alloc_fail_after(-1);
        if (status == OF_OK) {
            of_array_release(numbers);
            of_names_free(names);
            break;
        }
        assert_int_equal(status, OF_ERR_MEMORY);
        assert_int_equal(err.code, OF_ERR_MEMORY);
        assert_null(numbers);
        assert_null(names);
    }
    assert_in_range(failures, 10, 1000);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_become_names),
        cmocka_unit_test(a_named_column_has_a_header),
        cmocka_unit_test(names_are_in_the_order_of_their_bytes),
        cmocka_unit_test(empty_cells_are_left_out_when_asked),
        cmocka_unit_test(what_is_no_text_is_refused),
        cmocka_unit_test(many_names_are_told_apart),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
