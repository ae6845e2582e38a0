/* Writing .npy: the bytes, every layout, and that a file is replaced whole or not at all. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "device/backend.h"
#include "io/file_fixture.h"

static void check_content(const char *path, const void *bytes, size_t size) {
    size_t found;
    char *content = fixture_read(path, &found);
    assert_int_equal(found, size);
    assert_memory_equal(content, bytes, size);
    free(content);
}

static of_array *wrap(of_dtype dtype, int ndim, const int64_t *shape, void *data) {
    of_array *array;
    assert_int_equal(
        of_array_wrap(NULL, dtype, ndim, shape, NULL, data, 0, NULL, NULL, &array, NULL), OF_OK);
    return array;
}

/* The example of NumPy's format: magic, version 1.0, length 118 (0x76), padding, a line end at byte
 * 127. */
static void bytes_are_those_of_the_format(void **state) {
    (void)state;
    float values[6] = {0, 1, 2, 3, 4, 5};
    char expected[128 + sizeof values];
    memset(expected, ' ', 128);
    memcpy(expected, "\x93NUMPY\x01\x00\x76\x00", 10);
    const char *header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    memcpy(expected + 10, header, strlen(header));
    expected[127] = '\n';
    memcpy(expected + 128, values, sizeof values);

    of_array *array = wrap(OF_F32, 2, (int64_t[]){2, 3}, values);
    const char *path = fixture_path("bytes.npy");
    assert_int_equal(of_npy_save(path, array, NULL), OF_OK);
    check_content(path, expected, sizeof expected);
    of_array_release(array);
}

