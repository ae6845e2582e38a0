/* The exact accumulator: whatever is added, in whatever pieces and order, the total is that of the
 * reference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact/accumulator.h"
#include "reduce/harness.h"

static const of_dtype float_types[] = {OF_F16, OF_BF16, OF_F32, OF_F64};

static of_exact *make_exact(void) {
    of_exact *exact = NULL;
    assert_int_equal(of_exact_create(&exact, NULL), OF_OK);
    return exact;
}

static void add(of_exact *exact, of_scalar value) {
    assert_int_equal(of_exact_add_scalar(exact, value, NULL), OF_OK);
}

static void add_f64(of_exact *exact, double value) {
    add(exact, of_scalar_f64(value));
}

static of_scalar rounded(const of_exact *exact, of_dtype dtype) {
    of_scalar out = {0};
    assert_int_equal(of_exact_round(exact, dtype, &out, NULL), OF_OK);
    return out;
}

static of_scalar quotient(const of_exact *exact, int64_t divisor, of_dtype dtype) {
    of_scalar out = {0};
    assert_int_equal(of_exact_round_quotient(exact, divisor, dtype, &out, NULL), OF_OK);
    return out;
}

static bool same_state(const of_exact *a, const of_exact *b) {
    int64_t left[OF_EXACT_STATE_SIZE], right[OF_EXACT_STATE_SIZE];
    of_exact_export(a, left);
    of_exact_export(b, right);
    return memcmp(left, right, sizeof left) == 0;
}

/* Checks every rounding of an accumulator that holds just the elements of `array`. */
static void check_total(const of_exact *exact, const of_array *array, const char *about) {
    of_dtype dtype = of_array_dtype(array);
    const char *name = of_dtype_name(dtype);
    int64_t count = of_array_size(array);
    of_scalar expected = {0};
    check(of_exact_count(exact) == count, "%s of %s: count %lld", about, name,
          (long long)of_exact_count(exact));
    for (int t = 0; t < 4; t++) {
        expected_of_slice(array, WHOLE, 0, OF_SUM, NULL, float_types[t], &expected);
        check_scalar(rounded(exact, float_types[t]), expected, "%s of %s, n=%lld", about, name,
                     (long long)count);
        expected_of_slice(array, WHOLE, 0, OF_MEAN, NULL, float_types[t], &expected);
        check_scalar(quotient(exact, count, float_types[t]), expected, "%s of %s, n=%lld: mean",
                     about, name, (long long)count);
    }
    for (of_dtype to = OF_I8; to <= OF_U64 && !ref_is_float(dtype); to++) {
        expected_of_slice(array, WHOLE, 0, OF_SUM, NULL, to, &expected);
        check_scalar(rounded(exact, to), expected, "%s of %s, n=%lld", about, name,
                     (long long)count);
    }
}

static of_array *make(of_dtype dtype, data_kind kind, int64_t count) {
    return array_make(dtype, kind, 7 + kind, LAYOUT_contiguous, 1, &count);
}

static of_scalar element(const of_array *array, int64_t index) {
    of_dtype dtype = of_array_dtype(array);
    return of_scalar_load(dtype, (const char *)of_array_data(array) + index * ref_size(dtype));
}

/* One at a time, in the order of `order` or of the array. */
static void add_elements(of_exact *exact, const of_array *array, const int64_t *order, int64_t from,
                         int64_t to) {
    for (int64_t i = from; i < to; i++) add(exact, element(array, order ? order[i] : i));
}

static void test_scalars(void **state) {
    (void)state;
    static const int64_t sizes[] = {0, 1, 2, 3, 300};
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++)
            for (int i = 0; i < 5 && data_kind_has(kind, dtype); i++) {
                of_array *array = make(dtype, kind, sizes[i]);
                of_exact *exact = make_exact();
                add_elements(exact, array, NULL, 0, sizes[i]);
                check_total(exact, array, data_kind_name(kind));
                of_exact_free(exact);
                of_array_release(array);
            }
    checks_finish();
}

