/* Runs of equal keys: whole calls on large arrays, refusals, failing memory, odd environments. */
#include <stdlib.h>
#include <string.h>

#include <onefold/onefold.h>

#include "core/alloc.h"
#include "reduce/harness.h"

static of_status unique_keys(const of_array *keys, const of_runs_opts *opts, of_array *made[4],
                             of_error *err) {
    return of_unique(keys, opts, &made[0], &made[1], &made[2], &made[3], err);
}

static void release(of_array *made[], int count) {
    for (int i = 0; i < count; i++) of_array_release(made[i]);
}

static int64_t index_at(const of_array *array, int64_t i) {
    of_scalar value;
    if (of_array_get(array, &i, &value, NULL) != OF_OK) return INT64_MIN;
    return of_scalar_convert(value, OF_I64).as.i64;
}

/* ---- Long runs, cut everywhere ---- */

/* Enough for threads to share. */
#ifdef ONEFOLD_TEST_SMALL
enum { LARGE = 30000 };
#else
enum { LARGE = 600000 };
#endif

static const of_group_operation reductions[] = {OF_GROUP_SUM,  OF_GROUP_MIN,  OF_GROUP_MAX,
                                                OF_GROUP_MEAN, OF_GROUP_PROD, OF_GROUP_VARIANCE};
static const of_operation whole[] = {OF_SUM, OF_MIN, OF_MAX, OF_MEAN, OF_PROD, OF_VAR};
enum { REDUCTIONS = sizeof whole / sizeof *whole };

/* The run that holds element i, when runs are numbered by `layout`. */
static int32_t key_of(int64_t i, int layout) {
    switch (layout) {
    case 0: return 5;          /* one run */
    case 1: return (int32_t)i; /* each alone */
    case 2: return (int32_t)(i / 1000);
    case 3: return i < 10 ? (int32_t)i : i < LARGE - 10 ? 77 : (int32_t)(i - LARGE); /* one long */
    case 4: return (int32_t)(3 * i / LARGE);                                         /* three */
    default: return (int32_t)(data_random(3, (uint64_t)i / 64) % 3);
    }
}

/* What of_reduce_scalar gives for the values of a run, in the type of the result. */
static of_scalar reduce_slice(of_array *values, int64_t start, int64_t n, int operation,
                              of_dtype result) {
    of_array *slice;
    of_scalar out = {0};
    of_reduce_opts opts = {.acctype = operation == 0 || operation >= 3 ? result : OF_DTYPE_NONE};
    assert_int_equal(of_array_slice(values, 0, start, n, 1, &slice, NULL), OF_OK);
    assert_int_equal(of_reduce_scalar(slice, whole[operation], &opts, &out, NULL), OF_OK);
    of_array_release(slice);
    return out;
}

static void check_layout(of_array *keys, of_array *values, int layout) {
    of_array *made[4] = {NULL}, *results[2] = {NULL};
    assert_int_equal(unique_keys(keys, NULL, made, NULL), OF_OK);
    int64_t runs = of_array_size(made[0]), at = 0;
    const int32_t *key = of_array_data(made[0]), *count = of_array_data(made[1]);
    const int32_t *first = of_array_data(made[2]), *inverse = of_array_data(made[3]);
    bool starts = true, same = true, whole_runs = true;
    for (int64_t run = 0; run < runs && at < LARGE; run++) {
        starts &= first[run] == at;
        for (int32_t i = 0; i < count[run] && at < LARGE; i++, at++)
            same &= inverse[at] == run && key_of(at, layout) == key[run];
        whole_runs &= at == LARGE || key_of(at, layout) != key[run];
    }
    check(starts, "layout %d: first indices", layout);
    check(same, "layout %d: a run has elements of another", layout);
    check(whole_runs, "layout %d: a run is cut", layout);
    check(at == LARGE, "layout %d: counts add up to %lld", layout, (long long)at);

    for (int o = 0; o < REDUCTIONS; o++) {
        assert_int_equal(
            of_reduce_by_key(keys, values, reductions[o], NULL, &results[0], &results[1], NULL),
            OF_OK);
        check(!memcmp(of_array_data(results[0]), key, (size_t)runs * sizeof *key), "other keys");
        int64_t step = runs > 3000 ? runs / 1500 : 1; /* of very many runs, some */
        for (int64_t run = 0; run < runs; run += step) {
            of_scalar got, expected = reduce_slice(values, first[run], count[run], o,
                                                   of_array_dtype(results[1]));
            assert_int_equal(of_array_get(results[1], &run, &got, NULL), OF_OK);
            check_scalar(got, expected, "layout %d: %s of run %d", layout,
                         of_group_operation_name(reductions[o]), (int)run);
        }
        release(results, 2);
    }
    release(made, 4);
}

