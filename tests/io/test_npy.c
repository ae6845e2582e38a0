/* Reading .npy: every type, version, order and shape, from files and pipes. */
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

#include "io/file_fixture.h"
#include "io/npy_fixture.h"

/* The descr of each type, after the byte order; one byte has none. */
static const struct {
    of_dtype dtype;
    const char *code;
    size_t size;
} types[] = {
    {OF_BOOL, "b1", 1}, {OF_I8, "i1", 1},  {OF_I16, "i2", 2}, {OF_I32, "i4", 4}, {OF_I64, "i8", 8},
    {OF_U8, "u1", 1},   {OF_U16, "u2", 2}, {OF_U32, "u4", 4}, {OF_U64, "u8", 8}, {OF_F16, "f2", 2},
    {OF_BF16, "V2", 2}, {OF_F32, "f4", 4}, {OF_F64, "f8", 8},
};

static const struct {
    int ndim;
    int64_t shape[8];
} shapes[] = {
    {0, {0}},    {1, {1}},    {1, {5}},       {1, {0}},       {3, {3, 0, 2}},
    {2, {2, 3}}, {2, {1, 4}}, {3, {2, 3, 4}}, {3, {4, 1, 3}}, {8, {2, 1, 3, 2, 1, 2, 2, 2}},
};

enum { TYPES = sizeof types / sizeof *types, SHAPES = sizeof shapes / sizeof *shapes };

static void check_array(const of_array *array, const npy_case *made, of_dtype dtype) {
    assert_int_equal(of_array_dtype(array), dtype);
    assert_true(of_array_is_read_only(array));
    assert_int_equal(of_array_ndim(array), made->ndim);
    assert_memory_equal(of_array_shape(array), made->shape,
                        sizeof *made->shape * (size_t)made->ndim);
    assert_int_equal(of_array_size(array), npy_count(made));
    for (int64_t k = 0; k < npy_count(made); k++) {
        int64_t index[8], rest = k;
        for (int dim = made->ndim - 1; dim >= 0; dim--) {
            index[dim] = rest % made->shape[dim];
            rest /= made->shape[dim];
        }
        of_scalar element;
        assert_int_equal(of_array_get(array, index, &element, NULL), OF_OK);
        assert_true(element.as.bits == npy_element(k, made->element_size));
    }
}

/* Reads all pieces of at most `most` and compares each element. */
static void check_pieces(of_reader *reader, int64_t most, const npy_case *made, of_dtype dtype) {
    int64_t k = 0;
    while (true) {
        of_array *piece;
        of_error err = {0};
        if (of_reader_next(reader, most, &piece, &err) != OF_OK) fail_msg("%s", err.message);
        if (piece == NULL) break;
        assert_int_equal(of_array_dtype(piece), dtype);
        assert_int_equal(of_array_ndim(piece), 1);
        assert_in_range(of_array_size(piece), 1, most);
        for (int64_t i = 0; i < of_array_size(piece); i++) {
            of_scalar element;
            assert_int_equal(of_array_get(piece, &i, &element, NULL), OF_OK);
            assert_true(element.as.bits == npy_element(k++, made->element_size));
        }
        of_array_release(piece);
    }
    assert_int_equal(k, npy_count(made));
}

static void check_reader(int from, const npy_bytes *file, const npy_case *made, of_dtype dtype) {
    of_reader_opts opts = {.dtype = dtype == OF_BF16 ? OF_BF16 : OF_DTYPE_NONE};
    const int64_t most[] = {0, 1, 5, INT64_MAX};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        of_reader *reader;
        of_error err = {0};
        of_status status =
            fixture_reader(from, "case.npy", file->data, file->size, &opts, &reader, &err);
        if (status != OF_OK) fail_msg("%s: %s", made->descr, err.message);
        assert_int_equal(of_reader_dtype(reader), dtype);
        assert_int_equal(of_reader_ndim(reader), made->ndim);
        assert_int_equal(of_reader_size(reader), npy_count(made));
        if (most[i] == 0) {
            of_array *array;
            assert_int_equal(of_reader_all(reader, &array, NULL), OF_OK);
            of_reader_close(reader);
            check_array(array, made, dtype);
            of_array_release(array);
            continue;
        }
        int long_dims = 0;
        for (int dim = 0; dim < made->ndim; dim++) long_dims += made->shape[dim] > 1;
        if (made->fortran && long_dims > 1 && npy_count(made) > 0 && from != FROM_FILE) {
            of_array *piece;
            of_status status = of_reader_next(reader, most[i], &piece, &err);
            assert_failure(status, OF_ERR_UNSUPPORTED, &err, "Fortran");
            assert_int_equal(of_reader_all(reader, &piece, NULL), OF_OK);
            check_array(piece, made, dtype);
            of_array_release(piece);
        } else {
            check_pieces(reader, most[i], made, dtype);
        }
        of_reader_close(reader);
    }
}

