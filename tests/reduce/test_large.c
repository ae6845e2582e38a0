/* Sizes past 2^24, where floats stop counting, and past 2^31, where int does. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "reduce/harness.h"

static bool too_slow(void) {
#ifdef ONEFOLD_TEST_SANITIZED
    return true;
#else
    return false;
#endif
}

static void test_past_2_24(void **state) {
    (void)state;
    if (too_slow()) skip();
    static const struct {
        of_dtype dtype;
        data_kind kind;
    } cases[] = {{OF_F32, DATA_crowded}, {OF_F64, DATA_binades_58}};
    static const of_operation operations[] = {OF_SUM, OF_MEAN, OF_MIN, OF_ARGMAX, OF_COUNT_NONZERO};
    static const int64_t size = (1 << 24) + 5;
    for (int c = 0; c < 2; c++) {
        of_array *array = array_make(cases[c].dtype, cases[c].kind, 1, LAYOUT_contiguous, 1, &size);
        for (int o = 0; o < 5; o++)
            ask_scalar(array, operations[o], NULL, data_kind_name(cases[c].kind));
        of_array_release(array);
    }
    harness_answer();
    checks_finish();
}

/* Counting with ones stops at 2^24 in f32 arithmetic; the exact sum does not. */
static void test_ones_in_f32(void **state) {
    (void)state;
    if (too_slow()) skip();
    static const int64_t size = (1 << 25) + 2;
    static float one = 1;
    static const int64_t nowhere = 0;
    of_array *array = NULL;
    assert_int_equal(
        of_array_wrap(NULL, OF_F32, 1, &size, &nowhere, &one, 0, NULL, NULL, &array, NULL), OF_OK);
    of_scalar sum = {0};
    assert_int_equal(of_sum(array, NULL, &sum, NULL), OF_OK);
    check_scalar(sum, of_scalar_f32(0x1p25f), "2^25 + 2 ones, a tie");
    assert_int_equal(of_sum(array, &(of_reduce_opts){.acctype = OF_F64}, &sum, NULL), OF_OK);
    check_scalar(sum, of_scalar_f64((double)size), "2^25 + 2 ones");
    of_array_release(array);
    checks_finish();
}

/* 2^31 + 9 bytes that the system does not have to hold: all zero but three. */
static const int64_t byte_count = (INT64_C(1) << 31) + 9;
static const struct {
    int64_t place;
    int8_t value;
} bytes_set[] = {{5, -100}, {(INT64_C(1) << 31) - 1, 50}, {(INT64_C(1) << 31) + 3, 127}};

static void check_bytes(const of_array *array, of_operation operation, of_scalar expected) {
    of_scalar got = {0};
    assert_int_equal(of_reduce_scalar(array, operation, NULL, &got, NULL), OF_OK);
    check_scalar(got, expected, "%s of 2^31 + 9 bytes", operation_names[operation]);
}

static void test_past_2_31(void **state) {
    (void)state;
    if (too_slow()) skip();
    int8_t *bytes = mmap(NULL, (size_t)byte_count, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(bytes != MAP_FAILED);
    for (int i = 0; i < 3; i++) bytes[bytes_set[i].place] = bytes_set[i].value;
    of_array *array = NULL;
    assert_int_equal(
        of_array_wrap(NULL, OF_I8, 1, &byte_count, NULL, bytes, 0, NULL, NULL, &array, NULL),
        OF_OK);
    of_scalar smallest = {.dtype = OF_I8};
    smallest.as.bits = (uint8_t)-100;
    check_bytes(array, OF_SUM, of_scalar_i64(77));
    check_bytes(array, OF_MIN, smallest);
    check_bytes(array, OF_ARGMIN, of_scalar_i64(5));
    check_bytes(array, OF_ARGMAX, of_scalar_i64(bytes_set[2].place));
    check_bytes(array, OF_COUNT_NONZERO, of_scalar_i64(3));
    check_bytes(array, OF_ABSMAX, of_scalar_f64(127));
    for (int i = 0; of_isa_at(i); i++) {
        assert_int_equal(of_isa_set(of_isa_at(i), NULL), OF_OK);
        assert_int_equal(of_threads_set(1 + i, NULL), OF_OK);
        check_bytes(array, OF_ARGMAX, of_scalar_i64(bytes_set[2].place));
    }
    assert_int_equal(of_isa_set(NULL, NULL), OF_OK);
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
    of_array_release(array);
    munmap(bytes, (size_t)byte_count);
    checks_finish();
}

/* `times` copies of a block of memory, one after another, that take no more memory than one. The
 * size of the block is a multiple of a page. */
static void *map_copies(const void *block, size_t size, size_t times) {
    int file = memfd_create("block", 0);
    assert_true(file >= 0 && write(file, block, size) == (ssize_t)size);
    char *start =
        mmap(NULL, size * times, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(start != MAP_FAILED);
    for (size_t i = 0; i < times; i++)
        assert_true(mmap(start + i * size, size, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) !=
                    MAP_FAILED);
    close(file);
    return start;
}

/* 2^21 elements, repeated to 2^31 + 2^21 of them: the sum is 1025 times theirs. */
static void repeat(of_dtype dtype, data_kind kind) {
    static const int64_t few = 1 << 21, times = (1 << 10) + 1, many = few * times;
    size_t size = (size_t)(few * ref_size(dtype));
    of_array *block = array_make(dtype, kind, 3, LAYOUT_contiguous, 1, &few), *array = NULL;
    void *copies = map_copies(of_array_data(block), size, (size_t)times);
    unsigned flags = OF_WRAP_READ_ONLY;
    assert_int_equal(
        of_array_wrap(NULL, dtype, 1, &many, NULL, copies, flags, NULL, NULL, &array, NULL), OF_OK);
    mpz_t total, one;
    mpz_init(total);
    mpz_init_set_ui(one, 1);
    exact_total(total, block);
    mpz_mul_si(total, total, times);
    bool negative = mpz_sgn(total) < 0;
    mpz_abs(total, total);
    of_scalar sum = {0}, place = {0}, expected = {0};
    const char *name = of_dtype_name(dtype);
    assert_int_equal(of_sum(array, &(of_reduce_opts){.acctype = OF_F64}, &sum, NULL), OF_OK);
    check_scalar(sum, ref_round(OF_F64, negative, total, one, -EXACT_SCALE), "2^31 + 2^21 %s",
                 name);
    assert_true(expected_of_slice(block, WHOLE, 0, OF_ARGMAX, NULL, OF_DTYPE_NONE, &expected));
    assert_int_equal(of_argmax(array, NULL, &place, NULL), OF_OK);
    check_scalar(place, expected, "argmax of 2^31 + 2^21 %s", name);
    mpz_clears(total, one, NULL);
    of_array_release(array);
    of_array_release(block);
    munmap(copies, size * (size_t)times);
}

static void test_repeated_past_2_31(void **state) {
    (void)state;
    if (too_slow()) skip();
    repeat(OF_U8, DATA_largest);
    repeat(OF_I8, DATA_smallest);
    repeat(OF_I8, DATA_raw);
    repeat(OF_F32, DATA_binades_58);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_past_2_24),
        cmocka_unit_test(test_ones_in_f32),
        cmocka_unit_test(test_past_2_31),
        cmocka_unit_test(test_repeated_past_2_31),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