static void add_arrays(void *context) {
    (void)context;
    static const int64_t shapes[][2] = {{1, 0},    {1, 1},    {3, 5},   {1, 1000},
                                        {1, 2049}, {1, 5000}, {131, 63}};
    static const data_kind hard[] = {
        DATA_normal,     DATA_binades_174,   DATA_raw,     DATA_cancelling_but_tiny, DATA_nan,
        DATA_infinities, DATA_negative_zero, DATA_largest, DATA_exponent_jump};
    int turn = 0;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (int k = 0; k < (ref_is_float(dtype) ? 9 : 1); k++)
            for (int i = 0; i < 7; i++) {
                data_kind kind = ref_is_float(dtype) ? hard[k] : DATA_raw;
                layout how = turn++ % LAYOUT_COUNT;
                of_array *array = array_make(dtype, kind, 3, how, 2, shapes[i]);
                of_exact *exact = make_exact();
                assert_int_equal(of_exact_add_array(exact, array, NULL), OF_OK);
                check_total(exact, array, layout_name(how));
                of_exact_free(exact);
                of_array_release(array);
            }
}

static void test_arrays(void **state) {
    (void)state;
    each_configuration(add_arrays, NULL);
    checks_finish();
}

/* Cuts an array in up to 9 parts, adds each as an array or one by one, and merges them in a random
 * order. */
static void merge_parts(const of_array *array, uint64_t seed, const char *about) {
    int64_t count = of_array_size(array), cuts[10] = {0}, order[9];
    int parts = 1 + (int)(data_random(seed, 0) % 9);
    for (int i = 1; i < parts; i++) {
        cuts[i] = (int64_t)(data_random(seed, (uint64_t)i) % (uint64_t)(count + 1));
        for (int j = i; j > 1 && cuts[j] < cuts[j - 1]; j--) {
            int64_t swap = cuts[j];
            cuts[j] = cuts[j - 1];
            cuts[j - 1] = swap;
        }
    }
    cuts[parts] = count;
    of_exact *part[9], *whole = make_exact(), *imported = make_exact();
    int64_t sum[OF_EXACT_STATE_SIZE] = {0}, exported[OF_EXACT_STATE_SIZE];
    for (int i = 0; i < parts; i++) {
        part[i] = make_exact();
        if (data_random(seed, 50 + (uint64_t)i) % 2) {
            add_elements(part[i], array, NULL, cuts[i], cuts[i + 1]);
        } else {
            of_array *slice = NULL;
            of_status status = of_array_slice((of_array *)array, 0, cuts[i], cuts[i + 1] - cuts[i],
                                              1, &slice, NULL);
            assert_int_equal(status, OF_OK);
            assert_int_equal(of_exact_add_array(part[i], slice, NULL), OF_OK);
            of_array_release(slice);
        }
        of_exact_export(part[i], exported);
        for (int k = 0; k < OF_EXACT_STATE_SIZE; k++) sum[k] += exported[k];
    }
    data_shuffle(order, parts, seed);
    for (int i = 0; i < parts; i++) of_exact_merge(whole, part[order[i]]);
    check_total(whole, array, about);
    assert_int_equal(of_exact_import(imported, sum, NULL), OF_OK);
    check_total(imported, array, about);
    check(same_state(imported, whole), "%s: the state depends on the way it was made", about);
    for (int i = 0; i < parts; i++) of_exact_free(part[i]);
    of_exact_free(whole);
    of_exact_free(imported);
}

static void test_merging(void **state) {
    (void)state;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++) {
            if (!data_kind_has(kind, dtype)) continue;
            of_array *array = make(dtype, kind, 700);
            for (uint64_t seed = 0; seed < 3; seed++)
                merge_parts(array, 100 * kind + seed, data_kind_name(kind));
            of_array_release(array);
        }
    checks_finish();
}

static void test_any_order_gives_the_same_state(void **state) {
    (void)state;
    enum { COUNT = 500 };
    int64_t order[COUNT];
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++) {
        of_array *array = make(dtype, DATA_raw, COUNT);
        of_exact *straight = make_exact(), *shuffled = make_exact(), *at_once = make_exact();
        data_shuffle(order, COUNT, dtype);
        add_elements(straight, array, NULL, 0, COUNT);
        add_elements(shuffled, array, order, 0, COUNT);
        assert_int_equal(of_exact_add_array(at_once, array, NULL), OF_OK);
        check(same_state(straight, shuffled), "%s shuffled", of_dtype_name(dtype));
        check(same_state(straight, at_once), "%s as an array", of_dtype_name(dtype));
        of_exact_free(straight);
        of_exact_free(shuffled);
        of_exact_free(at_once);
        of_array_release(array);
    }
    checks_finish();
}

