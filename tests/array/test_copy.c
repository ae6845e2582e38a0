/* of_copy, of_copy_with_offset and of_fill_value: against plain loops over indices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "core/alloc.h"
#include "random_bits.h"

enum { MOST_BYTES = 400000 };
static unsigned char source_bytes[MOST_BYTES], target_bytes[MOST_BYTES], expected_bytes[MOST_BYTES];

typedef struct form {
    int ndim;
    int64_t shape[4];
    int step;        /* elements from one to the next of the last dimension, negative: backwards */
    bool transposed; /* the first dimension lies innermost */
    int lead;        /* bytes before the first element */
} form;

static const form forms[] = {
    {1, {24}, 1, false, 0},        {1, {24}, 1, false, 1},      {1, {24}, 2, false, 0},
    {1, {24}, -1, false, 0},       {2, {4, 6}, 1, false, 0},    {2, {6, 4}, 1, true, 3},
    {3, {2, 3, 4}, 3, false, 0},   {3, {4, 3, 2}, -2, true, 0}, {2, {24, 1}, 1, false, 0},
    {4, {2, 2, 3, 2}, 1, true, 0}, {2, {5, 5}, 1, true, 0},     {1, {30}, 1, false, 0},
};
enum { FORMS = sizeof forms / sizeof *forms };

static int64_t size_of(const form *f) {
    int64_t size = 1;
    for (int i = 0; i < f->ndim; i++) size *= f->shape[i];
    return size;
}

/* Strides in bytes, and the first element's place in memory. */
static int64_t lay_out(const form *f, size_t element, int64_t *strides) {
    int64_t next = (int64_t)element * llabs(f->step), first = f->lead;
    for (int k = 0; k < f->ndim; k++) {
        int i = f->transposed ? k : f->ndim - 1 - k;
        strides[i] = f->step < 0 ? -next : next;
        if (f->step < 0) first += (f->shape[i] - 1) * next;
        next *= f->shape[i];
    }
    return first;
}

static of_array *wrap(const form *f, of_dtype dtype, void *memory) {
    int64_t strides[4] = {0};
    int64_t first = lay_out(f, of_dtype_size(dtype), strides);
    of_array *array = NULL;
    of_status status = of_array_wrap(NULL, dtype, f->ndim, f->shape, strides,
                                     (char *)memory + first, 0, NULL, NULL, &array, NULL);
    assert_int_equal(status, OF_OK);
    return array;
}

/* The place of element number `position` in flat order. */
static int64_t place(const form *f, of_dtype dtype, int64_t position) {
    int64_t strides[4] = {0}, at = lay_out(f, of_dtype_size(dtype), strides);
    for (int i = f->ndim - 1; i >= 0; i--) {
        at += position % f->shape[i] * strides[i];
        position /= f->shape[i];
    }
    return at;
}

static void fill_randomly(void) {
    for (int i = 0; i < MOST_BYTES; i++) {
        source_bytes[i] = (unsigned char)random_bits();
        target_bytes[i] = expected_bytes[i] = (unsigned char)random_bits();
    }
}

static void check_copy(const form *from, of_dtype source, const form *to, of_dtype target,
                       int64_t offset, int64_t n) {
    memcpy(target_bytes, expected_bytes, 4096);
    of_array *src = wrap(from, source, source_bytes), *dst = wrap(to, target, target_bytes);
    unsigned char wanted[4096];
    memcpy(wanted, target_bytes, sizeof wanted);
    for (int64_t i = 0; i < n; i++) {
        of_scalar value = of_scalar_load(source, source_bytes + place(from, source, i));
        of_scalar_store(of_scalar_convert(value, target), wanted + place(to, target, offset + i));
    }
    of_error err = {0};
    of_status status =
        offset == 0 ? of_copy(src, dst, n, &err) : of_copy_with_offset(src, dst, offset, n, &err);
    if (status != OF_OK) fail_msg("%s", err.message);
    assert_memory_equal(target_bytes, wanted, sizeof wanted);
    of_array_release(src);
    of_array_release(dst);
}

/* Every form of source and target, and some types. */
static void test_layouts(void **state) {
    (void)state;
    fill_randomly();
    for (int a = 0; a < FORMS; a++)
        for (int b = 0; b < FORMS; b++)
            for (int t = 0; t < 6; t++) {
                of_dtype source = (of_dtype)(1 + random_below(OF_DTYPE_END - 1));
                of_dtype target = (of_dtype)(1 + random_below(OF_DTYPE_END - 1));
                if (t < 3) target = source;
                int64_t most = size_of(&forms[a]), room = size_of(&forms[b]);
                if (room < most) most = room;
                int64_t n = t == 0 ? most : random_below(most + 1);
                int64_t offset = t == 0 ? 0 : random_below(room - n + 1);
                check_copy(&forms[a], source, &forms[b], target, offset, n);
            }
}

