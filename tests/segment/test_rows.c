/* What repeats, lengths, offsets and scatter-adds refuse; failing allocations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "core/alloc.h"

static of_array *wrap(of_dtype dtype, int ndim, const int64_t *shape, void *data, unsigned flags) {
    of_array *array;
    of_status status =
        of_array_wrap(NULL, dtype, ndim, shape, NULL, data, flags, NULL, NULL, &array, NULL);
    assert_int_equal(status, OF_OK);
    return array;
}

static of_array *vector(of_dtype dtype, int64_t n, void *data) {
    return wrap(dtype, 1, &n, data, 0);
}

static void expect(of_status got, of_status status, const of_error *err, const char *words) {
    assert_int_equal(got, status);
    assert_int_equal(err->code, status);
    if (!strstr(err->message, words)) fail_msg("\"%s\" has no \"%s\"", err->message, words);
}

static void test_lengths(void **state) {
    (void)state;
    int64_t numbers[] = {2, 0, -1, 3}, large[] = {INT64_MAX, 1}, falling[] = {0, 3, 2},
            late[] = {1, 3};
    double reals[] = {1, 2};
    of_array *negative = vector(OF_I64, 4, numbers), *two = vector(OF_I64, 2, numbers);
    of_array *overflow = vector(OF_I64, 2, large), *none = vector(OF_I64, 0, numbers);
    of_array *floats = vector(OF_F64, 2, reals), *fall = vector(OF_I64, 3, falling);
    of_array *behind = vector(OF_I64, 2, late);
    of_array *square = wrap(OF_I64, 2, (int64_t[]){2, 2}, numbers, 0), *out = NULL;
    of_error err = {0};
    expect(of_lengths_to_offsets(negative, &out, &err), OF_ERR_VALUE, &err, "lengths[2] is -1");
    expect(of_lengths_to_offsets(overflow, &out, &err), OF_ERR_VALUE, &err, "past 2^63 - 1");
    expect(of_lengths_to_offsets(square, &out, &err), OF_ERR_VALUE, &err,
           "lengths has shape (2, 2)");
    expect(of_lengths_to_offsets(floats, &out, &err), OF_ERR_TYPE, &err, "lengths has type f64");
    expect(of_lengths_to_offsets(NULL, &out, &err), OF_ERR_VALUE, &err, "lengths is NULL");
    expect(of_offsets_to_lengths(none, &out, &err), OF_ERR_VALUE, &err, "offsets is empty");
    expect(of_offsets_to_lengths(fall, &out, &err), OF_ERR_VALUE, &err,
           "offsets[2] is 2, less than 3");
    expect(of_offsets_to_ids(behind, &out, &err), OF_ERR_VALUE, &err, "offsets[0] is 1");
    expect(of_partition_ids(negative, 4, &out, &err), OF_ERR_VALUE, &err, "lengths[2] is -1");
    expect(of_partition_ids(two, -2, &out, &err), OF_ERR_VALUE, &err, "total_length is -2");
    expect(of_partition_ids(none, 2, &out, &err), OF_ERR_VALUE, &err, "total_length is 2");
    expect(of_ids_to_lengths(square, 2, &out, &err), OF_ERR_VALUE, &err, "ids has shape (2, 2)");
    expect(of_ids_to_lengths(two, -1, &out, &err), OF_ERR_VALUE, &err, "num_segments is -1");
    expect(of_ids_to_offsets(two, INT64_MAX, &out, &err), OF_ERR_VALUE, &err,
           "9223372036854775807");
    expect(of_ids_to_offsets(floats, 2, &out, &err), OF_ERR_TYPE, &err, "ids has type f64");
    assert_null(out);
    uint64_t beyond[2] = {0, UINT64_MAX};
    of_array *past_i64 = vector(OF_U64, 2, beyond);
    expect(of_lengths_to_offsets(past_i64, &out, &err), OF_ERR_VALUE, &err,
           "lengths[1] is 18446744073709551615");
    expect(of_offsets_to_lengths(past_i64, &out, &err), OF_ERR_VALUE, &err,
           "offsets[1] is 18446744073709551615");
    of_array_release(past_i64);
    of_array *arrays[] = {negative, two, overflow, none, floats, fall, behind, square};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) of_array_release(arrays[i]);
}

static void test_repeat(void **state) {
    (void)state;
    float data[6] = {1, 2, 3, 4, 5, 6};
    int32_t numbers[] = {1, -2, 3};
    int64_t large[] = {INT64_MAX, INT64_MAX};
    of_array *x = wrap(OF_F32, 2, (int64_t[]){2, 3}, data, 0), *none = vector(OF_F32, 0, data);
    of_array *three = vector(OF_I32, 3, numbers), *one = vector(OF_I32, 1, numbers);
    of_array *minus = vector(OF_I32, 1, numbers + 1), *overflow = vector(OF_I64, 2, large),
             *out = NULL;
    of_array *floats = vector(OF_F32, 2, data);
    int dim = 0, far = 2, last = -1;
    int64_t total = 4, negative = -4, most = INT64_MAX;
    of_error err = {0};
    expect(of_repeat(NULL, one, NULL, &out, &err), OF_ERR_VALUE, &err, "x is NULL");
    expect(of_repeat(x, NULL, NULL, &out, &err), OF_ERR_VALUE, &err, "repeats is NULL");
    expect(of_repeat(x, three, NULL, &out, &err), OF_ERR_VALUE, &err, "x has 6 rows");
    expect(of_repeat(x, three, &(of_repeat_opts){.dim = &dim}, &out, &err), OF_ERR_VALUE, &err,
           "repeats has shape (3,), but x has 2 rows");
    expect(of_repeat(x, one, &(of_repeat_opts){.dim = &far}, &out, &err), OF_ERR_VALUE, &err,
           "dim 2");
    expect(of_repeat(x, three, &(of_repeat_opts){.dim = &last}, &out, &err), OF_ERR_VALUE, &err,
           "repeats[1] is -2");
    expect(of_repeat(none, minus, NULL, &out, &err), OF_ERR_VALUE, &err, "repeats[0] is -2");
    expect(of_repeat(x, floats, NULL, &out, &err), OF_ERR_TYPE, &err, "repeats has type f32");
    expect(of_repeat(x, overflow, &(of_repeat_opts){.dim = &dim}, &out, &err), OF_ERR_VALUE, &err,
           "past 2^63 - 1");
    expect(of_repeat(x, one, &(of_repeat_opts){.total_length = &negative}, &out, &err),
           OF_ERR_VALUE, &err, "total_length is -4");
    expect(of_repeat(none, one, &(of_repeat_opts){.total_length = &total}, &out, &err),
           OF_ERR_VALUE, &err, "total_length is 4, but x has no rows");
    expect(of_repeat(x, one, &(of_repeat_opts){.total_length = &most}, &out, &err), OF_ERR_VALUE,
           &err, "9223372036854775807");
    /* One byte seen 2^61 times: places for so many rows would take more than 2^64 bytes. */
    of_array *many = NULL;
    assert_int_equal(of_array_wrap(NULL, OF_U8, 2, (int64_t[]){INT64_C(1) << 31, 1 << 30},
                                   (int64_t[]){0, 0}, data, 0, NULL, NULL, &many, NULL),
                     OF_OK);
    expect(of_repeat(many, one, NULL, &out, &err), OF_ERR_MEMORY, &err, "2305843009213693952 rows");
    of_array_release(many);
    assert_null(out);
    of_array *arrays[] = {x, none, three, one, minus, overflow, floats};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) of_array_release(arrays[i]);
}

