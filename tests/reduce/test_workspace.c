/* Workspaces: the same bits, any number of times; one made for another call is refused. */
#include <string.h>

#include "reduce/harness.h"

static void refuse(const of_array *src, of_operation operation, const of_reduce_opts *opts,
                   const char *what) {
    of_error err = {0};
    of_array *array = NULL;
    check_failure(of_reduce(src, operation, opts, &array, &err), OF_ERR_VALUE, &err, "workspace",
                  what);
    check(!array, "%s: an array was made", what);
}

static of_workspace *make_workspace(const of_array *src, of_operation operation,
                                    const of_reduce_opts *opts, const of_array *into) {
    of_workspace *workspace = NULL;
    of_error err = {0};
    if (of_workspace_create(src, operation, opts, into, &workspace, &err) != OF_OK)
        fail_msg("%s", err.message);
    check(of_workspace_size(workspace) >= 0, "a workspace has a size");
    return workspace;
}

/* It serves any number of calls with sources of the same kind, with the same bits. */
static void use_workspaces(void *context) {
    (void)context;
    static const int64_t shape[] = {300, 41};
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype += 2)
        for (of_operation operation = 0; operation < FIRST_OF_TWO; operation++)
            for (int axis = -1; axis < 2; axis++) {
                of_reduce_opts opts = {0};
                of_dims one = OF_DIMS(axis);
                if (axis >= 0) opts.dims = one;
                of_array *src = array_make(dtype, ref_is_float(dtype) ? DATA_raw : DATA_odd, 1,
                                           LAYOUT_contiguous, 2, shape);
                of_array *other = array_make(dtype, ref_is_float(dtype) ? DATA_nan : DATA_raw, 2,
                                             LAYOUT_contiguous, 2, shape);
                of_workspace *workspace = make_workspace(src, operation, &opts, NULL);
                const of_array *sources[] = {src, other, src};
                for (int i = 0; i < 3; i++) {
                    of_array *plain = NULL, *with = NULL;
                    of_error err = {0};
                    opts.workspace = NULL;
                    assert_int_equal(of_reduce(sources[i], operation, &opts, &plain, NULL), OF_OK);
                    opts.workspace = workspace;
                    check(of_reduce(sources[i], operation, &opts, &with, &err) == OF_OK, "%s",
                          err.message);
                    size_t bytes = (size_t)of_array_nbytes(plain);
                    check(with && memcmp(of_array_data(plain), of_array_data(with), bytes) == 0,
                          "%s %s over %d with a workspace", operation_names[operation],
                          of_dtype_name(dtype), axis);
                    of_array_release(plain);
                    of_array_release(with);
                }
                of_workspace_free(workspace);
                of_array_release(src);
                of_array_release(other);
            }
}

static void test_workspaces(void **state) {
    (void)state;
    each_configuration(use_workspaces, NULL);
    checks_finish();
}

static void test_wrong_workspaces(void **state) {
    (void)state;
    static const int64_t shape[] = {30, 40}, turned[] = {40, 30};
    of_array *src = array_make(OF_F32, DATA_normal, 1, LAYOUT_contiguous, 2, shape);
    of_array *other_shape = array_make(OF_F32, DATA_normal, 1, LAYOUT_contiguous, 2, turned);
    of_array *other_type = array_make(OF_I32, DATA_normal, 1, LAYOUT_contiguous, 2, shape);
    of_array *other_strides = array_make(OF_F32, DATA_normal, 1, LAYOUT_transposed, 2, shape);
    of_reduce_opts rows = {.dims = OF_DIMS(1)};
    of_workspace *workspace = make_workspace(src, OF_SUM, &rows, NULL);
    of_reduce_opts with = rows;
    with.workspace = workspace;
    refuse(other_shape, OF_SUM, &with, "another shape");
    refuse(other_type, OF_SUM, &with, "another type");
    refuse(other_strides, OF_SUM, &with, "other strides");
    refuse(src, OF_MEAN, &with, "another operation");
    with.dims = (of_dims)OF_DIMS(0);
    refuse(src, OF_SUM, &with, "other dims");
    with.dims = rows.dims;
    of_array *out = NULL;
    of_error err = {0};
    check(of_reduce(src, OF_SUM, &with, &out, &err) == OF_OK, "the right call: %s", err.message);
    of_array_release(out);
    of_workspace_free(workspace);
    of_workspace_free(NULL);

    /* Made for a call that would fail: fails alike. */
    workspace = NULL;
    of_reduce_opts wrong = {.acctype = OF_I32};
    check_failure(of_workspace_create(src, OF_SUM, &wrong, NULL, &workspace, &err), OF_ERR_TYPE,
                  &err, "acctype", "a workspace for a wrong call");
    wrong = (of_reduce_opts){.dims = OF_DIMS(5)};
    check_failure(of_workspace_create(src, OF_SUM, &wrong, NULL, &workspace, &err), OF_ERR_VALUE,
                  &err, "5", "a workspace for wrong dims");
    check(!workspace, "an error made a workspace");
    of_array_release(src);
    of_array_release(other_shape);
    of_array_release(other_type);
    of_array_release(other_strides);
    checks_finish();
}