static void check_layouts(void *context) {
    of_array *const *values = context;
    for (int layout = 0; layout < 6; layout++) {
        if (left_out(layout + of_threads_get())) continue;
        int32_t *data = malloc(LARGE * sizeof *data);
        assert_non_null(data);
        for (int64_t i = 0; i < LARGE; i++) data[i] = key_of(i, layout);
        of_array *keys = array_from(OF_I32, LARGE, data);
        free(data);
        check_layout(keys, values[layout % 3], layout);
        of_array_release(keys);
    }
}

static void test_large(void **state) {
    (void)state;
    static const int64_t shape[] = {LARGE};
    of_array *values[] = {
        array_make(OF_F32, DATA_normal, 1, LAYOUT_contiguous, 1, shape),
        array_make(OF_F64, DATA_binades_58, 2, LAYOUT_step_2, 1, shape),
        array_make(OF_I64, DATA_raw, 3, LAYOUT_contiguous, 1, shape),
    };
    each_configuration(check_layouts, values);
    release(values, 3);
    checks_finish();
}

/* Short runs of zeros of both signs, and of numbers beyond all others: sums are those of the runs alone.
 */
static void check_short(void *context) {
    static const data_kind kinds[] = {DATA_mixed_zero, DATA_negative_zero, DATA_nan, DATA_normal};
    enum { N = 1000 };
    (void)context;
    for (int kind = 0; kind < 4; kind++)
        for (int length = 1; length <= 40; length += 13) {
            int32_t key[N];
            for (int i = 0; i < N; i++) key[i] = i / length;
            of_dtype dtype = (kind + length) % 2 ? OF_F32 : OF_F64;
            of_array *keys = array_from(OF_I32, N, key), *sums = NULL;
            of_array *values =
                array_make(dtype, kinds[kind], 5, LAYOUT_contiguous, 1, (int64_t[]){N});
            assert_int_equal(of_reduce_by_key(keys, values, OF_GROUP_SUM, NULL, NULL, &sums, NULL),
                             OF_OK);
            for (int64_t run = 0; run < of_array_size(sums); run++) {
                of_scalar got;
                int64_t start = run * length, n = N - start < length ? N - start : length;
                assert_int_equal(of_array_get(sums, &run, &got, NULL), OF_OK);
                check_scalar(got, reduce_slice(values, start, n, 0, dtype),
                             "kind %d, run %d of length %d", kind, (int)run, length);
            }
            of_array_release(keys);
            of_array_release(values);
            of_array_release(sums);
        }
}

static void test_short(void **state) {
    (void)state;
    each_configuration(check_short, NULL);
    checks_finish();
}

/* ---- Special keys ---- */

static void test_nans_and_zeros(void **state) {
    (void)state;
    static const uint32_t bits[] = {0x80000000, 0,          0x80000000, 0x7fc00001, 0x7fc00001,
                                    0xffc00000, 0x7f800000, 0x7f800000, 1,          0};
    static const uint32_t firsts[] = {0x80000000, 0x7fc00001, 0x7fc00001, 0xffc00000,
                                      0x7f800000, 1,          0};
    static const int32_t counts[] = {3, 1, 1, 1, 2, 1, 1};
    of_array *keys = array_from(OF_F32, 10, bits), *made[4] = {NULL};
    assert_int_equal(unique_keys(keys, NULL, made, NULL), OF_OK);
    assert_int_equal(of_array_size(made[0]), 7);
    assert_memory_equal(of_array_data(made[0]), firsts, sizeof firsts);
    assert_memory_equal(of_array_data(made[1]), counts, sizeof counts);
    release(made, 4);
    of_array_release(keys);
}

