/* acctype, init, maps and workspaces: what they give and what is refused. */
#include <math.h>
#include <stdio.h>

#include "reduce/harness.h"

static of_array *make(of_dtype dtype, data_kind kind, int64_t count) {
    return array_make(dtype, kind, 11 + kind, LAYOUT_contiguous, 1, &count);
}

static data_kind kind_for(of_dtype dtype, int turn) {
    static const data_kind floats[] = {
        DATA_normal,     DATA_raw,       DATA_binades_174,         DATA_nan,
        DATA_mixed_zero, DATA_zero,      DATA_negative_zero,       DATA_largest,
        DATA_infinities, DATA_tie,       DATA_cancelling_but_tiny, DATA_infinity,
        DATA_tie_odd,    DATA_tie_above, DATA_negative_subnormal,  DATA_late_bit};
    static const data_kind integers[] = {DATA_raw,      DATA_normal,   DATA_largest_alternating,
                                         DATA_odd,      DATA_smallest, DATA_one_nonzero,
                                         DATA_one_zero, DATA_largest,  DATA_zero};
    return ref_is_float(dtype) ? floats[turn % 16] : integers[turn % 9];
}

/* The whole array and its columns, as (n, 7). */
static void ask_both(of_array *array, of_operation operation, of_reduce_opts opts,
                     const char *about) {
    ask_scalar(array, operation, &opts, about);
    if (of_array_size(array) % 7) return;
    of_array *matrix = NULL, *second = NULL;
    const int64_t shape[] = {of_array_size(array) / 7, 7};
    assert_int_equal(of_array_reshape(array, 2, shape, &matrix, NULL), OF_OK);
    if (opts.second)
        assert_int_equal(of_array_reshape((of_array *)opts.second, 2, shape, &second, NULL), OF_OK);
    opts.second = second;
    opts.dims = OF_DIMS(0);
    ask_dims(matrix, operation, &opts, about);
    opts.dims = OF_DIMS(1);
    ask_dims(matrix, operation, &opts, about);
    of_array_release(matrix);
    of_array_release(second);
}

static bool holds(of_operation operation, of_dtype dtype, of_dtype acctype) {
    if (ref_is_float(acctype)) return true;
    return !ref_is_float(dtype) && (operation == OF_SUM || operation == OF_PROD);
}

static void test_acctype(void **state) {
    (void)state;
    static const of_operation operations[] = {OF_SUM, OF_MEAN, OF_PROD, OF_ABSMAX};
    static const int64_t sizes[] = {1, 35, 1001, 2100};
    int turn = 0;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (of_dtype acctype = OF_I8; acctype < OF_DTYPE_END; acctype++)
            for (int i = 0; i < 4; i++, turn++) {
                if (left_out(turn)) continue;
                data_kind kind = kind_for(dtype, turn);
                of_array *array = make(dtype, kind, sizes[i]);
                for (int o = 0; o < 4; o++)
                    if (holds(operations[o], dtype, acctype))
                        ask_both(array, operations[o], (of_reduce_opts){.acctype = acctype},
                                 data_kind_name(kind));
                of_array_release(array);
            }
    harness_answer();
    checks_finish();
}

/* One rounding, not two: halfway between two f32 but for a bit that f64 cannot hold beside it, and
 * so on down. */
