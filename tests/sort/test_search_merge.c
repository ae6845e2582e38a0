/* Searching, selecting, merging, reversing: what is refused, threads, sources that are not sorted. */
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "random_bits.h"
#include "sort/sort_fixture.h"

#define N(...) (&(int64_t){__VA_ARGS__})
#define DIM(d) (&(int){d})

enum { MANY = 200000 };
static double elements[MANY], sorted[MANY];

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int make_elements(void **state) {
    (void)state;
    for (int i = 0; i < MANY; i++) elements[i] = (double)random_below(MANY / 3) - 1000.5;
    memcpy(sorted, elements, sizeof sorted);
    qsort(sorted, MANY, sizeof *sorted, compare);
    return 0;
}

static void they_refuse(void **state) {
    (void)state;
    of_array *a = line_over(OF_F64, 3, elements), *out = NULL, *second = NULL;
    of_array *b = line_over(OF_F32, 3, (float[]){1, 2, 3});
    ASSERT_FAILS(OF_ERR_VALUE, "sorted is NULL", of_searchsorted(NULL, a, NULL, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "values is NULL", of_searchsorted(a, NULL, NULL, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "n is 4, but the size of sorted is 3",
                 of_searchsorted(a, b, &(of_search_opts){.n = N(4)}, &out, &err));
    ASSERT_FAILS(OF_ERR_TYPE, "index_dtype is f64; indices are i32 or i64",
                 of_searchsorted(a, b, &(of_search_opts){.index_dtype = OF_F64}, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "k is -1, which is negative",
                 of_top_k(a, -1, NULL, &out, &second, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "k is 4, but there are 3 elements",
                 of_top_k(a, 4, NULL, &out, &second, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "k is 3, but there are 2 elements",
                 of_top_k(a, 3, &(of_top_k_opts){.n = N(2)}, &out, &second, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "dim -2 is out of range for an array of 1 dimension",
                 of_top_k(a, 1, &(of_top_k_opts){.dim = DIM(-2)}, &out, &second, &err));
    ASSERT_FAILS(OF_ERR_TYPE, "b has type f32, but a has f64", of_merge(a, b, NULL, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "b is NULL", of_merge(a, NULL, NULL, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "n is -1, which is negative",
                 of_reverse(a, &(of_reverse_opts){.n = N(-1)}, &out, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "dim 1 is out of range for an array of 1 dimension",
                 of_reverse(a, &(of_reverse_opts){.dim = DIM(1)}, &out, &err));
    assert_null(out);
    assert_null(second);
    of_array_release(a);
    of_array_release(b);
}

static void together_too_many_elements_are_refused(void **state) {
    (void)state;
    static const uint8_t zero = 0;
    of_array *huge = NULL, *out = NULL;
    ASSERT_OK(of_array_wrap(NULL, OF_U8, 1, N(INT64_MAX / 2 + 1), N(0), (void *)&zero, 0, NULL,
                            NULL, &huge, &err));
    ASSERT_FAILS(OF_ERR_VALUE, "a and b together have more than 2^63 - 1 elements",
                 of_merge(huge, huge, NULL, &out, &err));
    of_array_release(huge);
}

/* ---- Many, with threads ---- */

static void search_many(void) {
    of_array *keys = line_over(OF_F64, MANY, sorted), *values = line_over(OF_F64, MANY, elements);
    of_array *left = NULL, *right = NULL;
    ASSERT_OK(of_searchsorted(keys, values, NULL, &left, &err));
    ASSERT_OK(of_searchsorted(keys, values, &(of_search_opts){.right = true}, &right, &err));
    const int32_t *low = of_array_data(left), *high = of_array_data(right);
    for (int i = 0; i < MANY; i++) {
        assert_true(low[i] >= 0 && low[i] < high[i] && high[i] <= MANY);
        assert_true(sorted[low[i]] == elements[i] && sorted[high[i] - 1] == elements[i]);
        assert_true(low[i] == 0 || sorted[low[i] - 1] < elements[i]);
        assert_true(high[i] == MANY || sorted[high[i]] > elements[i]);
    }
    of_array_release(left);
    of_array_release(right);
    of_array_release(keys);
    of_array_release(values);
}

static void merge_many(void) {
    static double halves[MANY];
    const int cut = MANY / 3;
    memcpy(halves, elements, sizeof halves);
    qsort(halves, (size_t)cut, sizeof *halves, compare);
    qsort(halves + cut, MANY - (size_t)cut, sizeof *halves, compare);
    of_array *a = line_over(OF_F64, cut, halves), *b = line_over(OF_F64, MANY - cut, halves + cut);
    of_array *out = NULL;
    ASSERT_OK(of_merge(a, b, NULL, &out, &err));
    assert_holds(out, OF_F64, MANY, sorted);
    of_array_release(a);
    of_array_release(b);
}

static void select_many(void) {
    of_array *src = line_over(OF_F64, MANY, elements);
    static const int64_t k[] = {1, 10, 1000, MANY / 2, MANY};
    for (size_t c = 0; c < sizeof k / sizeof *k; c++) {
        of_array *values = NULL, *indices = NULL;
        of_top_k_opts opts = {.smallest = true, .index_dtype = OF_I64};
        ASSERT_OK(of_top_k(src, k[c], &opts, &values, &indices, &err));
        const int64_t *index = of_array_data(indices);
        for (int64_t i = 0; i < k[c]; i++) {
            assert_true(elements[index[i]] == sorted[i]);
            assert_true(i == 0 || sorted[i] > sorted[i - 1] || index[i] > index[i - 1]);
        }
        assert_holds(values, OF_F64, k[c], sorted);
        of_array_release(indices);
    }
    of_array_release(src);
}

static void many_with_threads(void **state) {
    (void)state;
    for (int threads = 1; threads <= 5; threads += 2) {
        ASSERT_OK(of_threads_set(threads, &err));
        search_many();
        merge_many();
        select_many();
    }
    ASSERT_OK(of_threads_set(0, &err));
}

/* Answers without meaning, but none outside the arrays; the sanitizers see what is touched. */
static void unsorted_sources_are_safe(void **state) {
    (void)state;
    of_array *a = line_over(OF_F64, MANY / 2, elements), *out = NULL;
    of_array *b = line_over(OF_F64, MANY - MANY / 2, elements + MANY / 2);
    ASSERT_OK(of_threads_set(5, &err));
    ASSERT_OK(of_merge(a, b, NULL, &out, &err));
    assert_int_equal(of_array_size(out), MANY);
    of_array_release(out);
    ASSERT_OK(of_searchsorted(a, b, NULL, &out, &err));
    const int32_t *index = of_array_data(out);
    for (int i = 0; i < MANY - MANY / 2; i++) assert_true(index[i] >= 0 && index[i] <= MANY / 2);
    of_array_release(out);
    ASSERT_OK(of_threads_set(0, &err));
    of_array_release(a);
    of_array_release(b);
}

static void either_result_of_top_k_may_be_left_out(void **state) {
    (void)state;
    of_array *src = line_over(OF_I8, 4, (int8_t[]){3, 7, 7, -1}), *out = NULL;
    ASSERT_OK(of_top_k(src, 3, NULL, &out, NULL, &err));
    assert_holds(out, OF_I8, 3, (int8_t[]){7, 7, 3});
    ASSERT_OK(of_top_k(src, 3, NULL, NULL, &out, &err));
    assert_holds(out, OF_I32, 3, (int32_t[]){1, 2, 0});
    of_array_release(src);
}

/* ---- Memory ---- */

static of_array *backwards; /* not contiguous */

static of_status call_search(of_array **a, of_array **b, of_error *err) {
    (void)b;
    return of_searchsorted(backwards, backwards, NULL, a, err);
}

static of_status call_top_k(of_array **a, of_array **b, of_error *err) {
    return of_top_k(backwards, 700, NULL, a, b, err);
}

static of_status call_merge(of_array **a, of_array **b, of_error *err) {
    (void)b;
    return of_merge(backwards, backwards, NULL, a, err);
}

static of_status call_reverse(of_array **a, of_array **b, of_error *err) {
    (void)b;
    return of_reverse(backwards, NULL, a, err);
}

typedef of_status (*call)(of_array **a, of_array **b, of_error *err);

static void each_allocation_may_fail(void **state) {
    (void)state;
    static const call calls[] = {call_search, call_top_k, call_merge, call_reverse};
    of_array *line = line_over(OF_F64, 1000, elements);
    ASSERT_OK(of_array_slice(line, 0, 999, 1000, -1, &backwards, &err));
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int failures = 0;; failures++) {
            of_array *a = NULL, *b = NULL;
            of_error err = {0};
            of__alloc_fail_after(failures);
            of_status status = calls[i](&a, &b, &err);
            of__alloc_fail_after(-1);
            of_array_release(a);
            of_array_release(b);
            if (status == OF_OK) {
                assert_true(failures >= 6);
                break;
            }
            assert_int_equal(status, OF_ERR_MEMORY);
            assert_int_equal(err.code, OF_ERR_MEMORY);
            assert_true(a == NULL && b == NULL);
        }
    of_array_release(line);
    of_array_release(backwards);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_refuse),
        cmocka_unit_test(together_too_many_elements_are_refused),
        cmocka_unit_test(many_with_threads),
        cmocka_unit_test(unsorted_sources_are_safe),
        cmocka_unit_test(either_result_of_top_k_may_be_left_out),
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_elements, NULL);
}
