/* Sorting, gathering and scattering: what is refused, edges, memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "sort/sort_fixture.h"

#define N(...) (&(int64_t){__VA_ARGS__})
#define DIM(d) (&(int){d})

static const int32_t three[3] = {5, -1, 5};

/* ---- What is refused ---- */

static void sorting_refuses(void **state) {
    (void)state;
    of_array *keys = line_over(OF_I32, 3, three), *out = NULL, *second = NULL;
    of_array *table = array_over(OF_I32, 2, (int64_t[]){1, 3}, three);
    ASSERT_FAILS(OF_ERR_VALUE, "keys is NULL", of_sort(NULL, NULL, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "n is -1, which is negative",
                 of_sort(keys, &(of_sort_opts){.n = N(-1)}, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "n is 4, but the size of keys is 3",
                 of_argsort(keys, &(of_sort_opts){.n = N(4)}, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "dim 1 is out of range for an array of 1 dimension",
                 of_argsort(keys, &(of_sort_opts){.dim = DIM(1)}, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "n is 2 and dim is 0, but n counts elements of a whole array",
                 of_sort(keys, &(of_sort_opts){.n = N(2), .dim = DIM(0)}, &out, &err));
    ASSERT_FAILS(OF_ERR_TYPE, "index_dtype is u32; indices are i32 or i64",
                 of_argsort(keys, &(of_sort_opts){.index_dtype = OF_U32}, &out, &err));
    ASSERT_FAILS(OF_ERR_TYPE, "index_dtype is 99, which is no element type",
                 of_argsort(keys, &(of_sort_opts){.index_dtype = 99}, &out, &err));
    ASSERT_FAILS(
        OF_ERR_VALUE,
        "values has shape (1, 3), which is neither that of keys, (3,), nor (3 or more, ...)",
        of_sort_by_key(keys, table, NULL, &out, &second, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "values has shape (3,), but keys has (1, 3)",
                 of_sort_by_key(table, keys, &(of_sort_opts){.dim = DIM(1)}, &out, &second, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "values is NULL",
                 of_sort_by_key(keys, NULL, NULL, &out, &second, &err));
    assert_int_equal(of_sort(NULL, NULL, &out, NULL), OF_ERR_VALUE); /* err may be NULL */
    assert_null(out);
    assert_null(second);
    of_array_release(keys);
    of_array_release(table);
}

/* Memory that is never touched, as many elements as i32 can just not number. */
static void i32_indices_may_be_too_small(void **state) {
    (void)state;
    static const uint8_t zero = 0;
    of_array *keys = NULL, *out = NULL;
    ASSERT_OK(of_array_wrap(NULL, OF_U8, 1, N(INT64_C(1) << 31), N(0), (void *)&zero, 0, NULL, NULL,
                            &keys, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "index_dtype is i32, which is too small for 2147483648 elements",
                 of_argsort(keys, &(of_sort_opts){.index_dtype = OF_I32}, &out, &err));
    of_array_release(keys);
}

static void gathering_refuses(void **state) {
    (void)state;
    of_array *src = line_over(OF_I32, 3, three), *out = NULL;
    of_array *high = line_over(OF_U8, 3, (uint8_t[]){0, 2, 3});
    of_array *low = line_over(OF_I64, 4, (int64_t[]){0, 1, INT64_MIN, 9});
    of_array *huge = line_over(OF_U64, 1, (uint64_t[]){UINT64_MAX});
    of_array *floats = line_over(OF_F32, 1, (float[]){0});
    of_array *scalar = array_over(OF_I32, 0, NULL, three);
    of_array *many = array_over(OF_I32, OF_MAX_DIMS, (int64_t[]){1, 1, 1, 1, 1, 1, 1, 3}, three);
    of_array *table = array_over(OF_I32, 2, (int64_t[]){1, 3}, three);
    ASSERT_FAILS(OF_ERR_INDEX, "indices has 3 at position 2, but src has 3 rows",
                 of_gather(src, high, NULL, &out, &err));
    ASSERT_FAILS(OF_ERR_INDEX, "indices has -9223372036854775808 at position 2, but src has 3 rows",
                 of_gather(src, low, NULL, &out, &err));
    ASSERT_FAILS(OF_ERR_INDEX, "indices has 18446744073709551615 at position 0, but src has 3 rows",
                 of_gather(src, huge, NULL, &out, &err));
    ASSERT_FAILS(OF_ERR_TYPE, "indices has type f32; it takes integers",
                 of_gather(src, floats, NULL, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "src has no dimension to gather from",
                 of_gather(scalar, high, NULL, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "indices of 8 dimensions and rows of 1 make more than 8",
                 of_gather(table, many, NULL, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "n is 5, but the size of indices is 4",
                 of_gather(src, low, &(of_gather_opts){.n = N(5)}, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "n is -2, which is negative",
                 of_gather(src, low, &(of_gather_opts){.n = N(-2)}, &out, &err));
    assert_null(out);
    ASSERT_OK(of_gather(src, low, &(of_gather_opts){.n = N(2)}, &out, &err)); /* the good ones */
    assert_holds(out, OF_I32, 2, three);
    of_array *all[] = {src, high, low, huge, floats, scalar, many, table};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) of_array_release(all[i]);
}

static void scattering_refuses(void **state) {
    (void)state;
    int32_t memory[6] = {1, 2, 3, 4, 5, 6}, before[6];
    memcpy(before, memory, sizeof before);
    of_array *src = line_over(OF_I32, 3, three), *dst = line_over(OF_I32, 6, memory);
    of_array *numbers = line_over(OF_I16, 3, (int16_t[]){0, -7, 6});
    of_array *inside = line_over(OF_I32, 3, memory + 3);
    of_array *read_only = NULL, *repeated = NULL, *scalar = array_over(OF_I32, 0, NULL, memory);
    of_array *floats = line_over(OF_F32, 3, (float[]){1, 2, 3});
    of_array *two = line_over(OF_I32, 2, three);
    ASSERT_OK(of_array_wrap(NULL, OF_I32, 1, N(6), NULL, memory, OF_WRAP_READ_ONLY, NULL, NULL,
                            &read_only, &err));
    ASSERT_OK(of_array_wrap(NULL, OF_I32, 1, N(6), N(0), memory, 0, NULL, NULL, &repeated, &err));
    ASSERT_FAILS(OF_ERR_INDEX, "indices has -7 at position 1, but dst has 6 rows",
                 of_scatter(src, numbers, dst, NULL, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "dst is read-only", of_scatter(src, numbers, read_only, NULL, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "dst has strides that lead to one element twice",
                 of_scatter(src, numbers, repeated, NULL, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "dst overlaps src", of_scatter(inside, numbers, dst, NULL, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "dst overlaps indices", of_scatter(src, inside, dst, NULL, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "dst has no dimension to scatter to",
                 of_scatter(src, numbers, scalar, NULL, &err));
    ASSERT_FAILS(OF_ERR_TYPE, "src has type f32, but dst has i32",
                 of_scatter(floats, numbers, dst, NULL, &err));
    ASSERT_FAILS(OF_ERR_TYPE, "indices has type f32; it takes integers",
                 of_scatter(src, floats, dst, NULL, &err));
    ASSERT_FAILS(OF_ERR_VALUE,
                 "src has shape (2,), which indices of shape (3,) do not put into shape (6,)",
                 of_scatter(two, numbers, dst, NULL, &err));
    ASSERT_FAILS(OF_ERR_VALUE,
                 "src has shape (2,), which indices of shape (3,) do not put into shape (6,)",
                 of_scatter(two, numbers, dst, &(of_gather_opts){.n = N(3)}, &err));
    assert_memory_equal(memory, before, sizeof before);
    ASSERT_OK(of_scatter(two, numbers, dst, &(of_gather_opts){.n = N(1)}, &err));
    assert_int_equal(memory[0], 5);
    of_array *all[] = {src, dst, numbers, inside, read_only, repeated, scalar, floats, two};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) of_array_release(all[i]);
}

/* ---- Edges ---- */

static void nothing_gives_nothing(void **state) {
    (void)state;
    of_array *keys = line_over(OF_F64, 0, NULL), *out = NULL, *moved = NULL;
    ASSERT_OK(of_sort(keys, NULL, &out, &err));
    assert_holds(out, OF_F64, 0, NULL);
    ASSERT_OK(of_argsort(keys, NULL, &out, &err));
    assert_holds(out, OF_I32, 0, NULL);
    ASSERT_OK(of_sort_by_key(keys, keys, NULL, &out, &moved, &err));
    assert_holds(out, OF_F64, 0, NULL);
    assert_holds(moved, OF_F64, 0, NULL);
    of_array *none = line_over(OF_U64, 0, NULL);
    ASSERT_OK(of_gather(keys, none, NULL, &out, &err));
    assert_holds(out, OF_F64, 0, NULL);
    ASSERT_OK(of_scatter(keys, none, keys, NULL, &err));
    of_array_release(none);
    of_array_release(keys);
}

/* Payloads of NaNs move with them, and NaNs of either sign are equal: after all else, or before. */
static void nans_keep_payloads_and_order(void **state) {
    (void)state;
    enum { INF = 0x7f800000, MINUS = (int)0x80000000 };
    const uint32_t keys[] = {0x7fc00001, 0x3f800000, 0xffc00007, 0x7f800001, MINUS,
                             0,          0xff800000, INF,        0xffffffff, 0x3f800000};
    const uint32_t up[] = {0xff800000, MINUS,      0,          0x3f800000, 0x3f800000,
                           INF,        0x7fc00001, 0xffc00007, 0x7f800001, 0xffffffff};
    const uint32_t down[] = {0x7fc00001, 0xffc00007, 0x7f800001, 0xffffffff, INF,
                             0x3f800000, 0x3f800000, 0,          MINUS,      0xff800000};
    const int32_t order_down[] = {0, 2, 3, 8, 7, 1, 9, 5, 4, 6};
    of_array *array = line_over(OF_F32, 10, keys), *out = NULL;
    ASSERT_OK(of_sort(array, NULL, &out, &err));
    assert_holds(out, OF_F32, 10, up);
    ASSERT_OK(of_sort(array, &(of_sort_opts){.descending = true}, &out, &err));
    assert_holds(out, OF_F32, 10, down);
    ASSERT_OK(of_argsort(array, &(of_sort_opts){.descending = true}, &out, &err));
    assert_holds(out, OF_I32, 10, order_down);
    of_array_release(array);
}

/* Whatever byte stands for true, it is kept. */
static void bytes_of_bool_are_kept(void **state) {
    (void)state;
    of_array *array = line_over(OF_BOOL, 6, (uint8_t[]){2, 0, 1, 0, 255, 1}), *out = NULL;
    ASSERT_OK(of_sort(array, NULL, &out, &err));
    assert_holds(out, OF_BOOL, 6, (uint8_t[]){0, 0, 2, 1, 255, 1});
    ASSERT_OK(of_argsort(array, &(of_sort_opts){.descending = true}, &out, &err));
    assert_holds(out, OF_I32, 6, (int32_t[]){0, 2, 4, 5, 1, 3});
    of_array_release(array);
}

static void either_result_may_be_left_out(void **state) {
    (void)state;
    of_array *keys = line_over(OF_I32, 3, three), *out = NULL;
    of_array *values = line_over(OF_U8, 3, (uint8_t[]){1, 2, 3});
    ASSERT_OK(of_sort_by_key(keys, values, NULL, NULL, &out, &err));
    assert_holds(out, OF_U8, 3, (uint8_t[]){2, 1, 3});
    ASSERT_OK(of_sort_by_key(keys, values, NULL, &out, NULL, &err));
    assert_holds(out, OF_I32, 3, (int32_t[]){-1, 5, 5});
    ASSERT_OK(of_sort_by_key(keys, values, NULL, NULL, NULL, &err));
    of_array_release(keys);
    of_array_release(values);
}

/* Keys of more dimensions number their values as they lie, or values by rows. */
static void values_match_keys_by_shape_or_rows(void **state) {
    (void)state;
    of_array *keys = array_over(OF_I8, 2, (int64_t[]){2, 2}, (int8_t[]){3, 1, 2, 0}), *out = NULL;
    int16_t numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    of_array *same = array_over(OF_I16, 2, (int64_t[]){2, 2}, numbers);
    of_array *rows = array_over(OF_I16, 2, (int64_t[]){4, 2}, numbers);
    ASSERT_OK(of_sort_by_key(keys, same, NULL, NULL, &out, &err));
    assert_int_equal(of_array_ndim(out), 1);
    assert_holds(out, OF_I16, 4, (int16_t[]){3, 1, 2, 0});
    ASSERT_OK(of_sort_by_key(keys, rows, NULL, NULL, &out, &err));
    assert_int_equal(of_array_ndim(out), 2);
    assert_holds(out, OF_I16, 8, (int16_t[]){6, 7, 2, 3, 4, 5, 0, 1});
    of_array_release(keys);
    of_array_release(same);
    of_array_release(rows);
}

/* ---- Memory ---- */

enum { MANY = 3000 };
static of_array *many, *transposed, *numbers;

static of_status call_sort(of_array **a, of_array **b, of_error *err) {
    (void)b;
    return of_sort(transposed, &(of_sort_opts){.dim = DIM(0)}, a, err);
}

static of_status call_argsort(of_array **a, of_array **b, of_error *err) {
    (void)b;
    return of_argsort(many, NULL, a, err);
}

static of_status call_sort_by_key(of_array **a, of_array **b, of_error *err) {
    return of_sort_by_key(transposed, transposed, &(of_sort_opts){.dim = DIM(0)}, a, b, err);
}

static of_status call_gather(of_array **a, of_array **b, of_error *err) {
    (void)b;
    return of_gather(transposed, numbers, NULL, a, err);
}

static int32_t scattered[MANY];

static of_status call_scatter(of_array **a, of_array **b, of_error *err) {
    (void)b;
    of_array *dst = NULL;
    const int64_t shape[2] = {MANY / 10, 10}, strides[2] = {4, MANY / 10 * 4};
    of_status status =
        of_array_wrap(NULL, OF_I32, 2, shape, strides, scattered, 0, NULL, NULL, &dst, err);
    if (status == OF_OK) status = of_scatter(transposed, numbers, dst, NULL, err);
    of_array_release(dst);
    if (status == OF_OK) *a = of_array_retain(many);
    return status;
}

typedef of_status (*call)(of_array **a, of_array **b, of_error *err);

/* The sanitizers see what leaks. */
static void each_allocation_may_fail(void **state) {
    (void)state;
    static const call calls[] = {call_sort, call_argsort, call_sort_by_key, call_gather,
                                 call_scatter};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int failures = 0;; failures++) {
            of_array *a = NULL, *b = NULL;
            of_error err = {0};
            memset(scattered, 0, sizeof scattered);
            of__alloc_fail_after(failures);
            of_status status = calls[i](&a, &b, &err);
            of__alloc_fail_after(-1);
            of_array_release(a);
            of_array_release(b);
            if (status == OF_OK) {
                assert_true(failures >= 4);
                break;
            }
            assert_int_equal(status, OF_ERR_MEMORY);
            assert_int_equal(err.code, OF_ERR_MEMORY);
            assert_null(a);
            assert_null(b);
            for (int k = 0; k < MANY; k++) assert_int_equal(scattered[k], 0);
        }
}

static int make_arrays(void **state) {
    (void)state;
    of_array *table = NULL;
    const int64_t shape[2] = {10, MANY / 10};
    if (of_array_create(NULL, OF_I32, 2, shape, &table, NULL) != OF_OK) return -1;
    int32_t *data = of_array_mutable_data(table);
    for (int i = 0; i < MANY; i++) data[i] = (int32_t)((uint32_t)i * 2654435761u);
    static int16_t rows[MANY / 10];
    for (int i = 0; i < MANY / 10; i++) rows[i] = (int16_t)(MANY / 10 - 1 - i);
    numbers = line_over(OF_I16, MANY / 10, rows);
    if (of_array_transpose(table, NULL, &transposed, NULL) != OF_OK) return -1;
    if (of_array_reshape(table, 1, N(MANY), &many, NULL) != OF_OK) return -1;
    of_array_release(table);
    return 0;
}

static int release_arrays(void **state) {
    (void)state;
    of_array_release(many);
    of_array_release(transposed);
    of_array_release(numbers);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorting_refuses),
        cmocka_unit_test(i32_indices_may_be_too_small),
        cmocka_unit_test(gathering_refuses),
        cmocka_unit_test(scattering_refuses),
        cmocka_unit_test(nothing_gives_nothing),
        cmocka_unit_test(nans_keep_payloads_and_order),
        cmocka_unit_test(bytes_of_bool_are_kept),
        cmocka_unit_test(either_result_may_be_left_out),
        cmocka_unit_test(values_match_keys_by_shape_or_rows),
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_arrays, release_arrays);
}
