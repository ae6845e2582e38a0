/* Reductions of whole arrays: every operation, type, kind of data, size and layout. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/harness.h"

static bool has_value(of_operation operation, int64_t count) {
    bool extreme = operation == OF_MIN || operation == OF_MAX || operation == OF_ARGMIN ||
                   operation == OF_ARGMAX;
    return count > 0 || !extreme;
}

static void ask_every_operation(of_dtype dtype, data_kind kind, layout how, int ndim,
                                const int64_t *shape) {
    char about[60];
    snprintf(about, sizeof about, "%s %s", data_kind_name(kind), layout_name(how));
    of_array *array = array_make(dtype, kind, 1000 + kind, how, ndim, shape);
    for (of_operation operation = 0; operation < FIRST_OF_TWO; operation++)
        if (has_value(operation, of_array_size(array))) ask_scalar(array, operation, NULL, about);
    of_array_release(array);
}

/* Around every power of two and tile that a kernel may be built of. */
static const int64_t sizes[] = {0,   1,   2,   3,    15,   16,   17,   31,   33,   63,   64,   65,
                                255, 256, 257, 1000, 2047, 2048, 2049, 4095, 4096, 4097, 20000};
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

static void test_sizes(of_dtype dtype) {
    for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++) {
        if (!data_kind_has(kind, dtype)) continue;
        for (int i = 0; i < SIZE_COUNT; i++) {
            if (sizes[i] > 2049 && (kind + dtype + i) % 3) continue;
            if (left_out(kind + i)) continue;
            ask_every_operation(dtype, kind, LAYOUT_contiguous, 1, &sizes[i]);
        }
    }
    harness_answer();
    checks_finish();
}

#define OF_DTYPE(SYMBOL, name, storage, member, kind, bytes)                                       \
    static void test_sizes_##name(void **state) {                                                  \
        (void)state;                                                                               \
        test_sizes(OF_##SYMBOL);                                                                   \
    }
#include <onefold/dtypes.def>
#undef OF_DTYPE

static void test_layouts(void **state) {
    (void)state;
    static const data_kind float_kinds[] = {DATA_binades_20, DATA_raw, DATA_nan, DATA_late_bit};
    static const int64_t shapes[][3] = {{1000}, {37, 61}, {5, 17, 33}, {3, 1, 700}, {65, 4}};
    static const int ndims[] = {1, 2, 3, 3, 2};
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (layout how = 0; how < LAYOUT_COUNT; how++)
            for (int i = 0; i < 5; i++) {
                if (left_out(dtype + i)) continue;
                data_kind kind = ref_is_float(dtype) ? float_kinds[(i + how) % 4] : DATA_raw;
                ask_every_operation(dtype, kind, how, ndims[i], shapes[i]);
            }
    harness_answer();
    checks_finish();
}

/* Large enough for every thread to get a share, and for several blocks each. */
static void test_threads(void **state) {
    (void)state;
    static const data_kind float_kinds[] = {DATA_raw,       DATA_binades_174, DATA_quiet_nan,
                                            DATA_normal,    DATA_outlier,     DATA_patches,
                                            DATA_mixed_zero};
    static const int64_t size = 1000003, shape[] = {707, 1415};
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++) {
        int kinds = dtype == OF_F32 || dtype == OF_F64 ? 7 : ref_is_float(dtype) ? 2 : 1;
        for (int i = 0; i < kinds; i++) {
            data_kind kind = ref_is_float(dtype) ? float_kinds[i] : DATA_raw;
            if (!left_out(i)) ask_every_operation(dtype, kind, LAYOUT_contiguous, 1, &size);
        }
        if (dtype % 3 == 0) ask_every_operation(dtype, DATA_raw, LAYOUT_transposed, 2, shape);
    }
    harness_answer();
    checks_finish();
}

/* Sums long enough to fill what blocks are gathered in: lanes, windows, tables. */
static void test_long_sums(void **state) {
    (void)state;
    static const int64_t size = 600011;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++) {
            bool wide = dtype == OF_F32 || dtype == OF_F64;
            if (!data_kind_has(kind, dtype) || left_out(kind)) continue;
            if (ref_is_float(dtype) && !wide && kind % 4) continue;
            of_array *array = array_make(dtype, kind, 2, LAYOUT_contiguous, 1, &size);
            ask_scalar(array, OF_SUM, NULL, data_kind_name(kind));
            of_array_release(array);
        }
    harness_answer();
    checks_finish();
}

