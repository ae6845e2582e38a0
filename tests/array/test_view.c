/* Views against the definition: which address each index must have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "random_bits.h"

enum { MOST_ELEMENTS = 4096 };

static of_array *range(int ndim, const int64_t *shape) {
    of_array *array = NULL;
    assert_int_equal(of_array_create(NULL, OF_I32, ndim, shape, &array, NULL), OF_OK);
    int32_t *data = of_array_mutable_data(array);
    for (int64_t i = 0; i < of_array_size(array); i++) data[i] = (int32_t)i;
    return array;
}

/* Releases the source: the view keeps the memory alive. */
static of_array *sliced(of_array *src, int dim, int64_t start, int64_t length, int64_t step) {
    of_array *view = NULL;
    of_error err = {0};
    if (of_array_slice(src, dim, start, length, step, &view, &err) != OF_OK)
        fail_msg("%s", err.message);
    of_array_release(src);
    return view;
}

static of_array *transposed(of_array *src, const int *axes) {
    of_array *view = NULL;
    assert_int_equal(of_array_transpose(src, axes, &view, NULL), OF_OK);
    of_array_release(src);
    return view;
}

/* The addresses of the elements in row-major order, from the public shape and strides. Returns how
 * many. */
static int64_t list_addresses(const of_array *array, const char **addresses) {
    const int64_t *shape = of_array_shape(array), *strides = of_array_strides(array);
    int64_t index[OF_MAX_DIMS] = {0}, size = of_array_size(array);
    assert_true(size <= MOST_ELEMENTS);
    for (int64_t i = 0; i < size; i++) {
        const char *address = of_array_data(array);
        for (int d = 0; d < of_array_ndim(array); d++) address += index[d] * strides[d];
        addresses[i] = address;
        for (int d = of_array_ndim(array) - 1; d >= 0 && ++index[d] == shape[d]; d--) index[d] = 0;
    }
    return size;
}

static void assert_elements(const of_array *array, int64_t count, const int32_t *expected) {
    const char *addresses[MOST_ELEMENTS];
    assert_int_equal(list_addresses(array, addresses), count);
    for (int64_t i = 0; i < count; i++) {
        int32_t element;
        memcpy(&element, addresses[i], sizeof element);
        assert_int_equal(element, expected[i]);
    }
}

#define ASSERT_ELEMENTS(array, ...)                                                                \
    assert_elements(array, (int64_t)(sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t)),          \
                    (int32_t[]){__VA_ARGS__})

/* ---- Slice ---- */

static void slices_take_every_step(void **state) {
    (void)state;
    of_array *view = sliced(range(1, (int64_t[]){10}), 0, 1, 3, 4);
    ASSERT_ELEMENTS(view, 1, 5, 9);
    view = sliced(view, -1, 2, 3, -1);
    ASSERT_ELEMENTS(view, 9, 5, 1);
    view = sliced(view, 0, 1, 1, -7);
    ASSERT_ELEMENTS(view, 5);
    of_array_release(view);

    view = sliced(range(2, (int64_t[]){3, 4}), 1, 3, 2, -2);
    ASSERT_ELEMENTS(view, 3, 1, 7, 5, 11, 9);
    view = sliced(view, -2, 2, 2, -1);
    ASSERT_ELEMENTS(view, 11, 9, 7, 5);
    of_array_release(view);
}

static void empty_slices_start_anywhere_up_to_the_end(void **state) {
    (void)state;
    for (int64_t start = 0; start <= 3; start++) {
        of_array *view = sliced(range(2, (int64_t[]){3, 2}), 0, start, 0, start - 5);
        assert_int_equal(of_array_size(view), 0);
        assert_null(of_array_data(view));
        assert_int_equal(of_array_shape(view)[1], 2);
        view = sliced(view, 1, 1, 1, INT64_MAX);
        assert_int_equal(of_array_size(view), 0);
        of_array_release(view);
    }
}

static void slices_outside_are_refused(void **state) {
    (void)state;
    static const struct {
        int dim;
        int64_t start, length, step;
        of_status status;
        const char *named;
    } cases[] = {
        {2, 0, 1, 1, OF_ERR_VALUE, "dim 2"},
        {-3, 0, 1, 1, OF_ERR_VALUE, "dim -3"},
        {0, 0, 1, 0, OF_ERR_VALUE, "step"},
        {0, 0, -1, 1, OF_ERR_VALUE, "length -1"},
        {1, 5, 1, 1, OF_ERR_INDEX, "start 5"},
        {1, 6, 0, 1, OF_ERR_INDEX, "start 6"},
        {1, -1, 1, 1, OF_ERR_INDEX, "start -1"},
        {1, -1, 0, 1, OF_ERR_INDEX, "start -1"},
        {1, 0, 6, 1, OF_ERR_INDEX, "length 6"},
        {1, 4, 6, -1, OF_ERR_INDEX, "step -1"},
        {1, 1, 3, 2, OF_ERR_INDEX, "step 2"},
        {1, 0, INT64_MAX, INT64_MAX, OF_ERR_INDEX, "size 5"},
        {1, 4, 3, INT64_MIN, OF_ERR_INDEX, "size 5"},
        {1, 4, 2, INT64_MAX, OF_ERR_INDEX, "size 5"},
    };
    of_array *array = range(2, (int64_t[]){3, 5}), *view = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        of_error err = {0};
        assert_int_equal(of_array_slice(array, cases[i].dim, cases[i].start, cases[i].length,
                                        cases[i].step, &view, &err),
                         cases[i].status);
        assert_non_null(strstr(err.message, cases[i].named));
        assert_null(view);
    }
    of_array_release(array);
}

