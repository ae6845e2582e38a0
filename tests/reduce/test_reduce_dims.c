/* Reductions along dimensions: each result has the bits of its own slice. */
#include <stdio.h>

#include "reduce/harness.h"

static bool is_arg(of_operation operation) {
    return operation == OF_ARGMIN || operation == OF_ARGMAX;
}

static bool needs_an_element(of_operation operation) {
    return is_arg(operation) || operation == OF_MIN || operation == OF_MAX;
}

static of_dims dims_of(dim_set set, int ndim) {
    of_dims dims = {.given = true};
    for (int dim = 0; dim < ndim; dim++)
        if (set >> dim & 1) dims.axis[dims.count++] = dim;
    return dims;
}

/* Every operation that takes these dimensions. */
static void ask_operations(const of_array *array, of_dims dims, bool keepdims, const char *about) {
    for (of_operation operation = 0; operation < FIRST_OF_TWO; operation++) {
        if (is_arg(operation) && dims.count != 1) continue;
        ask_dims(array, operation, &(of_reduce_opts){.dims = dims, .keepdims = keepdims}, about);
    }
}

static of_array *make(of_dtype dtype, data_kind kind, layout how, int ndim, const int64_t *shape,
                      char about[60]) {
    snprintf(about, 60, "%s %s", data_kind_name(kind), layout_name(how));
    return array_make(dtype, kind, 40 + kind, how, ndim, shape);
}

/* Data that the plain path sums, data that it does not, and data that is special; by turns. */
static data_kind kind_for(of_dtype dtype, int turn) {
    static const data_kind float_kinds[] = {
        DATA_normal,           DATA_binades_20,    DATA_raw,        DATA_nan,
        DATA_cancelling_pairs, DATA_exponent_jump, DATA_mixed_zero, DATA_binades_174,
        DATA_infinities,       DATA_patches,       DATA_largest,    DATA_quiet_nan};
    static const data_kind integer_kinds[] = {DATA_raw, DATA_normal, DATA_largest_alternating,
                                              DATA_odd};
    return ref_is_float(dtype) ? float_kinds[turn % 12] : integer_kinds[turn % 4];
}

static void test_matrices(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {
        {1000, 4}, {4, 1000}, {1000, 2}, {2, 1000}, {1000, 3}, {3, 1000}, {600, 5},
        {300, 17}, {7, 300},  {1, 50},   {50, 1},   {33, 65},  {2049, 1}, {1, 2049},
        {8, 8},    {16, 32},  {700, 8},  {90, 16},  {129, 9},  {260, 6},  {150, 7}};
    char about[60];
    int turn = 0;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
            for (int kind = 0; kind < (dtype == OF_F32 || dtype == OF_F64 ? 4 : 1); kind++) {
                of_array *array =
                    make(dtype, kind_for(dtype, turn++), LAYOUT_contiguous, 2, shapes[i], about);
                ask_operations(array, OF_DIMS(0), turn % 2, about);
                ask_operations(array, OF_DIMS(-1), turn % 3 == 0, about);
                of_array_release(array);
            }
    harness_answer();
    checks_finish();
}

/* Kinds that break fast paths, each in the shapes that have fast paths. */
static void test_hard_rows_and_columns(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{257, 4}, {4, 257}, {515, 2}, {9, 130}, {130, 9}, {31, 33}};
    static const of_operation operations[] = {OF_SUM, OF_MEAN, OF_PROD, OF_ABSMAX, OF_MIN};
    static const of_dtype dtypes[] = {OF_F16, OF_BF16, OF_F32, OF_F64};
    char about[60];
    for (int t = 0; t < 4; t++)
        for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++)
            for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
                if (!data_kind_has(kind, dtypes[t]) || left_out(kind)) continue;
                of_array *array = make(dtypes[t], kind, LAYOUT_contiguous, 2, shapes[i], about);
                for (size_t o = 0; o < sizeof operations / sizeof operations[0]; o++)
                    for (int dim = 0; dim < 2; dim++)
                        ask_dims(array, operations[o], &(of_reduce_opts){.dims = OF_DIMS(dim)},
                                 about);
                of_array_release(array);
            }
    harness_answer();
    checks_finish();
}

static void ask_every_subset(of_dtype dtype, data_kind kind, layout how, int ndim,
                             const int64_t *shape) {
    char about[60];
    of_array *array = make(dtype, kind, how, ndim, shape, about);
    for (dim_set set = 0; set < 1u << ndim; set++)
        ask_operations(array, dims_of(set, ndim), set % 3 == 0, about);
    for (of_operation operation = 0; operation < FIRST_OF_TWO; operation++) {
        ask_dims(array, operation, NULL, about);
        ask_dims(array, operation, &(of_reduce_opts){.keepdims = true}, about);
    }
    of_array_release(array);
}

