/* Reductions into an existing array: what becomes of its old elements, and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/harness.h"

typedef enum mode { ACCUMULATE, OVERWRITE, WITH_INIT, WITH_INIT_AND_OVERWRITE } mode;

/* A source, the shape reduced into, and the dimensions that this reduces. */
static const struct {
    int ndim, into_ndim;
    int64_t shape[4], into_shape[4];
    dim_set reduced;
} shapes[] = {
    {1, 1, {1000}, {1}, 1},          {1, 0, {77}, {0}, 1},
    {2, 2, {30, 40}, {30, 1}, 2},    {2, 2, {30, 40}, {1, 40}, 1},
    {2, 2, {30, 40}, {1, 1}, 3},     {2, 1, {30, 40}, {30}, 2},
    {2, 1, {30, 40}, {1}, 3},        {2, 0, {30, 40}, {0}, 3},
    {2, 2, {500, 4}, {500, 1}, 2},   {2, 2, {4, 500}, {1, 500}, 1},
    {3, 3, {5, 6, 7}, {5, 1, 7}, 2}, {3, 3, {5, 6, 7}, {1, 6, 1}, 5},
    {3, 2, {5, 6, 7}, {1, 6}, 5},    {3, 3, {5, 6, 7}, {5, 6, 7}, 0},
    {3, 3, {5, 1, 7}, {5, 1, 1}, 4}, {4, 2, {2, 3, 4, 5}, {2, 3}, 12},
};
enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

typedef struct trial {
    of_dtype src, into;
    of_operation operation;
    data_kind kind;
    mode how;
    layout layout;
    int shape;
} trial;

static of_scalar load(const of_array *array, int64_t position) {
    of_scalar value = {.dtype = of_array_dtype(array)};
    array_gather(array, 0, position, &value.as);
    return value;
}

static void attempt(const trial *t) {
    of_array *src =
        array_make(t->src, t->kind, 5, t->layout, shapes[t->shape].ndim, shapes[t->shape].shape);
    /* Two arrays with the same old elements: one is reduced into, one remembers. */
    data_kind old_kind = ref_is_float(t->into) ? DATA_binades_20 : DATA_normal;
    layout into_layout = t->layout == LAYOUT_repeated_first || t->layout == LAYOUT_repeated_last
                             ? LAYOUT_padded
                             : t->layout;
    int into_ndim = shapes[t->shape].into_ndim;
    const int64_t *into_shape = shapes[t->shape].into_shape;
    of_array *into = array_make(t->into, old_kind, 6, into_layout, into_ndim, into_shape);
    of_array *old = array_make(t->into, old_kind, 6, into_layout, into_ndim, into_shape);

    of_scalar init = of_scalar_i64(1);
    if (ref_is_float(t->src) && t->operation != OF_COUNT_NONZERO) init = of_scalar_f64(0.1);
    bool with_init = t->how == WITH_INIT || t->how == WITH_INIT_AND_OVERWRITE;
    of_reduce_opts opts = {.overwrite = t->how == OVERWRITE || t->how == WITH_INIT_AND_OVERWRITE,
                           .init = with_init ? &init : NULL};
    char about[200];
    snprintf(about, sizeof about, "%s of %s %s into %s, mode %d, shape %d, %s",
             operation_names[t->operation], of_dtype_name(t->src), data_kind_name(t->kind),
             of_dtype_name(t->into), (int)t->how, t->shape, layout_name(t->layout));
    of_error err = {0};
    of_status status = of_reduce_into(into, src, t->operation, &opts, &err);
    check(status == OF_OK, "%s: %s", about, err.message);
    for (int64_t i = 0; status == OF_OK && i < of_array_size(into); i++) {
        of_scalar before = load(old, i), expected = {0};
        of_reduce_opts reference = {.init = with_init              ? &init
                                            : t->how == ACCUMULATE ? &before
                                                                   : NULL};
        expected_of_slice(src, shapes[t->shape].reduced, i, t->operation, &reference, t->into,
                          &expected);
        check_scalar(load(into, i), expected, "%s, element %lld", about, (long long)i);
    }
    of_array_release(src);
    of_array_release(into);
    of_array_release(old);
}

