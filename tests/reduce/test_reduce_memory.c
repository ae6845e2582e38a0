/* Every allocation fails once: the call says so, changes nothing, loses nothing, and then works. */
#include <string.h>

#include <onefold/exact.h>

#include "core/alloc.h"
#include "reduce/harness.h"

/* One call on fresh arguments. It looks itself at what must not have changed when it fails. */
typedef of_status (*attempt)(of_error *err);

/* Fails allocation 0, 1, 2, ... until the call gets through. */
static void fail_each(attempt call, const char *what) {
    int64_t allocations = 0;
    for (;; allocations++) {
        of_error err = {0};
        of__alloc_fail_after(allocations);
        of_status status = call(&err);
        of__alloc_fail_after(-1);
        if (status == OF_OK) break;
        check_failure(status, OF_ERR_MEMORY, &err, "", what);
        if (allocations > 1000) fail_msg("%s never succeeds", what);
    }
    check(true, "%s", what);
}

static of_array *array, *second, *strided, *into;
static of_scalar before;

static int setup(void **state) {
    (void)state;
    static const int64_t shape[] = {500, 300}, column[] = {500, 1};
    array = array_make(OF_F32, DATA_raw, 1, LAYOUT_contiguous, 2, shape);
    second = array_make(OF_F32, DATA_normal, 2, LAYOUT_contiguous, 2, shape);
    strided = array_make(OF_F64, DATA_raw, 1, LAYOUT_transposed, 2, shape);
    into = array_make(OF_F32, DATA_zero, 1, LAYOUT_contiguous, 2, column);
    before = of_scalar_i64(4242);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    of_array_release(array);
    of_array_release(second);
    of_array_release(strided);
    of_array_release(into);
    return 0;
}

static of_operation operation;
static of_reduce_opts opts;

static of_status scalar(const of_array *src, of_error *err) {
    of_scalar out = before;
    of_status status = of_reduce_scalar(src, operation, &opts, &out, err);
    if (status != OF_OK)
        check_scalar(out, before, "%s failed and wrote", operation_names[operation]);
    return status;
}

static of_status reduce_contiguous(of_error *err) {
    return scalar(array, err);
}

static of_status reduce_strided(of_error *err) {
    return scalar(strided, err);
}

static of_status dims(const of_array *src, of_error *err) {
    of_array *out = NULL;
    of_status status = of_reduce(src, operation, &opts, &out, err);
    if (status != OF_OK) check(!out, "%s failed and made an array", operation_names[operation]);
    of_array_release(out);
    return status;
}

static of_status reduce_dims(of_error *err) {
    return dims(array, err);
}

static of_status reduce_dims_strided(of_error *err) {
    return dims(strided, err);
}

static of_status reduce_into(of_error *err) {
    memset(of_array_mutable_data(into), 0, 500 * sizeof(float));
    of_status status = of_reduce_into(into, array, operation, &opts, err);
    for (int64_t i = 0; status != OF_OK && i < 500; i++)
        check(((const float *)of_array_data(into))[i] == 0, "%s failed and wrote",
              operation_names[operation]);
    return status;
}

static of_status workspace(of_error *err) {
    of_workspace *made = NULL;
    of_status status = of_workspace_create(array, operation, &opts, NULL, &made, err);
    if (status != OF_OK) check(!made, "a failed workspace was returned");
    of_workspace_free(made);
    return status;
}

static of_status in_pieces(of_error *err) {
    of_reducer *reducer = NULL;
    of_scalar out = before;
    of_status status = of_reducer_create(operation, OF_F32, &opts, &reducer, err);
    if (status != OF_OK) {
        check(!reducer, "a failed reducer was returned");
        return status;
    }
    status = of_reducer_update(reducer, array, err);
    of_status result = of_reducer_result(reducer, &out, status == OF_OK ? err : NULL);
    of_reducer_free(reducer);
    return status == OF_OK ? result : status;
}

/* A failed update leaves the reducer as it was: the answer after trying again is that of the
 * pieces. */
static void test_update_again(void **state) {
    (void)state;
    static const of_operation operations[] = {OF_SUM, OF_PROD, OF_ARGMAX, OF_MIN};
    for (int o = 0; o < 4; o++) {
        of_status status = OF_ERR_MEMORY;
        for (int64_t countdown = 0; status != OF_OK; countdown++) {
            of_reducer *reducer = NULL;
            of_scalar out = before, expected = {0};
            assert_int_equal(of_reducer_create(operations[o], OF_F32, NULL, &reducer, NULL), OF_OK);
            assert_int_equal(of_reducer_update(reducer, second, NULL), OF_OK);
            of__alloc_fail_after(countdown);
            status = of_reducer_update(reducer, array, NULL);
            of__alloc_fail_after(-1);
            if (status != OF_OK) {
                check(status == OF_ERR_MEMORY, "status %s", of_status_name(status));
                assert_int_equal(of_reducer_result(reducer, &out, NULL), OF_OK);
                expected_of_slice(second, WHOLE, 0, operations[o], NULL, OF_DTYPE_NONE, &expected);
                check_scalar(out, expected, "%s after a failed update",
                             operation_names[operations[o]]);
                assert_int_equal(of_reducer_update(reducer, array, NULL), OF_OK);
            }
            assert_int_equal(of_reducer_result(reducer, &out, NULL), OF_OK);
            of_reducer_free(reducer);
            assert_int_equal(of_reducer_create(operations[o], OF_F32, NULL, &reducer, NULL), OF_OK);
            assert_int_equal(of_reducer_update(reducer, second, NULL), OF_OK);
            assert_int_equal(of_reducer_update(reducer, array, NULL), OF_OK);
            assert_int_equal(of_reducer_result(reducer, &expected, NULL), OF_OK);
            of_reducer_free(reducer);
            check_scalar(out, expected, "%s in pieces after a failure",
                         operation_names[operations[o]]);
        }
    }
    checks_finish();
}

