#include "datasets.h"
#include "suites.h"
#include "whole.h"

static const of_dtype dtypes[] = {OF_F32, OF_F64, OF_BF16, OF_F16, OF_I8, OF_I16, OF_I32, OF_I64};
static const of_operation operations[] = {OF_SUM, OF_MEAN,   OF_PROD,  OF_MIN,
                                          OF_MAX, OF_ARGMIN, OF_ARGMAX};
enum {
    DTYPES = sizeof dtypes / sizeof *dtypes,
    OPERATIONS = sizeof operations / sizeof *operations
};

static void compare_threads(const of_array *array, const char *data, of_operation operation,
                            const struct effort *effort) {
    for (int threads = 1; threads <= effort->threads; threads *= 2) {
        of_error err;
        require(of_threads_set(threads, &err), &err);
        compare_whole("reduce", array, data, operation, 1, effort);
    }
}

/* How numbers are spread matters to sums alone. A product of random integers is soon 0, and done.
 */
static bool is_measured(of_operation operation, distribution data) {
    switch (data) {
    case NORMAL: return true;
    case UNIFORM: return operation != OF_PROD;
    default: return operation == OF_SUM;
    }
}

static bool has_isa_rows(of_operation operation, of_dtype dtype) {
    return (dtype == OF_F32 || dtype == OF_F64) &&
           (operation == OF_SUM || operation == OF_PROD || operation == OF_MAX);
}

/* Those below the best one, which of_isa_set(NULL) returns to. */
static void compare_isas(const of_array *array, const char *data, of_operation operation,
                         const struct effort *effort) {
    of_error err;
    require(of_threads_set(1, &err), &err);
    for (int i = 0; of_isa_at(i + 1) != NULL; i++) {
        require(of_isa_set(of_isa_at(i), &err), &err);
        compare_whole("reduce", array, data, operation, 1, effort);
    }
    require(of_isa_set(NULL, &err), &err);
}

static void bench_dataset(of_dtype dtype, distribution distribution, const struct effort *effort) {
    int64_t count = long_count(dtype, effort);
    const char *data = distribution_name(distribution);
    of_array *array = make_dataset(dtype, 1, &count, distribution);
    for (int i = 0; i < OPERATIONS; i++) {
        if (!is_measured(operations[i], distribution)) continue;
        compare_threads(array, data, operations[i], effort);
        if (has_isa_rows(operations[i], dtype)) compare_isas(array, data, operations[i], effort);
    }
    of_array_release(array);
}

void bench_reduce(const struct effort *effort) {
    for (int i = 0; i < DTYPES; i++) {
        bench_dataset(dtypes[i], of_dtype_is_float(dtypes[i]) ? NORMAL : UNIFORM, effort);
        if (dtypes[i] != OF_F32 && dtypes[i] != OF_F64) continue;
        bench_dataset(dtypes[i], BINADES_58, effort);
        bench_dataset(dtypes[i], LOG_UNIFORM, effort);
    }
}