/* The operations that fold into an old element, each with types that hold its results. */
static const struct {
    of_operation operation;
    of_dtype src, into;
} folds[] = {
    {OF_SUM, OF_F32, OF_F32},
    {OF_SUM, OF_F64, OF_F64},
    {OF_SUM, OF_F16, OF_F16},
    {OF_SUM, OF_BF16, OF_BF16},
    {OF_SUM, OF_F32, OF_F64},
    {OF_SUM, OF_F64, OF_F32},
    {OF_SUM, OF_F32, OF_F16},
    {OF_SUM, OF_F16, OF_BF16},
    {OF_SUM, OF_I32, OF_I64},
    {OF_SUM, OF_I64, OF_I8},
    {OF_SUM, OF_U8, OF_U64},
    {OF_SUM, OF_BOOL, OF_I64},
    {OF_SUM, OF_I64, OF_F64},
    {OF_SUM, OF_U64, OF_F32},
    {OF_PROD, OF_F32, OF_F32},
    {OF_PROD, OF_F64, OF_F64},
    {OF_PROD, OF_F16, OF_F64},
    {OF_PROD, OF_I16, OF_I64},
    {OF_PROD, OF_U32, OF_U64},
    {OF_MIN, OF_F32, OF_F32},
    {OF_MAX, OF_F64, OF_F64},
    {OF_MIN, OF_I8, OF_I8},
    {OF_MAX, OF_U64, OF_U64},
    {OF_MAX, OF_F16, OF_F32},
    {OF_MIN, OF_BOOL, OF_BOOL},
    {OF_ANY, OF_F32, OF_BOOL},
    {OF_ALL, OF_I32, OF_BOOL},
    {OF_ANY, OF_BOOL, OF_BOOL},
    {OF_COUNT_NONZERO, OF_F64, OF_I64},
    {OF_COUNT_NONZERO, OF_U8, OF_I64},
};

static data_kind kind_for(of_dtype dtype, int turn) {
    static const data_kind hard[] = {DATA_normal,      DATA_raw,        DATA_nan,
                                     DATA_binades_174, DATA_mixed_zero, DATA_zero};
    return ref_is_float(dtype) ? hard[turn % 6] : turn % 2 ? DATA_raw : DATA_one_zero;
}

static void fold_everything(void *context) {
    (void)context;
    int turn = 0;
    for (size_t f = 0; f < sizeof folds / sizeof folds[0]; f++)
        for (int shape = 0; shape < SHAPE_COUNT; shape++)
            for (mode how = ACCUMULATE; how <= WITH_INIT_AND_OVERWRITE; how++, turn++) {
                trial t = {.src = folds[f].src,
                           .into = folds[f].into,
                           .operation = folds[f].operation,
                           .how = how,
                           .kind = kind_for(folds[f].src, turn),
                           .shape = shape,
                           .layout =
                               turn % 3 ? LAYOUT_contiguous : (layout)(turn / 3 % LAYOUT_COUNT)};
                attempt(&t);
            }
}

static void test_folds(void **state) {
    (void)state;
    each_configuration(fold_everything, NULL);
    checks_finish();
}

/* Those that have only a partial result. */
static void overwrite_everything(void *context) {
    (void)context;
    static const struct {
        of_operation operation;
        of_dtype src, into;
    } cases[] = {
        {OF_MEAN, OF_F32, OF_F32},   {OF_MEAN, OF_F64, OF_F32},   {OF_MEAN, OF_I32, OF_F64},
        {OF_MEAN, OF_F16, OF_F64},   {OF_ABSMAX, OF_F32, OF_F32}, {OF_ABSMAX, OF_I64, OF_F64},
        {OF_ARGMIN, OF_F32, OF_I64}, {OF_ARGMAX, OF_I8, OF_I64},  {OF_ARGMAX, OF_F64, OF_I32},
    };
    int turn = 0;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (int shape = 0; shape < SHAPE_COUNT; shape++, turn++) {
            bool arg = cases[c].operation == OF_ARGMIN || cases[c].operation == OF_ARGMAX;
            dim_set reduced = shapes[shape].reduced;
            if (arg && (reduced == 0 || reduced & (reduced - 1))) continue;
            trial t = {.src = cases[c].src,
                       .into = cases[c].into,
                       .operation = cases[c].operation,
                       .how = OVERWRITE,
                       .kind = kind_for(cases[c].src, turn),
                       .shape = shape};
            attempt(&t);
        }
}