static void test_index_add(void **state) {
    (void)state;
    float data[6] = {1, 2, 3, 4, 5, 6}, target[6] = {1, 1, 1, 1, 1, 1}, before[6];
    int32_t numbers[] = {1, 0, 2, -1};
    uint64_t high[] = {UINT64_MAX, 0};
    memcpy(before, target, sizeof before);
    of_array *into = wrap(OF_F32, 2, (int64_t[]){2, 3}, target, 0);
    of_array *fixed = wrap(OF_F32, 2, (int64_t[]){2, 3}, target, OF_WRAP_READ_ONLY);
    of_array *src = wrap(OF_F32, 2, (int64_t[]){2, 3}, data, 0),
             *f64 = wrap(OF_F64, 2, (int64_t[]){0, 3}, data, 0);
    of_array *narrow = wrap(OF_F32, 2, (int64_t[]){2, 2}, data, 0), *flat = vector(OF_F32, 2, data);
    of_array *two = vector(OF_I32, 2, numbers), *three = vector(OF_I32, 3, numbers);
    of_array *beyond = vector(OF_I32, 2, numbers + 1), *below = vector(OF_I32, 2, numbers + 2);
    of_array *huge = vector(OF_U64, 2, high), *flags = wrap(OF_BOOL, 2, (int64_t[]){2, 3}, data, 0);
    of_array *point = wrap(OF_F32, 0, NULL, target, 0), *within = vector(OF_I32, 2, target);
    of_error err = {0};
    expect(of_index_add(NULL, two, src, &err), OF_ERR_VALUE, &err, "into is NULL");
    expect(of_index_add(into, NULL, src, &err), OF_ERR_VALUE, &err, "indices is NULL");
    expect(of_index_add(into, two, NULL, &err), OF_ERR_VALUE, &err, "src is NULL");
    expect(of_index_add(point, two, src, &err), OF_ERR_VALUE, &err, "into has no dimensions");
    expect(of_index_add(into, flat, src, &err), OF_ERR_TYPE, &err, "indices has type f32");
    expect(of_index_add(flags, two, flags, &err), OF_ERR_TYPE, &err, "into has type bool");
    expect(of_index_add(into, two, f64, &err), OF_ERR_TYPE, &err,
           "src has type f64, but into has f32");
    expect(of_index_add(into, two, narrow, &err), OF_ERR_VALUE, &err, "src has shape (2, 2)");
    expect(of_index_add(into, two, flat, &err), OF_ERR_VALUE, &err, "src has shape (2,)");
    expect(of_index_add(into, three, src, &err), OF_ERR_VALUE, &err, "indices has shape (3,)");
    expect(of_index_add(fixed, two, src, &err), OF_ERR_VALUE, &err, "into is read-only");
    expect(of_index_add(into, two, into, &err), OF_ERR_VALUE, &err, "into overlaps src");
    expect(of_index_add(into, within, src, &err), OF_ERR_VALUE, &err, "into overlaps indices");
    expect(of_index_add(into, beyond, src, &err), OF_ERR_INDEX, &err,
           "indices[1] is 2, but into has 2 rows");
    expect(of_index_add(into, below, src, &err), OF_ERR_INDEX, &err, "indices[0] is 2");
    expect(of_index_add(into, huge, src, &err), OF_ERR_INDEX, &err,
           "indices[0] is 18446744073709551615");
    assert_memory_equal(before, target, sizeof before);
    assert_int_equal(of_index_add(into, two, src, &err), OF_OK);
    assert_true(target[0] == 5 && target[3] == 2);
    of_array *arrays[] = {into,  fixed,  src,   f64,  narrow, flat,  two,
                          three, beyond, below, huge, flags,  point, within};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) of_array_release(arrays[i]);
}

