/* The caller's floating-point environment neither changes a result nor is changed. */

#include <onefold/exact.h>

#include "reduce/harness.h"

/* The control and status word, read and written outside of what compilers know of. */
#if defined(__x86_64__)

typedef uint32_t word;

static word read_word(void) {
    word value;
    __asm__ volatile("stmxcsr %0" : "=m"(value)::"memory");
    return value;
}

static void write_word(word value) {
    __asm__ volatile("ldmxcsr %0" ::"m"(value) : "memory");
}

static const struct {
    const char *name;
    word value;
} environments[] = {
    {"default", 0x1f80},
    {"sticky flags", 0x1fbf},
    {"downward", 0x3f80},
    {"upward", 0x5f80},
    {"toward zero", 0x7f80},
    {"flush to zero", 0x9f80},
    {"subnormals are zero", 0x1fc0},
    {"both, upward, sticky", 0xdfed},
    {"unmasked", 0x0000},
    {"unmasked, toward zero, both flushes", 0xe040},
    {"unmasked inexact only", 0x0f80},
    {"unmasked invalid only", 0x1f00},
};

#elif defined(__aarch64__)

typedef uint64_t word;

static word read_word(void) {
    word value;
    __asm__ volatile("mrs %0, fpcr" : "=r"(value)::"memory");
    return value;
}

static void write_word(word value) {
    __asm__ volatile("msr fpcr, %0" ::"r"(value) : "memory");
}

static const struct {
    const char *name;
    word value;
} environments[] = {
    {"default", 0},           {"upward", 1 << 22},        {"downward", 2 << 22},
    {"toward zero", 3 << 22}, {"flush to zero", 1 << 24},
};

#endif

enum { ENVIRONMENT_COUNT = sizeof environments / sizeof environments[0] };

/* Everything that is measured while the environment is strange; nothing may compute with floats
 * meanwhile. */
typedef struct result {
    of_status status;
    of_scalar value;
    word after;
} result;

static result reduce_in(word environment, const of_array *array, of_operation operation,
                        const of_reduce_opts *opts) {
    result r = {.status = OF_OK};
    word before = read_word();
    write_word(environment);
    r.status = of_reduce_scalar(array, operation, opts, &r.value, NULL);
    r.after = read_word();
    write_word(before);
    return r;
}

static void check_result(result r, of_scalar expected, int environment, of_operation operation,
                         const of_array *array, const char *about) {
    const char *name = environments[environment].name;
    check(r.status == OF_OK, "%s under %s: status %d", operation_names[operation], name,
          (int)r.status);
    check_scalar(r.value, expected, "%s of %s %s n=%lld under %s", operation_names[operation],
                 of_dtype_name(of_array_dtype(array)), about, (long long)of_array_size(array),
                 name);
    check(r.after == environments[environment].value, "%s of %s %s under %s left %llx",
          operation_names[operation], of_dtype_name(of_array_dtype(array)), about, name,
          (unsigned long long)r.after);
}

static const of_dtype dtypes[] = {OF_F16, OF_BF16, OF_F32, OF_F64, OF_I32, OF_U64};
static const data_kind float_kinds[] = {
    DATA_normal, DATA_raw,       DATA_subnormal, DATA_negative_subnormal,
    DATA_nan,    DATA_tie_above, DATA_largest,   DATA_binades_174};

static void reduce_everywhere(void *context) {
    (void)context;
    static const int64_t sizes[] = {1, 17, 2000, 70001};
    for (int t = 0; t < 6; t++)
        for (int k = 0; k < (ref_is_float(dtypes[t]) ? 8 : 1); k++)
            for (int s = 0; s < 4; s++) {
                if (sizes[s] > 10000 && (t + k) % 8) continue;
                data_kind kind = ref_is_float(dtypes[t]) ? float_kinds[k] : DATA_raw;
                of_array *array = array_make(dtypes[t], kind, 2, LAYOUT_contiguous, 1, &sizes[s]);
                for (of_operation operation = 0; operation < FIRST_OF_TWO; operation++) {
                    of_scalar expected = {0};
                    expected_of_slice(array, WHOLE, 0, operation, NULL, OF_DTYPE_NONE, &expected);
                    for (int e = 0; e < ENVIRONMENT_COUNT; e++)
                        check_result(reduce_in(environments[e].value, array, operation, NULL),
                                     expected, e, operation, array, data_kind_name(kind));
                }
                of_array_release(array);
            }
}

static void test_whole_arrays(void **state) {
    (void)state;
    each_configuration(reduce_everywhere, NULL);
    checks_finish();
}

static void test_options(void **state) {
    (void)state;
    const of_scalar init = of_scalar_f64(0x1p-1070);
    int64_t size = 1500;
    for (int t = 0; t < 6; t++)
        for (of_map map = OF_MAP_NONE; map <= OF_MAP_SQUARE; map++)
            for (int k = 0; k < 4; k++) {
                data_kind kind = ref_is_float(dtypes[t]) ? float_kinds[k] : DATA_raw;
                of_array *array = array_make(dtypes[t], kind, 2, LAYOUT_step_2, 1, &size);
                of_reduce_opts opts = {.acctype = OF_F64, .init = &init, .map = map};
                for (of_operation operation = OF_SUM; operation <= OF_PROD;
                     operation += OF_PROD - OF_SUM) {
                    of_scalar expected = {0};
                    expected_of_slice(array, WHOLE, 0, operation, &opts, OF_DTYPE_NONE, &expected);
                    for (int e = 0; e < ENVIRONMENT_COUNT; e++)
                        check_result(reduce_in(environments[e].value, array, operation, &opts),
                                     expected, e, operation, array, "with options");
                }
                of_array_release(array);
            }
    checks_finish();
}