static void test_workspace_for_reduce_into(void **state) {
    (void)state;
    static const int64_t shape[] = {50, 60}, column[] = {50, 1};
    of_array *src = array_make(OF_F64, DATA_raw, 1, LAYOUT_contiguous, 2, shape);
    of_array *into = array_make(OF_F64, DATA_zero, 1, LAYOUT_contiguous, 2, column), *sums = NULL;
    of_reduce_opts opts = {.overwrite = true};
    of_error err = {0};
    of_workspace *workspace = make_workspace(src, OF_SUM, &opts, into);
    opts.workspace = workspace;
    assert_int_equal(of_reduce(src, OF_SUM, &(of_reduce_opts){.dims = OF_DIMS(1)}, &sums, NULL),
                     OF_OK);
    for (int i = 0; i < 2; i++) {
        check(of_reduce_into(into, src, OF_SUM, &opts, &err) == OF_OK, "%s", err.message);
        check(memcmp(of_array_data(into), of_array_data(sums), (size_t)of_array_nbytes(into)) == 0,
              "call %d", i);
    }
    refuse(src, OF_SUM, &(of_reduce_opts){.workspace = workspace}, "one for of_reduce_into");
    of_workspace_free(workspace);
    of_array_release(sums);
    of_array_release(into);
    of_array_release(src);
    checks_finish();
}

/* Whether the old elements are replaced or folded into decides how much memory is needed. */
static void test_workspace_for_other_options(void **state) {
    (void)state;
    static const int64_t shape[] = {50, 60}, row[] = {1, 60};
    of_array *src = array_make(OF_F64, DATA_raw, 1, LAYOUT_contiguous, 2, shape);
    of_array *into = array_make(OF_F64, DATA_zero, 1, LAYOUT_contiguous, 2, row);
    of_scalar init = of_scalar_f64(2);
    const of_reduce_opts kinds[] = {{.overwrite = false}, {.overwrite = true}, {.init = &init}};
    for (int made = 0; made < 3; made++) {
        of_workspace *workspace = make_workspace(src, OF_SUM, &kinds[made], into);
        for (int used = 0; used < 3; used++) {
            of_reduce_opts opts = kinds[used];
            of_error err = {0};
            of_workspace *needed = make_workspace(src, OF_SUM, &opts, into);
            bool fits = of_workspace_size(needed) <= of_workspace_size(workspace);
            opts.workspace = workspace;
            of_status status = of_reduce_into(into, src, OF_SUM, &opts, &err);
            if (fits)
                check(status == OF_OK, "made for %d, used for %d: %s", made, used, err.message);
            else
                check_failure(status, OF_ERR_VALUE, &err, "workspace", "one that is too small");
            of_workspace_free(needed);
        }
        of_workspace_free(workspace);
    }
    of_array_release(into);
    of_array_release(src);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workspaces),
        cmocka_unit_test(test_wrong_workspaces),
        cmocka_unit_test(test_workspace_for_reduce_into),
        cmocka_unit_test(test_workspace_for_other_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
