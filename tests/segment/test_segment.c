/* What the functions over segments refuse, failing allocations, and segments too large or too many
 * for the comparison with the contract. */
#include <math.h>
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

static of_array *wrap(of_dtype dtype, int ndim, const int64_t *shape, void *data) {
    of_array *array;
    assert_int_equal(
        of_array_wrap(NULL, dtype, ndim, shape, NULL, data, 0, NULL, NULL, &array, NULL), OF_OK);
    return array;
}

static of_array *vector(of_dtype dtype, int64_t n, void *data) {
    return wrap(dtype, 1, &n, data);
}

/* ---- Errors ---- */

static void refuse(const of_array *x, const of_array *ids, int64_t num_segments,
                   of_group_operation operation, const of_segment_opts *opts, of_status status,
                   const char *words) {
    of_error err = {0};
    of_array *out = (of_array *)&err;
    assert_int_equal(of_segment_reduce(x, ids, num_segments, operation, opts, &out, &err), status);
    assert_int_equal(err.code, status);
    if (!strstr(err.message, words)) fail_msg("\"%s\" has no \"%s\"", err.message, words);
    assert_ptr_equal(out, &err);
    assert_int_equal(of_segment_reduce(x, ids, num_segments, operation, opts, &out, NULL), status);
}

static void test_refusals(void **state) {
    (void)state;
    float data[6] = {1, 2, 3, 4, 5, 6};
    int32_t numbers[4] = {0, 1, 0, -3};
    of_array *x = wrap(OF_F32, 2, (int64_t[]){3, 2}, data), *none = wrap(OF_F32, 0, NULL, data);
    of_array *ids = vector(OF_I32, 3, numbers), *four = vector(OF_I32, 4, numbers);
    of_array *table = wrap(OF_I32, 2, (int64_t[]){3, 1}, numbers);
    of_array *flags = vector(OF_BOOL, 3, numbers), *floats = vector(OF_F32, 3, data);
    of_scalar constant = of_scalar_f64(1), nothing = {0};

    refuse(NULL, ids, 2, OF_GROUP_SUM, NULL, OF_ERR_VALUE, "x is NULL");
    refuse(x, NULL, 2, OF_GROUP_SUM, NULL, OF_ERR_VALUE, "ids is NULL");
    refuse(none, ids, 2, OF_GROUP_SUM, NULL, OF_ERR_VALUE, "x has no dimensions");
    refuse(x, four, 2, OF_GROUP_SUM, NULL, OF_ERR_VALUE, "ids has shape (4,), but x has 3 rows");
    refuse(x, table, 2, OF_GROUP_SUM, NULL, OF_ERR_VALUE, "ids has shape (3, 1), but x has 3 rows");
    refuse(x, flags, 2, OF_GROUP_SUM, NULL, OF_ERR_TYPE, "ids has type bool");
    refuse(x, floats, 2, OF_GROUP_SUM, NULL, OF_ERR_TYPE, "ids has type f32");
    refuse(x, ids, -1, OF_GROUP_SUM, NULL, OF_ERR_VALUE, "num_segments is -1");
    refuse(x, ids, 2, OF_GROUP_OPERATION_END, NULL, OF_ERR_VALUE, "operation is 7");
    refuse(x, ids, 2, OF_GROUP_SUM, &(of_segment_opts){.constant = &constant}, OF_ERR_VALUE,
           "constant is given, but sum takes none");
    refuse(x, ids, 2, OF_GROUP_MIN, &(of_segment_opts){.constant = &nothing}, OF_ERR_TYPE,
           "constant has type 0");
    refuse(x, ids, INT64_MAX, OF_GROUP_SUM, NULL, OF_ERR_VALUE, "9223372036854775807");

    of_array *out = NULL;
    of_error err = {0};
    of_segment_opts filled = {.constant = &constant};
    assert_int_equal(of_segment_softmax(x, ids, 2, &filled, &out, &err), OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "constant is given"));
    assert_int_equal(of_segment_normalize(x, four, 2, NULL, &out, &err), OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "ids has shape (4,)"));
    assert_null(out);

    of_segment_opts checked = {.sorted = true, .check_sorted = true};
    refuse(x, ids, 2, OF_GROUP_SUM, &checked, OF_ERR_VALUE, "ids[2] is 0 after 1");
    uint64_t rising[3] = {1, UINT64_MAX - 1, UINT64_MAX}, falling[3] = {1, UINT64_MAX, 2};
    of_array *large = vector(OF_U64, 3, rising), *fallen = vector(OF_U64, 3, falling);
    assert_int_equal(of_segment_sum(x, large, 2, &checked, &out, NULL), OF_OK);
    of_array_release(out);
    refuse(x, fallen, 2, OF_GROUP_SUM, &checked, OF_ERR_VALUE,
           "ids[2] is 2 after 18446744073709551615");
    of_array_release(large);
    of_array_release(fallen);
    checked.sorted = false; /* nothing is claimed */
    assert_int_equal(of_segment_sum(x, ids, 2, &checked, &out, NULL), OF_OK);
    of_array_release(out);

    of_array *arrays[] = {x, none, ids, four, table, flags, floats};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) of_array_release(arrays[i]);
}