static void test_types(void **state) {
    (void)state;
    fill_randomly();
    for (of_dtype source = OF_BOOL; source < OF_DTYPE_END; source++)
        for (of_dtype target = OF_BOOL; target < OF_DTYPE_END; target++)
            check_copy(&forms[0], source, &forms[4], target, 0, 24);
}

/* Enough for several threads, between shapes that share no walk. */
static void test_large(void **state) {
    (void)state;
    enum { N = 1500000 };
    static const int64_t shape[] = {1000, 1500}, other[] = {1500, 1000};
    of_array *made[4] = {NULL};
    assert_int_equal(of_array_create(NULL, OF_I32, 2, shape, &made[0], NULL), OF_OK);
    assert_int_equal(of_array_transpose(made[0], NULL, &made[1], NULL), OF_OK);
    assert_int_equal(of_array_create(NULL, OF_F64, 2, other, &made[2], NULL), OF_OK);
    assert_int_equal(of_array_reshape(made[2], 2, shape, &made[3], NULL), OF_OK);
    int32_t *x = of_array_mutable_data(made[0]);
    double *y = of_array_mutable_data(made[2]);
    for (int i = 0; i < N; i++) x[i] = i - N / 2;
    for (int i = 0; i < N; i++) y[i] = 0.5;
    assert_int_equal(of_copy_with_offset(made[1], made[3], 1, N - 1, NULL), OF_OK);
    int wrong = y[0] != 0.5;
    for (int i = 0; i + 1 < N; i++) wrong += y[i + 1] != x[i % 1000 * 1500 + i / 1000];
    assert_int_equal(wrong, 0);
    assert_int_equal(of_fill_value(made[3], of_scalar_i64(7), N - 1, NULL), OF_OK);
    for (int i = 0; i + 1 < N; i++) wrong += y[i] != 7;
    assert_int_equal(wrong, 0);
    assert_true(y[N - 1] == x[(N - 2) % 1000 * 1500 + (N - 2) / 1000]);
    for (int i = 0; i < 4; i++) of_array_release(made[i]);
}

/* ---- Within one array ---- */

static void test_overlap(void **state) {
    (void)state;
    static const form whole = {1, {100}, 1, false, 0}, half = {1, {50}, 2, false, 0};
    for (int64_t offset = 0; offset <= 40; offset += 8) {
        fill_randomly();
        memcpy(target_bytes, expected_bytes, MOST_BYTES);
        of_array *array = wrap(&whole, OF_I16, target_bytes);
        memmove(expected_bytes + 2 * offset, expected_bytes, 120);
        assert_int_equal(of_copy_with_offset(array, array, offset, 60, NULL), OF_OK);
        assert_memory_equal(target_bytes, expected_bytes, MOST_BYTES);
        of_array_release(array);
    }
    of_array *strided = wrap(&half, OF_I16, target_bytes);
    of_array *other = wrap(&half, OF_U16, target_bytes);
    assert_int_equal(of_copy(strided, strided, 50, NULL), OF_OK);
    assert_memory_equal(target_bytes, expected_bytes, MOST_BYTES);
    of_error err = {0};
    assert_int_equal(of_copy_with_offset(strided, strided, 1, 40, &err), OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "dst overlaps src"));
    assert_int_equal(of_copy(strided, other, 50, &err), OF_ERR_VALUE);
    assert_memory_equal(target_bytes, expected_bytes, MOST_BYTES);
    of_array_release(strided);
    of_array_release(other);
}

static void test_payloads_move(void **state) {
    (void)state;
    static const form one = {1, {1}, 1, false, 0};
    uint32_t nan = 0xffc12345, other = 0;
    of_array *src = wrap(&one, OF_F32, &nan), *dst = wrap(&one, OF_F32, &other);
    assert_int_equal(of_copy(src, dst, 1, NULL), OF_OK);
    assert_int_equal(other, nan);
    of_array_release(src);
    of_array_release(dst);
}

/* ---- Filling ---- */

static void test_fill(void **state) {
    (void)state;
    static const of_scalar values[] = {{.dtype = OF_F64, .as.f64 = 2.5},
                                       {.dtype = OF_I64, .as.i64 = 300},
                                       {.dtype = OF_F64, .as.f64 = -7.9},
                                       {.dtype = OF_BOOL, .as.b = 1},
                                       {.dtype = OF_BF16, .as.bits = 0xffff}};
    fill_randomly();
    for (int f = 0; f < FORMS; f++)
        for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++) {
            of_scalar value = values[random_below(5)];
            int64_t n = random_below(size_of(&forms[f]) + 1);
            memcpy(target_bytes, expected_bytes, 4096);
            unsigned char wanted[4096];
            memcpy(wanted, target_bytes, sizeof wanted);
            for (int64_t i = 0; i < n; i++)
                of_scalar_store(of_scalar_convert(value, dtype),
                                wanted + place(&forms[f], dtype, i));
            of_array *dst = wrap(&forms[f], dtype, target_bytes);
            assert_int_equal(of_fill_value(dst, value, n, NULL), OF_OK);
            assert_memory_equal(target_bytes, wanted, sizeof wanted);
            of_array_release(dst);
        }
    /* the page's own examples: 2.5 fills an i32 with 2, and 300 a u8 with 44 */
    int32_t whole[2] = {0};
    uint8_t byte[2] = {0};
    static const form two = {1, {2}, 1, false, 0};
    of_array *i32 = wrap(&two, OF_I32, whole), *u8 = wrap(&two, OF_U8, byte);
    assert_int_equal(of_fill_value(i32, of_scalar_f64(2.5), 1, NULL), OF_OK);
    assert_int_equal(of_fill_value(u8, of_scalar_i64(300), 2, NULL), OF_OK);
    assert_true(whole[0] == 2 && whole[1] == 0 && byte[0] == 44 && byte[1] == 44);
    of_array_release(i32);
    of_array_release(u8);
}

