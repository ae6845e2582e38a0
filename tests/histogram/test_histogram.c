/* Histograms: refusals, failing memory, the floating-point environment, many bins and elements. */
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
#include "core/fpenv.h"

static of_array *array_of(of_dtype dtype, int64_t size, void *elements) {
    of_array *made = NULL;
    assert_int_equal(of_array_wrap(NULL, dtype, 1, &size, NULL, elements, OF_WRAP_READ_ONLY, NULL,
                                   NULL, &made, NULL),
                     OF_OK);
    return made;
}

/* A call that fails must say so in these words and leave the outputs alone. */
static void refuses(const of_array *x, int64_t bins, const of_histogram_opts *opts,
                    of_status status, const char *words) {
    of_array *const untouched = (of_array *)(uintptr_t)64;
    of_array *counts = untouched, *edges = untouched;
    of_error err = {0};
    assert_int_equal(of_histogram(x, bins, opts, &counts, &edges, &err), status);
    assert_int_equal(err.code, status);
    if (!strstr(err.message, words)) fail_msg("\"%s\" lacks \"%s\"", err.message, words);
    assert_ptr_equal(counts, untouched);
    assert_ptr_equal(edges, untouched);
    assert_int_equal(of_histogram(x, bins, opts, &counts, &edges, NULL), status);
}