/* Along dims, into an array, in pieces, and through the accumulator. */
static void test_other_calls(void **state) {
    (void)state;
    static const int64_t shape[] = {40, 60}, column[] = {40, 1};
    for (int k = 0; k < 8; k++)
        for (int e = 0; e < ENVIRONMENT_COUNT; e++) {
            of_array *array = array_make(OF_F64, float_kinds[k], 2, LAYOUT_contiguous, 2, shape),
                     *rows = NULL;
            of_array *into = array_make(OF_F64, DATA_zero, 2, LAYOUT_contiguous, 2, column);
            of_reducer *reducer = NULL;
            of_summarizer *summarizer = NULL;
            of_summary summary;
            of_exact *exact = NULL;
            of_scalar reduced = {0}, rounded = {0}, total = {0}, mean = {0}, row = {0};
            of_status status[12];
            word after[12], before = read_word();
            int calls = 0;
            write_word(environments[e].value);
            status[calls] =
                of_reduce(array, OF_SUM, &(of_reduce_opts){.dims = OF_DIMS(1)}, &rows, NULL);
            after[calls++] = read_word();
            status[calls] =
                of_reduce_into(into, array, OF_SUM, &(of_reduce_opts){.overwrite = true}, NULL);
            after[calls++] = read_word();
            status[calls] = of_reducer_create(OF_SUM, OF_F64, NULL, &reducer, NULL);
            after[calls++] = read_word();
            status[calls] = of_reducer_update(reducer, array, NULL);
            after[calls++] = read_word();
            status[calls] = of_reducer_result(reducer, &reduced, NULL);
            after[calls++] = read_word();
            status[calls] = of_summarizer_create(OF_F64, &summarizer, NULL);
            after[calls++] = read_word();
            status[calls] = of_summarizer_update(summarizer, array, NULL);
            of_summarizer_result(summarizer, &summary);
            after[calls++] = read_word();
            status[calls] = of_exact_create(&exact, NULL);
            after[calls++] = read_word();
            status[calls] = of_exact_add_array(exact, array, NULL);
            after[calls++] = read_word();
            status[calls] = of_exact_add_scalar(exact, (of_scalar){.dtype = OF_F64}, NULL);
            after[calls++] = read_word();
            status[calls] = of_exact_round(exact, OF_F64, &rounded, NULL);
            after[calls++] = read_word();
            status[calls] = of_exact_round_quotient(exact, 2400, OF_F64, &mean, NULL);
            after[calls++] = read_word();
            write_word(before);
            for (int i = 0; i < calls; i++) {
                check(status[i] == OF_OK, "call %d under %s: %s", i, environments[e].name,
                      of_status_name(status[i]));
                check(after[i] == environments[e].value, "call %d under %s left %llx", i,
                      environments[e].name, (unsigned long long)after[i]);
            }
            expected_of_slice(array, WHOLE, 0, OF_SUM, NULL, OF_F64, &total);
            check_scalar(reduced, total, "reducer under %s", environments[e].name);
            check_scalar(summary.sum, total, "summarizer under %s", environments[e].name);
            check_scalar(rounded, total, "of_exact under %s", environments[e].name);
            expected_of_slice(array, WHOLE, 0, OF_MEAN, NULL, OF_F64, &total);
            check_scalar(summary.mean, total, "summarizer's mean under %s", environments[e].name);
            check_scalar(mean, total, "of_exact's mean under %s", environments[e].name);
            for (int64_t i = 0; i < 40; i++) {
                of_scalar got = {.dtype = OF_F64};
                expected_of_slice(array, 2, i, OF_SUM, NULL, OF_F64, &row);
                array_gather(rows, 0, i, &got.as);
                check_scalar(got, row, "of_reduce under %s", environments[e].name);
                array_gather(into, 0, i, &got.as);
                check_scalar(got, row, "of_reduce_into under %s", environments[e].name);
            }
            of_reducer_free(reducer);
            of_summarizer_free(summarizer);
            of_exact_free(exact);
            of_array_release(rows);
            of_array_release(into);
            of_array_release(array);
        }
    checks_finish();
}

/* Conversions of arrays and values, which round, do so to nearest even as well. */
static void test_conversions(void **state) {
    (void)state;
    int64_t size = 300;
    for (int from = 0; from < 6; from++)
        for (of_dtype to = OF_BOOL; to < OF_DTYPE_END; to++)
            for (int e = 0; e < ENVIRONMENT_COUNT; e++) {
                of_array *array =
                             array_make(dtypes[from], DATA_raw, 2, LAYOUT_contiguous, 1, &size),
                         *converted = NULL;
                word before = read_word(), after;
                write_word(environments[e].value);
                of_status status = of_array_convert(array, to, &converted, NULL);
                after = read_word();
                write_word(before);
                check(status == OF_OK && after == environments[e].value,
                      "convert under %s left %llx", environments[e].name,
                      (unsigned long long)after);
                for (int64_t i = 0; i < size; i++) {
                    of_scalar got = {.dtype = to}, element = {.dtype = dtypes[from]};
                    array_gather(converted, 0, i, &got.as);
                    array_gather(array, 0, i, &element.as);
                    if (to != dtypes[from])
                        check_scalar(got, ref_convert(ref_load_scalar(element), to),
                                     "%s to %s under %s", of_dtype_name(dtypes[from]),
                                     of_dtype_name(to), environments[e].name);
                }
                of_array_release(converted);
                of_array_release(array);
            }
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_arrays),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_other_calls),
        cmocka_unit_test(test_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
