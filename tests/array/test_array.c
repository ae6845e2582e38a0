/* Arrays: making, wrapping, owning, reading and filling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "array/array_internal.h"

static of_array *created(of_dtype dtype, int ndim, const int64_t *shape) {
    of_array *array = NULL;
    assert_int_equal(of_array_create(NULL, dtype, ndim, shape, &array, NULL), OF_OK);
    return array;
}

static of_array *wrapped(of_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides,
                         void *data) {
    of_array *array = NULL;
    assert_int_equal(
        of_array_wrap(NULL, dtype, ndim, shape, strides, data, 0, NULL, NULL, &array, NULL), OF_OK);
    return array;
}

/* ---- Making ---- */

static void new_arrays_are_row_major(void **state) {
    (void)state;
    of_array *array = created(OF_F32, 3, (int64_t[]){2, 3, 5});
    assert_int_equal(of_array_ndim(array), 3);
    assert_int_equal(of_array_dtype(array), OF_F32);
    assert_int_equal(of_array_size(array), 30);
    assert_int_equal(of_array_nbytes(array), 120);
    assert_memory_equal(of_array_shape(array), ((int64_t[]){2, 3, 5}), 24);
    assert_memory_equal(of_array_strides(array), ((int64_t[]){60, 20, 4}), 24);
    assert_true(of_array_is_contiguous(array));
    assert_false(of_array_is_read_only(array));
    assert_ptr_equal(of_array_device(array), of_device_at(0));
    assert_non_null(of_array_data(array));
    assert_ptr_equal(of_array_data(array), of_array_mutable_data(array));
    assert_int_equal((uintptr_t)of_array_data(array) % 64, 0);
    of_array_release(array);
}

static void zero_dimensions_make_one_element(void **state) {
    (void)state;
    of_array *array = created(OF_U16, 0, NULL);
    assert_int_equal(of_array_ndim(array), 0);
    assert_int_equal(of_array_size(array), 1);
    assert_int_equal(of_array_nbytes(array), 2);
    of_array_release(array);
}

static void a_size_of_zero_makes_no_element(void **state) {
    (void)state;
    of_array *array = created(OF_F64, 3, (int64_t[]){4, 0, 2});
    assert_int_equal(of_array_size(array), 0);
    assert_int_equal(of_array_nbytes(array), 0);
    assert_null(of_array_data(array));
    assert_null(of_array_mutable_data(array));
    assert_true(of_array_is_contiguous(array));
    of_array_release(array);
}

static void zeros_are_zero(void **state) {
    (void)state;
    static const char none[8 * 1000];
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++) {
        of_array *array = NULL;
        assert_int_equal(of_array_zeros(NULL, dtype, 2, (int64_t[]){10, 100}, &array, NULL), OF_OK);
        assert_memory_equal(of_array_data(array), none, of_array_nbytes(array));
        of_array_release(array);
    }
}

static void assert_refused(of_status expected, const char *named, of_dtype dtype, int ndim,
                           const int64_t *shape) {
    of_array *array = NULL;
    of_error err = {0};
    assert_int_equal(of_array_create(NULL, dtype, ndim, shape, &array, &err), expected);
    assert_null(array);
    assert_int_equal(err.code, expected);
    if (strstr(err.message, named) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.message, named);
    assert_int_equal(of_array_zeros(NULL, dtype, ndim, shape, &array, NULL), expected);
    char byte;
    assert_int_equal(
        of_array_wrap(NULL, dtype, ndim, shape, NULL, &byte, 0, NULL, NULL, &array, NULL),
        expected);
    assert_null(array);
}

static void impossible_arrays_are_refused(void **state) {
    (void)state;
    const int64_t one = 1, huge = INT64_C(1) << 62;
    assert_refused(OF_ERR_TYPE, "dtype 0", OF_DTYPE_NONE, 1, &one);
    assert_refused(OF_ERR_TYPE, "dtype 14", OF_DTYPE_END, 1, &one);
    assert_refused(OF_ERR_VALUE, "ndim 9", OF_F32, 9, (int64_t[9]){1});
    assert_refused(OF_ERR_VALUE, "ndim -1", OF_F32, -1, &one);
    assert_refused(OF_ERR_VALUE, "shape", OF_F32, 1, NULL);
    assert_refused(OF_ERR_VALUE, "-3 of dimension 1", OF_F32, 2, (int64_t[]){2, -3});
    assert_refused(OF_ERR_VALUE, "(4611686018427387904, 2)", OF_I8, 2, (int64_t[]){huge, 2});
    assert_refused(OF_ERR_VALUE, "2^63", OF_I16, 1, &huge);
    assert_refused(OF_ERR_VALUE, "2^63", OF_I8, 3, (int64_t[]){huge, 0, huge});
}

static void too_much_memory_is_an_error(void **state) {
    (void)state;
    of_array *array = NULL;
    of_error err = {0};
    const int64_t much = INT64_MAX / 8;
    assert_int_equal(of_array_create(NULL, OF_F64, 1, &much, &array, &err), OF_ERR_MEMORY);
    assert_null(array);
    assert_int_equal(err.code, OF_ERR_MEMORY);
    const int64_t most = INT64_MAX;
    assert_int_equal(of_array_zeros(NULL, OF_I8, 1, &most, &array, NULL), OF_ERR_MEMORY);
}