static void what_is_refused(void **state) {
    (void)state;
    double values[4] = {1, 2, 3, 4}, with_nan[2] = {1, NAN}, with_inf[2] = {-INFINITY, 1};
    double wide[2] = {-1.7e308, 1.7e308};
    of_array *x = array_of(OF_F64, 4, values), *nan = array_of(OF_F64, 2, with_nan);
    of_array *inf = array_of(OF_F64, 2, with_inf), *far = array_of(OF_F64, 2, wide);
    of_array *none = array_of(OF_I32, 0, NULL);
    int64_t negative = -3, large = 5, zero = 0;
    refuses(NULL, 1, NULL, OF_ERR_VALUE, "x is NULL");
    refuses(x, 0, NULL, OF_ERR_VALUE, "bins is 0");
    refuses(x, -7, NULL, OF_ERR_VALUE, "bins is -7");
    refuses(x, INT64_MIN, NULL, OF_ERR_VALUE, "bins is -9223372036854775808");
    refuses(x, INT64_MAX, NULL, OF_ERR_UNSUPPORTED, "bins is 9223372036854775807");
    refuses(x, INT64_C(0x7ffffff9), NULL, OF_ERR_UNSUPPORTED, "bins is 2147483641");
    refuses(x, 3, &(of_histogram_opts){.n = &negative}, OF_ERR_VALUE, "n is -3");
    refuses(x, 3, &(of_histogram_opts){.n = &large}, OF_ERR_VALUE, "n is 5");
    refuses(x, 3, &(of_histogram_opts){.n = &zero}, OF_ERR_VALUE, "no element");
    refuses(none, 3, NULL, OF_ERR_VALUE, "no element");
    refuses(x, 3, &(of_histogram_opts){.outside = 2}, OF_ERR_VALUE, "outside is 2");
    refuses(x, 3, &(of_histogram_opts){.weights = nan}, OF_ERR_VALUE, "weights has 2 elements");
    refuses(nan, 3, NULL, OF_ERR_VALUE, "x holds nan");
    refuses(inf, 3, NULL, OF_ERR_VALUE, "x holds -inf");
    refuses(far, 3, NULL, OF_ERR_VALUE, "overflows");
    static const struct {
        double range[2];
        const char *words;
    } ranges[] = {
        {{0, INFINITY}, "range is 0.0 to inf, which is not finite"},
        {{NAN, 1}, "range is nan to 1.0, which is not finite"},
        {{-INFINITY, INFINITY}, "not finite"},
        {{2, 1}, "range is 2.0 to 1.0, which runs downward"},
        {{-1.7e308, 1.7e308}, "whose width overflows"},
        {{1.7976931348623157e308, 1.7976931348623157e308}, "whose width overflows"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        refuses(x, 3, &(of_histogram_opts){.range = ranges[i].range}, OF_ERR_VALUE,
                ranges[i].words);
    assert_int_equal(of_histogram(x, 3, NULL, NULL, NULL, NULL), OF_ERR_VALUE);
    of_array_release(x);
    of_array_release(nan);
    of_array_release(inf);
    of_array_release(far);
    of_array_release(none);
}

static int count_failures(const of_array *x, const of_histogram_opts *opts) {
    of_array *const untouched = (of_array *)(uintptr_t)64;
    int failures = 0;
    for (;; failures++) {
        of_array *counts = untouched, *edges = untouched;
        of_error err = {0};
        of__alloc_fail_after(failures);
        of_status status = of_histogram(x, 10, opts, &counts, &edges, &err);
        of__alloc_fail_after(-1);
        if (status == OF_OK) {
            of_array_release(counts);
            of_array_release(edges);
            break;
        }
        assert_int_equal(status, OF_ERR_MEMORY);
        assert_true(strlen(err.message) > 0);
        assert_ptr_equal(counts, untouched);
        assert_ptr_equal(edges, untouched);
    }
    return failures;
}

static void each_allocation_may_fail(void **state) {
    (void)state;
    static float values[50000];
    of_array *x = array_of(OF_F32, 50000, values);
    /* Extremes, two arrays of three, tables. */
    assert_int_equal(count_failures(x, NULL), 8);
    for (int i = 0; i < 50000; i++) values[i] = ldexpf(1.5f, i % 250 - 125);
    assert_true(count_failures(x, &(of_histogram_opts){.weights = x}) > 8);
    of_array_release(x);
}

static void count_into(const of_array *x, int64_t bins, const of_histogram_opts *opts,
                       of_array **counts, of_array **edges) {
    of_error err = {0};
    of_status status = of_histogram(x, bins, opts, counts, edges, &err);
    if (status != OF_OK) fail_msg("%s", err.message);
}

/* Bins whose width is below the unit in the last place, subnormal, or cut off by hi. */
static void narrow_bins(void **state) {
    (void)state;
    double values[5] = {0, 5e-324, 1e-323, 1.5e-323, 1};
    of_array *x = array_of(OF_F64, 5, values), *counts, *edges;
    count_into(x, 4, &(of_histogram_opts){.range = (double[]){0, 1.5e-323}}, &counts, &edges);
    /* The width, 3/4 of the smallest number, is rounded to it: the edges are 0, 1, 2, 3, 3. */
    const int64_t *count = of_array_data(counts);
    const double *edge = of_array_data(edges);
    for (int i = 0; i < 5; i++) assert_true(edge[i] == values[i < 3 ? i : 3]);
    assert_true(count[0] == 1 && count[1] == 1 && count[2] == 1 && count[3] == 2);
    of_array_release(counts);
    of_array_release(edges);
    count_into(x, 8, &(of_histogram_opts){.range = (double[]){0, 1e-323}}, &counts, &edges);
    /* The width is rounded to 0: every edge but the last is 0. */
    count = of_array_data(counts);
    for (int i = 0; i < 7; i++) assert_int_equal(count[i], 0);
    assert_int_equal(count[7], 5);
    of_array_release(counts);
    of_array_release(edges);
    of_array_release(x);
}

static void integers_beyond_f64(void **state) {
    (void)state;
    int64_t values[4] = {INT64_MAX, INT64_MAX - 1, INT64_C(1) << 53, (INT64_C(1) << 53) + 1};
    of_array *x = array_of(OF_I64, 4, values), *counts, *edges;
    double beyond[2] = {0x1p53, 0x1p53 + 2}, top[2] = {0, 0x1p63};
    count_into(x, 2, &(of_histogram_opts){.range = beyond, .outside = OF_OUTSIDE_DROP}, &counts,
               NULL);
    const int64_t *count = of_array_data(counts);
    assert_true(count[0] == 0 &&
                count[1] == 2); /* the edge between, 2^53 + 1, is rounded to 2^53 */
    of_array_release(counts);
    count_into(x, 1, &(of_histogram_opts){.range = top, .outside = OF_OUTSIDE_DROP}, &counts, NULL);
    assert_int_equal(*(const int64_t *)of_array_data(counts), 4);
    of_array_release(counts);
    count_into(x, 1, NULL, &counts, &edges);
    const double *edge = of_array_data(edges);
    assert_true(edge[0] == 0x1p53 && edge[1] == 0x1p63); /* the largest is rounded outward */
    of_array_release(counts);
    of_array_release(edges);
    of_array_release(x);
}

/* The caller's rounding mode and flushing change nothing, and are left as they were. */
static void the_environment_does_not_matter(void **state) {
    (void)state;
#if defined(__x86_64__)
    float values[1000];
    for (int i = 0; i < 1000; i++) values[i] = (float)i * 0x1p-140f;
    of_array *x = array_of(OF_F32, 1000, values), *counts[2], *edges[2];
    count_into(x, 7, NULL, &counts[0], &edges[0]);
    uint32_t strange = 0xffc0, before, after; /* upward, flushing, subnormals zero; masked */
    strange &= ~0x2000u;
    __asm__ volatile("stmxcsr %0" : "=m"(before)::"memory");
    __asm__ volatile("ldmxcsr %0" ::"m"(strange) : "memory");
    of_status status = of_histogram(x, 7, NULL, &counts[1], &edges[1], NULL);
    __asm__ volatile("stmxcsr %0" : "=m"(after)::"memory");
    __asm__ volatile("ldmxcsr %0" ::"m"(before) : "memory");
    assert_int_equal(status, OF_OK);
    assert_int_equal(after, strange);
    assert_memory_equal(of_array_data(counts[0]), of_array_data(counts[1]), 7 * sizeof(int64_t));
    assert_memory_equal(of_array_data(edges[0]), of_array_data(edges[1]), 8 * sizeof(double));
    for (int i = 0; i < 2; i++) {
        of_array_release(counts[i]);
        of_array_release(edges[i]);
    }
    of_array_release(x);
#endif
}

static void many_bins(void **state) {
    (void)state;
#ifdef ONEFOLD_TEST_SANITIZED
    enum { SIZE = 5000 };
#else
    enum { SIZE = 100000 };
#endif
    enum { BINS = 100 * SIZE };
    int32_t *values = malloc(SIZE * sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < SIZE; i++) values[i] = i * 100;
    of_array *x = array_of(OF_I32, SIZE, values), *counts, *edges;
    double range[2] = {0, BINS};
    count_into(x, BINS, &(of_histogram_opts){.range = range}, &counts, &edges);
    const int64_t *count = of_array_data(counts);
    const double *edge = of_array_data(edges);
    for (int64_t i = 0; i < BINS; i++)
        if (count[i] != (i % 100 == 0) || edge[i] != (double)i) fail_msg("bin %lld", (long long)i);
    of_array_release(counts);
    of_array_release(edges);
    of_array_release(x);
    free(values);
}

/* Every element of an array of any strides and several dimensions, by every thread count. */
static void many_elements(void **state) {
    (void)state;
    static uint16_t values[4000];
    for (int i = 0; i < 4000; i++) values[i] = (uint16_t)i;
    of_array *x = NULL, *counts;
    int64_t shape[3] = {25, 4000, 9}, strides[3] = {0, 2, 0}; /* each value 225 times */
    assert_int_equal(of_array_wrap(NULL, OF_U16, 3, shape, strides, values, OF_WRAP_READ_ONLY, NULL,
                                   NULL, &x, NULL),
                     OF_OK);
    for (int threads = 1; threads < 5; threads++) {
        assert_int_equal(of_threads_set(threads, NULL), OF_OK);
        count_into(x, 40, &(of_histogram_opts){.range = (double[]){0, 4000}}, &counts, NULL);
        for (int i = 0; i < 40; i++)
            assert_int_equal(((const int64_t *)of_array_data(counts))[i], 22500);
        of_array_release(counts);
    }
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
    of_array_release(x);
}

/* Sums of weights that a loop would lose, and of some that wrap; dropped elements weigh nothing. */
static void weights_are_summed_exactly(void **state) {
    (void)state;
    uint8_t values[6] = {1, 1, 1, 7, 200, 0};
    double weights[6] = {1e300, 1, -1e300, -0.0, NAN, INFINITY};
    uint64_t large[6] = {UINT64_MAX, 2, 0, 5, 1, 1};
    of_array *x = array_of(OF_U8, 6, values), *counts;
    of_array *w = array_of(OF_F64, 6, weights), *u = array_of(OF_U64, 6, large);
    of_histogram_opts opts = {.range = (double[]){1, 9}, .outside = OF_OUTSIDE_DROP, .weights = w};
    count_into(x, 4, &opts, &counts, NULL);
    const double *sum = of_array_data(counts);
    assert_true(sum[0] == 1 && sum[1] == 0 && !signbit(sum[1]) && sum[2] == 0);
    assert_true(sum[3] == 0 && signbit(sum[3]));
    of_array_release(counts);
    opts.outside = OF_OUTSIDE_CLAMP;
    count_into(x, 4, &opts, &counts, NULL);
    sum = of_array_data(counts);
    assert_true(sum[0] == INFINITY && isnan(sum[3]));
    of_array_release(counts);
    opts.weights = u;
    count_into(x, 4, &opts, &counts, NULL);
    assert_int_equal(of_array_dtype(counts), OF_U64);
    const uint64_t *modulo = of_array_data(counts);
    assert_true(modulo[0] == 2 && modulo[1] == 0 && modulo[3] == 6);
    of_array_release(counts);
    of_array_release(x);
    of_array_release(w);
    of_array_release(u);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(narrow_bins),
        cmocka_unit_test(integers_beyond_f64),
        cmocka_unit_test(the_environment_does_not_matter),
        cmocka_unit_test(many_bins),
        cmocka_unit_test(many_elements),
        cmocka_unit_test(weights_are_summed_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
