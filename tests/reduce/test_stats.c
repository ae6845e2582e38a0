/* Statistics: norms of every order, two arrays, the first n elements, and what is refused. Those of
 * one array are in the tests over all operations too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <onefold/stats.h>

#include "core/alloc.h"
#include "reduce/harness.h"

static of_array *make(of_dtype dtype, data_kind kind, int64_t count) {
    return array_make(dtype, kind, 60 + kind, LAYOUT_contiguous, 1, &count);
}

static data_kind kind_for(of_dtype dtype, int turn) {
    static const data_kind floats[] = {DATA_normal,      DATA_raw,
                                       DATA_binades_58,  DATA_largest,
                                       DATA_subnormal,   DATA_nan,
                                       DATA_mixed_zero,  DATA_late_bit,
                                       DATA_infinity,    DATA_cancelling_but_tiny,
                                       DATA_binades_174, DATA_negative_zero,
                                       DATA_odd,         DATA_tie,
                                       DATA_one_nonzero, DATA_zero};
    static const data_kind integers[] = {DATA_raw,      DATA_normal,  DATA_largest_alternating,
                                         DATA_smallest, DATA_largest, DATA_odd,
                                         DATA_zero};
    if (!ref_is_float(dtype)) return integers[turn % 7];
    data_kind kind = floats[turn % 16];
    return data_kind_has(kind, dtype) ? kind : DATA_raw;
}

/* ---- One array ---- */

static void ask_statistics(const of_array *array, of_reduce_opts opts, const char *about) {
    static const double orders[] = {0, 1, 2, INFINITY};
    ask_dims(array, OF_VAR, &opts, about);
    ask_dims(array, OF_STD, &opts, about);
    for (int i = 0; i < 4; i++) {
        opts.ord = orders[i];
        ask_dims(array, OF_NORM, &opts, about);
    }
}

static void test_types_and_orders(void **state) {
    (void)state;
    static const int64_t shape[] = {40, 5};
    int turn = 0;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (of_dtype acctype = OF_U64; acctype < OF_DTYPE_END; acctype++)
            for (int kinds = 0; kinds < 2; kinds++, turn++) {
                data_kind kind = kind_for(dtype, turn);
                of_array *array =
                    array_make(dtype, kind, (uint64_t)turn, LAYOUT_contiguous, 2, shape);
                of_reduce_opts opts = {.acctype = acctype == OF_U64 ? OF_DTYPE_NONE : acctype,
                                       .keepdims = turn % 2};
                ask_statistics(array, opts, data_kind_name(kind));
                opts.dims = OF_DIMS(turn % 2);
                ask_statistics(array, opts, data_kind_name(kind));
                of_array_release(array);
            }
    harness_answer();
    checks_finish();
}

/* ---- Two arrays ---- */

static void ask_two(const of_array *a, of_reduce_opts opts, const char *about) {
    ask_dims(a, OF_DOT, &opts, about);
    ask_dims(a, OF_WEIGHTED_MEAN, &opts, about);
}

static void test_pairs_of_types(void **state) {
    (void)state;
    static const int64_t sizes[] = {0, 1, 17, 240, 2050, 5003};
    int turn = 0;
    for (of_dtype a = OF_BOOL; a < OF_DTYPE_END; a++)
        for (of_dtype b = OF_BOOL; b < OF_DTYPE_END; b++)
            for (int s = 0; s < 6; s++, turn++) {
                if (left_out(turn)) continue;
                of_array *first = make(a, kind_for(a, turn), sizes[s]);
                of_array *second = make(b, kind_for(b, turn / 7), sizes[s]);
                ask_two(first, (of_reduce_opts){.second = second},
                        data_kind_name(kind_for(a, turn)));
                of_array_release(first);
                of_array_release(second);
            }
    harness_answer();
    checks_finish();
}