/* The exported limbs are digits: their sum, each times 2^(32 k - 2176), is the exact sum. */
static void test_state_is_the_exact_sum(void **state) {
    (void)state;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++) {
            if (!data_kind_has(kind, dtype)) continue;
            of_array *array = make(dtype, kind, 200);
            of_exact *exact = make_exact();
            assert_int_equal(of_exact_add_array(exact, array, NULL), OF_OK);
            int64_t numbers[OF_EXACT_STATE_SIZE];
            of_exact_export(exact, numbers);
            mpz_t sum, term;
            mpz_inits(sum, term, NULL);
            exact_total(sum, array);
            for (int k = 0; k < OF__LIMBS; k++) {
                mpz_set_si(term, numbers[k]);
                mpz_mul_2exp(term, term, 32 * (mp_bitcnt_t)k);
                mpz_sub(sum, sum, term);
            }
            check(mpz_sgn(sum) == 0, "the state of %s %s", of_dtype_name(dtype),
                  data_kind_name(kind));
            mpz_clears(sum, term, NULL);
            of_exact_free(exact);
            of_array_release(array);
        }
    checks_finish();
}

/* Merging copies of itself doubles a sum: 2^62 terms of every size, and the quotient brings each
 * back. */
static void test_doubling(void **state) {
    (void)state;
    static const double values[] = {
        1, -1, 0.1, 0x1p-1074, -0x1.fffffffffffffp1023, 0x1.fffffffffffffp-1022, 12345.678};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        of_exact *sum = make_exact(), *copy = make_exact();
        add_f64(sum, values[i]);
        for (int doubling = 0; doubling < 62; doubling++) {
            of_exact_clear(copy);
            of_exact_merge(copy, sum);
            of_exact_merge(sum, copy);
        }
        int64_t count = INT64_C(1) << 62;
        check(of_exact_count(sum) == count, "count %lld", (long long)of_exact_count(sum));
        check_scalar(quotient(sum, count, OF_F64), of_scalar_f64(values[i]),
                     "2^62 times %a over 2^62", values[i]);
        check_scalar(rounded(sum, OF_F64), of_scalar_f64(ldexp(values[i], 62)), "2^62 times %a",
                     values[i]);
        of_exact_free(sum);
        of_exact_free(copy);
    }
    checks_finish();
}

/* 2^30 states may be added number by number. */
static void test_adding_many_states(void **state) {
    (void)state;
    for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++) {
        if (!data_kind_has(kind, OF_F32)) continue;
        of_array *array = make(OF_F32, kind, 100);
        of_exact *exact = make_exact();
        assert_int_equal(of_exact_add_array(exact, array, NULL), OF_OK);
        int64_t numbers[OF_EXACT_STATE_SIZE];
        of_exact_export(exact, numbers);
        for (int k = 0; k < OF_EXACT_STATE_SIZE; k++) numbers[k] *= 1 << 30;
        assert_int_equal(of_exact_import(exact, numbers, NULL), OF_OK);
        of_scalar expected = {0};
        expected_of_slice(array, WHOLE, 0, OF_MEAN, NULL, OF_F64, &expected);
        check_scalar(quotient(exact, of_exact_count(exact), OF_F64), expected, "2^30 times %s",
                     data_kind_name(kind));
        check(of_exact_count(exact) == INT64_C(100) << 30, "count %lld",
              (long long)of_exact_count(exact));
        of_exact_free(exact);
        of_array_release(array);
    }
    checks_finish();
}

/* Just before carries are due, with limbs as full as they can be: the sum and the next deposits
 * stay right. */
