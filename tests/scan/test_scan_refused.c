/* Scans that are refused: which status, which words, and that nothing is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/scan.h>

#include "core/alloc.h"

static int32_t memory[64];
static const int64_t six[] = {6}, two_by_three[] = {2, 3}, three_by_two[] = {3, 2};

static of_array *wrap(of_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides,
                      int first, unsigned flags) {
    of_array *array = NULL;
    of_status status = of_array_wrap(NULL, dtype, ndim, shape, strides, memory + first, flags, NULL,
                                     NULL, &array, NULL);
    assert_int_equal(status, OF_OK);
    return array;
}

typedef of_status (*scan_function)(const of_array *, of_array *, const of_scan_opts *, of_scalar *,
                                   of_error *);

/* Takes src and dst over. */
static void check_refused(of_array *src, of_array *dst, const of_scan_opts *opts, bool wants_total,
                          of_status expected, const char *words) {
    static const scan_function functions[] = {of_inclusive_scan, of_exclusive_scan};
    int32_t before[64];
    memcpy(before, memory, sizeof before);
    for (int i = 0; i < 2; i++) {
        of_error err = {0};
        of_scalar total = {.dtype = OF_U8, .as.bits = 77};
        of_status status = functions[i](src, dst, opts, wants_total ? &total : NULL, &err);
        if (strstr(err.message, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.message, words);
        assert_int_equal(status, expected);
        assert_int_equal(err.code, expected);
        assert_memory_equal(memory, before, sizeof before);
        assert_true(total.dtype == OF_U8 && total.as.bits == 77);
        assert_int_equal(functions[i](src, dst, opts, wants_total ? &total : NULL, NULL), expected);
    }
    of_array_release(src);
    of_array_release(dst);
}

static of_array *source(void) {
    return wrap(OF_I32, 1, six, NULL, 0, 0);
}

static of_array *target(void) {
    return wrap(OF_I32, 1, six, NULL, 32, 0);
}

static void test_operations_and_types(void **state) {
    (void)state;
    static const of_operation others[] = {OF_MEAN, OF_ARGMIN, OF_ANY, OF_OPERATION_END, -1};
    for (int i = 0; i < 5; i++)
        check_refused(source(), target(), &(of_scan_opts){.operation = others[i]}, true,
                      OF_ERR_VALUE, "a scan takes sum, prod, min or max");
    check_refused(source(), wrap(OF_BOOL, 1, six, NULL, 32, 0), NULL, true, OF_ERR_TYPE,
                  "dst has type bool, which cannot hold a sum");
    check_refused(source(), wrap(OF_BOOL, 1, six, NULL, 32, 0),
                  &(of_scan_opts){.operation = OF_PROD}, true, OF_ERR_TYPE, "cannot hold a prod");
    check_refused(source(), target(), &(of_scan_opts){.init = &(of_scalar){.dtype = 99}}, true,
                  OF_ERR_TYPE, "init has type 99");
    check_refused(source(), target(), &(of_scan_opts){.init = &(of_scalar){.dtype = 0}}, true,
                  OF_ERR_TYPE, "init has type 0");
}

static void test_counts(void **state) {
    (void)state;
    static const int64_t five[] = {5};
    check_refused(source(), target(), &(of_scan_opts){.n = &(int64_t){-1}}, true, OF_ERR_VALUE,
                  "n is -1, which is negative");
    check_refused(source(), target(), &(of_scan_opts){.n = &(int64_t){7}}, true, OF_ERR_VALUE,
                  "n is 7, but the size of src is 6");
    check_refused(source(), wrap(OF_I32, 1, five, NULL, 32, 0), &(of_scan_opts){.n = six}, true,
                  OF_ERR_VALUE, "n is 6, but the size of dst is 5");
    check_refused(source(), wrap(OF_I32, 1, five, NULL, 32, 0), NULL, true, OF_ERR_VALUE,
                  "src has 6 elements, but dst has room for 5");
}

static void test_dims(void **state) {
    (void)state;
    of_scan_opts along = {.dim = &(int){1}};
    check_refused(wrap(OF_I32, 2, two_by_three, NULL, 0, 0),
                  wrap(OF_I32, 2, three_by_two, NULL, 32, 0), &along, false, OF_ERR_VALUE,
                  "dst has shape (3, 2), but src has (2, 3)");
    check_refused(wrap(OF_I32, 2, two_by_three, NULL, 0, 0), target(), &along, false, OF_ERR_VALUE,
                  "dst has shape (6,), but src has (2, 3)");
    check_refused(wrap(OF_I32, 2, two_by_three, NULL, 0, 0),
                  wrap(OF_I32, 2, two_by_three, NULL, 32, 0), &along, true, OF_ERR_VALUE,
                  "total is given, but dim 1 has one for every row");
    along.dim = &(int){2};
    check_refused(wrap(OF_I32, 2, two_by_three, NULL, 0, 0),
                  wrap(OF_I32, 2, two_by_three, NULL, 32, 0), &along, false, OF_ERR_VALUE,
                  "dim 2 is out of range for an array of 2 dimensions");
    along.dim = &(int){-2};
    along.n = &(int64_t){3};
    check_refused(wrap(OF_I32, 2, two_by_three, NULL, 0, 0),
                  wrap(OF_I32, 2, two_by_three, NULL, 32, 0), &along, false, OF_ERR_VALUE,
                  "n is 3, but the size of src along dim is 2");
}

static void test_memory(void **state) {
    (void)state;
    static const int64_t none[] = {0}, four[] = {4}, eight[] = {8}, overlapping[] = {4, 4};
    static const int64_t transposed[] = {4, 8};
    check_refused(source(), wrap(OF_I32, 1, six, NULL, 32, OF_WRAP_READ_ONLY), NULL, true,
                  OF_ERR_VALUE, "dst is read-only");
    check_refused(source(), wrap(OF_I32, 1, six, none, 32, 0), NULL, true, OF_ERR_VALUE,
                  "dst has strides that lead to one element twice");
    check_refused(wrap(OF_I32, 2, two_by_three, NULL, 0, 0),
                  wrap(OF_I32, 2, two_by_three, overlapping, 32, 0), NULL, true, OF_ERR_VALUE,
                  "one element twice");
    check_refused(source(), wrap(OF_I32, 1, six, NULL, 3, 0), NULL, true, OF_ERR_VALUE,
                  "dst overlaps src");
    check_refused(source(), wrap(OF_U32, 1, six, NULL, 0, 0), NULL, true, OF_ERR_VALUE,
                  "dst overlaps src");
    check_refused(source(), wrap(OF_I32, 1, six, eight, 0, 0), NULL, true, OF_ERR_VALUE,
                  "dst overlaps src");
    check_refused(wrap(OF_I32, 2, three_by_two, NULL, 0, 0),
                  wrap(OF_I32, 2, three_by_two, transposed, 0, 0), NULL, true, OF_ERR_VALUE,
                  "one element twice");
    check_refused(source(), wrap(OF_I64, 1, six, eight, 4, 0), NULL, true, OF_ERR_VALUE,
                  "dst overlaps src");
    assert_int_equal(of_inclusive_scan(NULL, NULL, NULL, NULL, NULL), OF_ERR_VALUE);
    of_array *array = wrap(OF_I32, 1, four, NULL, 0, 0);
    assert_int_equal(of_inclusive_scan(array, NULL, NULL, NULL, NULL), OF_ERR_VALUE);
    assert_int_equal(of_exclusive_scan(NULL, array, NULL, NULL, NULL), OF_ERR_VALUE);
    of_array_release(array);
}

/* Only lanes side by side need memory of their own. */
static void test_failing_allocation(void **state) {
    (void)state;
    static const int64_t shape[] = {4, 8};
    of_array *src = wrap(OF_I32, 2, shape, NULL, 0, 0), *dst = wrap(OF_F32, 2, shape, NULL, 32, 0);
    int32_t before[64];
    memcpy(before, memory, sizeof before);
    of_error err = {0};
    of__alloc_fail_after(0);
    of_status status = of_inclusive_scan(src, dst, &(of_scan_opts){.dim = &(int){0}}, NULL, &err);
    of__alloc_fail_after(-1);
    assert_int_equal(status, OF_ERR_MEMORY);
    assert_string_equal(err.message, "no memory for a scan");
    assert_memory_equal(memory, before, sizeof before);
    of__alloc_fail_after(0);
    assert_int_equal(of_inclusive_scan(src, dst, &(of_scan_opts){.dim = &(int){1}}, NULL, &err),
                     OF_OK);
    assert_int_equal(of_exclusive_scan(src, dst, NULL, NULL, &err), OF_OK);
    of__alloc_fail_after(-1);
    assert_int_equal(of_inclusive_scan(src, dst, &(of_scan_opts){.dim = &(int){0}}, NULL, &err),
                     OF_OK);
    of_array_release(src);
    of_array_release(dst);
}

static int fill_memory(void **state) {
    (void)state;
    for (int i = 0; i < 64; i++) memory[i] = 1000003 * (i + 1);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations_and_types),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_dims),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_failing_allocation),
    };
    return cmocka_run_group_tests(tests, fill_memory, NULL);
}