static void test_every_subset(void **state) {
    (void)state;
    static const int64_t shapes[][4] = {{5, 7, 9},  {2, 3, 100},  {31, 2, 17},
                                        {1, 20, 1}, {3, 5, 4, 7}, {2, 1, 33, 3}};
    static const int ndims[] = {3, 3, 3, 3, 4, 4};
    static const of_dtype dtypes[] = {OF_BOOL, OF_I8,  OF_I32,  OF_I64, OF_U16,
                                      OF_U64,  OF_F16, OF_BF16, OF_F32, OF_F64};
    static const layout layouts[] = {LAYOUT_contiguous,   LAYOUT_offset_3,   LAYOUT_step_2,
                                     LAYOUT_reversed,     LAYOUT_transposed, LAYOUT_padded,
                                     LAYOUT_repeated_last};
    int turn = 0;
    for (size_t t = 0; t < sizeof dtypes / sizeof dtypes[0]; t++)
        for (int i = 0; i < 6; i++)
            for (int l = 0; l < 7; l++)
                if (!left_out(i + l))
                    ask_every_subset(dtypes[t], kind_for(dtypes[t], turn++), layouts[l], ndims[i],
                                     shapes[i]);
    harness_answer();
    checks_finish();
}

/* Large enough to be shared among threads, by rows, by columns and by strips. */
static void test_large_dims(void **state) {
    (void)state;
    static const struct {
        int ndim;
        int64_t shape[3];
        dim_set dims;
    } cases[] = {
        {3, {64, 65, 66}, 1}, {3, {64, 65, 66}, 2}, {3, {64, 65, 66}, 4}, {3, {64, 65, 66}, 5},
        {3, {64, 65, 66}, 3}, {2, {70000, 4}, 2},   {2, {4, 70000}, 1},   {2, {100000, 3}, 1},
        {2, {3, 100000}, 2},  {2, {400, 700}, 1},   {2, {400, 700}, 2},   {2, {40, 9000}, 1},
        {2, {9000, 40}, 2},   {2, {150000, 2}, 2},
    };
    static const of_operation operations[] = {OF_SUM, OF_MAX, OF_ARGMIN, OF_PROD, OF_COUNT_NONZERO};
    static const of_dtype dtypes[] = {OF_F32, OF_F64, OF_I32, OF_F16};
    char about[60];
    int turn = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int t = 0; t < 4; t++) {
            if (t > 1 && i % 3) continue;
            of_array *array = make(dtypes[t], kind_for(dtypes[t], turn++), LAYOUT_contiguous,
                                   cases[i].ndim, cases[i].shape, about);
            of_dims dims = dims_of(cases[i].dims, cases[i].ndim);
            for (int o = 0; o < 5; o++)
                if (o == 0 || (turn % 4 == o - 1 && !(is_arg(operations[o]) && dims.count != 1)))
                    ask_dims(array, operations[o], &(of_reduce_opts){.dims = dims}, about);
            of_array_release(array);
        }
    harness_answer();
    checks_finish();
}

static void test_eight_dims(void **state) {
    (void)state;
    static const int64_t shape[] = {2, 3, 1, 2, 3, 2, 1, 4};
    static const dim_set sets[] = {0, 1, 0x80, 0xff, 0x55, 0xaa, 0x0f, 0xf0, 0x7e, 0x81, 0x24};
    static const of_dtype dtypes[] = {OF_F32, OF_F64, OF_I16, OF_BF16};
    static const layout layouts[] = {LAYOUT_contiguous, LAYOUT_transposed, LAYOUT_reversed,
                                     LAYOUT_step_2};
    char about[60];
    for (int t = 0; t < 4; t++)
        for (int l = 0; l < 4; l++) {
            of_array *array = make(dtypes[t], DATA_raw, layouts[l], 8, shape, about);
            for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
                ask_operations(array, dims_of(sets[i], 8), i % 2, about);
            of_array_release(array);
        }
    harness_answer();
    checks_finish();
}

/* Slices without elements have a value but for extremes; results without elements are always fine.
 */