static void test_carries_in_time(void **state) {
    (void)state;
    static const double values[] = {0x1.fffffffffffffp40, -0x1.fffffffffffffp40};
    for (int i = 0; i < 2; i++) {
        of_exact *exact = make_exact(), *expected = make_exact();
        add_f64(exact, values[i]);
        add_f64(expected, values[i]);
        /* What MOST_PENDING - 1 deposits of the same value leave. */
        int64_t times = OF__MOST_PENDING - 1;
        for (int k = exact->low; k < exact->high; k++) exact->limb[k] *= times;
        exact->pending = (int32_t)times;
        exact->count = times;
        for (int doubling = 0; doubling < 30; doubling++) {
            of_exact *copy = make_exact();
            of_exact_merge(copy, expected);
            of_exact_merge(expected, copy);
            of_exact_free(copy);
        }
        add_f64(expected, -values[i]); /* 2^30 - 1 times the value */
        check_scalar(rounded(exact, OF_F64), rounded(expected, OF_F64), "before the carry");
        for (int j = 0; j < 10; j++) {
            add_f64(exact, values[i]);
            add_f64(expected, values[i]);
        }
        check(exact->pending < 20, "no carry after %d deposits", exact->pending);
        for (int k = 0; k < OF__LIMBS; k++)
            check(exact->limb[k] <= INT64_C(1) << 37 && exact->limb[k] >= -(INT64_C(1) << 37),
                  "limb %d is %lld", k, (long long)exact->limb[k]);
        check_scalar(rounded(exact, OF_F64), rounded(expected, OF_F64), "after the carry");
        add_f64(exact, 0x1p-1074);
        add_f64(expected, 0x1p-1074);
        check_scalar(rounded(exact, OF_F64), rounded(expected, OF_F64), "with the smallest number");
        of_exact_free(exact);
        of_exact_free(expected);
    }
    checks_finish();
}

static void test_integer_extremes(void **state) {
    (void)state;
    of_exact *exact = make_exact();
    add(exact, of_scalar_u64(UINT64_MAX));
    add(exact, of_scalar_u64(UINT64_MAX));
    add(exact, of_scalar_i64(INT64_MIN));
    add(exact, of_scalar_i64(INT64_MAX));
    check_scalar(rounded(exact, OF_I64), of_scalar_i64(-3), "modulo 2^64, signed"); /* 2^65 - 3 */
    check_scalar(rounded(exact, OF_U64), of_scalar_u64(UINT64_MAX - 2), "modulo 2^64");
    check_scalar(rounded(exact, OF_F64), of_scalar_f64(0x1p65), "as f64");
    add(exact, of_scalar_u64(4096)); /* 2^65 + 4093: just under half a unit of 8192 */
    check_scalar(rounded(exact, OF_F64), of_scalar_f64(0x1p65), "as f64, below the tie");
    add(exact, of_scalar_u64(4)); /* 2^65 + 4097 */
    check_scalar(rounded(exact, OF_F64), of_scalar_f64(0x1.0000000000001p65),
                 "as f64, above the tie");
    of_exact_clear(exact);
    for (int i = 0; i < 3; i++) add(exact, of_scalar_i64(INT64_MIN));
    check_scalar(quotient(exact, 3, OF_F64), of_scalar_f64(-0x1p63), "the mean does not wrap");
    check_scalar(quotient(exact, INT64_MAX, OF_F64), of_scalar_f64(-0x1.8p1),
                 "over the largest divisor");
    of_exact_clear(exact);
    of_scalar truth = {.dtype = OF_BOOL};
    truth.as.bits = 0x80;
    add(exact, truth);
    check_scalar(rounded(exact, OF_I64), of_scalar_i64(1), "a bool byte of 128 is true");
    of_exact_free(exact);
    checks_finish();
}

/* Integers and floats of all types in one sum; init is the reference's way to mix. */
static void test_mixed_types(void **state) {
    (void)state;
    static const int64_t integers[] = {0, 1, -1, INT64_MAX, INT64_MIN, (INT64_C(1) << 53) + 1};
    for (int t = 0; t < 4; t++)
        for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++)
            for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++) {
                if (!data_kind_has(kind, OF_F64)) continue;
                of_array *array = make(float_types[t], kind, 40);
                of_exact *exact = make_exact();
                add(exact, of_scalar_i64(integers[i]));
                assert_int_equal(of_exact_add_array(exact, array, NULL), OF_OK);
                of_scalar expected, init = of_scalar_i64(integers[i]);
                of_reduce_opts opts = {.init = &init};
                expected_of_slice(array, WHOLE, 0, OF_SUM, &opts, OF_F64, &expected);
                check_scalar(rounded(exact, OF_F64), expected, "%lld and %s %s",
                             (long long)integers[i], of_dtype_name(float_types[t]),
                             data_kind_name(kind));
                of_exact_free(exact);
                of_array_release(array);
            }
    checks_finish();
}

