/* Selection by flags: large arrays, refusals, failing memory. */
#include <stdlib.h>
#include <string.h>

#include <onefold/onefold.h>

#include "core/alloc.h"
#include "reduce/harness.h"

/* ---- Large ---- */

enum { LARGE = 700000 };

static bool is_set(int64_t i, int pattern) {
    switch (pattern) {
    case 0: return false;
    case 1: return true;
    case 2: return i % 2;
    case 3: return i > LARGE - 5 || i < 3;
    case 4: return i / 5000 % 2;
    default: return data_random(9, (uint64_t)i) % 10 < 7;
    }
}

static void check_pattern(int pattern) {
    uint8_t *flags = malloc(LARGE);
    int64_t *elements = malloc(LARGE * sizeof *elements);
    assert_non_null(flags);
    assert_non_null(elements);
    for (int64_t i = 0; i < LARGE; i++) {
        flags[i] = is_set(i, pattern) ? (uint8_t)(1 + i % 200) : 0;
        elements[i] = 3 * i;
    }
    of_array *f = array_from(OF_U8, LARGE, flags), *src = array_from(OF_I64, LARGE, elements);
    of_array *kept, *ordered, *indices;
    int64_t count = -1;
    assert_int_equal(of_compact(src, f, NULL, &kept, NULL), OF_OK);
    assert_int_equal(of_partition(src, f, NULL, &ordered, &count, NULL), OF_OK);
    assert_int_equal(of_nonzero(f, NULL, &indices, NULL), OF_OK);
    check(of_array_size(kept) == count && of_array_size(indices) == count, "pattern %d: sizes",
          pattern);
    const int64_t *a = of_array_data(kept), *b = of_array_data(ordered);
    const int32_t *at = of_array_data(indices);
    int64_t set = 0, clear = count;
    bool right = true;
    for (int64_t i = 0; i < LARGE; i++)
        if (is_set(i, pattern)) {
            right &= set < count && a[set] == 3 * i && b[set] == 3 * i && at[set] == i;
            set++;
        } else {
            right &= clear < LARGE && b[clear] == 3 * i;
            clear++;
        }
    check(right && set == count, "pattern %d", pattern);
    of_array_release(f);
    of_array_release(src);
    of_array_release(kept);
    of_array_release(ordered);
    of_array_release(indices);
    free(flags);
    free(elements);
}

static void check_patterns(void *context) {
    (void)context;
    for (int pattern = 0; pattern < 6; pattern++) check_pattern(pattern);
}

static void test_large(void **state) {
    (void)state;
    each_configuration(check_patterns, NULL);
    checks_finish();
}

/* Rows longer than a tile, of an array whose rows are not contiguous. */
static void test_long_rows(void **state) {
    (void)state;
    enum { ROWS = 7, WIDTH = 9001 };
    static const uint8_t flags[ROWS] = {1, 0, 0, 1, 1, 0, 1};
    of_array *f = array_from(OF_BOOL, ROWS, flags);
    for (int way = 0; way < LAYOUT_COUNT; way++) {
        of_array *src = array_make(OF_I16, DATA_raw, 1, (layout)way, 2, (int64_t[]){ROWS, WIDTH});
        of_array *out;
        int16_t expected[WIDTH];
        assert_int_equal(of_compact(src, f, NULL, &out, NULL), OF_OK);
        check(of_array_ndim(out) == 2 && of_array_shape(out)[0] == 4 &&
                  of_array_shape(out)[1] == WIDTH,
              "%s: shape", layout_name((layout)way));
        for (int row = 0, k = 0; row < ROWS; row++) {
            if (!flags[row]) continue;
            array_gather(src, 2, row, expected);
            check(!memcmp((const int16_t *)of_array_data(out) + (size_t)k++ * WIDTH, expected,
                          sizeof expected),
                  "%s: row %d", layout_name((layout)way), row);
        }
        of_array_release(src);
        of_array_release(out);
    }
    of_array_release(f);
    checks_finish();
}