static void headers_name_types_and_shapes(void **state) {
    (void)state;
    static const struct {
        of_dtype dtype;
        int ndim;
        int64_t shape[8];
        const char *header;
    } cases[] = {
        {OF_BOOL, 0, {0}, "{'descr': '|b1', 'fortran_order': False, 'shape': (), } "},
        {OF_I8, 1, {3}, "{'descr': '|i1', 'fortran_order': False, 'shape': (3,), } "},
        {OF_U8, 1, {0}, "{'descr': '|u1', 'fortran_order': False, 'shape': (0,), } "},
        {OF_I16, 2, {0, 5}, "{'descr': '<i2', 'fortran_order': False, 'shape': (0, 5), } "},
        {OF_U16, 1, {1}, "{'descr': '<u2', 'fortran_order': False, 'shape': (1,), } "},
        {OF_I32, 1, {1}, "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), } "},
        {OF_U32, 1, {1}, "{'descr': '<u4', 'fortran_order': False, 'shape': (1,), } "},
        {OF_I64, 1, {1}, "{'descr': '<i8', 'fortran_order': False, 'shape': (1,), } "},
        {OF_U64, 1, {1}, "{'descr': '<u8', 'fortran_order': False, 'shape': (1,), } "},
        {OF_F16, 1, {1}, "{'descr': '<f2', 'fortran_order': False, 'shape': (1,), } "},
        {OF_BF16, 1, {1}, "{'descr': '<V2', 'fortran_order': False, 'shape': (1,), } "},
        {OF_F64,
         8,
         {1, 1, 2, 1, 1, 1, 2, 1},
         "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 2, 1, 1, 1, 2, 1), } "},
        {OF_F64,
         8,
         {1000000000000000000, 0, 1, 1, 1, 1, 1, 1},
         "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000000, 0, 1, 1, 1, 1, "
         "1, 1), } "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        of_array *array, *back;
        assert_int_equal(
            of_array_zeros(NULL, cases[i].dtype, cases[i].ndim, cases[i].shape, &array, NULL),
            OF_OK);
        const char *path = fixture_path("header.npy");
        assert_int_equal(of_npy_save(path, array, NULL), OF_OK);
        size_t size;
        char *content = fixture_read(path, &size);
        size_t start = size - (size_t)of_array_nbytes(array);
        assert_int_equal(start % 64, 0);
        assert_int_equal(content[start - 1], '\n');
        assert_memory_equal(content + 10, cases[i].header, strlen(cases[i].header));
        free(content);
        of_dtype asked = cases[i].dtype == OF_BF16 ? OF_BF16 : OF_DTYPE_NONE;
        assert_int_equal(of_npy_load(path, NULL, asked, &back, NULL), OF_OK);
        assert_int_equal(of_array_dtype(back), cases[i].dtype);
        assert_int_equal(of_array_ndim(back), cases[i].ndim);
        assert_memory_equal(of_array_shape(back), cases[i].shape,
                            sizeof(int64_t) * (size_t)cases[i].ndim);
        of_array_release(back);
        of_array_release(array);
    }
}

/* Saves a view of an array and compares the file's elements with the numbers that they were made
 * from. */
static void check_view(of_array *view, const int64_t *numbers, int64_t count) {
    const char *path = fixture_path("view.npy");
    assert_int_equal(of_npy_save(path, view, NULL), OF_OK);
    of_array *back;
    assert_int_equal(of_npy_load(path, NULL, OF_DTYPE_NONE, &back, NULL), OF_OK);
    assert_true(of_array_is_contiguous(back));
    assert_int_equal(of_array_size(back), count);
    assert_memory_equal(of_array_shape(back), of_array_shape(view),
                        sizeof(int64_t) * (size_t)of_array_ndim(view));
    assert_memory_equal(of_array_data(back), numbers, (size_t)count * sizeof *numbers);
    of_array_release(back);
    of_array_release(view);
}

static void any_layout_becomes_row_major(void **state) {
    (void)state;
    int64_t values[24];
    for (int i = 0; i < 24; i++) values[i] = i;
    of_array *array = wrap(OF_I64, 3, (int64_t[]){2, 3, 4}, values), *view;
    int64_t expected[24];

    assert_int_equal(of_array_transpose(array, NULL, &view, NULL), OF_OK);
    for (int64_t i = 0; i < 24; i++) expected[i] = i % 2 * 12 + i / 2 % 3 * 4 + i / 6;
    check_view(view, expected, 24);

    assert_int_equal(of_array_slice(array, 2, 3, 4, -1, &view, NULL), OF_OK);
    for (int64_t i = 0; i < 24; i++) expected[i] = i / 4 * 4 + 3 - i % 4;
    check_view(view, expected, 24);

    assert_int_equal(of_array_slice(array, 1, 0, 2, 2, &view, NULL), OF_OK);
    for (int64_t i = 0; i < 16; i++) expected[i] = i / 8 * 12 + i / 4 % 2 * 8 + i % 4;
    check_view(view, expected, 16);
    of_array_release(array);

    const int64_t shape[] = {3, 2}, strides[] = {0, 8};
    assert_int_equal(
        of_array_wrap(NULL, OF_I64, 2, shape, strides, values, 0, NULL, NULL, &view, NULL), OF_OK);
    check_view(view, (int64_t[]){0, 1, 0, 1, 0, 1}, 6);
}

/* More elements than are gathered at once, of each size. */
static void large_strided_arrays_are_written(void **state) {
    (void)state;
    const of_dtype dtypes[] = {OF_U8, OF_F16, OF_F32, OF_I64};
    for (int i = 0; i < 4; i++) {
        const int64_t rows = 1000, columns = 301, size = (int64_t)of_dtype_size(dtypes[i]);
        of_array *array, *turned, *back, *expected;
        assert_int_equal(
            of_array_create(NULL, dtypes[i], 2, (int64_t[]){rows, columns}, &array, NULL), OF_OK);
        unsigned char *bytes = of_array_mutable_data(array);
        for (int64_t k = 0; k < rows * columns * size; k++)
            bytes[k] = (unsigned char)(k * 2654435761u >> 24);
        assert_int_equal(of_array_transpose(array, NULL, &turned, NULL), OF_OK);
        const char *path = fixture_path("large.npy");
        assert_int_equal(of_npy_save(path, turned, NULL), OF_OK);
        assert_int_equal(of_npy_load(path, NULL, OF_DTYPE_NONE, &back, NULL), OF_OK);
        assert_int_equal(of_array_copy(turned, &expected, NULL), OF_OK);
        assert_memory_equal(of_array_data(back), of_array_data(expected),
                            (size_t)(rows * columns * size));
        of_array_release(expected);
        of_array_release(back);
        of_array_release(turned);
        of_array_release(array);
    }
}

static void existing_files_are_replaced(void **state) {
    (void)state;
    double value = 1.5;
    of_array *array = wrap(OF_F64, 0, NULL, &value), *old, *back;
    const char *path = fixture_path("existing.npy");
    assert_int_equal(of_npy_save(path, array, NULL), OF_OK);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(of_npy_load(path, NULL, OF_DTYPE_NONE, &old, NULL), OF_OK);

    /* A mapped array of the old file stays as it was; the rights of the file are kept. */
    value = 2.5;
    const char *link = fixture_path("link.npy");
    assert_int_equal(symlink("existing.npy", link), 0);
    assert_int_equal(of_npy_save(link, array, NULL), OF_OK);
    assert_int_equal(of_npy_load(path, NULL, OF_DTYPE_NONE, &back, NULL), OF_OK);
    of_scalar element;
    assert_int_equal(of_array_get(old, NULL, &element, NULL), OF_OK);
    assert_true(element.as.f64 == 1.5);
    assert_int_equal(of_array_get(back, NULL, &element, NULL), OF_OK);
    assert_true(element.as.f64 == 2.5);
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    assert_int_equal(status.st_mode, S_IFREG | 0640);
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    of_array_release(back);
    of_array_release(old);
    of_array_release(array);
}

/* Saves while no file may grow past `limit` bytes. */
static of_status save_with_limit(const char *path, const of_array *array, rlim_t limit,
                                 of_error *err) {
    struct rlimit saved, lowered;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &saved);
    lowered = (struct rlimit){limit, saved.rlim_max};
    setrlimit(RLIMIT_FSIZE, &lowered);
    of_status status = of_npy_save(path, array, err);
    setrlimit(RLIMIT_FSIZE, &saved);
    signal(SIGXFSZ, SIG_DFL);
    return status;
}