/* Sums, means and extremes do not see the order. */
static void test_permutations(void **state) {
    (void)state;
    static const of_operation order_free[] = {OF_SUM, OF_MEAN,   OF_MIN,
                                              OF_MAX, OF_ABSMAX, OF_COUNT_NONZERO};
    enum { COUNT = 5000 };
    int64_t order[COUNT], count = COUNT;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++) {
        size_t size = (size_t)ref_size(dtype);
        char *elements = malloc(COUNT * size), *shuffled = malloc(COUNT * size);
        assert_true(elements && shuffled);
        for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++) {
            if (!data_kind_has(kind, dtype)) continue;
            data_fill(elements, dtype, kind, COUNT, 5);
            data_shuffle(order, COUNT, kind);
            for (int64_t i = 0; i < COUNT; i++)
                memcpy(shuffled + (size_t)i * size, elements + (size_t)order[i] * size, size);
            of_array *first = array_from(dtype, count, elements),
                     *second = array_from(dtype, count, shuffled);
            for (size_t i = 0; i < sizeof order_free / sizeof order_free[0]; i++) {
                of_scalar a = {0}, b = {0};
                assert_int_equal(of_reduce_scalar(first, order_free[i], NULL, &a, NULL), OF_OK);
                assert_int_equal(of_reduce_scalar(second, order_free[i], NULL, &b, NULL), OF_OK);
                check_scalar(b, a, "%s %s %s shuffled", operation_names[order_free[i]],
                             of_dtype_name(dtype), data_kind_name(kind));
            }
            of_array_release(first);
            of_array_release(second);
        }
        free(elements);
        free(shuffled);
    }
    checks_finish();
}