static void test_identities(void **state) {
    (void)state;
    of_scalar value;
    of_error err = {0};
    assert_int_equal(of_empty_segment_identity(OF_F16, OF_GROUP_MIN, &value, &err), OF_OK);
    assert_int_equal(value.dtype, OF_F16);
    assert_int_equal(value.as.bits, 0x7c00);
    assert_int_equal(of_empty_segment_identity(OF_I16, OF_GROUP_MAX, &value, &err), OF_OK);
    assert_int_equal(value.as.i16, INT16_MIN);
    assert_int_equal(value.as.bits, 0x8000);
    assert_int_equal(of_empty_segment_identity(OF_U64, OF_GROUP_MIN, &value, &err), OF_OK);
    assert_true(value.as.u64 == UINT64_MAX);
    assert_int_equal(of_empty_segment_identity(OF_BOOL, OF_GROUP_SUM, &value, &err), OF_OK);
    assert_int_equal(value.dtype, OF_I64);
    assert_int_equal(of_empty_segment_identity(OF_I8, OF_GROUP_MEAN, &value, &err), OF_OK);
    assert_int_equal(value.dtype, OF_F64);
    assert_int_equal(of_empty_segment_identity(OF_DTYPE_NONE, OF_GROUP_SUM, &value, &err),
                     OF_ERR_TYPE);
    assert_int_equal(of_empty_segment_identity(OF_F32, -1, &value, &err), OF_ERR_VALUE);
}

/* ---- Failing allocations ---- */

/* The operations, then the functions that give as many rows as they take. */
enum { SOFTMAX = OF_GROUP_OPERATION_END, NORMALIZE, WHICH_END };

static of_status call(int which, const of_array *x, const of_array *ids, int64_t num_segments,
                      of_array **out, of_error *err) {
    if (which == SOFTMAX) return of_segment_softmax(x, ids, num_segments, NULL, out, err);
    if (which == NORMALIZE) return of_segment_normalize(x, ids, num_segments, NULL, out, err);
    return of_segment_reduce(x, ids, num_segments, (of_group_operation)which, NULL, out, err);
}

static void fail_until_done(int which, const of_array *x, const of_array *ids) {
    for (int failures = 0;; failures++) {
        of_error err = {0};
        of_array *out = NULL;
        of__alloc_fail_after(failures);
        of_status status = call(which, x, ids, 49, &out, &err);
        of__alloc_fail_after(-1);
        if (status == OF_OK) {
            of_array_release(out);
            assert_true(failures > 2);
            return;
        }
        assert_int_equal(status, OF_ERR_MEMORY);
        assert_null(out);
    }
}

static void test_allocations(void **state) {
    (void)state;
    enum { ROWS = 700 };
    static double data[2 * ROWS];
    static uint16_t numbers[ROWS];
    for (int i = 0; i < ROWS; i++) {
        data[i] = (double)random_bits() * 0x1p-1000;
        data[ROWS + i] = (double)random_bits();
        numbers[i] = (uint16_t)random_below(50);
    }
    of_array *x = wrap(OF_F64, 2, (int64_t[]){ROWS, 2}, data);
    of_array *ids = vector(OF_U16, ROWS, numbers);
    assert_int_equal(of_threads_set(3, NULL), OF_OK);
    of_array *f32;
    assert_int_equal(of_array_convert(x, OF_F32, &f32, NULL), OF_OK);
    for (int which = 0; which < WHICH_END; which++) {
        fail_until_done(which, x, ids);
        fail_until_done(which, f32, ids);
    }
    of_array_release(f32);
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
    of_array_release(x);
    of_array_release(ids);
}

/* ---- The caller's floating-point environment ---- */

#if defined(__x86_64__)
static void write_word(uint32_t word) {
    __asm__ volatile("ldmxcsr %0" ::"m"(word) : "memory");
}