static void test_zeros(void **state) {
    (void)state;
    of_exact *exact = make_exact(), *other = make_exact();
    check_scalar(rounded(exact, OF_F64), of_scalar_f64(0.0), "no terms");
    check_scalar(rounded(exact, OF_I32), of_scalar_convert(of_scalar_i64(0), OF_I32), "no terms");
    check_scalar(quotient(exact, 0, OF_F64), ref_nan(OF_F64), "the mean of nothing");
    check_scalar(quotient(exact, 5, OF_F64), of_scalar_f64(0.0), "nothing over 5");
    add_f64(exact, -0.0);
    check_scalar(rounded(exact, OF_F32), of_scalar_f32(-0.0f), "-0.0");
    check_scalar(quotient(exact, 1, OF_F64), of_scalar_f64(-0.0), "-0.0 over 1");
    of_exact_merge(exact, other);
    check_scalar(rounded(exact, OF_F64), of_scalar_f64(-0.0), "-0.0 and nothing");
    of_exact_merge(other, exact);
    check_scalar(rounded(other, OF_F64), of_scalar_f64(-0.0), "nothing and -0.0");
    add(other, of_scalar_i64(0));
    check_scalar(rounded(other, OF_F64), of_scalar_f64(0.0), "-0.0 and the integer 0");
    of_exact_merge(exact, other);
    check_scalar(rounded(exact, OF_F64), of_scalar_f64(0.0), "-0.0, -0.0 and the integer 0");
    of_exact_clear(exact);
    check(of_exact_count(exact) == 0, "count after clear");
    check_scalar(rounded(exact, OF_F64), of_scalar_f64(0.0), "cleared");
    check_scalar(rounded(exact, OF_I64), of_scalar_i64(0), "cleared of floats");
    add_f64(exact, 1);
    add_f64(exact, -1);
    check_scalar(rounded(exact, OF_F64), of_scalar_f64(0.0), "1 - 1");
    add_f64(exact, -0x1p-1074);
    check_scalar(rounded(exact, OF_F32), of_scalar_f32(-0.0f),
                 "a sum that underflows keeps its sign");
    check_scalar(quotient(exact, 3, OF_F64), of_scalar_f64(-0.0),
                 "a quotient that underflows keeps its sign");
    of_exact_free(exact);
    of_exact_free(other);
    checks_finish();
}

/* Quotients by divisors of every size, against the reference's division. */
static void test_quotients(void **state) {
    (void)state;
    static const int64_t divisors[] = {1,
                                       2,
                                       3,
                                       5,
                                       7,
                                       10,
                                       641,
                                       4096,
                                       65537,
                                       1000003,
                                       (INT64_C(1) << 32) - 1,
                                       INT64_C(1) << 32,
                                       (INT64_C(1) << 53) + 1,
                                       INT64_MAX - 24,
                                       INT64_MAX};
    mpz_t sum, divisor;
    mpz_inits(sum, divisor, NULL);
    for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++) {
        if (!data_kind_has(kind, OF_F64) || kind == DATA_negative_zero) continue;
        of_array *array = make(OF_F64, kind, 9);
        of_exact *exact = make_exact();
        bool finite = true;
        for (int i = 0; i < 9; i++) {
            add(exact, element(array, i));
            finite &= ref_load_scalar(element(array, i)).kind == REF_FINITE;
        }
        exact_total(sum, array);
        bool negative = mpz_sgn(sum) < 0;
        mpz_abs(sum, sum);
        for (size_t i = 0; finite && i < sizeof divisors / sizeof divisors[0]; i++)
            for (int t = 0; t < 4; t++) {
                mpz_set_si(divisor, divisors[i]);
                of_scalar expected =
                    ref_round(float_types[t], negative, sum, divisor, -EXACT_SCALE);
                check_scalar(quotient(exact, divisors[i], float_types[t]), expected, "%s over %lld",
                             data_kind_name(kind), (long long)divisors[i]);
            }
        of_exact_free(exact);
        of_array_release(array);
    }
    mpz_clears(sum, divisor, NULL);
    checks_finish();
}

