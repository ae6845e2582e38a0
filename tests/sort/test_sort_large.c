/* Sorting many keys of every spread with threads: the order must be a permutation along which keys
 * rise and the indices of equal ones rise too, which is the one stable order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_bits.h"
#include "sort/sort_fixture.h"

#ifdef ONEFOLD_TEST_SANITIZED
enum { MANY = 70000 };
#else
enum { MANY = 300000 };
#endif

static int64_t keys[MANY];
static int count = MANY; /* how many of them are sorted */

/* Spreads of i64 keys: bits that vary, from the lowest on; and the least key. */
typedef struct spread {
    uint64_t mask;
    int64_t least;
} spread;

static const spread spreads[] = {
    {0, -5},
    {1, 0},
    {0xff, -128},
    {0xffff, 0},
    {0xffff, -7},
    {0xffffff, INT64_MAX - 0xffffff},
    {0xffffffff, -1},
    {0xfffffffffful, INT64_MIN},
    {0xfffffffffffful, 3},
    {0xffffffffffffffful, -9},
    {UINT64_MAX, 0},
    {0xff000000000000fful, 0}, /* constant in between */
    {0x0f0f0f0f0f0f0f0ful, INT64_MIN},
    {0xffff00000000ul, 0x1234},
    {0xfff00000000ffffful, 0}, /* more bits than go into a word with an index */
    {0x8000000000ffffful, -77},
    {0x000000ffffful << 44 | 3, 0},
};

static void check_order(const of_array *order, bool descending) {
    assert_int_equal(of_array_size(order), count);
    const int32_t *index = of_array_data(order);
    static uint8_t seen[MANY];
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < count; i++) {
        assert_true(index[i] >= 0 && index[i] < count && !seen[index[i]]);
        seen[index[i]] = 1;
        if (i == 0) continue;
        int64_t before = keys[index[i - 1]], here = keys[index[i]];
        if (before == here)
            assert_true(index[i - 1] < index[i]);
        else
            assert_true(descending ? before > here : before < here);
    }
}

static void check_results(bool descending) {
    const of_sort_opts opts = {.descending = descending};
    of_array *array = line_over(OF_I64, count, keys), *order, *sorted, *again, *moved;
    ASSERT_OK(of_argsort(array, &opts, &order, &err));
    check_order(order, descending);
    const int32_t *index = of_array_data(order);
    ASSERT_OK(of_sort(array, &opts, &sorted, &err));
    const int64_t *element = of_array_data(sorted);
    for (int i = 0; i < count; i++) assert_true(element[i] == keys[index[i]]);
    of_scalar least, most;
    ASSERT_OK(of_min(array, NULL, &least, &err));
    ASSERT_OK(of_max(array, NULL, &most, &err));
    assert_true(element[descending ? count - 1 : 0] == least.as.i64);
    assert_true(element[descending ? 0 : count - 1] == most.as.i64);
    ASSERT_OK(of_sort_by_key(array, array, &opts, &again, &moved, &err));
    assert_holds(again, OF_I64, count, element);
    assert_holds(moved, OF_I64, count, element);
    of_array_release(order);
    of_array_release(sorted);
    of_array_release(array);
}

static void check_threads(void) {
    for (int threads = 1; threads <= 5; threads += 2) {
        ASSERT_OK(of_threads_set(threads, &err));
        check_results(threads == 3);
    }
    ASSERT_OK(of_threads_set(0, &err));
}

static void every_spread(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++) {
        for (int i = 0; i < MANY; i++)
            keys[i] = (int64_t)((uint64_t)spreads[s].least + (random_bits() & spreads[s].mask));
        check_threads();
    }
}

/* Most keys lie close together; one, or the high bits of one in a thousand, lie elsewhere. */
static void outliers(void **state) {
    (void)state;
    static const int counts[] = {257, 1400, 1600, 6000, MANY};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int kind = 0; kind < 4; kind++) {
            count = counts[c];
            for (int i = 0; i < count; i++) {
                keys[i] = (int64_t)(random_bits() & 0xfffff);
                if (kind == 3 && random_below(1000) == 0) keys[i] ^= (int64_t)(random_bits() << 40);
            }
            if (kind < 3) keys[kind * (count - 1) / 2] = kind == 1 ? INT64_MIN : INT64_MAX;
            check_threads();
        }
    count = MANY;
}

/* In order, in reverse order, each also with one key out of place or two keys equal. */
static void orders(void **state) {
    (void)state;
    for (int kind = 0; kind < 10; kind++) {
        for (int i = 0; i < MANY; i++) keys[i] = (kind & 1 ? MANY - i : i) * INT64_C(77777);
        if (kind / 2 == 1) keys[MANY - 1] = 5;
        if (kind / 2 == 2) keys[0] = 40;
        if (kind / 2 == 3) keys[MANY / 3] = keys[MANY / 3 + 1];
        if (kind / 2 == 4) keys[MANY / 5 * 3] = keys[MANY / 5 * 3 - 1];
        check_threads();
    }
}

static void last_of_equal_indices_wins_among_threads(void **state) {
    (void)state;
    enum { ROWS = 1000 };
    static int32_t numbers[MANY], expected[ROWS], got[ROWS];
    static int32_t values[MANY];
    for (int i = 0; i < MANY; i++) {
        numbers[i] = (int32_t)(random_bits() % ROWS);
        values[i] = expected[numbers[i]] = i;
    }
    of_array *src = line_over(OF_I32, MANY, values), *indices = line_over(OF_I32, MANY, numbers);
    of_array *dst = line_over(OF_I32, ROWS, got);
    for (int threads = 1; threads <= 4; threads++) {
        memset(got, 0, sizeof got);
        ASSERT_OK(of_threads_set(threads, &err));
        ASSERT_OK(of_scatter(src, indices, dst, NULL, &err));
        assert_memory_equal(got, expected, sizeof got);
    }
    ASSERT_OK(of_threads_set(0, &err));
    of_array_release(src);
    of_array_release(indices);
    of_array_release(dst);
}

/* Whichever thread finds one first. */
static void the_first_bad_index_is_named(void **state) {
    (void)state;
    static int32_t numbers[MANY];
    for (int i = 0; i < MANY; i++) numbers[i] = i % 7;
    of_array *indices = line_over(OF_I32, MANY, numbers), *out = NULL;
    of_array *src = line_over(OF_I64, 7, keys);
    ASSERT_OK(of_threads_set(4, &err));
    for (int64_t step = MANY / 13, i = MANY - 1; i > 0; i -= step) {
        char text[100];
        numbers[i] = i % 2 ? 7 : -1;
        snprintf(text, sizeof text, "indices has %d at position %lld, but src has 7 rows",
                 numbers[i], (long long)i);
        ASSERT_FAILS(OF_ERR_INDEX, text, of_gather(src, indices, NULL, &out, &err));
    }
    ASSERT_OK(of_threads_set(0, &err));
    of_array_release(src);
    of_array_release(indices);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spread),
        cmocka_unit_test(outliers),
        cmocka_unit_test(orders),
        cmocka_unit_test(last_of_equal_indices_wins_among_threads),
        cmocka_unit_test(the_first_bad_index_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
