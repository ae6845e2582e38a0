/* Data in pieces: wherever it is cut, the bits are those of the whole. */
#include <stdio.h>
#include <stdlib.h>

#include "reduce/harness.h"

/* Where to cut: pieces of 1 to `longest` elements, of random lengths, some of them empty. */
typedef struct cutter {
    uint64_t seed, step;
    int64_t longest;
} cutter;

static int64_t next_length(cutter *c, int64_t left) {
    int64_t length = (int64_t)(data_random(c->seed, c->step++) % (uint64_t)(c->longest + 1));
    return length < left ? length : left;
}

static of_array *piece_of(of_array *array, int64_t from, int64_t length) {
    of_array *piece = NULL;
    assert_int_equal(of_array_slice(array, 0, from, length, 1, &piece, NULL), OF_OK);
    return piece;
}

static of_scalar reduce_in_pieces(of_array *array, of_operation operation,
                                  const of_reduce_opts *opts, cutter cut) {
    of_reducer *reducer = NULL;
    of_error err = {0};
    if (of_reducer_create(operation, of_array_dtype(array), opts, &reducer, &err) != OF_OK)
        fail_msg("%s: %s", operation_names[operation], err.message);
    int64_t size = of_array_shape(array)[0];
    for (int64_t from = 0, length; from < size; from += length) {
        length = next_length(&cut, size - from);
        of_array *piece = piece_of(array, from, length);
        assert_int_equal(of_reducer_update(reducer, piece, NULL), OF_OK);
        of_array_release(piece);
    }
    of_scalar result = {0};
    if (of_reducer_result(reducer, &result, &err) != OF_OK)
        fail_msg("%s: %s", operation_names[operation], err.message);
    of_reducer_free(reducer);
    return result;
}

static void check_cuts(of_array *array, of_operation operation, const of_reduce_opts *opts,
                       const char *about) {
    static const int64_t longest[] = {1, 3, 16, 40, 1000, 100000};
    of_scalar expected = {0}, whole = {0};
    if (!expected_of_slice(array, WHOLE, 0, operation, opts, OF_DTYPE_NONE, &expected)) return;
    assert_int_equal(of_reduce_scalar(array, operation, opts, &whole, NULL), OF_OK);
    check_scalar(whole, expected, "%s of %s %s, whole", operation_names[operation],
                 of_dtype_name(of_array_dtype(array)), about);
    for (size_t i = 0; i < sizeof longest / sizeof longest[0]; i++) {
        cutter cut = {.seed = operation * 31 + i, .longest = longest[i]};
        check_scalar(reduce_in_pieces(array, operation, opts, cut), expected,
                     "%s of %s n=%lld %s, pieces up to %lld", operation_names[operation],
                     of_dtype_name(of_array_dtype(array)), (long long)of_array_size(array), about,
                     (long long)longest[i]);
    }
}

static void test_pieces(void **state) {
    (void)state;
    static const int64_t sizes[] = {0, 1, 16, 17, 300, 2500};
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++) {
            if (!data_kind_has(kind, dtype)) continue;
            for (int i = 0; i < 6; i++) {
                if (sizes[i] == 2500 && (kind + dtype) % 4) continue;
                of_array *array = array_make(dtype, kind, 4, LAYOUT_contiguous, 1, &sizes[i]);
                for (of_operation operation = 0; operation < FIRST_OF_TWO; operation++)
                    check_cuts(array, operation, NULL, data_kind_name(kind));
                of_array_release(array);
            }
        }
    checks_finish();
}

/* Products cut at every place of a long array, whose tree spans all pieces. */
static void test_every_cut(void **state) {
    (void)state;
    enum { COUNT = 700 };
    int64_t count = COUNT;
    static const of_operation operations[] = {OF_PROD, OF_ARGMIN, OF_ARGMAX, OF_SUM};
    of_array *array = array_make(OF_F64, DATA_normal, 4, LAYOUT_contiguous, 1, &count);
    for (int o = 0; o < 4; o++) {
        of_scalar expected = {0}, got = {0};
        expected_of_slice(array, WHOLE, 0, operations[o], NULL, OF_DTYPE_NONE, &expected);
        for (int64_t cut = 0; cut <= COUNT; cut++) {
            of_reducer *reducer = NULL;
            of_array *head = piece_of(array, 0, cut), *tail = piece_of(array, cut, COUNT - cut);
            assert_int_equal(of_reducer_create(operations[o], OF_F64, NULL, &reducer, NULL), OF_OK);
            assert_int_equal(of_reducer_update(reducer, head, NULL), OF_OK);
            assert_int_equal(of_reducer_update(reducer, tail, NULL), OF_OK);
            assert_int_equal(of_reducer_result(reducer, &got, NULL), OF_OK);
            check_scalar(got, expected, "%s cut at %lld", operation_names[operations[o]],
                         (long long)cut);
            of_reducer_free(reducer);
            of_array_release(head);
            of_array_release(tail);
        }
    }
    of_array_release(array);
    checks_finish();
}