static void test_environment(void **state) {
    (void)state;
    enum { ROWS = 3000 };
    static const uint32_t words[] = {0x3f80, 0x5f80, 0x7f80, 0x9f80, 0x1fc0, 0xdfed, 0x0000};
    static float data[ROWS];
    static uint8_t numbers[ROWS];
    for (int i = 0; i < ROWS; i++) {
        data[i] = (float)ldexp((double)(int64_t)random_bits(), i % 3 ? -62 : -210);
        numbers[i] = (uint8_t)random_below(20);
    }
    of_array *x = vector(OF_F32, ROWS, data), *ids = vector(OF_U8, ROWS, numbers), *f64;
    assert_int_equal(of_array_convert(x, OF_F64, &f64, NULL), OF_OK);
    for (int which = 0; which < 2 * WHICH_END; which++) {
        const of_array *from = which < WHICH_END ? x : f64;
        of_array *expected, *got;
        assert_int_equal(call(which % WHICH_END, from, ids, 20, &expected, NULL), OF_OK);
        for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
            write_word(words[w]);
            of_status status = call(which % WHICH_END, from, ids, 20, &got, NULL);
            write_word(0x1f80);
            assert_int_equal(status, OF_OK);
            assert_memory_equal(of_array_data(got), of_array_data(expected),
                                (size_t)of_array_nbytes(expected));
            of_array_release(got);
        }
        of_array_release(expected);
    }
    of_array_release(x);
    of_array_release(ids);
    of_array_release(f64);
}
#else
static void test_environment(void **state) {
    (void)state;
    skip();
}
#endif

/* ---- Many rows ---- */

/* Small integers in f32: their sums in any order are exact in f64, too. */
static void test_many(void **state) {
    (void)state;
    enum { ROWS = 300000, SEGMENTS = 3001 };
    float *data = malloc(ROWS * sizeof *data);
    int32_t *numbers = malloc(ROWS * sizeof *numbers);
    double *sums = calloc(SEGMENTS, sizeof *sums);
    int64_t *counts = calloc(SEGMENTS, sizeof *counts);
    for (int i = 0; i < ROWS; i++) {
        data[i] = (float)(random_below(2001) - 1000) / 8;
        numbers[i] = (int32_t)random_below(SEGMENTS + 2) - 1;
        if (numbers[i] < 0 || numbers[i] >= SEGMENTS) continue;
        sums[numbers[i]] += data[i];
        counts[numbers[i]]++;
    }
    of_array *x = vector(OF_F32, ROWS, data), *ids = vector(OF_I32, ROWS, numbers);
    of_array *sum, *count, *mean;
    assert_int_equal(of_segment_sum(x, ids, SEGMENTS, NULL, &sum, NULL), OF_OK);
    assert_int_equal(of_segment_count(x, ids, SEGMENTS, NULL, &count, NULL), OF_OK);
    assert_int_equal(of_segment_mean(x, ids, SEGMENTS, NULL, &mean, NULL), OF_OK);
    const float *got = of_array_data(sum), *means = of_array_data(mean);
    const int64_t *counted = of_array_data(count);
    for (int g = 0; g < SEGMENTS; g++) {
        assert_true(got[g] == (float)sums[g]);
        assert_int_equal(counted[g], counts[g]);
        assert_true(means[g] == (float)(sums[g] / (double)counts[g]));
    }
    of_array *arrays[] = {x, ids, sum, count, mean};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) of_array_release(arrays[i]);
    free(data);
    free(numbers);
    free(sums);
    free(counts);
}

/* ---- Hard sums ---- */

typedef enum hardness { NEAR, FAR, ANY_BITS, ZEROS, OUTLIERS, HARDNESSES } hardness;

/* The bits of an element: normal numbers; ones over many binades; anything; mostly -0.0; a few that
 * no sample shows. */
static uint64_t hard_bits(of_dtype dtype, hardness how) {
    uint64_t any = random_bits() >> (64 - 8 * of_dtype_size(dtype));
    double near = (double)(int64_t)random_bits() * 0x1p-63;
    switch (how) {
    case NEAR: return of_scalar_convert(of_scalar_f64(near * near * near), dtype).as.bits;
    case FAR:
        return of_scalar_convert(of_scalar_f64(ldexp(near, (int)random_below(80))), dtype).as.bits;
    case OUTLIERS:
        if (random_below(1000) == 0) near = ldexp(near, 9 + (int)random_below(60));
        return of_scalar_convert(of_scalar_f64(near), dtype).as.bits;
    case ANY_BITS: return random_below(50) ? any & ~(any >> 1 & any << 1) : any;
    default:
        return of_scalar_convert(
                   of_scalar_f64(random_below(8) ? -0.0 : 1.5 - (double)random_below(4)), dtype)
            .as.bits;
    }
}