static void test_flags_of_floats(void **state) {
    (void)state;
    static const uint32_t bits[] = {0, 0x80000000, 0x7fc00000, 1, 0xff800000, 0x80000001};
    static const int32_t expected[] = {2, 3, 4, 5};
    of_array *flags = array_from(OF_F32, 6, bits), *indices;
    assert_int_equal(of_nonzero(flags, NULL, &indices, NULL), OF_OK);
    assert_int_equal(of_array_size(indices), 4);
    assert_memory_equal(of_array_data(indices), expected, sizeof expected);
    of_array_release(flags);
    of_array_release(indices);
}

/* ---- Shapes ---- */

static of_array *zeros(of_dtype dtype, int ndim, const int64_t *shape) {
    of_array *array;
    assert_int_equal(of_array_zeros(NULL, dtype, ndim, shape, &array, NULL), OF_OK);
    return array;
}

static void test_shapes(void **state) {
    (void)state;
    static const struct {
        int src_ndim;
        int64_t src[3];
        int flags_ndim;
        int64_t flags[3];
        int64_t n;         /* -1: not given */
        const char *words; /* NULL: accepted */
        int ndim;          /* of the result */
        int64_t row;       /* elements of one of its rows */
    } cases[] = {
        {1, {4}, 1, {4}, -1, NULL, 1, 1},
        {2, {4, 3}, 1, {4}, -1, NULL, 2, 3},
        {3, {4, 0, 2}, 1, {4}, -1, NULL, 3, 0},
        {2, {0, 3}, 1, {0}, -1, NULL, 2, 3},
        {2, {4, 3}, 2, {4, 3}, -1, NULL, 1, 1},
        {0, {0}, 0, {0}, -1, NULL, 1, 1},
        {1, {4}, 1, {5}, 4, NULL, 1, 1},
        {1, {5}, 1, {4}, 4, NULL, 1, 1},
        {1, {4}, 1, {5}, 5, "n is 5, but the size of src is 4", 0, 0},
        {1, {5}, 1, {4}, 5, "n is 5, but the size of flags is 4", 0, 0},
        {2, {4, 3}, 2, {4, 3}, 13, "n is 13, but the size of flags is 12", 0, 0},
        {1, {4}, 1, {5}, -1, "flags has shape (5,), but src has (4,)", 0, 0},
        {2, {4, 3}, 2, {3, 4}, -1, "flags has shape (3, 4), but src has (4, 3)", 0, 0},
        {2, {4, 3}, 1, {3}, -1, "flags has shape (3,)", 0, 0},
        {0, {0}, 1, {1}, -1, "flags has shape (1,), but src has ()", 0, 0},
        {1, {1}, 0, {0}, -1, "flags has shape (), but src has (1,)", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        of_array *src = zeros(OF_F16, cases[i].src_ndim, cases[i].src), *out[2] = {NULL};
        of_array *flags = zeros(OF_F64, cases[i].flags_ndim, cases[i].flags);
        of_compact_opts opts = {.n = cases[i].n < 0 ? NULL : &cases[i].n};
        int64_t count = -5;
        of_error err = {0};
        of_status status = of_compact(src, flags, &opts, &out[0], &err);
        if (cases[i].words) {
            check_failure(status, OF_ERR_VALUE, &err, cases[i].words, "of_compact");
            check_failure(of_partition(src, flags, &opts, &out[1], &count, &err), OF_ERR_VALUE,
                          &err, cases[i].words, "of_partition");
            check(!out[0] && !out[1] && count == -5, "case %d: something was written", (int)i);
        } else {
            assert_int_equal(status, OF_OK);
            assert_int_equal(of_partition(src, flags, &opts, &out[1], &count, NULL), OF_OK);
            int64_t n = cases[i].n < 0 ? of_array_size(flags) : cases[i].n;
            check(of_array_ndim(out[0]) == cases[i].ndim && of_array_shape(out[0])[0] == 0,
                  "case %d: shape", (int)i);
            check(of_array_ndim(out[1]) == cases[i].ndim && of_array_shape(out[1])[0] == n &&
                      of_array_size(out[1]) == n * cases[i].row,
                  "case %d: shape of the partition", (int)i);
            check(count == 0, "case %d: count %lld", (int)i, (long long)count);
        }
        of_array_release(src);
        of_array_release(flags);
        of_array_release(out[0]);
        of_array_release(out[1]);
    }
    checks_finish();
}

static void test_refusals(void **state) {
    (void)state;
    static const float data[2] = {1, 2};
    static const int64_t three = 3, negative = -1;
    of_array *a = array_from(OF_F32, 2, data), *out = NULL;
    of_error err = {0};
    check_failure(of_compact(NULL, a, NULL, &out, &err), OF_ERR_VALUE, &err, "src is NULL", "");
    check_failure(of_compact(a, NULL, NULL, &out, &err), OF_ERR_VALUE, &err, "flags is NULL", "");
    check_failure(of_compact(a, a, NULL, NULL, &err), OF_ERR_VALUE, &err, "out is NULL", "");
    check_failure(of_nonzero(NULL, NULL, &out, &err), OF_ERR_VALUE, &err, "flags is NULL", "");
    check_failure(of_nonzero(a, NULL, NULL, &err), OF_ERR_VALUE, &err, "indices is NULL", "");
    check_failure(of_nonzero(a, &(of_compact_opts){.n = &three}, &out, &err), OF_ERR_VALUE, &err,
                  "n is 3, but the size of flags is 2", "");
    check_failure(of_compact(a, a, &(of_compact_opts){.n = &negative}, &out, &err), OF_ERR_VALUE,
                  &err, "n is -1, which is negative", "");
    check_failure(of_nonzero(a, &(of_compact_opts){.index_dtype = OF_U64}, &out, &err), OF_ERR_TYPE,
                  &err, "index_dtype is u64; indices are i32 or i64", "");
    check_failure(of_compact(a, a, &(of_compact_opts){.index_dtype = OF_I64}, &out, &err),
                  OF_ERR_TYPE, &err, "index_dtype is given, but no indices are made", "");
    check(!out, "a refused call made something");
    of_array_release(a);
    checks_finish();
}

/* ---- Failing memory ---- */

static of_array *some_src, *some_flags;

static of_status call_compact(of_array **out, of_error *err) {
    return of_compact(some_src, some_flags, NULL, out, err);
}

static of_status call_nonzero(of_array **out, of_error *err) {
    return of_nonzero(some_flags, NULL, out, err);
}

static of_status call_partition(of_array **out, of_error *err) {
    int64_t count = -7;
    of_status status = of_partition(some_src, some_flags, NULL, out, &count, err);
    check((count == -7) == (status != OF_OK), "the count of a failed call");
    return status;
}

static void fail_each(of_status (*call)(of_array **, of_error *), const char *what) {
    for (int countdown = 0;; countdown++) {
        of_array *made = NULL;
        of_error err = {0};
        of__alloc_fail_after(countdown);
        of_status status = call(&made, &err);
        of__alloc_fail_after(-1);
        check((made != NULL) == (status == OF_OK), "%s: output", what);
        of_array_release(made);
        if (status == OF_OK) break;
        check_failure(status, OF_ERR_MEMORY, &err, "", what);
        if (countdown > 100) fail_msg("%s never succeeds", what);
    }
}

static void test_failing_allocations(void **state) {
    (void)state;
    some_src = array_make(OF_F32, DATA_normal, 1, LAYOUT_contiguous, 1, (int64_t[]){LARGE});
    some_flags = array_make(OF_BOOL, DATA_normal, 2, LAYOUT_contiguous, 1, (int64_t[]){LARGE});
    for (int threads = 1; threads <= 3; threads += 2) {
        assert_int_equal(of_threads_set(threads, NULL), OF_OK);
        fail_each(call_compact, "of_compact");
        fail_each(call_nonzero, "of_nonzero");
        fail_each(call_partition, "of_partition");
    }
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
    of_array_release(some_src);
    of_array_release(some_flags);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large),           cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_flags_of_floats), cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_refusals),        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