static void test_pairs_along_dims(void **state) {
    (void)state;
    static const int64_t shapes[][3] = {{40, 6, 3}, {3, 30, 4}, {2, 5, 40}, {4, 0, 3}};
    static const layout layouts[] = {LAYOUT_contiguous, LAYOUT_transposed, LAYOUT_reversed,
                                     LAYOUT_padded,     LAYOUT_offset_3,   LAYOUT_repeated_last};
    int turn = 0;
    for (of_dtype a = OF_BOOL; a < OF_DTYPE_END; a++)
        for (dim_set set = 0; set < 8; set++)
            for (int s = 0; s < 4; s++, turn++) {
                if (turn % 3 == 2) continue;
                of_dtype b = turn % 4 ? a : (of_dtype)(OF_BOOL + turn % 13);
                of_array *first = array_make(a, kind_for(a, turn), (uint64_t)turn,
                                             layouts[turn % 6], 3, shapes[s]);
                of_array *second = array_make(b, kind_for(b, turn / 3), (uint64_t)turn + 1,
                                              layouts[turn / 6 % 6], 3, shapes[s]);
                of_reduce_opts opts = {.second = second,
                                       .dims = {.given = true},
                                       .keepdims = turn % 2,
                                       .acctype = turn % 5 ? OF_DTYPE_NONE : OF_F16 + turn % 4};
                for (int dim = 0; dim < 3; dim++)
                    if (set >> dim & 1) opts.dims.axis[opts.dims.count++] = dim;
                ask_two(first, opts, data_kind_name(kind_for(a, turn)));
                opts.dims.given = false;
                ask_two(first, opts, data_kind_name(kind_for(a, turn)));
                of_array_release(first);
                of_array_release(second);
            }
    harness_answer();
    checks_finish();
}

/* Every kind of data, long enough for blocks and threads. */
static void test_long_pairs(void **state) {
    (void)state;
    static const int64_t size = 100003;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++) {
            bool wide = dtype == OF_F32 || dtype == OF_F64;
            if (!data_kind_has(kind, dtype) || left_out(kind)) continue;
            if (!wide && kind % 7) continue;
            of_array *a = array_make(dtype, kind, 2, LAYOUT_contiguous, 1, &size);
            of_array *b =
                array_make(dtype, kind_for(dtype, (int)kind), 3, LAYOUT_contiguous, 1, &size);
            ask_statistics(a, (of_reduce_opts){0}, data_kind_name(kind));
            ask_two(a, (of_reduce_opts){.second = b}, data_kind_name(kind));
            of_array_release(a);
            of_array_release(b);
        }
    harness_answer();
    checks_finish();
}

/* ---- The first n ---- */

/* Of any layout, and of two arrays whose shapes have nothing to do with each other. */
static void test_first_n(void **state) {
    (void)state;
    static const int64_t shape[] = {13, 5, 7}, longer[] = {29, 20};
    static const layout layouts[] = {LAYOUT_contiguous, LAYOUT_transposed, LAYOUT_reversed,
                                     LAYOUT_step_3, LAYOUT_padded};
    static const int64_t counts[] = {0, 1, 6, 36, 200, 454, 455};
    int turn = 0;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (int l = 0; l < 5; l++)
            for (int c = 0; c < 7; c++, turn++) {
                data_kind kind = kind_for(dtype, turn);
                of_dtype other = turn % 4 ? dtype : (of_dtype)(OF_BOOL + turn % 13);
                of_array *array = array_make(dtype, kind, 7, layouts[l], 3, shape);
                of_array *second =
                    array_make(other, kind_for(other, turn / 2), 8, layouts[turn % 5], 2, longer);
                of_reduce_opts opts = {.n = &counts[c]};
                for (of_operation operation = 0; operation < FIRST_OF_TWO; operation++) {
                    bool extreme = operation >= OF_MIN && operation <= OF_ARGMAX;
                    if (extreme && counts[c] == 0) continue;
                    ask_scalar(array, operation, &opts, data_kind_name(kind));
                    ask_dims(array, operation, &opts, data_kind_name(kind));
                }
                opts.map = OF_MAP_ABS;
                ask_scalar(array, OF_SUM, &opts, data_kind_name(kind));
                opts.map = OF_MAP_NONE;
                opts.second = second;
                ask_two(array, opts, data_kind_name(kind));
                opts.n = NULL;
                ask_two(array, opts, data_kind_name(kind));
                of_array_release(array);
                of_array_release(second);
            }
    harness_answer();
    checks_finish();
}

/* ---- By hand, and by name ---- */