/* ---- Transpose ---- */

static void transposing_reorders_dimensions(void **state) {
    (void)state;
    of_array *view = transposed(range(2, (int64_t[]){2, 3}), NULL);
    ASSERT_ELEMENTS(view, 0, 3, 1, 4, 2, 5);
    of_array_release(view);
    view = transposed(range(3, (int64_t[]){2, 2, 3}), (int[]){1, -1, 0});
    assert_memory_equal(of_array_shape(view), ((int64_t[]){2, 3, 2}), 24);
    ASSERT_ELEMENTS(view, 0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11);
    of_array_release(view);
    view = transposed(range(0, NULL), NULL);
    ASSERT_ELEMENTS(view, 0);
    of_array_release(view);
}

static void no_permutation_is_refused(void **state) {
    (void)state;
    static const int axes[][3] = {{0, 1, 1}, {0, 1, 3}, {-1, 0, 2}, {-4, 0, 1}};
    of_array *array = range(3, (int64_t[]){1, 2, 3}), *view = NULL;
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        of_error err = {0};
        assert_int_equal(of_array_transpose(array, axes[i], &view, &err), OF_ERR_VALUE);
        assert_non_null(strstr(err.message, "dim"));
    }
    assert_null(view);
    of_array_release(array);
}

/* ---- Reshape ---- */