/* ---- Failing allocations ---- */

static double values[40];
static int64_t lengths[20];
static of_array *x, *strided, *length, *offset;

static of_status repeat(of_array **out, of_error *err) {
    int dim = 0;
    return of_repeat(strided, length, &(of_repeat_opts){.dim = &dim}, out, err);
}

static of_status partition(of_array **out, of_error *err) {
    return of_partition_ids(length, 50, out, err);
}

static of_status to_offsets(of_array **out, of_error *err) {
    return of_lengths_to_offsets(length, out, err);
}

static of_status to_lengths(of_array **out, of_error *err) {
    return of_offsets_to_lengths(offset, out, err);
}

static of_status to_ids(of_array **out, of_error *err) {
    return of_offsets_to_ids(offset, out, err);
}

static of_status count(of_array **out, of_error *err) {
    return of_ids_to_offsets(length, 3, out, err);
}

static of_status add(of_array **out, of_error *err) {
    double before[40];
    memcpy(before, values, sizeof before);
    of_status status = of_index_add(x, length, strided, err);
    if (status != OF_OK)
        assert_memory_equal(before, values, sizeof before);
    else
        *out = of_array_retain(x);
    return status;
}

static void test_allocations(void **state) {
    (void)state;
    static double sources[40];
    of_status (*const calls[])(of_array **, of_error *) = {
        repeat, partition, to_offsets, to_lengths, to_ids, count, add};
    for (int i = 0; i < 20; i++) lengths[i] = i % 4;
    for (int i = 0; i < 40; i++) sources[i] = (i % 7 - 3.5) * (i % 3 ? 1 : 0x1p200);
    x = wrap(OF_F64, 2, (int64_t[]){20, 2}, values, 0);
    of_array *wide = wrap(OF_F64, 2, (int64_t[]){2, 20}, sources, 0);
    assert_int_equal(of_array_transpose(wide, NULL, &strided, NULL), OF_OK);
    length = vector(OF_I64, 20, lengths);
    assert_int_equal(of_lengths_to_offsets(length, &offset, NULL), OF_OK);
    for (size_t call = 0; call < sizeof calls / sizeof *calls; call++)
        for (int failures = 0;; failures++) {
            of_error err = {0};
            of_array *out = NULL;
            of__alloc_fail_after(failures);
            of_status status = calls[call](&out, &err);
            of__alloc_fail_after(-1);
            if (status == OF_OK) {
                assert_true(failures > 1);
                of_array_release(out);
                break;
            }
            assert_int_equal(status, OF_ERR_MEMORY);
            assert_null(out);
        }
    of_array *arrays[] = {x, wide, strided, length, offset};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) of_array_release(arrays[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_index_add),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