static void test_options(void **state) {
    (void)state;
    const of_scalar inits[] = {of_scalar_i64(1), of_scalar_f64(-0.75)};
    int64_t count = 450;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (int turn = 0; turn < 4; turn++) {
            bool is_float = ref_is_float(dtype);
            data_kind kind = is_float   ? (turn % 2 ? DATA_raw : DATA_normal)
                             : turn % 2 ? DATA_raw
                                        : DATA_odd;
            of_array *array = array_make(dtype, kind, 4, LAYOUT_contiguous, 1, &count);
            of_reduce_opts opts = {.acctype = OF_F32, .map = (of_map)(turn % 3)};
            check_cuts(array, OF_MEAN, &opts, "acctype and map");
            check_cuts(array, OF_ABSMAX, &opts, "acctype and map");
            opts.init = &inits[turn % 2];
            check_cuts(array, OF_SUM, &opts, "acctype, map and init");
            check_cuts(array, OF_PROD, &opts, "acctype, map and init");
            opts = (of_reduce_opts){.init = &inits[0]};
            check_cuts(array, OF_MIN, &opts, "init");
            check_cuts(array, OF_MAX, &opts, "init");
            check_cuts(array, OF_COUNT_NONZERO, &opts, "init");
            check_cuts(array, OF_ANY, &opts, "init");
            of_array_release(array);
        }
    checks_finish();
}

/* Pieces of other shapes and strides count in row-major order; a result can be asked for on the
 * way. */
static void test_shapes_and_results_on_the_way(void **state) {
    (void)state;
    static const layout layouts[] = {LAYOUT_contiguous, LAYOUT_transposed, LAYOUT_reversed,
                                     LAYOUT_step_3, LAYOUT_repeated_last};
    static const int64_t shapes[][3] = {{2, 3, 50}, {7, 1, 9}, {0, 5, 5}, {1, 1, 1}, {4, 33, 2}};
    for (of_operation operation = 0; operation < FIRST_OF_TWO; operation++) {
        static double all[2000];
        int64_t filled = 0;
        of_reducer *reducer = NULL;
        assert_int_equal(of_reducer_create(operation, OF_F64, NULL, &reducer, NULL), OF_OK);
        for (int i = 0; i < 5; i++) {
            of_array *piece =
                array_make(OF_F64, DATA_binades_58, (uint64_t)i, layouts[i], 3, shapes[i]);
            array_gather(piece, WHOLE, 0, all + filled);
            filled += of_array_size(piece);
            assert_int_equal(of_reducer_update(reducer, piece, NULL), OF_OK);
            of_array_release(piece);
            of_array *so_far = array_from(OF_F64, filled, all);
            of_scalar expected = {0}, got = {0};
            expected_of_slice(so_far, WHOLE, 0, operation, NULL, OF_DTYPE_NONE, &expected);
            assert_int_equal(of_reducer_result(reducer, &got, NULL), OF_OK);
            check_scalar(got, expected, "%s after piece %d", operation_names[operation], i);
            of_array_release(so_far);
        }
        of_reducer_free(reducer);
    }
    checks_finish();
}

static void test_refusals(void **state) {
    (void)state;
    const of_scalar one = of_scalar_i64(1);
    int64_t count = 3;
    of_array *array = array_make(OF_F32, DATA_normal, 1, LAYOUT_contiguous, 1, &count);
    of_reducer *reducer = NULL;
    of_error err = {0};
    of_scalar out = of_scalar_i64(9);
    const struct {
        of_operation operation;
        of_dtype dtype;
        of_reduce_opts opts;
        of_status status;
        const char *words;
    } cases[] = {
        {OF_OPERATION_END, OF_F32, {.keepdims = false}, OF_ERR_VALUE, "operation"},
        {OF_SUM, OF_DTYPE_NONE, {.keepdims = false}, OF_ERR_TYPE, "dtype"},
        {OF_SUM, OF_DTYPE_END, {.keepdims = false}, OF_ERR_TYPE, "dtype"},
        {OF_SUM, OF_F32, {.acctype = OF_I32}, OF_ERR_TYPE, "acctype"},
        {OF_MEAN, OF_F32, {.init = &one}, OF_ERR_VALUE, "init"},
        {OF_SUM, OF_F32, {.dims = OF_DIMS(0)}, OF_ERR_VALUE, "dims"},
        {OF_SUM, OF_F32, {.keepdims = true}, OF_ERR_VALUE, "keepdims"},
        {OF_SUM, OF_F32, {.overwrite = true}, OF_ERR_VALUE, "overwrite"},
        {OF_SUM, OF_F32, {.map = OF_MAP_PRODUCT, .second = array}, OF_ERR_VALUE, "map"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        err = (of_error){0};
        check_failure(
            of_reducer_create(cases[i].operation, cases[i].dtype, &cases[i].opts, &reducer, &err),
            cases[i].status, &err, cases[i].words, cases[i].words);
        check(!reducer, "case %d made a reducer", (int)i);
    }
    assert_int_equal(of_reducer_create(OF_MIN, OF_I32, NULL, &reducer, NULL), OF_OK);
    check_failure(of_reducer_update(reducer, array, &err), OF_ERR_TYPE, &err, "f32",
                  "a piece of another type");
    check_failure(of_reducer_result(reducer, &out, &err), OF_ERR_VALUE, &err,
                  "min reduction requires a nonempty array", "min of nothing");
    check_scalar(out, of_scalar_i64(9), "errors write nothing");
    of_reducer_free(reducer);
    of_reducer_free(NULL);
    of_array_release(array);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),   cmocka_unit_test(test_every_cut),
        cmocka_unit_test(test_options),  cmocka_unit_test(test_shapes_and_results_on_the_way),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