static void test_rounds_once(void **state) {
    (void)state;
    static const double parts[] = {1, 0x1p-24,
                                   0x1p-60}; /* above a tie of f32, by less than f64 sees */
    static const double halves[] = {1, 0x1p-11, 0x1p-40};
    static const int32_t integers[] = {1 << 24, 1, 0};
    of_scalar got = {0};
    of_array *array = array_from(OF_F64, 3, parts);
    assert_int_equal(of_sum(array, &(of_reduce_opts){.acctype = OF_F32}, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_f32(0x1.000002p0f), "f64 to f32");
    of_array_release(array);
    array = array_from(OF_F64, 3, halves);
    assert_int_equal(of_sum(array, &(of_reduce_opts){.acctype = OF_F16}, &got, NULL), OF_OK);
    check(got.dtype == OF_F16 && got.as.f16 == 0x3c01, "f64 to f16: %04x", got.as.f16);
    of_array_release(array);
    array = array_from(OF_I32, 3, integers);
    of_scalar init = of_scalar_f64(0x1p-30);
    assert_int_equal(of_sum(array, &(of_reduce_opts){.acctype = OF_F32, .init = &init}, &got, NULL),
                     OF_OK);
    check_scalar(got, of_scalar_f32(0x1.000002p24f), "i32 with a fraction to f32");
    of_array_release(array);
    checks_finish();
}

static bool is_counting(of_operation operation) {
    return operation == OF_COUNT_NONZERO || operation == OF_ANY || operation == OF_ALL;
}

static bool holds_value(of_dtype dtype, of_scalar value) {
    ref_term term = ref_load_scalar(value);
    if (term.kind != REF_FINITE || !term.integer) return false;
    return ref_compare(ref_load_scalar(ref_convert(term, dtype)), term) == 0;
}

static void test_init(void **state) {
    (void)state;
    static const of_operation operations[] = {OF_SUM, OF_PROD, OF_MIN,          OF_MAX,
                                              OF_ANY, OF_ALL,  OF_COUNT_NONZERO};
    const of_scalar inits[] = {
        of_scalar_i64(0),
        of_scalar_i64(-3),
        of_scalar_i64(100),
        of_scalar_u64(7),
        of_scalar_bool(true),
        of_scalar_f64(0.1),
        of_scalar_f64(-0.0),
        of_scalar_f64(NAN),
        of_scalar_f64(INFINITY),
        of_scalar_f32(-2.5f),
        of_scalar_f64(-1e300),
        of_scalar_f64(5e-324),
        of_scalar_i64((INT64_C(1) << 60) + 1),
    };
    static const int64_t sizes[] = {0, 1, 35, 2100};
    int turn = 0;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (size_t i = 0; i < sizeof inits / sizeof inits[0]; i++) {
            bool float_init = ref_is_float(inits[i].dtype);
            for (int s = 0; s < 4; s++, turn++) {
                if (left_out(turn)) continue;
                data_kind kind = kind_for(dtype, turn);
                of_array *array = make(dtype, kind, sizes[s]);
                for (int o = 0; o < 7; o++) {
                    of_operation operation = operations[o];
                    of_reduce_opts opts = {.init = &inits[i]};
                    if (operation == OF_COUNT_NONZERO && float_init) continue;
                    bool extreme = operation == OF_MIN || operation == OF_MAX;
                    if (extreme && !ref_is_float(dtype) && !holds_value(dtype, inits[i])) continue;
                    if (!is_counting(operation) && float_init && !ref_is_float(dtype))
                        opts.acctype = turn % 2 ? OF_F64 : OF_F32;
                    ask_both(array, operation, opts, data_kind_name(kind));
                }
                of_array_release(array);
            }
        }
    harness_answer();
    checks_finish();
}

/* Slices of nothing have init. */
static void test_init_of_nothing(void **state) {
    (void)state;
    static const of_operation operations[] = {OF_SUM, OF_PROD, OF_MIN,          OF_MAX,
                                              OF_ANY, OF_ALL,  OF_COUNT_NONZERO};
    static const int64_t shape[] = {3, 0};
    const of_scalar init = of_scalar_i64(1);
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++) {
        of_array *array = array_make(dtype, DATA_zero, 1, LAYOUT_contiguous, 2, shape);
        for (int o = 0; o < 7; o++) {
            ask_dims(array, operations[o], &(of_reduce_opts){.init = &init, .dims = OF_DIMS(1)},
                     "nothing");
            ask_scalar(array, operations[o], &(of_reduce_opts){.init = &init}, "nothing");
        }
        of_array_release(array);
    }
    harness_answer();
    checks_finish();
}