static void one_size_is_inferred(void **state) {
    (void)state;
    static const struct {
        int ndim;
        int64_t wanted[3], shape[3];
    } cases[] = {
        {1, {-1}, {24}},        {2, {-1, 6}, {4, 6}},        {3, {2, -1, 3}, {2, 4, 3}},
        {2, {24, -1}, {24, 1}}, {3, {1, 24, 1}, {1, 24, 1}}, {2, {-1, 24}, {1, 24}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        of_array *array = range(3, (int64_t[]){2, 3, 4}), *view = NULL;
        assert_int_equal(of_array_reshape(array, cases[i].ndim, cases[i].wanted, &view, NULL),
                         OF_OK);
        of_array_release(array);
        assert_int_equal(of_array_ndim(view), cases[i].ndim);
        assert_memory_equal(of_array_shape(view), cases[i].shape, 8 * (size_t)cases[i].ndim);
        assert_true(of_array_is_contiguous(view));
        of_array_release(view);
    }
}

static void assert_no_reshape(of_array *array, int ndim, const int64_t *shape, const char *named) {
    of_array *view = NULL;
    of_error err = {0};
    assert_int_equal(of_array_reshape(array, ndim, shape, &view, &err), OF_ERR_VALUE);
    assert_null(view);
    if (strstr(err.message, named) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.message, named);
}

static void other_sizes_are_refused(void **state) {
    (void)state;
    const int64_t huge = INT64_C(1) << 62;
    of_array *array = range(2, (int64_t[]){3, 4}), *none = range(2, (int64_t[]){3, 0});
    assert_no_reshape(array, 1, (int64_t[]){11}, "(11,)");
    assert_no_reshape(array, 2, (int64_t[]){-1, 5}, "(-1, 5)");
    assert_no_reshape(array, 2, (int64_t[]){-1, 0}, "(-1, 0)");
    assert_no_reshape(array, 2, (int64_t[]){-1, -1}, "both -1");
    assert_no_reshape(array, 1, (int64_t[]){-2}, "-2");
    assert_no_reshape(array, 0, NULL, "12 elements");
    assert_no_reshape(array, 9, (int64_t[9]){12}, "ndim 9");
    assert_no_reshape(array, -1, NULL, "ndim -1");
    assert_no_reshape(array, 1, NULL, "shape");
    assert_no_reshape(array, 2, (int64_t[]){huge, 4}, "4611686018427387904");
    assert_no_reshape(none, 2, (int64_t[]){0, -1}, "(0, -1)");
    assert_no_reshape(none, 3, (int64_t[]){huge, 0, huge}, "shape");
    of_array *view = NULL;
    assert_int_equal(of_array_reshape(none, 3, (int64_t[]){0, 7, 5}, &view, NULL), OF_OK);
    assert_int_equal(of_array_size(view), 0);
    of_array_release(view);
    assert_int_equal(of_array_reshape(none, 2, (int64_t[]){-1, 7}, &view, NULL), OF_OK);
    assert_int_equal(of_array_shape(view)[0], 0);
    of_array_release(view);
    of_array_release(none);
    of_array_release(array);
}

/* Random sizes that multiply to `size`; returns how many. */
static int random_factors(int64_t size, int64_t *shape) {
    int ndim = (int)random_below(6);
    if (size > 1 && ndim == 0) ndim = 1;
    for (int d = 0; d < ndim; d++) {
        int64_t factor = 1 + random_below(size);
        while (size % factor != 0) factor--;
        shape[d] = d == ndim - 1 ? size : factor;
        size /= shape[d];
    }
    return ndim;
}

/* Whether the addresses, taken as an array of that shape, step evenly along each dimension. */
static bool is_possible(const char *const *addresses, int ndim, const int64_t *shape) {
    int64_t size = 1, strides[OF_MAX_DIMS];
    for (int d = ndim - 1; d >= 0; d--) {
        strides[d] = shape[d] > 1 ? addresses[size] - addresses[0] : 0;
        size *= shape[d];
    }
    for (int64_t i = 0; i < size; i++) {
        const char *expected = addresses[0];
        int64_t rest = i;
        for (int d = ndim - 1; d >= 0; d--) {
            expected += rest % shape[d] * strides[d];
            rest /= shape[d];
        }
        if (addresses[i] != expected) return false;
    }
    return true;
}

static of_array *random_view(void) {
    int64_t shape[5];
    int ndim = (int)random_below(5), axes[5];
    for (int d = 0; d < ndim; d++) shape[d] = 1 + random_below(4);
    of_array *view = range(ndim, shape);
    for (int d = 0; d < ndim; d++) {
        int64_t length = 1 + random_below(shape[d]), last = length - 1;
        int64_t step = last == 0 ? 3 : 1 + random_below((shape[d] - 1) / last);
        bool backwards = random_bits() & 1;
        if (random_bits() & 1)
            view = sliced(view, d, backwards ? last * step : 0, length, backwards ? -step : step);
    }
    for (int d = 0; d < ndim; d++) { /* shuffle */
        int64_t other = random_below(d + 1);
        axes[d] = axes[other];
        axes[other] = d;
    }
    return random_bits() & 1 ? transposed(view, axes) : view;
}

static void reshape_gives_a_view_exactly_when_there_is_one(void **state) {
    (void)state;
    int views = 0, refusals = 0;
    for (int i = 0; i < 20000; i++) {
        of_array *src = random_view(), *view = NULL;
        const char *before[MOST_ELEMENTS], *after[MOST_ELEMENTS];
        int64_t shape[OF_MAX_DIMS], size = list_addresses(src, before);
        int ndim = random_factors(size, shape);
        of_status status = of_array_reshape(src, ndim, shape, &view, NULL);
        assert_int_equal(status == OF_OK, is_possible(before, ndim, shape));
        if (status == OF_OK) {
            assert_int_equal(list_addresses(view, after), size);
            assert_memory_equal(after, before, (size_t)size * sizeof *before);
            of_array_release(view);
        }
        views += status == OF_OK;
        refusals += status != OF_OK;
        of_array_release(src);
    }
    assert_true(views > 1000 && refusals > 1000);
}

/* Strides of 0 and strides so large that one step more would overflow. */
static void unusual_strides_reshape(void **state) {
    (void)state;
    int32_t value = 5;
    of_array *array = NULL, *view = NULL;
    assert_int_equal(of_array_wrap(NULL, OF_I32, 2, (int64_t[]){3, 4}, (int64_t[]){0, 0}, &value, 0,
                                   NULL, NULL, &array, NULL),
                     OF_OK);
    assert_int_equal(of_array_reshape(array, 3, (int64_t[]){2, 6, 1}, &view, NULL), OF_OK);
    ASSERT_ELEMENTS(view, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5);
    of_array_release(view);
    of_array_release(array);
    const int64_t far = INT64_MAX - 8;
    assert_int_equal(of_array_wrap(NULL, OF_I32, 2, (int64_t[]){1, 2}, (int64_t[]){far, far},
                                   &value, 0, NULL, NULL, &array, NULL),
                     OF_OK);
    assert_int_equal(of_array_reshape(array, 3, (int64_t[]){1, 2, 1}, &view, NULL), OF_OK);
    assert_int_equal(of_array_strides(view)[1], far);
    of_array_release(view);
    of_array_release(array);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_take_every_step),
        cmocka_unit_test(empty_slices_start_anywhere_up_to_the_end),
        cmocka_unit_test(slices_outside_are_refused),
        cmocka_unit_test(transposing_reorders_dimensions),
        cmocka_unit_test(no_permutation_is_refused),
        cmocka_unit_test(one_size_is_inferred),
        cmocka_unit_test(other_sizes_are_refused),
        cmocka_unit_test(reshape_gives_a_view_exactly_when_there_is_one),
        cmocka_unit_test(unusual_strides_reshape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