static void check_sums(of_dtype dtype, hardness how, int64_t rows, int64_t width,
                       int64_t segments) {
    size_t size = of_dtype_size(dtype);
    char *data = malloc((size_t)(rows * width) * size);
    int16_t *numbers = malloc((size_t)rows * sizeof *numbers);
    of_exact **exact = malloc((size_t)(segments * width) * sizeof *exact);
    for (int64_t s = 0; s < segments * width; s++)
        assert_int_equal(of_exact_create(&exact[s], NULL), OF_OK);
    for (int64_t i = 0; i < rows; i++) {
        numbers[i] = (int16_t)(random_below(segments + 2) - 1);
        for (int64_t c = 0; c < width; c++) {
            uint64_t bits = hard_bits(dtype, how);
            of_scalar value = of_scalar_load(dtype, &bits);
            of_scalar_store(value, data + (i * width + c) * (int64_t)size);
            if (numbers[i] < 0 || numbers[i] >= segments) continue;
            assert_int_equal(of_exact_add_scalar(exact[numbers[i] * width + c], value, NULL),
                             OF_OK);
        }
    }
    of_array *x = wrap(dtype, 2, (int64_t[]){rows, width}, data),
             *ids = vector(OF_I16, rows, numbers);
    for (int threads = 1; threads < 4; threads += 2) {
        of_array *sum, *mean;
        assert_int_equal(of_threads_set(threads, NULL), OF_OK);
        assert_int_equal(of_segment_sum(x, ids, segments, NULL, &sum, NULL), OF_OK);
        assert_int_equal(of_segment_mean(x, ids, segments, NULL, &mean, NULL), OF_OK);
        for (int64_t s = 0; s < segments * width; s++) {
            of_scalar expected,
                got = of_scalar_load(dtype, (const char *)of_array_data(sum) + s * (int64_t)size);
            assert_int_equal(of_exact_round(exact[s], dtype, &expected, NULL), OF_OK);
            if (got.as.bits != expected.as.bits)
                fail_msg("sum %d of %s, kind %d: %#llx, not %#llx", (int)s, of_dtype_name(dtype),
                         (int)how, (long long)got.as.bits, (long long)expected.as.bits);
            int64_t count = of_exact_count(exact[s]);
            if (!count) continue;
            got = of_scalar_load(dtype, (const char *)of_array_data(mean) + s * (int64_t)size);
            assert_int_equal(of_exact_round_quotient(exact[s], count, dtype, &expected, NULL),
                             OF_OK);
            if (got.as.bits != expected.as.bits)
                fail_msg("mean %d of %s, kind %d: %#llx, not %#llx", (int)s, of_dtype_name(dtype),
                         (int)how, (long long)got.as.bits, (long long)expected.as.bits);
        }
        of_array_release(sum);
        of_array_release(mean);
    }
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
    for (int64_t s = 0; s < segments * width; s++) of_exact_free(exact[s]);
    of_array_release(x);
    of_array_release(ids);
    free(data);
    free(numbers);
    free(exact);
}

static void test_hard_sums(void **state) {
    (void)state;
    static const of_dtype dtypes[] = {OF_F16, OF_BF16, OF_F32, OF_F64};
    for (int d = 0; d < 4; d++)
        for (int how = 0; how < HARDNESSES; how++) {
            check_sums(dtypes[d], (hardness)how, 30000, 1, 200);
            check_sums(dtypes[d], (hardness)how, 900, 11, 30);
            check_sums(dtypes[d], (hardness)how, 12, 1500, 3);
        }
#ifndef ONEFOLD_TEST_SANITIZED /* long enough for samples */
    for (int d = 0; d < 4; d++) {
        check_sums(dtypes[d], OUTLIERS, 150000, 1, 300);
        check_sums(dtypes[d], OUTLIERS, 30000, 5, 100);
    }
    check_sums(OF_F32, ANY_BITS, 150000, 1, 300);
    check_sums(OF_F64, FAR, 150000, 1, 300);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_environment),
        cmocka_unit_test(test_identities), cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_many),       cmocka_unit_test(test_hard_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