static void test_maps(void **state) {
    (void)state;
    static const of_map maps[] = {OF_MAP_ABS, OF_MAP_SQUARE, OF_MAP_PRODUCT};
    static const int64_t sizes[] = {0, 1, 17, 35, 1001, 4900};
    int turn = 0;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (int m = 0; m < 3; m++)
            for (int s = 0; s < 6; s++)
                for (int kinds = 0; kinds < (sizes[s] > 1001 ? 1 : 4); kinds++, turn++) {
                    if (left_out(turn)) continue;
                    data_kind kind = kind_for(dtype, turn);
                    of_array *array = make(dtype, kind, sizes[s]);
                    of_array *second = make(dtype, kind_for(dtype, turn / 3 + 1), sizes[s]);
                    for (of_operation operation = 0; operation < FIRST_STATISTIC; operation++) {
                        of_reduce_opts opts = {.map = maps[m]};
                        bool extreme = operation >= OF_MIN && operation <= OF_ARGMAX;
                        if (extreme && sizes[s] == 0) continue;
                        if (maps[m] == OF_MAP_PRODUCT) opts.second = second;
                        ask_both(array, operation, opts, data_kind_name(kind));
                    }
                    of_array_release(array);
                    of_array_release(second);
                }
    harness_answer();
    checks_finish();
}

/* Exact products of every two types. */
static void test_factors_of_two_types(void **state) {
    (void)state;
    int turn = 0;
    for (of_dtype a = OF_BOOL; a < OF_DTYPE_END; a++)
        for (of_dtype b = OF_BOOL; b < OF_DTYPE_END; b++)
            for (int kinds = 0; kinds < 3; kinds++, turn++) {
                if (left_out(turn)) continue;
                of_array *first = make(a, kind_for(a, turn), 77),
                         *second = make(b, kind_for(b, turn / 5), 77);
                for (of_operation operation = 0; operation < FIRST_STATISTIC; operation++) {
                    of_reduce_opts opts = {.map = OF_MAP_PRODUCT, .second = second};
                    ask_both(first, operation, opts, of_dtype_name(b));
                }
                of_array_release(first);
                of_array_release(second);
            }
    harness_answer();
    checks_finish();
}

/* Exact terms: 2^-600 squared is no zero, and the squares of neighbours differ where their
 * roundings do not. */
