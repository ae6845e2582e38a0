/* Every function that makes an array, with its first, second, ... allocation failing until none
 * does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "core/alloc.h"

static const int64_t shape[2] = {300, 20};
static of_array *source;

static of_status create(of_array **out, of_error *err) {
    return of_array_create(NULL, OF_F64, 2, shape, out, err);
}

static of_status zeros(of_array **out, of_error *err) {
    return of_array_zeros(NULL, OF_I16, 2, shape, out, err);
}

static void check_call(void *data, void *context) {
    (void)data;
    assert_true(*(bool *)context); /* only when the array was made */
}

static bool is_made;

static of_status wrap(of_array **out, of_error *err) {
    static float data[6000];
    is_made = false;
    of_status status =
        of_array_wrap(NULL, OF_F32, 2, shape, NULL, data, 0, check_call, &is_made, out, err);
    is_made = status == OF_OK;
    return status;
}

static of_status slice(of_array **out, of_error *err) {
    return of_array_slice(source, 0, 1, 2, 3, out, err);
}

static of_status reshape(of_array **out, of_error *err) {
    return of_array_reshape(source, 1, (int64_t[]){-1}, out, err);
}

static of_status transpose(of_array **out, of_error *err) {
    return of_array_transpose(source, NULL, out, err);
}

static of_status copy(of_array **out, of_error *err) {
    return of_array_copy(source, out, err);
}

static of_status convert(of_array **out, of_error *err) {
    return of_array_convert(source, OF_BF16, out, err);
}

typedef of_status (*maker)(of_array **out, of_error *err);

/* The sanitizers see what leaks; the deleter sees what is freed too often. */
static void check(maker make, int allocations) {
    int failures = 0;
    for (;; failures++) {
        of_array *made = NULL;
        of_error err = {0};
        of__alloc_fail_after(failures);
        of_status status = make(&made, &err);
        of__alloc_fail_after(-1);
        if (status == OF_OK) {
            assert_non_null(made);
            of_array_release(made);
            break;
        }
        assert_int_equal(status, OF_ERR_MEMORY);
        assert_int_equal(err.code, OF_ERR_MEMORY);
        assert_true(strlen(err.message) > 0);
        assert_null(made);
    }
    assert_int_equal(failures, allocations);
}

static void each_allocation_may_fail(void **state) {
    (void)state;
    check(create, 3); /* handle, storage, memory */
    check(zeros, 3);
    check(wrap, 2);
    check(slice, 1);
    check(reshape, 1);
    check(transpose, 1);
    check(copy, 3);
    check(convert, 3);
}

/* These need no memory, so a failing allocation cannot reach them. */
static void the_others_allocate_nothing(void **state) {
    (void)state;
    of_scalar value;
    const int64_t index[2] = {1, 2};
    of__alloc_fail_after(0);
    assert_int_equal(of_array_get(source, index, &value, NULL), OF_OK);
    assert_int_equal(of_array_fill(source, of_scalar_i64(3), NULL), OF_OK);
    assert_ptr_equal(of_array_retain(source), source);
    of_array_release(source);
    assert_null(of__alloc(1)); /* the countdown was still on */
}

static void allocations_are_aligned_and_checked(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 63, 64, 65, 1000003, (8 << 20) + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *memory = of__alloc_zeroed(sizes[i]);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % OF__ALIGNMENT, 0);
        for (size_t b = 0; b < sizes[i]; b++) assert_true(memory[b] == 0);
        of__free(memory);
    }
    assert_null(of__alloc(SIZE_MAX));
    assert_null(of__alloc(SIZE_MAX - 64));
    assert_null(of__alloc_zeroed(SIZE_MAX / 2));
    of__free(NULL);
    of__alloc_fail_after(1); /* one succeeds, one fails, the rest succeed */
    void *first = of__alloc(8), *second = of__alloc(8), *third = of__alloc(8);
    assert_true(first != NULL && second == NULL && third != NULL);
    of__free(first);
    of__free(third);
}

static int make_source(void **state) {
    (void)state;
    return of_array_zeros(NULL, OF_F32, 2, shape, &source, NULL) == OF_OK ? 0 : -1;
}

static int release_source(void **state) {
    (void)state;
    of_array_release(source);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(the_others_allocate_nothing),
        cmocka_unit_test(allocations_are_aligned_and_checked),
    };
    return cmocka_run_group_tests(tests, make_source, release_source);
}
