/* The caller's rounding mode and flushing neither change a scan nor are changed by it. */
#include <fenv.h>
#include <string.h>

#include <onefold/copy.h>
#include <onefold/scan.h>

#include "reduce/harness.h"

static const of_dtype floats[] = {OF_F32, OF_F64, OF_BF16, OF_F16};
static const of_operation operations[] = {OF_SUM, OF_PROD, OF_MAX};
static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static const data_kind kinds[] = {DATA_normal, DATA_binades_58, DATA_subnormal, DATA_tie_above};

static void scan_under(int mode, const of_array *src, of_array *dst, const of_scan_opts *opts,
                       of_scalar *total) {
    fesetround(mode);
    of_status status = of_inclusive_scan(src, dst, opts, total, NULL);
    int after = fegetround();
    fesetround(FE_TONEAREST);
    check(status == OF_OK && after == mode, "status %d, mode %d became %d", (int)status, mode,
          after);
}

/* Flat with a total, down columns, and along rows. */
static void test_rounding_modes(void **state) {
    (void)state;
    static const int64_t shape[] = {60, 35};
    int dims[] = {0, 1};
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 4; k++)
            for (int o = 0; o < 9; o++) {
                of_array *src = array_make(floats[t], kinds[k], 8, LAYOUT_contiguous, 2, shape);
                of_array *dst = NULL;
                assert_int_equal(of_array_create(NULL, floats[t], 2, shape, &dst, NULL), OF_OK);
                of_scan_opts opts = {.operation = operations[o % 3]};
                opts.dim = o < 3 ? NULL : &dims[o / 3 - 1];
                char expected[60 * 35 * 8];
                of_scalar first = {0}, total = {0};
                for (int mode = 0; mode < 4; mode++) {
                    scan_under(modes[mode], src, dst, &opts, o < 3 ? &total : NULL);
                    const void *written = of_array_data(dst);
                    size_t bytes = (size_t)of_array_nbytes(dst);
                    if (mode == 0) {
                        memcpy(expected, written, bytes);
                        first = total;
                    }
                    check(memcmp(expected, written, bytes) == 0 && total.as.bits == first.as.bits,
                          "%s of %s %s along %d, mode %d", of_operation_name(opts.operation),
                          of_dtype_name(floats[t]), data_kind_name(kinds[k]), o / 3 - 1, mode);
                }
                of_array_release(src);
                of_array_release(dst);
            }
    checks_finish();
}

/* Copies round too. */
static void test_copies(void **state) {
    (void)state;
    int64_t n = 400;
    for (int t = 0; t < 4; t++) {
        of_array *src = array_make(OF_F64, DATA_normal, 9, LAYOUT_step_2, 1, &n), *dst = NULL;
        assert_int_equal(of_array_create(NULL, floats[t], 1, &n, &dst, NULL), OF_OK);
        char expected[400 * 8];
        for (int mode = 0; mode < 4; mode++) {
            fesetround(modes[mode]);
            of_status status = of_copy(src, dst, n, NULL);
            fesetround(FE_TONEAREST);
            const void *written = of_array_data(dst);
            size_t bytes = (size_t)of_array_nbytes(dst);
            if (mode == 0) memcpy(expected, written, bytes);
            check(status == OF_OK && memcmp(expected, written, bytes) == 0, "copy to %s, mode %d",
                  of_dtype_name(floats[t]), mode);
        }
        of_array_release(src);
        of_array_release(dst);
    }
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounding_modes),
        cmocka_unit_test(test_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