static void test_no_elements(void **state) {
    (void)state;
    static const struct {
        int ndim;
        int64_t shape[3];
        dim_set dims;
        bool outputs; /* whether a result exists */
    } cases[] = {
        {1, {0}, 1, true},        {2, {0, 5}, 1, true},     {2, {5, 0}, 2, true},
        {2, {0, 5}, 2, false},    {2, {5, 0}, 1, false},    {3, {3, 0, 2}, 2, true},
        {3, {3, 0, 2}, 1, false}, {3, {3, 0, 2}, 5, false}, {3, {3, 0, 2}, 3, true},
        {3, {3, 0, 2}, 7, true},  {2, {0, 0}, 1, false},    {2, {0, 0}, 3, true},
        {3, {3, 0, 2}, 0, false}, {2, {0, 5}, 3, true},
    };
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            of_array *array =
                array_make(dtype, DATA_zero, 1, LAYOUT_contiguous, cases[i].ndim, cases[i].shape);
            of_dims dims = dims_of(cases[i].dims, cases[i].ndim);
            for (of_operation operation = 0; operation < FIRST_OF_TWO; operation++) {
                of_reduce_opts opts = {.dims = dims, .keepdims = i % 2};
                if (is_arg(operation) && dims.count != 1) continue;
                if (!cases[i].outputs || !needs_an_element(operation)) {
                    ask_dims(array, operation, &opts, "no elements");
                    continue;
                }
                char words[60];
                snprintf(words, sizeof words, "%s reduction requires a nonempty array",
                         operation_names[operation]);
                of_error err = {0};
                of_array *out = NULL;
                check_failure(of_reduce(array, operation, &opts, &out, &err), OF_ERR_VALUE, &err,
                              words, "of nothing");
                check(!out, "%s of nothing wrote its result", operation_names[operation]);
            }
            of_array_release(array);
        }
    harness_answer();
    checks_finish();
}

/* The order in which dimensions are named, and how, does not matter. */
static void test_naming(void **state) {
    (void)state;
    static const int64_t shape[] = {6, 7, 8};
    of_array *array = array_make(OF_F32, DATA_binades_20, 3, LAYOUT_contiguous, 3, shape);
    static const of_dims names[] = {
        {true, 2, {0, 2}},  {true, 2, {2, 0}}, {true, 2, {-1, -3}},
        {true, 2, {-3, 2}}, {true, 1, {-2}},   {true, 3, {2, -2, 0}},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (int keepdims = 0; keepdims < 2; keepdims++)
            ask_operations(array, names[i], keepdims, "names");
    of_array_release(array);
    harness_answer();
    checks_finish();
}

static void test_wrong_dims(void **state) {
    (void)state;
    static const int64_t shape[] = {2, 3};
    static const struct {
        of_dims dims;
        const char *words;
    } cases[] = {
        {{true, 1, {2}}, "2"},      {{true, 1, {-3}}, "-3"},     {{true, 2, {0, 0}}, "0"},
        {{true, 2, {1, -1}}, "-1"}, {{true, 1, {1000}}, "1000"}, {{true, 3, {0, 1, 2}}, "2"},
        {{true, 9, {0}}, "9"},      {{true, -1, {0}}, "-1"},
    };
    of_array *array = array_make(OF_F32, DATA_normal, 3, LAYOUT_contiguous, 2, shape);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (of_operation operation = 0; operation < FIRST_OF_TWO; operation++) {
            of_reduce_opts opts = {.dims = cases[i].dims};
            of_error err = {0};
            of_array *out = NULL;
            check_failure(of_reduce(array, operation, &opts, &out, &err), OF_ERR_VALUE, &err,
                          cases[i].words, operation_names[operation]);
            check(!out, "%s: wrong dims, and a result", operation_names[operation]);
        }
    of_reduce_opts both = {.dims = OF_DIMS(0, 1)};
    of_array *out = NULL;
    of_error err = {0};
    of_array_release(array);
    static const int64_t cube[] = {2, 3, 4};
    array = array_make(OF_F32, DATA_normal, 3, LAYOUT_contiguous, 3, cube);
    check_failure(of_reduce(array, OF_ARGMIN, &both, &out, &err), OF_ERR_VALUE, &err, "argmin",
                  "argmin over two dims");
    check(!out, "argmin over two dims, and a result");
    of_array_release(array);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),     cmocka_unit_test(test_hard_rows_and_columns),
        cmocka_unit_test(test_every_subset), cmocka_unit_test(test_large_dims),
        cmocka_unit_test(test_eight_dims),   cmocka_unit_test(test_no_elements),
        cmocka_unit_test(test_naming),       cmocka_unit_test(test_wrong_dims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
