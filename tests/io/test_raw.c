/* Raw files: shapes given and worked out, and sizes that do not fit. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "io/file_fixture.h"

static const uint16_t numbers[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

/* Reads the numbers with a shape, from a file and from a pipe, and expects `expected` of
 * `expected_ndim` sizes. */
static void check_shape(int ndim, const int64_t *shape, int expected_ndim,
                        const int64_t *expected) {
    const char *path = fixture_file("numbers.bin", numbers, sizeof numbers);
    for (int from_pipe = 0; from_pipe < 2; from_pipe++) {
        fixture_pipe pipe = fixture_pipe_start(numbers, sizeof numbers, 5);
        of_array *array;
        of_error err = {0};
        if (of_raw_load(from_pipe ? pipe.path : path, NULL, OF_U16, ndim, shape, &array, &err) !=
            OF_OK)
            fail_msg("%s", err.message);
        assert_int_equal(of_array_dtype(array), OF_U16);
        assert_int_equal(of_array_ndim(array), expected_ndim);
        assert_memory_equal(of_array_shape(array), expected,
                            sizeof *expected * (size_t)expected_ndim);
        assert_true(of_array_is_contiguous(array));
        assert_true(of_array_is_read_only(array));
        assert_memory_equal(of_array_data(array), numbers, (size_t)of_array_nbytes(array));
        of_array_release(array);
        fixture_pipe_end(&pipe);
    }
}

static void shapes_are_given_or_worked_out(void **state) {
    (void)state;
    check_shape(0, NULL, 1, (int64_t[]){12});
    check_shape(1, (int64_t[]){12}, 1, (int64_t[]){12});
    check_shape(1, (int64_t[]){-1}, 1, (int64_t[]){12});
    check_shape(2, (int64_t[]){3, -1}, 2, (int64_t[]){3, 4});
    check_shape(3, (int64_t[]){-1, 2, 3}, 3, (int64_t[]){2, 2, 3});
    check_shape(8, (int64_t[]){1, 1, 1, 1, 1, 2, 6, -1}, 8, (int64_t[]){1, 1, 1, 1, 1, 2, 6, 1});
}

static void check_refused(size_t size, of_dtype dtype, int ndim, const int64_t *shape,
                          of_status expected, const char *message) {
    const char *path = fixture_file("refused.bin", numbers, size);
    for (int from_pipe = 0; from_pipe < 2; from_pipe++) {
        fixture_pipe pipe = fixture_pipe_start(numbers, size, SIZE_MAX);
        of_array *array = NULL;
        of_error err = {0};
        of_status status =
            of_raw_load(from_pipe ? pipe.path : path, NULL, dtype, ndim, shape, &array, &err);
        assert_failure(status, expected, &err, message);
        assert_null(array);
        fixture_pipe_end(&pipe);
    }
}

static void sizes_must_fit(void **state) {
    (void)state;
    check_refused(7, OF_U16, 0, NULL, OF_ERR_FORMAT,
                  "7 bytes of data do not divide into steps of 2 bytes (u16)");
    check_refused(
        20, OF_U16, 2, (int64_t[]){-1, 4}, OF_ERR_FORMAT,
        "20 bytes of data do not divide into steps of 8 bytes (u16 times the other dimensions)");
    check_refused(20, OF_U16, 2, (int64_t[]){-1, 0}, OF_ERR_FORMAT, "steps of 0 bytes");
    check_refused(10, OF_U16, 1, (int64_t[]){6}, OF_ERR_FORMAT,
                  "shape (6,) of u16 takes 12 bytes of data, but there are only 10");
    check_refused(0, OF_U16, 1, (int64_t[]){6}, OF_ERR_FORMAT, "there are only 0");
    check_refused(8, OF_F64, 2, (int64_t[]){1000000, 1000000}, OF_ERR_FORMAT,
                  "takes 8000000000000 bytes");

    /* A pipe cannot tell how much too much there is. */
    const char *path = fixture_file("refused.bin", numbers, 14);
    of_array *array;
    of_error err = {0};
    of_status status = of_raw_load(path, NULL, OF_U16, 1, (int64_t[]){6}, &array, &err);
    assert_failure(status, OF_ERR_FORMAT, &err,
                   "shape (6,) of u16 takes 12 bytes of data, but there are 14");
    fixture_pipe pipe = fixture_pipe_start(numbers, 14, SIZE_MAX);
    status = of_raw_load(pipe.path, NULL, OF_U16, 1, (int64_t[]){6}, &array, &err);
    assert_failure(status, OF_ERR_FORMAT, &err,
                   "there is more data than the 12 bytes of the shape");
    fixture_pipe_end(&pipe);
}