/* True is any byte but 0. */
static void test_bool_keys(void **state) {
    (void)state;
    static const uint8_t bytes[] = {2, 1, 255, 0, 0, 7};
    static const uint8_t firsts[] = {2, 0, 7};
    of_array *keys = array_from(OF_BOOL, 6, bytes), *made[4] = {NULL};
    assert_int_equal(unique_keys(keys, NULL, made, NULL), OF_OK);
    assert_int_equal(of_array_size(made[0]), 3);
    assert_memory_equal(of_array_data(made[0]), firsts, 3);
    release(made, 4);
    of_array_release(keys);
}

/* ---- What is wanted ---- */

static void test_outputs_are_optional(void **state) {
    (void)state;
    static const int16_t data[] = {4, 4, -1, 4};
    of_array *keys = array_from(OF_I16, 4, data), *counts = NULL, *inverse = NULL, *sums = NULL;
    assert_int_equal(of_unique(keys, NULL, NULL, NULL, NULL, NULL, NULL), OF_OK);
    assert_int_equal(of_unique(keys, NULL, NULL, &counts, NULL, &inverse, NULL), OF_OK);
    assert_int_equal(of_array_size(counts), 3);
    assert_int_equal(of_array_size(inverse), 4);
    assert_int_equal(index_at(inverse, 3), 2);
    assert_int_equal(of_reduce_by_key(keys, keys, OF_GROUP_SUM, NULL, NULL, &sums, NULL), OF_OK);
    assert_int_equal(of_array_dtype(sums), OF_I16);
    assert_int_equal(index_at(sums, 0), 8);
    of_array_release(counts);
    of_array_release(inverse);
    of_array_release(sums);
    of_array_release(keys);
}

static void test_types_of_indices(void **state) {
    (void)state;
    static const int16_t data[] = {4, 4, -1, 4};
    static const struct {
        of_dtype wanted, lists, count;
    } cases[] = {
        {OF_DTYPE_NONE, OF_I32, OF_I64}, {OF_I32, OF_I32, OF_I32}, {OF_I64, OF_I64, OF_I64}};
    of_array *keys = array_from(OF_I16, 4, data);
    for (int i = 0; i < 3; i++) {
        of_array *made[4] = {NULL}, *count = NULL;
        of_runs_opts opts = {.index_dtype = cases[i].wanted};
        assert_int_equal(unique_keys(keys, &opts, made, NULL), OF_OK);
        for (int k = 1; k < 4; k++) assert_int_equal(of_array_dtype(made[k]), cases[i].lists);
        assert_int_equal(of_reduce_by_key(keys, keys, OF_GROUP_COUNT, &opts, NULL, &count, NULL),
                         OF_OK);
        assert_int_equal(of_array_dtype(count), cases[i].count);
        assert_int_equal(index_at(count, 0), 2);
        release(made, 4);
        of_array_release(count);
    }
    of_array_release(keys);
}

/* An array past 2^31 elements without their memory: a stride of 0. */
static void test_more_than_i32_counts(void **state) {
    (void)state;
    static const int64_t size = (INT64_C(1) << 31) + 5, stride = 0;
    static int8_t element = 3;
    of_array *keys, *made[4] = {NULL};
    of_error err = {0};
    of_runs_opts narrow = {.index_dtype = OF_I32};
    of_compact_opts narrow_flags = {.index_dtype = OF_I32};
    assert_int_equal(
        of_array_wrap(NULL, OF_I8, 1, &size, &stride, &element, 0, NULL, NULL, &keys, NULL), OF_OK);
    check_failure(unique_keys(keys, &narrow, made, &err), OF_ERR_VALUE, &err,
                  "index_dtype is i32, which is too small for 2147483653 elements", "of_unique");
    check_failure(of_nonzero(keys, &narrow_flags, &made[0], &err), OF_ERR_VALUE, &err,
                  "index_dtype is i32", "of_nonzero");
    check(!made[0] && !made[1], "a refused call made something");
#if !defined(ONEFOLD_TEST_SANITIZED) && !defined(ONEFOLD_TEST_SMALL)
    assert_int_equal(of_unique(keys, NULL, NULL, &made[1], NULL, NULL, NULL), OF_OK);
    assert_int_equal(of_array_dtype(made[1]), OF_I64);
    assert_int_equal(of_array_size(made[1]), 1);
    assert_true(index_at(made[1], 0) == size);
    of_array_release(made[1]);
#endif
    of_array_release(keys);
    checks_finish();
}

/* ---- Run-length code ---- */