/* ---- Wrapping and owning ---- */

static void count_call(void *data, void *context) {
    assert_non_null(data);
    ++*(int *)context;
}

static void the_last_view_calls_the_deleter(void **state) {
    (void)state;
    float data[6] = {0};
    int calls = 0;
    of_array *array = NULL, *row = NULL, *flat = NULL;
    assert_int_equal(of_array_wrap(NULL, OF_F32, 2, (int64_t[]){2, 3}, NULL, data, 0, count_call,
                                   &calls, &array, NULL),
                     OF_OK);
    assert_ptr_equal(of_array_retain(array), array);
    of_array_release(array);
    assert_int_equal(of_array_slice(array, 0, 1, 1, 1, &row, NULL), OF_OK);
    assert_int_equal(of_array_reshape(row, 1, (int64_t[]){3}, &flat, NULL), OF_OK);
    of_array_release(array);
    of_array_release(row);
    assert_int_equal(calls, 0);
    assert_ptr_equal(of_array_data(flat), data + 3);
    of_array_release(flat);
    assert_int_equal(calls, 1);
    of_array_release(NULL);
    assert_null(of_array_retain(NULL));
}

static void a_failed_wrap_leaves_the_deleter_alone(void **state) {
    (void)state;
    int calls = 0;
    char byte;
    of_array *array = NULL;
    of_error err = {0};
    assert_int_equal(of_array_wrap(NULL, OF_I8, 1, (int64_t[]){1}, NULL, NULL, 0, count_call,
                                   &calls, &array, &err),
                     OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "data"));
    assert_int_equal(of_array_wrap(NULL, OF_I8, 1, (int64_t[]){3}, (int64_t[]){INT64_MAX}, &byte, 0,
                                   count_call, &calls, &array, &err),
                     OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "strides"));
    assert_int_equal(of_array_wrap(NULL, OF_I8, 1, (int64_t[]){2}, (int64_t[]){INT64_MIN + 1},
                                   &byte, 0, count_call, &calls, &array, &err),
                     OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "out of all memory"));
    assert_int_equal(of_array_wrap(NULL, OF_I8, 1, (int64_t[]){2}, NULL, (void *)-1, 0, count_call,
                                   &calls, &array, &err),
                     OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "out of all memory"));
    assert_int_equal(of_array_wrap(NULL, OF_I8, 2, (int64_t[]){2, 2},
                                   (int64_t[]){INT64_MIN, INT64_MIN}, &byte, 0, count_call, &calls,
                                   &array, &err),
                     OF_ERR_VALUE);
    assert_int_equal(of_array_wrap(NULL, OF_I8, 1, (int64_t[]){1}, NULL, &byte, 6, count_call,
                                   &calls, &array, &err),
                     OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "flags"));
    assert_null(array);
    assert_int_equal(calls, 0);
}

static void read_only_memory_is_not_written(void **state) {
    (void)state;
    int32_t data[2] = {7, 8};
    of_array *array = NULL, *view = NULL;
    of_error err = {0};
    assert_int_equal(of_array_wrap(NULL, OF_I32, 1, (int64_t[]){2}, NULL, data, OF_WRAP_READ_ONLY,
                                   NULL, NULL, &array, NULL),
                     OF_OK);
    assert_int_equal(of_array_transpose(array, NULL, &view, NULL), OF_OK);
    assert_true(of_array_is_read_only(array) && of_array_is_read_only(view));
    assert_null(of_array_mutable_data(view));
    assert_ptr_equal(of_array_data(view), data);
    assert_int_equal(of_array_fill(view, of_scalar_i64(1), &err), OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "read-only"));
    assert_int_equal(data[0], 7);
    of_array *copy = NULL;
    assert_int_equal(of_array_copy(view, &copy, NULL), OF_OK);
    assert_false(of_array_is_read_only(copy));
    of_array_release(copy);
    of_array_release(array);
    of_array_release(view);
}

static void nothing_can_be_wrapped_at_no_address(void **state) {
    (void)state;
    of_array *array = wrapped(OF_F32, 2, (int64_t[]){0, 3}, NULL, NULL);
    of_array *copy = NULL;
    assert_int_equal(of_array_convert(array, OF_I8, &copy, NULL), OF_OK);
    assert_int_equal(of_array_size(copy), 0);
    assert_int_equal(of_array_fill(array, of_scalar_f64(1), NULL), OF_OK);
    of_array_release(copy);
    of_array_release(array);
}