static void check_load(const npy_bytes *file, const npy_case *made, of_dtype dtype) {
    of_array *array;
    of_error err = {0};
    const char *path = fixture_file("case.npy", file->data, file->size);
    of_status status =
        of_npy_load(path, NULL, dtype == OF_BF16 ? OF_BF16 : OF_DTYPE_NONE, &array, &err);
    if (status != OF_OK) fail_msg("%s: %s", made->descr, err.message);
    check_array(array, made, dtype);
    of_array_release(array);
    assert_int_equal(of_npy_load(path, NULL, dtype, &array, NULL), OF_OK);
    of_array_release(array);
}

static void every_file_is_read(void **state) {
    (void)state;
    for (int type = 0; type < TYPES; type++) {
        for (int variant = 0; variant < 3 * 2 * 2; variant++) {
            for (int shape = 0; shape < SHAPES; shape++) {
                char descr[4] = {"<>"[variant / 6]};
                if (types[type].size == 1) descr[0] = "|>"[variant / 6];
                strcat(descr, types[type].code);
                npy_case made = {.major = 1 + variant % 3,
                                 .descr = descr,
                                 .element_size = types[type].size,
                                 .fortran = variant / 3 % 2,
                                 .ndim = shapes[shape].ndim};
                memcpy(made.shape, shapes[shape].shape, sizeof made.shape);
                npy_bytes file = npy_make(&made);
                check_load(&file, &made, types[type].dtype);
                check_reader(FROM_FILE, &file, &made, types[type].dtype);
                if (variant % 3 == 0) check_reader(FROM_PIPE, &file, &made, types[type].dtype);
                npy_free(&file);
            }
        }
    }
}

/* A pipe that gives a byte at a time, and more data than the first buffer holds. */
static void pipes_of_any_speed_are_read(void **state) {
    (void)state;
    npy_case small = {1, ">f8", 8, true, 2, {5, 7}}, large = {2, "<u4", 4, false, 2, {1000, 700}};
    npy_bytes file = npy_make(&small);
    check_reader(FROM_SLOW_PIPE, &file, &small, OF_F64);
    npy_free(&file);

    file = npy_make(&large);
    const int64_t most[] = {1000000, 99999};
    for (int i = 0; i < 2; i++) {
        of_reader *reader;
        of_error err = {0};
        assert_int_equal(fixture_reader(FROM_PIPE, "", file.data, file.size, NULL, &reader, &err),
                         OF_OK);
        check_pieces(reader, most[i], &large, OF_U32);
        of_reader_close(reader);
    }
    fixture_pipe pipe = fixture_pipe_start(file.data, file.size, SIZE_MAX);
    of_array *array;
    assert_int_equal(of_npy_load(pipe.path, NULL, OF_DTYPE_NONE, &array, NULL), OF_OK);
    check_array(array, &large, OF_U32);
    of_array_release(array);
    fixture_pipe_end(&pipe);
    npy_free(&file);
}

static void standard_input_is_read(void **state) {
    (void)state;
    npy_case made = {1, "<i2", 2, false, 1, {300}};
    npy_bytes file = npy_make(&made);
    fixture_pipe pipe = fixture_pipe_start(file.data, file.size, SIZE_MAX);
    int saved = fixture_standard_input(pipe.reading_end);
    of_array *array;
    assert_int_equal(of_npy_load("-", NULL, OF_DTYPE_NONE, &array, NULL), OF_OK);
    check_array(array, &made, OF_I16);
    of_array_release(array);
    fixture_standard_input(saved);
    fixture_pipe_end(&pipe);

    /* Redirected from a file that something has begun to read. */
    npy_bytes moved = {0};
    npy_append(&moved, "12345", 5);
    npy_append(&moved, file.data, file.size);
    FILE *opened = fopen(fixture_file("moved", moved.data, moved.size), "rb");
    assert_int_equal(lseek(fileno(opened), 5, SEEK_SET), 5);
    saved = fixture_standard_input(dup(fileno(opened)));
    assert_int_equal(of_npy_load("-", NULL, OF_DTYPE_NONE, &array, NULL), OF_OK);
    fixture_standard_input(saved);
    fclose(opened);
    check_array(array, &made, OF_I16);
    of_array_release(array);
    npy_free(&moved);
    npy_free(&file);
}

