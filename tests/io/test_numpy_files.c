/* NumPy's own files are read to the bit, and NumPy reads ours. Skipped where there is no NumPy. */
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

enum { SKIPPED = 77 };

/* Runs Python with these arguments; 0 when it succeeds. */
static int python(const char *arguments) {
    const char *interpreter = getenv("ONEFOLD_PYTHON");
    char command[2000];
    snprintf(command, sizeof command, "%s %s", interpreter == NULL ? "python3" : interpreter,
             arguments);
    return system(command);
}

static int script(const char *mode) {
    const char *source = getenv("ONEFOLD_SOURCE");
    char arguments[1500];
    snprintf(arguments, sizeof arguments, "%s/tests/io/numpy_files.py %s %s",
             source == NULL ? "." : source, mode, fixture_path(""));
    return python(arguments);
}

/* Loads a file, compares it with the elements that NumPy wrote beside it, and saves it. */
static void check_file(int number, const char *type, int ndim, const int64_t *shape) {
    char name[40];
    of_dtype dtype;
    of_array *array, *copy;
    of_error err = {0};
    assert_int_equal(of_dtype_parse(type, &dtype, NULL), OF_OK);
    snprintf(name, sizeof name, "%d.npy", number);
    if (of_npy_load(fixture_path(name), NULL, OF_DTYPE_NONE, &array, &err) != OF_OK)
        fail_msg("%s", err.message);
    assert_int_equal(of_array_dtype(array), dtype);
    assert_int_equal(of_array_ndim(array), ndim);
    assert_memory_equal(of_array_shape(array), shape, sizeof *shape * (size_t)ndim);

    size_t size;
    snprintf(name, sizeof name, "%d.raw", number);
    char *raw = fixture_read(fixture_path(name), &size);
    assert_int_equal(of_array_copy(array, &copy, NULL), OF_OK);
    assert_int_equal(of_array_nbytes(copy), size);
    if (size > 0) assert_memory_equal(of_array_data(copy), raw, size);
    free(raw);
    snprintf(name, sizeof name, "%d.saved.npy", number);
    assert_int_equal(of_npy_save(fixture_path(name), array, NULL), OF_OK);
    of_array_release(copy);
    of_array_release(array);
}

/* bfloat16, and two arrays in one file, as NumPy reads them one after the other. */
static void save_others(void) {
    const unsigned char bytes[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    of_array *array;
    assert_int_equal(of_array_create(NULL, OF_BF16, 2, (int64_t[]){2, 2}, &array, NULL), OF_OK);
    memcpy(of_array_mutable_data(array), bytes, sizeof bytes);
    assert_int_equal(of_npy_save(fixture_path("bf16.npy"), array, NULL), OF_OK);
    of_array_release(array);

    double value = 1.5;
    assert_int_equal(
        of_array_wrap(NULL, OF_F64, 1, (int64_t[]){1}, NULL, &value, 0, NULL, NULL, &array, NULL),
        OF_OK);
    const char *one = fixture_path("one.npy");
    assert_int_equal(of_npy_save(one, array, NULL), OF_OK);
    of_array_release(array);
    size_t size;
    char *content = fixture_read(one, &size), *twice = malloc(2 * size);
    memcpy(twice, content, size);
    memcpy(twice + size, content, size);
    const char *both = fixture_file("both.npy", twice, 2 * size);
    assert_int_equal(of_npy_load(both, NULL, OF_DTYPE_NONE, &array, NULL), OF_OK);
    assert_int_equal(of_array_size(array), 1);
    of_array_release(array);
    free(content);
    free(twice);
}

static void files_are_exchanged(void **state) {
    (void)state;
    assert_int_equal(script("write"), 0);
    FILE *list = fopen(fixture_path("list"), "r");
    assert_non_null(list);
    int number, ndim, count = 0;
    char type[8];
    while (fscanf(list, "%d %7s %d", &number, type, &ndim) == 3) {
        int64_t shape[8];
        for (int dim = 0; dim < ndim; dim++) {
            long long size;
            assert_int_equal(fscanf(list, "%lld", &size), 1);
            shape[dim] = size;
        }
        check_file(number, type, ndim, shape);
        count++;
    }
    fclose(list);
    assert_int_equal(count, 12 * 2 * 9 * 2);
    save_others();
    assert_int_equal(script("check"), 0);
}

int main(void) {
    if (python("-c 'import numpy' 2>/dev/null") != 0) return SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(files_are_exchanged)};
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