static of_status summarize(of_error *err) {
    of_summarizer *summarizer = NULL;
    of_status status = of_summarizer_create(OF_F32, &summarizer, err);
    if (status != OF_OK) return status;
    status = of_summarizer_update(summarizer, array, err);
    of_summary summary;
    of_summarizer_result(summarizer, &summary);
    check(summary.count == (status == OF_OK ? of_array_size(array) : 0), "count %lld",
          (long long)summary.count);
    of_summarizer_free(summarizer);
    return status;
}

static of_status accumulate(of_error *err) {
    of_exact *exact = NULL;
    of_status status = of_exact_create(&exact, err);
    if (status != OF_OK) {
        check(!exact, "a failed accumulator was returned");
        return status;
    }
    status = of_exact_add_array(exact, strided, err);
    check(of_exact_count(exact) == (status == OF_OK ? of_array_size(strided) : 0), "count %lld",
          (long long)of_exact_count(exact));
    of_scalar out = {0};
    assert_int_equal(of_exact_round(exact, OF_F64, &out, NULL), OF_OK);
    if (status != OF_OK) check_scalar(out, of_scalar_f64(0), "a failed accumulator changed");
    of_exact_free(exact);
    return status;
}

static void each_call(void *context) {
    (void)context;
    static const struct {
        attempt call;
        const char *name;
        bool along_dims, into;
    } calls[] = {
        {reduce_contiguous, "of_reduce_scalar", false, false},
        {reduce_strided, "of_reduce_scalar, strided", false, false},
        {reduce_dims, "of_reduce", true, false},
        {reduce_dims_strided, "of_reduce, strided", true, false},
        {reduce_into, "of_reduce_into", false, true},
        {workspace, "of_workspace_create", true, false},
        {in_pieces, "of_reducer", false, false},
    };
    static const of_operation operations[] = {OF_SUM, OF_PROD, OF_MEAN, OF_ARGMAX, OF_MIN, OF_ANY};
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++)
        for (int o = 0; o < 6; o++) {
            operation = operations[o];
            opts = (of_reduce_opts){.overwrite = calls[c].into};
            if (calls[c].into && operation == OF_ARGMAX) continue; /* needs an into of i64 */
            for (int axis = 0; axis < (calls[c].along_dims ? 2 : 1); axis++) {
                of_dims one = OF_DIMS(axis);
                if (calls[c].along_dims) opts.dims = one;
                fail_each(calls[c].call, calls[c].name);
            }
        }
    operation = OF_SUM;
    opts = (of_reduce_opts){.map = OF_MAP_PRODUCT, .second = second};
    fail_each(reduce_contiguous, "of_reduce_scalar of products");
    fail_each(summarize, "of_summarizer");
    fail_each(accumulate, "of_exact");
}

static void test_failing_allocations(void **state) {
    (void)state;
    assert_int_equal(of_threads_set(3, NULL), OF_OK);
    each_call(NULL);
    assert_int_equal(of_threads_set(1, NULL), OF_OK);
    each_call(NULL);
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
    checks_finish();
}

/* With a workspace a call allocates nothing but its result. */
static void test_workspaces_allocate_nothing(void **state) {
    (void)state;
    static const of_operation operations[] = {OF_SUM, OF_PROD, OF_MEAN, OF_ARGMAX, OF_MIN, OF_ANY};
    for (int o = 0; o < 6; o++)
        for (int i = 0; i < 2; i++) {
            const of_array *src = i ? strided : array;
            of_workspace *made = NULL;
            of_scalar out = {0};
            assert_int_equal(of_workspace_create(src, operations[o], NULL, NULL, &made, NULL),
                             OF_OK);
            opts = (of_reduce_opts){.workspace = made};
            of__alloc_fail_after(0);
            of_error err = {0};
            of_status status = of_reduce_scalar(src, operations[o], &opts, &out, &err);
            of__alloc_fail_after(-1);
            check(status == OF_OK, "%s allocates beside its workspace: %s",
                  operation_names[operations[o]], err.message);
            of_workspace_free(made);
        }
    opts = (of_reduce_opts){.overwrite = true};
    of_workspace *made = NULL;
    assert_int_equal(of_workspace_create(array, OF_SUM, &opts, into, &made, NULL), OF_OK);
    opts.workspace = made;
    of__alloc_fail_after(0);
    of_error err = {0};
    of_status status = of_reduce_into(into, array, OF_SUM, &opts, &err);
    of__alloc_fail_after(-1);
    check(status == OF_OK, "of_reduce_into allocates beside its workspace: %s", err.message);
    of_workspace_free(made);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_failing_allocations, setup, teardown),
        cmocka_unit_test_setup_teardown(test_update_again, setup, teardown),
        cmocka_unit_test_setup_teardown(test_workspaces_allocate_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