static void test_repeat_undoes_unique(void **state) {
    (void)state;
    static const int64_t shape[] = {20, 50};
    for (int way = 0; way < LAYOUT_COUNT; way++) {
        of_array *keys =
            array_make(OF_F64, way % 2 ? DATA_mixed_zero : DATA_nan, 4, (layout)way, 2, shape);
        of_array *made[2] = {NULL}, *back = NULL;
        assert_int_equal(of_unique(keys, NULL, &made[0], &made[1], NULL, NULL, NULL), OF_OK);
        assert_int_equal(of_repeat(made[0], made[1], NULL, &back, NULL), OF_OK);
        check(of_array_size(back) == 1000, "%s: other size", layout_name((layout)way));
        for (int64_t i = 0; i < 1000; i++) {
            of_scalar a, b;
            assert_int_equal(of_array_get(keys, (int64_t[]){i / 50, i % 50}, &a, NULL), OF_OK);
            assert_int_equal(of_array_get(back, &i, &b, NULL), OF_OK);
            check(a.as.f64 == b.as.f64 || a.as.bits == b.as.bits, "%s: element %d",
                  layout_name((layout)way), (int)i);
        }
        release(made, 2);
        of_array_release(back);
        of_array_release(keys);
    }
    checks_finish();
}

/* ---- Refusals ---- */

static void test_missing_arguments(void **state) {
    (void)state;
    static const float data[2] = {1, 2};
    of_array *a = array_from(OF_F32, 2, data), *out = NULL;
    of_error err = {0};
    check_failure(of_unique(NULL, NULL, &out, NULL, NULL, NULL, &err), OF_ERR_VALUE, &err,
                  "keys is NULL", "of_unique");
    check_failure(of_reduce_by_key(NULL, a, OF_GROUP_SUM, NULL, NULL, &out, &err), OF_ERR_VALUE,
                  &err, "keys is NULL", "of_reduce_by_key");
    check_failure(of_reduce_by_key(a, NULL, OF_GROUP_SUM, NULL, NULL, &out, &err), OF_ERR_VALUE,
                  &err, "values is NULL", "of_reduce_by_key");
    check_failure(of_reduce_by_key(a, a, OF_GROUP_SUM, NULL, &out, NULL, &err), OF_ERR_VALUE, &err,
                  "results is NULL", "of_reduce_by_key");
    check_failure(of_reduce_by_key(a, a, OF_GROUP_OPERATION_END, NULL, NULL, &out, &err),
                  OF_ERR_VALUE, &err, "operation is 7, which is none", "of_reduce_by_key");
    of_runs_opts opts = {.index_dtype = (of_dtype)99};
    check_failure(of_reduce_by_key(a, a, OF_GROUP_SUM, &opts, NULL, &out, &err), OF_ERR_TYPE, &err,
                  "index_dtype is 99, which is no element type", "of_reduce_by_key");
    check(!out, "a refused call made something");
    of_array_release(a);
    checks_finish();
}

/* ---- The caller's floating-point environment ---- */

#if defined(__x86_64__)
enum { UPWARD_AND_FLUSHING = 0xdfc0 }; /* the control word */

static void test_environment(void **state) {
    (void)state;
    enum { N = LARGE };
    of_array *keys = array_make(OF_F64, DATA_subnormal, 1, LAYOUT_contiguous, 1, (int64_t[]){N});
    of_array *values = array_make(OF_F32, DATA_binades_58, 2, LAYOUT_contiguous, 1, (int64_t[]){N});
    of_array *groups = array_make(OF_BOOL, DATA_zero, 1, LAYOUT_contiguous, 1, (int64_t[]){N});
    const of_array *by[] = {keys, groups}; /* many short runs, one long one */
    for (int threads = 1; threads <= 3; threads += 2)
        for (int i = 0; i < 2; i++)
            for (int o = 0; o < REDUCTIONS; o++) {
                of_array *plain[2], *odd[2];
                assert_int_equal(of_threads_set(threads, NULL), OF_OK);
                assert_int_equal(of_reduce_by_key(by[i], values, reductions[o], NULL, &plain[0],
                                                  &plain[1], NULL),
                                 OF_OK);
                unsigned before = __builtin_ia32_stmxcsr(), after;
                __builtin_ia32_ldmxcsr(UPWARD_AND_FLUSHING);
                of_status status =
                    of_reduce_by_key(by[i], values, reductions[o], NULL, &odd[0], &odd[1], NULL);
                after = __builtin_ia32_stmxcsr();
                __builtin_ia32_ldmxcsr(before);
                assert_int_equal(status, OF_OK);
                check(after == UPWARD_AND_FLUSHING, "the control word became %#x", after);
                for (int k = 0; k < 2; k++)
                    check(of_array_nbytes(odd[k]) == of_array_nbytes(plain[k]) &&
                              !memcmp(of_array_data(odd[k]), of_array_data(plain[k]),
                                      (size_t)of_array_nbytes(plain[k])),
                          "%s differs", of_group_operation_name(reductions[o]));
                release(plain, 2);
                release(odd, 2);
            }
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
    of_array_release(keys);
    of_array_release(values);
    of_array_release(groups);
    checks_finish();
}
#endif