static void test_terms_are_exact(void **state) {
    (void)state;
    static const double tiny[] = {0x1p-600, 0x1p-601}, near[] = {1 + 0x1p-52, 1, -1 - 0x1p-52},
                        cancel[] = {1 + 0x1p-30, 1}, factors[] = {1 - 0x1p-30, -1},
                        large[] = {0x1p600, 0x1p500};
    of_scalar got = {0};
    of_reduce_opts square = {.map = OF_MAP_SQUARE};
    of_array *array = array_from(OF_F64, 2, tiny);
    assert_int_equal(of_count_nonzero(array, &square, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_i64(2), "tiny squares count");
    assert_int_equal(of_argmin(array, &square, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_i64(1), "tiny squares differ");
    assert_int_equal(of_sum(array, &square, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_f64(0), "tiny squares underflow once summed");
    of_array_release(array);
    array = array_from(OF_F64, 3, near);
    assert_int_equal(of_argmax(array, &square, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_i64(0), "the first of equal squares");
    of_array_release(array);
    array = array_from(OF_F64, 2, cancel);
    of_array *second = array_from(OF_F64, 2, factors);
    of_reduce_opts product = {.map = OF_MAP_PRODUCT, .second = second};
    assert_int_equal(of_sum(array, &product, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_f64(-0x1p-60), "(1 + e)(1 - e) - 1");
    of_array_release(array);
    of_array_release(second);
    array = array_from(OF_F64, 2, large);
    assert_int_equal(of_max(array, &square, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_f64(INFINITY), "a large square overflows once chosen");
    assert_int_equal(of_argmax(array, &square, &got, NULL), OF_OK);
    check_scalar(got, of_scalar_i64(0), "large squares do not tie");
    of_array_release(array);
    checks_finish();
}

/* Products that round to the same f64, overflow or vanish have an order still. */
static void test_products_are_compared_exactly(void **state) {
    (void)state;
    static const struct {
        double a[3], b[3];
        int64_t argmin, argmax;
    } cases[] = {
        {{1 + 0x1p-30, 1, 1}, {1 - 0x1p-30, 1, 1 - 0x1p-40}, 2, 1},
        {{1, 1 + 0x1p-30, 1}, {1, 1 - 0x1p-30, 1}, 1, 0},
        {{0x1p-600, 0x1p-600, -0x1p-600}, {0x1p-500, 0x1p-501, 0x1p-502}, 2, 0},
        {{0x1p600, 0x1p600, -0x1p900}, {0x1p500, 0x1p501, 0x1p900}, 2, 1},
        {{0x1p1000, INFINITY, 0x1p1000}, {0x1p1000, 1, 0x1.8p1000}, 0, 1},
        {{-0.0, 0x1p-1074, 0}, {1, 0x1p-1074, -1}, 0, 1},
        {{1, INFINITY, NAN}, {1, 0, 1}, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        of_array *a = array_from(OF_F64, 3, cases[i].a), *b = array_from(OF_F64, 3, cases[i].b);
        of_reduce_opts product = {.map = OF_MAP_PRODUCT, .second = b};
        of_scalar got = {0};
        assert_int_equal(of_argmin(a, &product, &got, NULL), OF_OK);
        check_scalar(got, of_scalar_i64(cases[i].argmin), "argmin of products, case %d", (int)i);
        assert_int_equal(of_argmax(a, &product, &got, NULL), OF_OK);
        check_scalar(got, of_scalar_i64(cases[i].argmax), "argmax of products, case %d", (int)i);
        of_array_release(a);
        of_array_release(b);
    }
    checks_finish();
}

/* acctype, init and a map at once. */
static void test_together(void **state) {
    (void)state;
    const of_scalar inits[] = {of_scalar_i64(-1), of_scalar_f64(0.3), of_scalar_f64(-0.0)};
    int turn = 0;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (int i = 0; i < 3; i++)
            for (of_map map = OF_MAP_NONE; map <= OF_MAP_SQUARE; map++)
                for (of_dtype acctype = OF_F16; acctype <= OF_F64; acctype++, turn++) {
                    of_array *array = make(dtype, kind_for(dtype, turn), 70);
                    of_reduce_opts opts = {.acctype = acctype, .init = &inits[i], .map = map};
                    ask_both(array, OF_SUM, opts, "all options");
                    ask_both(array, OF_PROD, opts, "all options");
                    of_array_release(array);
                }
    harness_answer();
    checks_finish();
}

/* ---- refusals ---- */

/* All three ways to reduce refuse, and none writes its result. */
static void refuse(const of_array *src, of_operation operation, const of_reduce_opts *opts,
                   of_status status, const char *words, const char *what) {
    of_error err = {0};
    of_scalar out = of_scalar_i64(77);
    of_array *array = NULL;
    check_failure(of_reduce_scalar(src, operation, opts, &out, &err), status, &err, words, what);
    check_scalar(out, of_scalar_i64(77), "%s: a result was written", what);
    check_failure(of_reduce_scalar(src, operation, opts, &out, NULL), status, NULL, words, what);
    err = (of_error){0};
    check_failure(of_reduce(src, operation, opts, &array, &err), status, &err, words, what);
    check(!array, "%s: an array was made", what);
}

static void test_refusals(void **state) {
    (void)state;
    static const of_operation no_init[] = {OF_MEAN, OF_ARGMIN, OF_ARGMAX, OF_ABSMAX};
    static const of_operation typed[] = {OF_SUM, OF_MEAN, OF_PROD, OF_ABSMAX};
    of_array *floats = make(OF_F32, DATA_normal, 10), *integers = make(OF_I32, DATA_normal, 10);
    of_array *nothing = make(OF_F32, DATA_normal, 0), *longer = make(OF_F32, DATA_normal, 11);
    of_array *bytes = make(OF_I8, DATA_normal, 10);
    const of_scalar one = of_scalar_i64(1), half = of_scalar_f64(0.5), large = of_scalar_i64(1000),
                    none = {.dtype = OF_DTYPE_NONE};
    for (int i = 0; i < 4; i++) {
        refuse(floats, no_init[i], &(of_reduce_opts){.init = &one}, OF_ERR_VALUE, "init",
               operation_names[no_init[i]]);
        refuse(floats, typed[i], &(of_reduce_opts){.acctype = OF_I64}, OF_ERR_TYPE, "acctype",
               "floats into i64");
        refuse(floats, typed[i], &(of_reduce_opts){.acctype = OF_BOOL}, OF_ERR_TYPE, "acctype",
               "floats into bool");
        refuse(integers, typed[i], &(of_reduce_opts){.acctype = OF_DTYPE_END}, OF_ERR_TYPE,
               "acctype", "no acctype");
    }
    refuse(integers, OF_MEAN, &(of_reduce_opts){.acctype = OF_I64}, OF_ERR_TYPE, "acctype",
           "a mean into i64");
    refuse(integers, OF_SUM, &(of_reduce_opts){.init = &half}, OF_ERR_TYPE, "init",
           "a float init on integers");
    refuse(integers, OF_PROD, &(of_reduce_opts){.init = &half, .acctype = OF_I16}, OF_ERR_TYPE,
           "init", "a float init with an integer acctype");
    refuse(integers, OF_MIN, &(of_reduce_opts){.init = &half}, OF_ERR_TYPE, "init",
           "a float init for min");
    refuse(bytes, OF_MAX, &(of_reduce_opts){.init = &large}, OF_ERR_VALUE, "1000",
           "an init that i8 cannot hold");
    refuse(floats, OF_SUM, &(of_reduce_opts){.init = &none}, OF_ERR_TYPE, "init",
           "an init without a type");
    refuse(floats, OF_OPERATION_END, NULL, OF_ERR_VALUE, "operation", "no operation");
    refuse(floats, OF_SUM, &(of_reduce_opts){.map = (of_map)9}, OF_ERR_VALUE, "map", "no map");
    refuse(floats, OF_SUM, &(of_reduce_opts){.map = OF_MAP_PRODUCT}, OF_ERR_VALUE, "second",
           "a missing factor");
    refuse(floats, OF_SUM, &(of_reduce_opts){.map = OF_MAP_PRODUCT, .second = longer}, OF_ERR_VALUE,
           "second", "a factor of another shape");
    refuse(floats, OF_SUM, &(of_reduce_opts){.map = OF_MAP_SQUARE, .second = floats}, OF_ERR_VALUE,
           "second", "a factor for a square");
    refuse(nothing, OF_MIN, NULL, OF_ERR_VALUE, "min reduction requires a nonempty array",
           "min of nothing");
    refuse(nothing, OF_MAX, NULL, OF_ERR_VALUE, "max reduction requires a nonempty array",
           "max of nothing");
    refuse(nothing, OF_ARGMIN, NULL, OF_ERR_VALUE, "argmin reduction requires a nonempty array",
           "argmin of nothing");
    refuse(nothing, OF_ARGMAX, NULL, OF_ERR_VALUE, "argmax reduction requires a nonempty array",
           "argmax of nothing");
    of_array_release(floats);
    of_array_release(integers);
    of_array_release(nothing);
    of_array_release(bytes);
    of_array_release(longer);
    checks_finish();
}

/* of_reduce_scalar gives one value: its dims, if any, are all of them. */
static void test_dims_of_a_scalar(void **state) {
    (void)state;
    static const int64_t shape[] = {3, 4};
    of_array *array = array_make(OF_F32, DATA_normal, 1, LAYOUT_contiguous, 2, shape);
    of_scalar all = {0}, named = {0};
    of_error err = {0};
    assert_int_equal(of_sum(array, NULL, &all, NULL), OF_OK);
    check(of_sum(array, &(of_reduce_opts){.dims = OF_DIMS(1, 0)}, &named, &err) == OF_OK, "%s",
          err.message);
    check_scalar(named, all, "all dims named");
    named = of_scalar_i64(5);
    check_failure(of_sum(array, &(of_reduce_opts){.dims = OF_DIMS(1)}, &named, &err), OF_ERR_VALUE,
                  &err, "dims", "one dim of two");
    check_failure(of_sum(array, &(of_reduce_opts){.dims = OF_DIMS_EMPTY}, &named, &err),
                  OF_ERR_VALUE, &err, "dims", "no dim of two");
    check_scalar(named, of_scalar_i64(5), "errors write nothing");
    of_array_release(array);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_acctype),
        cmocka_unit_test(test_rounds_once),
        cmocka_unit_test(test_init),
        cmocka_unit_test(test_init_of_nothing),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_factors_of_two_types),
        cmocka_unit_test(test_terms_are_exact),
        cmocka_unit_test(test_products_are_compared_exactly),
        cmocka_unit_test(test_together),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_dims_of_a_scalar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