static void test_by_hand(void **state) {
    (void)state;
    static const struct {
        double a[4], b[4];
        int count;
        uint64_t dot, weighted_mean;
    } cases[] = {
        {{0}, {0}, 0, 0, UINT64_C(0x7ff8000000000000)},
        {{1, 2, 3}, {1, 1, 2}, 3, UINT64_C(0x4022000000000000), UINT64_C(0x4002000000000000)},
        {{-0.0}, {1}, 1, UINT64_C(0x8000000000000000), 0},
        {{-0.0, 0.0}, {1, 1}, 2, 0, 0},
        {{1, 1}, {1, -1}, 2, 0, UINT64_C(0x7ff8000000000000)},
        {{0x1p1000, 1, 0x1p1000},
         {0x1p1000, 1, -0x1p1000},
         3,
         UINT64_C(0x3ff0000000000000),
         UINT64_C(0x3ff0000000000000)},
        {{0x1p-600, 0x1p-600}, {0x1p-474, 0x1p-475}, 2, 2, UINT64_C(0x1a70000000000000)},
        {{INFINITY}, {0}, 1, UINT64_C(0x7ff8000000000000), UINT64_C(0x7ff8000000000000)},
        {{INFINITY, 1}, {-1, 1}, 2, UINT64_C(0xfff0000000000000), UINT64_C(0x7ff8000000000000)},
        {{1, 1}, {INFINITY, 1}, 2, UINT64_C(0x7ff0000000000000), UINT64_C(0x7ff8000000000000)},
        {{1, 1}, {1, 2}, 2, UINT64_C(0x4008000000000000), UINT64_C(0x3ff0000000000000)},
        {{1, 0, 0}, {1, 1, 1}, 3, UINT64_C(0x3ff0000000000000), UINT64_C(0x3fd5555555555555)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        of_array *a = array_from(OF_F64, cases[i].count, cases[i].a);
        of_array *b = array_from(OF_F64, cases[i].count, cases[i].b);
        of_scalar got = {0}, expected = of_scalar_f64(0), reference = {0};
        of_reduce_opts opts = {.second = b};
        expected.as.bits = cases[i].dot;
        assert_true(expected_of_slice(a, WHOLE, 0, OF_DOT, &opts, OF_DTYPE_NONE, &reference));
        check_scalar(reference, expected, "the reference, dot %d", (int)i);
        assert_int_equal(of_dot(a, b, NULL, &got, NULL), OF_OK);
        check_scalar(got, expected, "dot %d", (int)i);
        assert_int_equal(of_weighted_sum(a, b, NULL, &got, NULL), OF_OK);
        check_scalar(got, expected, "weighted sum %d", (int)i);
        expected.as.bits = cases[i].weighted_mean;
        assert_true(
            expected_of_slice(a, WHOLE, 0, OF_WEIGHTED_MEAN, &opts, OF_DTYPE_NONE, &reference));
        check_scalar(reference, expected, "the reference, weighted mean %d", (int)i);
        assert_int_equal(of_weighted_mean(a, b, NULL, &got, NULL), OF_OK);
        check_scalar(got, expected, "weighted mean %d", (int)i);
        of_array_release(a);
        of_array_release(b);
    }
    checks_finish();
}

static void test_integers_are_exact(void **state) {
    (void)state;
    static const int64_t smallest[] = {INT64_MIN, INT64_MIN, INT64_MIN},
                         one[] = {INT64_MIN, INT64_MAX, 1};
    static const uint64_t largest[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
    of_array *a = array_from(OF_I64, 3, smallest), *b = array_from(OF_I64, 3, one),
             *c = array_from(OF_U64, 3, largest);
    of_scalar got = {0};
    assert_int_equal(of_dot(a, a, NULL, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_f64(0x3p126), "3 * 2^126");
    assert_int_equal(of_dot(a, b, NULL, &got, NULL), OF_OK); /* 2^63 - 2^63 and the last product */
    check_scalar(got, of_scalar_f64(0), "2^126 - 2^63 (2^63 - 1) - 2^63");
    assert_int_equal(of_dot(a, c, NULL, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_f64(-0x3p127), "signed by unsigned");
    assert_int_equal(of_norm(a, 1, NULL, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_f64(0x3p63), "no sum of magnitudes wraps");
    assert_int_equal(of_norm(c, 2, NULL, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_f64(0x1.bb67ae8584caap64), "sqrt(3) (2^64 - 1)");
    assert_int_equal(of_var(c, NULL, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_f64(0), "equal values");
    of_array_release(a);
    of_array_release(b);
    of_array_release(c);
    checks_finish();
}

/* The functions, and the names that operations have. */
static void test_by_name(void **state) {
    (void)state;
    static const char *const names[] = {"var", "std", "norm", "dot", "weighted_mean"};
    of_array *x = make(OF_F32, DATA_binades_20, 1000), *w = make(OF_F64, DATA_normal, 1000);
    of_scalar got = {0}, expected = {0};
    const double orders[] = {1, 2, INFINITY};
    int64_t n = 900;
    for (int i = 0; i < 5; i++) {
        of_operation parsed = OF_OPERATION_END;
        check(strcmp(of_operation_name(OF_VAR + (unsigned)i), names[i]) == 0, "%s", names[i]);
        assert_int_equal(of_operation_parse(names[i], &parsed, NULL), OF_OK);
        check(parsed == OF_VAR + (unsigned)i, "of_operation_parse(%s)", names[i]);
        check(of_operation_sources(parsed) == (i < 3 ? 1 : 2), "sources of %s", names[i]);
    }
    check(of_operation_sources(OF_SUM) == 1, "sources of sum");
    of_reduce_opts opts = {.n = &n, .acctype = OF_F32};
    assert_int_equal(of_var(x, &opts, &got, NULL), OF_OK);
    expected_of_slice(x, WHOLE, 0, OF_VAR, &opts, OF_DTYPE_NONE, &expected);
    check_scalar(got, expected, "of_var");
    assert_int_equal(of_std(x, &opts, &got, NULL), OF_OK);
    expected_of_slice(x, WHOLE, 0, OF_STD, &opts, OF_DTYPE_NONE, &expected);
    check_scalar(got, expected, "of_std");
    for (int i = 0; i < 3; i++) {
        of_reduce_opts with = opts;
        assert_int_equal(of_norm(x, orders[i], &opts, &got, NULL), OF_OK);
        with.ord = orders[i];
        expected_of_slice(x, WHOLE, 0, OF_NORM, &with, OF_DTYPE_NONE, &expected);
        check_scalar(got, expected, "of_norm %g", orders[i]);
    }
    of_reduce_opts two = opts;
    two.second = w;
    expected_of_slice(x, WHOLE, 0, OF_DOT, &two, OF_DTYPE_NONE, &expected);
    assert_int_equal(of_dot(x, w, &opts, &got, NULL), OF_OK);
    check_scalar(got, expected, "of_dot");
    assert_int_equal(of_weighted_sum(x, w, &opts, &got, NULL), OF_OK);
    check_scalar(got, expected, "of_weighted_sum");
    assert_int_equal(of_weighted_mean(x, w, &opts, &got, NULL), OF_OK);
    expected_of_slice(x, WHOLE, 0, OF_WEIGHTED_MEAN, &two, OF_DTYPE_NONE, &expected);
    check_scalar(got, expected, "of_weighted_mean");
    of_array_release(x);
    of_array_release(w);
    checks_finish();
}

/* ---- Pieces, workspaces, arrays reduced into ---- */

static void test_pieces(void **state) {
    (void)state;
    static const double orders[] = {0, 0, 1, 2, INFINITY};
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (int i = 0; i < 5; i++)
            for (int kinds = 0; kinds < 4; kinds++) {
                of_operation operation = i == 0 ? OF_VAR : i == 1 ? OF_STD : OF_NORM;
                data_kind kind = kind_for(dtype, kinds + i);
                of_reduce_opts opts = {.ord = i > 1 ? orders[i] : 0};
                of_array *array = make(dtype, kind, 3000), *piece = NULL;
                of_reducer *reducer = NULL;
                of_scalar got = {0}, expected = {0};
                assert_int_equal(of_reducer_create(operation, dtype, &opts, &reducer, NULL), OF_OK);
                for (int64_t start = 0, length = 1; start < 3000; start += length, length *= 3) {
                    if (length > 3000 - start) length = 3000 - start;
                    assert_int_equal(of_array_slice(array, 0, start, length, 1, &piece, NULL),
                                     OF_OK);
                    assert_int_equal(of_reducer_update(reducer, piece, NULL), OF_OK);
                    of_array_release(piece);
                }
                assert_int_equal(of_reducer_result(reducer, &got, NULL), OF_OK);
                expected_of_slice(array, WHOLE, 0, operation, &opts, OF_DTYPE_NONE, &expected);
                check_scalar(got, expected, "%s %g %s %s in pieces", operation_names[operation],
                             opts.ord, of_dtype_name(dtype), data_kind_name(kind));
                of_reducer_free(reducer);
                of_array_release(array);
            }
    checks_finish();
}

static void test_into(void **state) {
    (void)state;
    static const int64_t shape[] = {50, 6}, columns[] = {1, 6}, whole[] = {1, 1};
    static const of_operation operations[] = {OF_VAR, OF_STD, OF_NORM, OF_DOT, OF_WEIGHTED_MEAN};
    int64_t n = 123;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (of_dtype into_type = OF_F16; into_type <= OF_F64; into_type++)
            for (int i = 0; i < 5; i++) {
                of_array *src = array_make(dtype, DATA_raw, 1, LAYOUT_contiguous, 2, shape);
                of_array *w = array_make(dtype, kind_for(dtype, 1), 2, LAYOUT_padded, 2, shape);
                for (int one = 0; one < 2; one++) {
                    of_array *into = array_make(into_type, DATA_zero, 1, LAYOUT_step_2, 2,
                                                one ? whole : columns);
                    of_reduce_opts opts = {.overwrite = true,
                                           .second = i < 3 ? NULL : w,
                                           .n = one ? &n : NULL,
                                           .ord = i == 2 ? 1 : 0};
                    of_error err = {0};
                    check(of_reduce_into(into, src, operations[i], &opts, &err) == OF_OK, "%s: %s",
                          operation_names[operations[i]], err.message);
                    for (int64_t k = 0; k < of_array_size(into); k++) {
                        of_scalar got = {.dtype = into_type}, expected = {0};
                        array_gather(into, 0, k, &got.as);
                        expected_of_slice(src, one ? WHOLE : 1, k, operations[i], &opts, into_type,
                                          &expected);
                        check_scalar(got, expected, "%s of %s into %s",
                                     operation_names[operations[i]], of_dtype_name(dtype),
                                     of_dtype_name(into_type));
                    }
                    of_array_release(into);
                }
                of_array_release(src);
                of_array_release(w);
            }
    checks_finish();
}

static void test_workspaces(void **state) {
    (void)state;
    static const int64_t size = 200000;
    of_array *x = array_make(OF_F64, DATA_normal, 1, LAYOUT_contiguous, 1, &size);
    of_array *w = array_make(OF_F64, DATA_normal, 2, LAYOUT_contiguous, 1, &size);
    int64_t n = 150000, fewer = 100000;
    for (of_operation operation = FIRST_STATISTIC; operation < OF_OPERATION_END; operation++) {
        of_reduce_opts opts = {.second = operation < FIRST_OF_TWO ? NULL : w, .n = &n};
        of_scalar plain = {0}, got = {0};
        of_error err = {0};
        of_workspace *workspace = NULL;
        assert_int_equal(of_workspace_create(x, operation, &opts, NULL, &workspace, NULL), OF_OK);
        assert_int_equal(of_reduce_scalar(x, operation, &opts, &plain, NULL), OF_OK);
        opts.workspace = workspace;
        for (int i = 0; i < 2; i++) {
            assert_int_equal(of_reduce_scalar(x, operation, &opts, &got, NULL), OF_OK);
            check_scalar(got, plain, "%s with a workspace", operation_names[operation]);
        }
        opts.n = &fewer;
        check_failure(of_reduce_scalar(x, operation, &opts, &got, &err), OF_ERR_VALUE, &err,
                      "workspace", "another n");
        of_workspace_free(workspace);
    }
    of_workspace *workspace = NULL;
    of_reduce_opts opts = {.ord = 1};
    of_scalar got = {0};
    of_error err = {0};
    assert_int_equal(of_workspace_create(x, OF_NORM, &opts, NULL, &workspace, NULL), OF_OK);
    opts = (of_reduce_opts){.ord = INFINITY, .workspace = workspace};
    check_failure(of_reduce_scalar(x, OF_NORM, &opts, &got, &err), OF_ERR_VALUE, &err, "workspace",
                  "another order");
    check_failure(of_reduce_scalar(x, OF_SUM,
                                   &(of_reduce_opts){.map = OF_MAP_ABS, .workspace = workspace},
                                   &got, &err),
                  OF_ERR_VALUE, &err, "workspace", "the sum that a norm is");
    of_workspace_free(workspace);
    of_array_release(x);
    of_array_release(w);
    checks_finish();
}

static void test_failing_allocation(void **state) {
    (void)state;
    static const int64_t size = 3000000;
    of_array *x = array_make(OF_F32, DATA_normal, 1, LAYOUT_contiguous, 1, &size);
    assert_int_equal(of_threads_set(3, NULL), OF_OK);
    for (of_operation operation = FIRST_STATISTIC; operation < OF_OPERATION_END; operation++) {
        of_reduce_opts opts = {.second = operation < FIRST_OF_TWO ? NULL : x};
        of_scalar got = of_scalar_i64(5);
        of_error err = {0};
        of__alloc_fail_after(0);
        of_status status = of_reduce_scalar(x, operation, &opts, &got, &err);
        of__alloc_fail_after(-1);
        check_failure(status, OF_ERR_MEMORY, &err, "memory", operation_names[operation]);
        check_scalar(got, of_scalar_i64(5), "%s wrote a result", operation_names[operation]);
    }
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
    of_array_release(x);
    checks_finish();
}

/* ---- Refusals ---- */

static void refuse(const of_array *src, of_operation operation, of_reduce_opts opts,
                   of_status status, const char *words) {
    of_error err = {0};
    of_scalar out = of_scalar_i64(77);
    of_array *array = NULL;
    check_failure(of_reduce_scalar(src, operation, &opts, &out, &err), status, &err, words,
                  operation_names[operation]);
    check_scalar(out, of_scalar_i64(77), "%s: a result was written", words);
    err = (of_error){0};
    check_failure(of_reduce(src, operation, &opts, &array, &err), status, &err, words,
                  operation_names[operation]);
    check(!array, "%s: an array was made", words);
}

static void test_refusals(void **state) {
    (void)state;
    static const int64_t shape[] = {4, 5}, turned[] = {5, 4};
    of_array *x = array_make(OF_F32, DATA_normal, 1, LAYOUT_contiguous, 2, shape);
    of_array *other = array_make(OF_F32, DATA_normal, 1, LAYOUT_contiguous, 2, turned);
    of_array *shorter = make(OF_F32, DATA_normal, 19);
    const of_scalar one = of_scalar_i64(1);
    const int64_t below = -1, above = 21, some = 5, twenty = 20;
    for (of_operation operation = 0; operation < OF_OPERATION_END; operation++) {
        of_reduce_opts opts = {.second = operation < FIRST_OF_TWO ? NULL : x, .n = &below};
        refuse(x, operation, opts, OF_ERR_VALUE, "n is -1");
        opts.n = &above;
        refuse(x, operation, opts, OF_ERR_VALUE, "n is 21");
        opts.n = &some;
        opts.dims = OF_DIMS(0, 1);
        refuse(x, operation, opts, OF_ERR_VALUE, "n is given");
        opts.n = NULL;
        opts.dims.given = false;
        if (operation != OF_NORM) {
            opts.ord = 2;
            refuse(x, operation, opts, OF_ERR_VALUE, "ord is 2");
            opts.ord = 0;
        }
        if (operation >= FIRST_STATISTIC) {
            opts.init = &one;
            refuse(x, operation, opts, OF_ERR_VALUE, "init");
            opts.init = NULL;
            opts.map = OF_MAP_SQUARE;
            refuse(x, operation, opts, OF_ERR_VALUE, "map");
            opts.map = OF_MAP_NONE;
            opts.acctype = OF_I64;
            refuse(x, operation, opts, OF_ERR_TYPE, "acctype");
            opts.acctype = OF_DTYPE_NONE;
        }
        if (operation < FIRST_OF_TWO) {
            opts.second = other;
            refuse(x, operation, opts, OF_ERR_VALUE, "second");
            continue;
        }
        opts.second = NULL;
        refuse(x, operation, opts, OF_ERR_VALUE, "second is NULL");
        opts.second = shorter;
        refuse(x, operation, opts, OF_ERR_VALUE, "the size of second is 19");
        opts.n = &twenty;
        refuse(x, operation, opts, OF_ERR_VALUE, "the size of second is 19");
        opts.n = NULL;
        opts.second = other;
        opts.dims = OF_DIMS(0);
        refuse(x, operation, opts, OF_ERR_VALUE, "shape");
    }
    static const double orders[] = {3, -1, 0.5, -INFINITY, NAN};
    for (int i = 0; i < 5; i++)
        refuse(x, OF_NORM, (of_reduce_opts){.ord = orders[i]}, OF_ERR_VALUE,
               "Unsupported norm order");
    of_error err = {0};
    of_scalar out = {0};
    check_failure(of_norm(x, 3, NULL, &out, &err), OF_ERR_VALUE, &err, "3", "norm 3");
    check_failure(of_norm(x, 0, NULL, &out, &err), OF_ERR_VALUE, &err, "Unsupported norm order",
                  "norm 0");
    check_failure(of_dot(x, NULL, NULL, &out, &err), OF_ERR_VALUE, &err, "second", "dot of NULL");
    check_failure(of_dot(NULL, x, NULL, &out, &err), OF_ERR_VALUE, &err, "src", "dot of NULL");
    check_failure(of_dot(x, x, &(of_reduce_opts){.second = x}, &out, &err), OF_ERR_VALUE, &err,
                  "second", "three arrays");
    of_reducer *reducer = NULL;
    check_failure(of_reducer_create(OF_DOT, OF_F32, NULL, &reducer, &err), OF_ERR_VALUE, &err,
                  "two sources", "dot in pieces");
    check_failure(of_reducer_create(OF_VAR, OF_F32, &(of_reduce_opts){.n = &some}, &reducer, &err),
                  OF_ERR_VALUE, &err, "n is set", "n in pieces");
    check(!reducer, "a reducer was made");
    of_array_release(x);
    of_array_release(other);
    of_array_release(shorter);
    checks_finish();
}

static void test_refusals_into(void **state) {
    (void)state;
    static const int64_t shape[] = {4, 5}, rows[] = {4, 1}, whole[] = {1, 1};
    of_array *x = array_make(OF_F32, DATA_normal, 1, LAYOUT_contiguous, 2, shape);
    of_array *into = array_make(OF_F32, DATA_zero, 1, LAYOUT_contiguous, 2, rows);
    of_array *one = array_make(OF_F32, DATA_zero, 1, LAYOUT_contiguous, 2, whole);
    of_array *integers = array_make(OF_I32, DATA_zero, 1, LAYOUT_contiguous, 2, rows);
    of_array *longer = make(OF_F32, DATA_normal, 30);
    int64_t n = 3;
    of_error err = {0};
    for (of_operation operation = FIRST_STATISTIC; operation < OF_OPERATION_END; operation++) {
        of_reduce_opts opts = {.second = operation < FIRST_OF_TWO ? NULL : x};
        const char *name = operation_names[operation];
        check_failure(of_reduce_into(into, x, operation, &opts, &err), OF_ERR_VALUE, &err,
                      "overwrite", name);
        opts.overwrite = true;
        check_failure(of_reduce_into(integers, x, operation, &opts, &err), OF_ERR_TYPE, &err, "i32",
                      name);
        opts.n = &n;
        check_failure(of_reduce_into(into, x, operation, &opts, &err), OF_ERR_VALUE, &err,
                      "n is given", name);
        opts.second = operation < FIRST_OF_TWO ? NULL : longer;
        if (opts.second)
            check_failure(of_reduce_into(one, x, operation, &opts, &err), OF_ERR_VALUE, &err,
                          "shape", name);
    }
    of_array_release(x);
    of_array_release(into);
    of_array_release(one);
    of_array_release(integers);
    of_array_release(longer);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),        cmocka_unit_test(test_integers_are_exact),
        cmocka_unit_test(test_by_name),        cmocka_unit_test(test_types_and_orders),
        cmocka_unit_test(test_pairs_of_types), cmocka_unit_test(test_pairs_along_dims),
        cmocka_unit_test(test_long_pairs),     cmocka_unit_test(test_first_n),
        cmocka_unit_test(test_pieces),         cmocka_unit_test(test_into),
        cmocka_unit_test(test_workspaces),     cmocka_unit_test(test_failing_allocation),
        cmocka_unit_test(test_refusals),       cmocka_unit_test(test_refusals_into),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