static void test_errors(void **state) {
    (void)state;
    of_exact *exact = make_exact();
    of_error err = {0};
    of_scalar out = of_scalar_i64(99), wrong = {.dtype = OF_DTYPE_END};
    add(exact, of_scalar_i64(5));
    check_failure(of_exact_add_scalar(exact, wrong, &err), OF_ERR_TYPE, &err, "type",
                  "a value of no type");
    wrong.dtype = OF_DTYPE_NONE;
    check_failure(of_exact_add_scalar(exact, wrong, NULL), OF_ERR_TYPE, NULL, "",
                  "a value of type NONE");
    check_failure(of_exact_round(exact, OF_BOOL, &out, &err), OF_ERR_TYPE, &err, "bool",
                  "rounding to bool");
    check_failure(of_exact_round(exact, OF_DTYPE_NONE, &out, &err), OF_ERR_TYPE, &err, "dtype",
                  "rounding to none");
    check_failure(of_exact_round(exact, OF_DTYPE_END, &out, &err), OF_ERR_TYPE, &err, "dtype",
                  "rounding to no type");
    check_failure(of_exact_round_quotient(exact, 2, OF_I32, &out, &err), OF_ERR_TYPE, &err, "i32",
                  "an i32 quotient");
    check_failure(of_exact_round_quotient(exact, 2, OF_DTYPE_NONE, &out, &err), OF_ERR_TYPE, &err,
                  "dtype", "a quotient of no type");
    check_failure(of_exact_round_quotient(exact, -7, OF_F64, &out, &err), OF_ERR_VALUE, &err, "-7",
                  "over -7");
    check_scalar(rounded(exact, OF_I64), of_scalar_i64(5), "after errors");
    add_f64(exact, 0);
    check_failure(of_exact_round(exact, OF_I64, &out, &err), OF_ERR_TYPE, &err, "i64",
                  "floats to an integer");
    check_scalar(out, of_scalar_i64(99), "errors write no result");
    check(of_exact_count(exact) == 2, "count %lld", (long long)of_exact_count(exact));
    of_exact_free(exact);
    of_exact_free(NULL);
    checks_finish();
}

/* Numbers that no sum of states gives are refused, and change nothing. */
static void test_wrong_states(void **state) {
    (void)state;
    of_exact *exact = make_exact();
    add_f64(exact, 2.5);
    int64_t good[OF_EXACT_STATE_SIZE], bad[OF_EXACT_STATE_SIZE];
    of_exact_export(exact, good);
    static const struct {
        int place;
        int64_t value;
    } cases[] = {{0, INT64_MAX},   {0, INT64_MIN},   {70, INT64_MAX},         {70, INT64_MIN},
                 {137, INT64_MAX}, {137, INT64_MIN}, {137, INT64_C(1) << 61}, {138, -1},
                 {139, -1},        {140, -1},        {141, INT64_MIN},        {142, -1},
                 {143, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        of_error err = {0};
        memcpy(bad, good, sizeof bad);
        bad[cases[i].place] = cases[i].value;
        check_failure(of_exact_import(exact, bad, &err), OF_ERR_VALUE, &err, "state",
                      "a wrong state");
        check_scalar(rounded(exact, OF_F64), of_scalar_f64(2.5), "after a wrong state");
    }
    assert_int_equal(of_exact_import(exact, good, NULL), OF_OK);
    check_scalar(rounded(exact, OF_F64), of_scalar_f64(2.5), "after a good state");
    memset(good, 0, sizeof good);
    assert_int_equal(of_exact_import(exact, good, NULL), OF_OK);
    check(of_exact_count(exact) == 0, "zeros are the empty state");
    check_scalar(rounded(exact, OF_I64), of_scalar_i64(0), "the empty state");
    of_exact_free(exact);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_merging),
        cmocka_unit_test(test_any_order_gives_the_same_state),
        cmocka_unit_test(test_state_is_the_exact_sum),
        cmocka_unit_test(test_doubling),
        cmocka_unit_test(test_adding_many_states),
        cmocka_unit_test(test_carries_in_time),
        cmocka_unit_test(test_integer_extremes),
        cmocka_unit_test(test_mixed_types),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_quotients),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_wrong_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