static void test_overwriting(void **state) {
    (void)state;
    each_configuration(overwrite_everything, NULL);
    checks_finish();
}

/* init where it is given, else the old element, whatever it is. */
static void test_empty_slices(void **state) {
    (void)state;
    static const int64_t shape[] = {3, 0}, into_shape[] = {3, 1};
    for (size_t f = 0; f < sizeof folds / sizeof folds[0]; f++)
        for (mode how = ACCUMULATE; how <= WITH_INIT_AND_OVERWRITE; how++) {
            of_array *src = array_make(folds[f].src, DATA_zero, 1, LAYOUT_contiguous, 2, shape);
            data_kind kind = ref_is_float(folds[f].into) ? DATA_nan : DATA_raw;
            of_array *into = array_make(folds[f].into, kind, 2, LAYOUT_contiguous, 2, into_shape);
            of_array *old = array_make(folds[f].into, kind, 2, LAYOUT_contiguous, 2, into_shape);
            of_scalar init = of_scalar_i64(1);
            bool with_init = how == WITH_INIT || how == WITH_INIT_AND_OVERWRITE;
            of_reduce_opts opts = {.overwrite = how == OVERWRITE || how == WITH_INIT_AND_OVERWRITE,
                                   .init = with_init ? &init : NULL};
            of_error err = {0};
            check(of_reduce_into(into, src, folds[f].operation, &opts, &err) == OF_OK,
                  "%s of nothing: %s", operation_names[folds[f].operation], err.message);
            for (int64_t i = 0; i < 3; i++)
                check_scalar(load(into, i),
                             with_init ? of_scalar_convert(init, folds[f].into) : load(old, i),
                             "%s of nothing into %s, mode %d", operation_names[folds[f].operation],
                             of_dtype_name(folds[f].into), (int)how);
            of_array_release(src);
            of_array_release(into);
            of_array_release(old);
        }
    checks_finish();
}

static of_array *wrap(of_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides,
                      void *data, unsigned flags) {
    of_array *array = NULL;
    of_status status =
        of_array_wrap(NULL, dtype, ndim, shape, strides, data, flags, NULL, NULL, &array, NULL);
    assert_int_equal(status, OF_OK);
    return array;
}

/* Tries a call that must fail, and looks whether the memory behind `into` changed. */
static void refuse(of_array *into, const of_array *src, of_operation operation,
                   const of_reduce_opts *opts, of_status status, const char *words,
                   const char *what) {
    of_error err = {0};
    size_t bytes = (size_t)of_array_nbytes(into);
    void *before = malloc(bytes + 1);
    assert_non_null(before);
    if (bytes) memcpy(before, of_array_data(into), bytes);
    check_failure(of_reduce_into(into, src, operation, opts, &err), status, &err, words, what);
    if (bytes)
        check(memcmp(before, of_array_data(into), bytes) == 0, "%s: something was written", what);
    free(before);
}