static void arguments_are_checked(void **state) {
    (void)state;
    const int64_t sizes[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    check_refused(8, OF_DTYPE_NONE, 0, NULL, OF_ERR_TYPE, "dtype 0 is not a type");
    check_refused(8, OF_DTYPE_END, 0, NULL, OF_ERR_TYPE, "is not a type");
    check_refused(8, OF_U8, -1, sizes, OF_ERR_VALUE, "ndim -1 is not from 0 to 8");
    check_refused(8, OF_U8, 9, sizes, OF_ERR_VALUE, "ndim 9 is not from 0 to 8");
    check_refused(8, OF_U8, 1, NULL, OF_ERR_VALUE, "shape is NULL for ndim 1");
    check_refused(8, OF_U8, 2, (int64_t[]){2, -2}, OF_ERR_VALUE, "size -2 of dim 1 is negative");
    check_refused(8, OF_U8, 2, (int64_t[]){-1, -1}, OF_ERR_VALUE,
                  "size -1 of dim 1 is negative, and only one may be -1");
    check_refused(8, OF_F64, 2, (int64_t[]){INT64_MAX, -1}, OF_ERR_VALUE, "past 2^63 - 1");
    of_array *array;
    of_error err = {0};
    assert_failure(of_raw_load(fixture_path("missing"), NULL, OF_U8, 0, NULL, &array, &err),
                   OF_ERR_IO, &err, "missing: No such file");
}

static void no_elements_and_one_are_arrays(void **state) {
    (void)state;
    const char *empty = fixture_file("empty.bin", "", 0);
    of_array *array;
    assert_int_equal(of_raw_load(empty, NULL, OF_F64, 0, NULL, &array, NULL), OF_OK);
    assert_int_equal(of_array_size(array), 0);
    assert_int_equal(of_array_ndim(array), 1);
    of_array_release(array);
    assert_int_equal(of_raw_load(empty, NULL, OF_F64, 2, (int64_t[]){4, -1}, &array, NULL), OF_OK);
    assert_int_equal(of_array_shape(array)[1], 0);
    of_array_release(array);
    assert_int_equal(of_raw_load(empty, NULL, OF_F64, 2, (int64_t[]){4, 0}, &array, NULL), OF_OK);
    of_array_release(array);

    double one = 1;
    int64_t no_sizes[1];
    const char *path = fixture_file("one.bin", &one, sizeof one);
    assert_int_equal(of_raw_load(path, NULL, OF_F64, 0, no_sizes, &array, NULL), OF_OK);
    assert_int_equal(of_array_ndim(array), 0);
    of_scalar element;
    assert_int_equal(of_array_get(array, NULL, &element, NULL), OF_OK);
    assert_true(element.as.f64 == 1);
    of_array_release(array);
}

/* A sparse file far larger than memory: nothing is read but what is looked at. */
static void files_may_be_larger_than_memory(void **state) {
    (void)state;
    const int64_t size = INT64_C(1) << 40;
    int descriptor = open(fixture_path("huge.bin"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(descriptor >= 0);
    if (ftruncate(descriptor, size) != 0) {
        close(descriptor);
        skip(); /* the file system has a lower limit */
    }
    const uint32_t mark = 0xdeadbeef;
    assert_int_equal(pwrite(descriptor, &mark, 4, size - 4), 4);
    close(descriptor);

    of_array *array;
    of_error err = {0};
    if (of_raw_load(fixture_path("huge.bin"), NULL, OF_U32, 2, (int64_t[]){-1, 1 << 20}, &array,
                    &err) != OF_OK)
        fail_msg("%s", err.message);
    assert_int_equal(of_array_shape(array)[0], 1 << 18);
    of_scalar element;
    assert_int_equal(of_array_get(array, (int64_t[]){-1, -1}, &element, NULL), OF_OK);
    assert_int_equal(element.as.u32, mark);
    of_array_release(array);

    of_reader *reader;
    of_array *piece;
    of_reader_opts opts = {.dtype = OF_U32};
    assert_int_equal(of_reader_open(fixture_path("huge.bin"), &opts, &reader, NULL), OF_OK);
    assert_int_equal(of_reader_size(reader), size / 4);
    assert_int_equal(of_reader_next(reader, size / 4 - 3, &piece, NULL), OF_OK);
    assert_int_equal(of_array_size(piece), size / 4 - 3);
    of_array_release(piece);
    assert_int_equal(of_reader_next(reader, 100, &piece, NULL), OF_OK);
    assert_int_equal(of_array_size(piece), 3);
    assert_int_equal(((const uint32_t *)of_array_data(piece))[2], mark);
    of_array_release(piece);
    of_reader_close(reader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_given_or_worked_out),
        cmocka_unit_test(sizes_must_fit),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(no_elements_and_one_are_arrays),
        cmocka_unit_test(files_may_be_larger_than_memory),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