static void extents_cover_every_element(void **state) {
    (void)state;
    char data[100];
    const char *low, *high;
    of_array *array = wrapped(OF_I16, 2, (int64_t[]){3, 4}, (int64_t[]){-10, 2}, data + 50);
    of__array_extent(array, &low, &high);
    assert_ptr_equal(low, data + 30);
    assert_ptr_equal(high, data + 58);
    of_array *after = wrapped(OF_I8, 1, (int64_t[]){42}, NULL, data + 58);
    of_array *empty = wrapped(OF_I8, 1, (int64_t[]){0}, NULL, data + 50);
    of_array *last = wrapped(OF_I8, 0, NULL, NULL, data + 57);
    assert_false(of__arrays_overlap(array, after));
    assert_false(of__arrays_overlap(array, empty));
    assert_false(of__arrays_overlap(empty, empty));
    assert_true(of__arrays_overlap(array, last));
    assert_true(of__arrays_overlap(last, array));
    of_array_release(array);
    of_array_release(after);
    of_array_release(empty);
    of_array_release(last);
}

static void contiguity_ignores_dimensions_of_one(void **state) {
    (void)state;
    float data[12];
    const struct {
        int64_t shape[3], strides[3];
        bool contiguous;
    } cases[] = {
        {{2, 3, 2}, {24, 8, 4}, true},   {{2, 3, 2}, {4, 8, 24}, false},
        {{1, 3, 2}, {999, 8, 4}, true},  {{2, 3, 1}, {12, 4, -77}, true},
        {{2, 3, 1}, {24, 8, 4}, false},  {{0, 3, 1}, {1, 1, 1}, true},
        {{1, 1, 1}, {-1, -1, -1}, true}, {{2, 1, 1}, {0, 4, 4}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        of_array *array = wrapped(OF_F32, 3, cases[i].shape, cases[i].strides, data);
        assert_int_equal(of_array_is_contiguous(array), cases[i].contiguous);
        of_array_release(array);
    }
}

/* ---- Elements ---- */

static void get_reads_the_element_named(void **state) {
    (void)state;
    int16_t data[6] = {10, 11, 12, 20, 21, -22};
    of_array *array = wrapped(OF_I16, 2, (int64_t[]){2, 3}, NULL, data);
    of_scalar value;
    of_error err = {0};
    assert_int_equal(of_array_get(array, (int64_t[]){0, 1}, &value, NULL), OF_OK);
    assert_int_equal(value.dtype, OF_I16);
    assert_int_equal(value.as.i16, 11);
    assert_int_equal(of_array_get(array, (int64_t[]){-1, -1}, &value, NULL), OF_OK);
    assert_true(value.as.bits == (uint16_t)-22);
    static const int64_t outside[][2] = {{2, 0}, {-3, 0}, {0, 3}, {0, -4}, {INT64_MIN, 0}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_int_equal(of_array_get(array, outside[i], &value, &err), OF_ERR_INDEX);
    assert_int_equal(of_array_get(array, (int64_t[]){0, 7}, &value, &err), OF_ERR_INDEX);
    assert_non_null(strstr(err.message, "7"));
    assert_int_equal(of_array_get(array, NULL, &value, &err), OF_ERR_INDEX);
    assert_int_equal(value.as.i16, -22);
    of_array *single = wrapped(OF_I16, 0, NULL, NULL, data + 4);
    assert_int_equal(of_array_get(single, NULL, &value, NULL), OF_OK);
    assert_int_equal(value.as.i16, 21);
    of_array_release(single);
    of_array_release(array);
}

static void fill_reaches_every_element_and_no_other(void **state) {
    (void)state;
    uint8_t data[200];
    memset(data, 0xaa, sizeof data);
    /* i16 at odd addresses, with gaps, one dimension backwards */
    of_array *array = wrapped(OF_I16, 3, (int64_t[]){3, 2, 5}, (int64_t[]){-50, 20, 3}, data + 101);
    assert_int_equal(of_array_fill(array, of_scalar_f64(-1.75), NULL), OF_OK);
    bool written[200] = {false};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 5; k++) {
                int at = 101 - 50 * i + 20 * j + 3 * k;
                assert_int_equal(data[at], 0xff);
                assert_int_equal(data[at + 1], 0xff);
                written[at] = written[at + 1] = true;
            }
    for (int i = 0; i < 200; i++) assert_true(written[i] || data[i] == 0xaa);
    of_error err = {0};
    assert_int_equal(of_array_fill(array, (of_scalar){0}, &err), OF_ERR_TYPE);
    of_array_release(array);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_arrays_are_row_major),
        cmocka_unit_test(zero_dimensions_make_one_element),
        cmocka_unit_test(a_size_of_zero_makes_no_element),
        cmocka_unit_test(zeros_are_zero),
        cmocka_unit_test(impossible_arrays_are_refused),
        cmocka_unit_test(too_much_memory_is_an_error),
        cmocka_unit_test(the_last_view_calls_the_deleter),
        cmocka_unit_test(a_failed_wrap_leaves_the_deleter_alone),
        cmocka_unit_test(read_only_memory_is_not_written),
        cmocka_unit_test(nothing_can_be_wrapped_at_no_address),
        cmocka_unit_test(extents_cover_every_element),
        cmocka_unit_test(contiguity_ignores_dimensions_of_one),
        cmocka_unit_test(get_reads_the_element_named),
        cmocka_unit_test(fill_reaches_every_element_and_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