static void failed_writes_leave_nothing(void **state) {
    (void)state;
    char values[1000] = {0};
    of_array *array = wrap(OF_U8, 1, (int64_t[]){1000}, values), *strided;
    assert_int_equal(of_array_slice(array, 0, 0, 500, 2, &strided, NULL), OF_OK);
    const char *path = fixture_file("kept.npy", "as it was", 9);
    int files = fixture_count();
    for (rlim_t limit = 0; limit < 600; limit += 100) {
        of_error err = {0};
        assert_failure(save_with_limit(path, array, limit, &err), OF_ERR_IO, &err,
                       "kept.npy: File too large");
        err = (of_error){0};
        assert_failure(save_with_limit(path, strided, limit, &err), OF_ERR_IO, &err,
                       "File too large");
        check_content(path, "as it was", 9);
        assert_int_equal(fixture_count(), files);
    }
    of_array_release(strided);
    of_array_release(array);
}

static void impossible_targets_are_refused(void **state) {
    (void)state;
    char value = 1;
    of_array *array = wrap(OF_U8, 0, NULL, &value);
    of_error err = {0};
    assert_failure(of_npy_save(NULL, array, &err), OF_ERR_VALUE, &err, "path is NULL");
    assert_failure(of_npy_save("", array, &err), OF_ERR_IO, &err, "No such file");
    assert_failure(of_npy_save(fixture_path(""), array, &err), OF_ERR_IO, &err, "Is a directory");
    assert_failure(of_npy_save(fixture_path("no/such.npy"), array, &err), OF_ERR_IO, &err,
                   "no/such.npy: No such file or directory");
    const char *plain = fixture_file("plain", "x", 1);
    char below[600];
    strcat(strcpy(below, plain), "/x.npy");
    assert_failure(of_npy_save(below, array, &err), OF_ERR_IO, &err, "Not a directory");
    char longest[5000];
    memset(longest, 'x', sizeof longest);
    longest[4999] = 0;
    assert_failure(of_npy_save(longest, array, &err), OF_ERR_IO, &err, "File name too long");

    assert_int_equal(chmod(plain, 0444), 0);
    bool is_root = geteuid() == 0;
    if (is_root) assert_int_equal(seteuid(65534), 0);
    of_status status = of_npy_save(plain, array, &err);
    if (is_root) assert_int_equal(seteuid(0), 0);
    assert_failure(status, OF_ERR_IO, &err, "plain: Permission denied");
    check_content(plain, "x", 1);
    of_array_release(array);
}

/* What is no regular file is written to, not replaced. */
static void pipes_and_devices_are_written_to(void **state) {
    (void)state;
    int32_t values[] = {7, 8};
    of_array *array = wrap(OF_I32, 1, (int64_t[]){2}, values);
    const char *path = fixture_path("fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(of_npy_save(path, array, NULL), OF_OK);
    char bytes[200];
    assert_int_equal(read(reader, bytes, sizeof bytes), 128 + 8);
    assert_memory_equal(bytes + 128, values, 8);
    close(reader);
    assert_int_equal(of_npy_save("/dev/null", array, NULL), OF_OK);
    of_error err = {0};
    assert_failure(of_npy_save("/dev/full", array, &err), OF_ERR_IO, &err,
                   "/dev/full: No space left");
    struct stat status;
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    of_array_release(array);
}

/* A device whose memory the host does not see. */
static void other_memory_is_refused(void **state) {
    (void)state;
    const of_backend backend = {.name = "far", .host_visible = false};
    of_device device = {.backend = &backend, .name = "far"};
    char value = 1;
    of_array *array = NULL, *near = wrap(OF_U8, 0, NULL, &value);
    of_error err = {0};
    const char *path = fixture_path("far.npy");
    assert_int_equal(of_npy_save(path, near, NULL), OF_OK);
    of_array_release(near);
    of_status status = of_npy_load(path, &device, OF_DTYPE_NONE, &array, &err);
    assert_failure(status, OF_ERR_UNSUPPORTED, &err, "device far");
    status = of_raw_load(path, &device, OF_U8, 0, NULL, &array, &err);
    assert_failure(status, OF_ERR_UNSUPPORTED, &err, "device far");
    assert_null(array);

    status = of_array_wrap(&device, OF_U8, 0, NULL, NULL, &value, 0, NULL, NULL, &array, NULL);
    assert_int_equal(status, OF_OK);
    status = of_npy_save(path, array, &err);
    assert_failure(status, OF_ERR_UNSUPPORTED, &err, "array is on far");
    of_array_release(array);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_the_format),
        cmocka_unit_test(headers_name_types_and_shapes),
        cmocka_unit_test(any_layout_becomes_row_major),
        cmocka_unit_test(large_strided_arrays_are_written),
        cmocka_unit_test(existing_files_are_replaced),
        cmocka_unit_test(failed_writes_leave_nothing),
        cmocka_unit_test(impossible_targets_are_refused),
        cmocka_unit_test(pipes_and_devices_are_written_to),
        cmocka_unit_test(other_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