static void test_overlap(void **state) {
    (void)state;
    float memory[64];
    for (int i = 0; i < 64; i++) memory[i] = (float)i;
    static const int64_t square[] = {4, 4}, column[] = {4, 1}, stride_two[] = {32, 8};
    of_array *src = wrap(OF_F32, 2, square, NULL, memory + 8, 0);
    for (int start = 0; start < 32; start++) {
        of_array *into = wrap(OF_F32, 2, column, NULL, memory + start, 0);
        bool apart = start + 4 <= 8 || start >= 24;
        if (apart) {
            of_error err = {0};
            of_reduce_opts opts = {.overwrite = true};
            check(of_reduce_into(into, src, OF_SUM, &opts, &err) == OF_OK, "apart at %d: %s", start,
                  err.message);
        } else {
            refuse(into, src, OF_SUM, NULL, OF_ERR_VALUE, "overlap", "into overlaps its source");
        }
        of_array_release(into);
    }
    of_array *bytes = wrap(OF_BOOL, 2, column, NULL, (char *)memory + 8 * 4 + 3, 0);
    refuse(bytes, src, OF_ANY, NULL, OF_ERR_VALUE, "overlap", "into overlaps with another type");
    of_array_release(bytes);
    of_array_release(src);
    /* The second factor counts as a source. */
    float other[16] = {0};
    of_array *first = wrap(OF_F32, 2, square, NULL, other, 0);
    of_array *second = wrap(OF_F32, 2, square, stride_two, memory, 0);
    of_array *into = wrap(OF_F32, 2, column, NULL, memory + 20, 0);
    of_reduce_opts product = {.map = OF_MAP_PRODUCT, .second = second};
    refuse(into, first, OF_SUM, &product, OF_ERR_VALUE, "overlap",
           "into overlaps the second factor");
    of_array_release(into);
    of_array_release(second);
    of_array_release(first);
    checks_finish();
}

static void test_refusals(void **state) {
    (void)state;
    static const int64_t square[] = {4, 5}, column[] = {4, 1}, wrong[] = {5, 1}, row[] = {1, 4},
                         cube[] = {4, 1, 1}, cube2[] = {4, 1, 2}, four[] = {4}, five[] = {5};
    float memory[20] = {1}, target[40] = {2};
    of_array *src = wrap(OF_F32, 2, square, NULL, memory, 0);
    static const struct {
        int ndim;
        const int64_t *shape;
        bool allowed;
    } cases[] = {{2, column, true}, {2, wrong, false}, {2, row, false},  {3, cube, false},
                 {3, cube2, false}, {1, four, true},   {1, five, false}, {0, NULL, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        of_array *into = wrap(OF_F32, cases[i].ndim, cases[i].shape, NULL, target, 0);
        of_error err = {0};
        if (cases[i].allowed)
            check(of_reduce_into(into, src, OF_SUM, NULL, &err) == OF_OK, "%s", err.message);
        else
            refuse(into, src, OF_SUM, NULL, OF_ERR_VALUE, "into", "a shape that does not match");
        of_array_release(into);
    }
    of_array *into = wrap(OF_F32, 2, column, NULL, target, OF_WRAP_READ_ONLY);
    refuse(into, src, OF_SUM, NULL, OF_ERR_VALUE, "read-only", "a read-only target");
    of_array_release(into);

    static const int64_t nowhere[] = {0, 0};
    into = wrap(OF_F32, 2, column, nowhere, target, 0);
    refuse(into, src, OF_SUM, NULL, OF_ERR_VALUE, "into has strides", "rows in one place");
    of_array_release(into);

    into = wrap(OF_F32, 2, column, NULL, target, 0);
    of_reduce_opts opts = {.dims = OF_DIMS(1)};
    refuse(into, src, OF_SUM, &opts, OF_ERR_VALUE, "dims", "dims");
    opts = (of_reduce_opts){.keepdims = true};
    refuse(into, src, OF_SUM, &opts, OF_ERR_VALUE, "keepdims", "keepdims");
    of_scalar init = of_scalar_f64(1);
    opts = (of_reduce_opts){.init = &init};
    refuse(into, src, OF_MEAN, &opts, OF_ERR_VALUE, "init", "init of a mean");
    opts = (of_reduce_opts){.acctype = OF_I32};
    refuse(into, src, OF_SUM, &opts, OF_ERR_TYPE, "acctype", "an integer acctype for floats");
    of_error err = {0};
    check_failure(of_reduce_into(into, src, OF_OPERATION_END, NULL, &err), OF_ERR_VALUE, &err,
                  "operation", "no operation");
    of_array_release(into);
    of_array_release(src);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folds),        cmocka_unit_test(test_overwriting),
        cmocka_unit_test(test_empty_slices), cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