/* ---- Refused ---- */

static void check_refused(const of_array *src, of_array *dst, int64_t offset, int64_t n,
                          const char *words) {
    of_error err = {0};
    memcpy(target_bytes, expected_bytes, 4096);
    assert_int_equal(of_copy_with_offset(src, dst, offset, n, &err), OF_ERR_VALUE);
    assert_int_equal(err.code, OF_ERR_VALUE);
    if (strstr(err.message, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.message, words);
    assert_memory_equal(target_bytes, expected_bytes, 4096);
    assert_int_equal(of_copy_with_offset(src, dst, offset, n, NULL), OF_ERR_VALUE);
}

static void test_refused(void **state) {
    (void)state;
    static const form ten = {1, {10}, 1, false, 0}, eight = {1, {8}, 1, false, 0};
    static const int64_t shape[] = {4}, stride[] = {0};
    fill_randomly();
    of_array *src = wrap(&ten, OF_F32, source_bytes), *dst = wrap(&eight, OF_I16, target_bytes);
    of_array *repeated = NULL, *read_only = NULL;
    assert_int_equal(
        of_array_wrap(NULL, OF_F32, 1, shape, stride, target_bytes, 0, NULL, NULL, &repeated, NULL),
        OF_OK);
    assert_int_equal(of_array_wrap(NULL, OF_F32, 1, shape, NULL, target_bytes, OF_WRAP_READ_ONLY,
                                   NULL, NULL, &read_only, NULL),
                     OF_OK);
    check_refused(src, dst, 0, -1, "n is -1, which is negative");
    check_refused(src, dst, 0, 11, "n is 11, but the size of src is 10");
    check_refused(src, dst, 0, 9, "n is 9, but the size of dst is 8");
    check_refused(src, dst, -2, 4, "dst_offset -2 is negative");
    check_refused(src, dst, 5, 4, "dst_offset 5 and n 4 reach past the 8 elements of dst");
    check_refused(src, dst, INT64_MAX, 4, "reach past the 8 elements of dst");
    check_refused(src, read_only, 0, 1, "dst is read-only");
    check_refused(src, repeated, 0, 1, "dst has strides that lead to one element twice");
    check_refused(NULL, dst, 0, 1, "src is NULL");
    check_refused(src, NULL, 0, 1, "dst is NULL");
    of_error err = {0};
    assert_int_equal(of_copy(src, dst, 9, &err), OF_ERR_VALUE);
    assert_int_equal(of_fill_value(dst, of_scalar_i64(1), 9, &err), OF_ERR_VALUE);
    assert_string_equal(err.message, "n is 9, but the size of dst is 8");
    assert_int_equal(of_fill_value(dst, of_scalar_i64(1), -1, &err), OF_ERR_VALUE);
    assert_int_equal(of_fill_value(read_only, of_scalar_i64(1), 1, &err), OF_ERR_VALUE);
    assert_int_equal(of_fill_value(dst, (of_scalar){.dtype = 50}, 1, &err), OF_ERR_TYPE);
    assert_int_equal(of_fill_value(NULL, of_scalar_i64(1), 1, &err), OF_ERR_VALUE);
    assert_memory_equal(target_bytes, expected_bytes, 4096);
    of_array_release(src);
    of_array_release(dst);
    of_array_release(repeated);
    of_array_release(read_only);
}

static void test_nothing_is_allocated(void **state) {
    (void)state;
    static const form a = {2, {6, 4}, 1, true, 0}, b = {2, {4, 6}, 1, true, 0};
    of_array *src = wrap(&a, OF_F32, source_bytes), *dst = wrap(&b, OF_I16, target_bytes);
    of__alloc_fail_after(0);
    assert_int_equal(of_copy(src, dst, 24, NULL), OF_OK);
    assert_int_equal(of_fill_value(dst, of_scalar_i64(1), 23, NULL), OF_OK);
    of__alloc_fail_after(-1);
    of_array_release(src);
    of_array_release(dst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts),       cmocka_unit_test(test_types),
        cmocka_unit_test(test_large),         cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_payloads_move), cmocka_unit_test(test_fill),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_nothing_is_allocated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