static void headers_are_read_as_python_does(void **state) {
    (void)state;
    static const struct {
        const char *header;
        of_dtype asked, dtype;
        int ndim;
        int64_t shape[2];
    } good[] = {
        {"{'descr':'<f4','fortran_order':False,'shape':(2,3)}", OF_DTYPE_NONE, OF_F32, 2, {2, 3}},
        {"{\"shape\": (6,), \"descr\": \"<i4\", \"fortran_order\": True}   \n",
         OF_DTYPE_NONE,
         OF_I32,
         1,
         {6}},
        {" \t{ 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , 'descr' : '<u4' , } \r\n ",
         OF_DTYPE_NONE,
         OF_U32,
         2,
         {2, 3}},
        {"{'descr': '=f4', 'fortran_order': False, 'shape': (3L, 2L), }\n",
         OF_DTYPE_NONE,
         OF_F32,
         2,
         {3, 2}},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (0, 9223372036854775807), }",
         OF_DTYPE_NONE,
         OF_U8,
         2,
         {0, INT64_MAX}},
        {"{'descr': '|V2', 'fortran_order': False, 'shape': (4,), }", OF_BF16, OF_BF16, 1, {4}},
        {"{'descr': '<V2', 'fortran_order': False, 'shape': (4,), }", OF_BF16, OF_BF16, 1, {4}},
        {"{'descr': 'bfloat16', 'fortran_order': False, 'shape': (4,), }",
         OF_BF16,
         OF_BF16,
         1,
         {4}},
        {"{'descr': '|V8', 'fortran_order': False, 'shape': (3,), }", OF_F64, OF_F64, 1, {3}},
        {"{'descr': '<i1', 'fortran_order': False, 'shape': (3,), }", OF_I8, OF_I8, 1, {3}},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        of_array *array;
        of_error err = {0};
        if (npy_load_text(1, good[i].header, 24, good[i].asked, &array, &err) != OF_OK)
            fail_msg("%s: %s", good[i].header, err.message);
        assert_int_equal(of_array_dtype(array), good[i].dtype);
        assert_int_equal(of_array_ndim(array), good[i].ndim);
        for (int dim = 0; dim < good[i].ndim; dim++)
            assert_int_equal(of_array_shape(array)[dim], good[i].shape[dim]);
        of_array_release(array);
    }
}

/* What follows the data is not looked at. */
static void more_data_is_left_alone(void **state) {
    (void)state;
    npy_case made = {2, "<u2", 2, false, 2, {3, 2}};
    npy_bytes file = npy_make(&made);
    npy_append(&file, "more", 4);
    check_load(&file, &made, OF_U16);
    check_reader(FROM_PIPE, &file, &made, OF_U16);
    npy_free(&file);
}

/* The mapping outlives the file's name and the reader. */
static void arrays_outlive_their_files(void **state) {
    (void)state;
    npy_case made = {1, "<f4", 4, true, 2, {30, 20}};
    npy_bytes file = npy_make(&made);
    const char *path = fixture_file("gone.npy", file.data, file.size);
    of_array *array, *view;
    assert_int_equal(of_npy_load(path, NULL, OF_DTYPE_NONE, &array, NULL), OF_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(of_array_transpose(array, NULL, &view, NULL), OF_OK);
    check_array(array, &made, OF_F32);
    of_array_release(array);
    of_scalar last;
    assert_int_equal(of_array_get(view, (int64_t[]){19, 29}, &last, NULL), OF_OK);
    assert_true(last.as.bits == npy_element(599, 4));
    of_array_release(view);
    npy_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_read),
        cmocka_unit_test(pipes_of_any_speed_are_read),
        cmocka_unit_test(standard_input_is_read),
        cmocka_unit_test(headers_are_read_as_python_does),
        cmocka_unit_test(more_data_is_left_alone),
        cmocka_unit_test(arrays_outlive_their_files),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