/* ---- Failing memory ---- */

static of_array *some_keys, *some_values;

static of_status call_unique(of_array *made[4], of_error *err) {
    return unique_keys(some_keys, NULL, made, err);
}

static of_status call_reduce(of_array *made[4], of_error *err) {
    return of_reduce_by_key(some_keys, some_values, OF_GROUP_PROD, NULL, &made[0], &made[1], err);
}

static of_status call_count(of_array *made[4], of_error *err) {
    return of_reduce_by_key(some_keys, some_values, OF_GROUP_COUNT, NULL, &made[0], &made[1], err);
}

static bool none_fails(int allocations) {
    for (int i = 0; i < allocations; i++) {
        void *memory = of__alloc(1);
        if (!memory) return false;
        of__free(memory);
    }
    return true;
}

/* Fails each allocation in turn. The memory in which runs are kept between the passes is done
 * without; every other failure is reported. */
static void fail_each(of_status (*call)(of_array *[4], of_error *), const char *what) {
    of_array *expected[4] = {NULL};
    assert_int_equal(call(expected, NULL), OF_OK);
    bool more = true;
    for (int countdown = 0; more; countdown++) {
        of_array *made[4] = {NULL};
        of_error err = {0};
        of__alloc_fail_after(countdown);
        of_status status = call(made, &err);
        more = none_fails(countdown + 1); /* the failure is spent */
        of__alloc_fail_after(-1);
        if (status != OF_OK) check_failure(status, OF_ERR_MEMORY, &err, "", what);
        for (int i = 0; i < 4; i++) {
            check((made[i] != NULL) == (status == OF_OK && expected[i]), "%s: output %d", what, i);
            if (made[i])
                check(of_array_nbytes(made[i]) == of_array_nbytes(expected[i]) &&
                          !memcmp(of_array_data(made[i]), of_array_data(expected[i]),
                                  (size_t)of_array_nbytes(made[i])),
                      "%s: output %d differs", what, i);
        }
        release(made, 4);
        if (countdown > 1000) fail_msg("%s never succeeds", what);
    }
    release(expected, 4);
}

static void test_failing_allocations(void **state) {
    (void)state;
    enum { N = LARGE };
    int32_t *keys = malloc(N * sizeof *keys);
    assert_non_null(keys);
    for (int i = 0; i < N; i++) keys[i] = i < N / 2 ? i / 100 : 7;
    some_keys = array_from(OF_I32, N, keys);
    free(keys);
    some_values = array_make(OF_F32, DATA_normal, 1, LAYOUT_contiguous, 1, (int64_t[]){N});
    for (int threads = 1; threads <= 3; threads += 2) {
        assert_int_equal(of_threads_set(threads, NULL), OF_OK);
        fail_each(call_unique, "of_unique");
        fail_each(call_reduce, "of_reduce_by_key");
        fail_each(call_count, "of_reduce_by_key, count");
    }
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
    of_array_release(some_keys);
    of_array_release(some_values);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_short),
        cmocka_unit_test(test_nans_and_zeros),
        cmocka_unit_test(test_bool_keys),
        cmocka_unit_test(test_outputs_are_optional),
        cmocka_unit_test(test_types_of_indices),
        cmocka_unit_test(test_more_than_i32_counts),
        cmocka_unit_test(test_repeat_undoes_unique),
        cmocka_unit_test(test_missing_arguments),
        cmocka_unit_test(test_failing_allocations),
#if defined(__x86_64__)
        cmocka_unit_test(test_environment),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