/* Answers written by hand, so that the reference itself is held to something. */
static void test_by_hand(void **state) {
    (void)state;
    static const struct {
        of_operation operation;
        int count;
        double values[6];
        uint64_t bits; /* of an f64, i64 or bool */
    } cases[] = {
        {OF_SUM, 0, {0}, 0},
        {OF_SUM, 1, {-0.0}, UINT64_C(0x8000000000000000)},
        {OF_SUM, 2, {-0.0, -0.0}, UINT64_C(0x8000000000000000)},
        {OF_SUM, 2, {-0.0, 0.0}, 0},
        {OF_SUM, 2, {1, -1}, 0},
        {OF_SUM, 2, {-1, 1}, 0},
        {OF_SUM, 4, {1e300, 1, -1e300, 0x1p-1074}, UINT64_C(0x3ff0000000000000)},
        {OF_SUM, 3, {0x1p1023, 0x1p1023, -0x1p1023}, UINT64_C(0x7fe0000000000000)},
        {OF_SUM, 2, {0x1p1023, 0x1p1023}, UINT64_C(0x7ff0000000000000)},
        {OF_SUM, 3, {0x1.fffffffffffffp1023, 0x1p969, 0x1p968}, UINT64_C(0x7fefffffffffffff)},
        {OF_SUM, 2, {0x1.fffffffffffffp1023, 0x1p970}, UINT64_C(0x7ff0000000000000)},
        {OF_SUM, 2, {1, 0x1p-53}, UINT64_C(0x3ff0000000000000)},
        {OF_SUM, 3, {1, 0x1p-53, 0x1p-1074}, UINT64_C(0x3ff0000000000001)},
        {OF_SUM, 3, {1 + 0x1p-52, 0x1p-53, -0x1p-1074}, UINT64_C(0x3ff0000000000001)},
        {OF_SUM, 2, {1 + 0x1p-52, 0x1p-53}, UINT64_C(0x3ff0000000000002)},
        {OF_SUM, 2, {0x1p-1074, 0x1p-1074}, 2},
        {OF_SUM, 2, {-INFINITY, 0x1p1023}, UINT64_C(0xfff0000000000000)},
        {OF_SUM, 2, {INFINITY, -INFINITY}, UINT64_C(0x7ff8000000000000)},
        {OF_SUM, 2, {-NAN, 1}, UINT64_C(0x7ff8000000000000)},
        {OF_MEAN, 0, {0}, UINT64_C(0x7ff8000000000000)},
        {OF_MEAN, 2, {0x1p1023, 0x1p1023}, UINT64_C(0x7fe0000000000000)},
        {OF_MEAN, 3, {1, 0, 0}, UINT64_C(0x3fd5555555555555)},
        {OF_MEAN, 2, {-0x1p-1074, 0}, UINT64_C(0x8000000000000000)},
        {OF_MEAN, 2, {0x1p-1074, 0x1p-1073}, 2},
        {OF_MEAN, 2, {-0.0, -0.0}, UINT64_C(0x8000000000000000)},
        {OF_PROD, 0, {0}, UINT64_C(0x3ff0000000000000)},
        {OF_PROD, 4, {0x1p1000, 0x1p1000, 0x1p-1000, 0x1p-1000}, UINT64_C(0x3ff0000000000000)},
        {OF_PROD, 4, {0x1p-1000, 0x1p-1000, 0x1p1000, 0x1p1000}, UINT64_C(0x3ff0000000000000)},
        {OF_PROD, 2, {-0x1p-1000, 0x1p-1000}, UINT64_C(0x8000000000000000)},
        {OF_PROD, 2, {-0x1p1000, 0x1p1000}, UINT64_C(0xfff0000000000000)},
        {OF_PROD, 2, {0x3p-1074, 0.5}, 2},
        {OF_PROD, 3, {-0.0, -1, -1}, UINT64_C(0x8000000000000000)},
        {OF_PROD, 2, {-0.0, INFINITY}, UINT64_C(0x7ff8000000000000)},
        {OF_PROD, 2, {-INFINITY, 0x1p-1074}, UINT64_C(0xfff0000000000000)},
        {OF_MIN, 2, {0.0, -0.0}, UINT64_C(0x8000000000000000)},
        {OF_MAX, 2, {-0.0, 0.0}, 0},
        {OF_MAX, 2, {-0.0, -0.0}, UINT64_C(0x8000000000000000)},
        {OF_MAX, 3, {1, -NAN, INFINITY}, UINT64_C(0x7ff8000000000000)},
        {OF_MIN, 2, {-INFINITY, -0x1p1023}, UINT64_C(0xfff0000000000000)},
        {OF_ARGMIN, 3, {1, 0.0, -0.0}, 1},
        {OF_ARGMAX, 3, {-1, -0.0, 0.0}, 1},
        {OF_ARGMAX, 4, {1, NAN, INFINITY, NAN}, 1},
        {OF_ARGMIN, 2, {INFINITY, INFINITY}, 0},
        {OF_ABSMAX, 0, {0}, 0},
        {OF_ABSMAX, 2, {-0.0, -0.0}, 0},
        {OF_ABSMAX, 2, {-3, 2}, UINT64_C(0x4008000000000000)},
        {OF_ABSMAX, 2, {-INFINITY, NAN}, UINT64_C(0x7ff8000000000000)},
        {OF_VAR, 0, {0}, UINT64_C(0x7ff8000000000000)},
        {OF_VAR, 1, {-0.1}, 0},
        {OF_VAR, 3, {1, 2, 4}, UINT64_C(0x3ff8e38e38e38e39)}, /* 14/9 */
        {OF_VAR, 2, {0x1p-1074, 0}, 0},
        {OF_VAR, 2, {0x1p1023, -0x1p1023}, UINT64_C(0x7ff0000000000000)},
        {OF_VAR, 2, {1, INFINITY}, UINT64_C(0x7ff8000000000000)},
        {OF_VAR, 2, {1, -NAN}, UINT64_C(0x7ff8000000000000)},
        {OF_VAR, 2, {1, 1 + 0x1p-52}, UINT64_C(0x3950000000000000)}, /* 2^-106 */
        {OF_STD, 0, {0}, UINT64_C(0x7ff8000000000000)},
        {OF_STD, 2, {-0.0, -0.0}, 0},
        {OF_STD, 2, {0x1p1023, -0x1p1023}, UINT64_C(0x7fe0000000000000)}, /* 2^1023 */
        {OF_STD, 2, {0x1p-1073, 0}, 1},                                   /* 2^-1074 */
        {OF_STD, 2, {0x1p-1074, 0}, 0},                          /* halfway to 2^-1074, to even */
        {OF_STD, 2, {0x3p-1074, 0}, 2},                          /* 1.5 units, to even */
        {OF_STD, 4, {1, 1, 1, 0}, UINT64_C(0x3fdbb67ae8584caa)}, /* sqrt(3)/4 */
        {OF_NORM, 0, {0}, 0},
        {OF_NORM, 2, {3, -4}, UINT64_C(0x4014000000000000)},
        {OF_NORM, 1, {-0.0}, 0},
        {OF_NORM, 1, {-0x1p-1074}, 1},
        {OF_NORM, 1, {-0x1p1023}, UINT64_C(0x7fe0000000000000)},
        {OF_NORM, 2, {1, 1}, UINT64_C(0x3ff6a09e667f3bcd)}, /* sqrt(2) */
        {OF_NORM, 2, {INFINITY, -NAN}, UINT64_C(0x7ff8000000000000)},
        {OF_NORM, 2, {-INFINITY, 1}, UINT64_C(0x7ff0000000000000)},
        {OF_COUNT_NONZERO, 5, {-0.0, NAN, 0x1p-1074, 0, INFINITY}, 3},
        {OF_ANY, 0, {0}, 0},
        {OF_ANY, 2, {-0.0, 0}, 0},
        {OF_ANY, 2, {-0.0, NAN}, 1},
        {OF_ALL, 0, {0}, 1},
        {OF_ALL, 2, {NAN, 0x1p-1074}, 1},
        {OF_ALL, 2, {1, -0.0}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        of_operation operation = cases[i].operation;
        of_array *array = array_from(OF_F64, cases[i].count, cases[i].values);
        of_scalar expected = {.dtype = ref_result_dtype(
                                  &(ref_call){.operation = operation, .dtype = OF_F64})},
                  got = {0};
        expected.as.bits = cases[i].bits;
        assert_true(expected_of_slice(array, WHOLE, 0, operation, NULL, OF_DTYPE_NONE, &got));
        check_scalar(got, expected, "the reference, case %d (%s)", (int)i,
                     operation_names[operation]);
        assert_int_equal(of_reduce_scalar(array, operation, NULL, &got, NULL), OF_OK);
        check_scalar(got, expected, "case %d (%s)", (int)i, operation_names[operation]);
        of_array_release(array);
    }
    checks_finish();
}

/* of_sum(x) is of_reduce_scalar(x, OF_SUM), and so on. */
static void test_by_name(void **state) {
    (void)state;
    static const struct {
        of_operation operation;
        of_status (*call)(const of_array *, const of_reduce_opts *, of_scalar *, of_error *);
    } calls[] = {
#define OF_STATISTIC(SYMBOL, name, meaning)
#define OF_STATISTIC_OF_TWO(SYMBOL, name, meaning)
#define OF_OPERATION(SYMBOL, name, meaning) {OF_##SYMBOL, of_##name},
#include <onefold/operations.def>
#undef OF_OPERATION
    };
    int64_t count = 1000;
    of_array *array = array_make(OF_F32, DATA_binades_20, 9, LAYOUT_contiguous, 1, &count);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        of_scalar got = {0}, expected = {0};
        of_operation parsed = OF_OPERATION_END;
        assert_true(
            expected_of_slice(array, WHOLE, 0, calls[i].operation, NULL, OF_DTYPE_NONE, &expected));
        assert_int_equal(calls[i].call(array, NULL, &got, NULL), OF_OK);
        check_scalar(got, expected, "of_%s", operation_names[i]);
        check(strcmp(of_operation_name(calls[i].operation), operation_names[i]) == 0, "%s",
              operation_names[i]);
        assert_int_equal(of_operation_parse(operation_names[i], &parsed, NULL), OF_OK);
        check(parsed == calls[i].operation, "of_operation_parse(%s)", operation_names[i]);
    }
    of_array_release(array);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),   cmocka_unit_test(test_by_name),
#define OF_DTYPE(SYMBOL, name, storage, member, kind, bytes) cmocka_unit_test(test_sizes_##name),
#include <onefold/dtypes.def>
#undef OF_DTYPE
        cmocka_unit_test(test_layouts),   cmocka_unit_test(test_threads),
        cmocka_unit_test(test_long_sums), cmocka_unit_test(test_permutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
