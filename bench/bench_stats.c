#include "datasets.h"
#include "plain.h"
#include "suites.h"

static const of_dtype dtypes[] = {OF_F32, OF_F64, OF_BF16, OF_F16, OF_I8, OF_I32, OF_I64};
static const of_operation operations[] = {OF_VAR, OF_STD, OF_NORM, OF_DOT, OF_WEIGHTED_MEAN};
enum {
    DTYPES = sizeof dtypes / sizeof *dtypes,
    OPERATIONS = sizeof operations / sizeof *operations
};

struct statistic {
    const of_array *array;
    of_operation operation;
    of_reduce_opts opts;
};

static void reduce(void *context) {
    const struct statistic *statistic = context;
    of_scalar result;
    of_error err;
    require(
        of_reduce_scalar(statistic->array, statistic->operation, &statistic->opts, &result, &err),
        &err);
}

/* Reads one array, or one after the other. */
struct readers {
    struct plain first, second;
};

static void read_all(void *context) {
    struct readers *readers = context;
    run_plain(&readers->first);
    if (readers->second.array != NULL) run_plain(&readers->second);
}

static void measure(const char *suite, const of_array *array, const of_array *other,
                    const char *data, of_operation operation, int repeats,
                    const struct effort *effort) {
    bool two = of_operation_sources(operation) == 2;
    of_dtype dtype = of_array_dtype(array);
    int threads = of_threads_get();
    struct statistic statistic = {array, operation, {.second = two ? other : NULL}};
    struct readers readers = {{plain_reader_of(dtype), array, threads},
                              {plain_reader_of(dtype), two ? other : NULL, threads}};
    struct row row = {
        .suite = suite,
        .operation = of_operation_name(operation),
        .data = data,
        .source = array,
        .dim = ALL_DIMS,
        .bytes = (two ? 2 : 1) * of_array_nbytes(array),
        .repeats = repeats,
        .ours = {reduce, &statistic},
        .limit = {read_all, &readers},
    };
    compare(&row, effort);
}

static void measure_threads(of_dtype dtype, distribution distribution,
                            const struct effort *effort) {
    int64_t count = long_count(dtype, effort);
    const char *data = distribution_name(distribution);
    of_array *array = make_dataset(dtype, 1, &count, distribution);
    of_array *other = make_dataset(dtype, 1, &count, distribution);
    for (int i = 0; i < OPERATIONS; i++)
        for (int threads = 1; threads <= effort->threads; threads *= 2) {
            of_error err;
            require(of_threads_set(threads, &err), &err);
            measure("stats", array, other, data, operations[i], 1, effort);
        }
    of_array_release(array);
    of_array_release(other);
}

void bench_stats(const struct effort *effort) {
    for (int i = 0; i < DTYPES; i++) {
        measure_threads(dtypes[i], of_dtype_is_float(dtypes[i]) ? NORMAL : UNIFORM, effort);
        if (dtypes[i] != OF_F32 && dtypes[i] != OF_F64) continue;
        measure_threads(dtypes[i], BINADES_58, effort);
    }
}

void bench_stats_cache(const struct effort *effort) {
    const int64_t count = 1 << 15;
    of_error err;
    require(of_threads_set(1, &err), &err);
    for (int i = 0; i < DTYPES; i++) {
        distribution data = of_dtype_is_float(dtypes[i]) ? NORMAL : UNIFORM;
        of_array *array = make_dataset(dtypes[i], 1, &count, data);
        of_array *other = make_dataset(dtypes[i], 1, &count, data);
        for (int isa = 0; of_isa_at(isa) != NULL; isa++) {
            require(of_isa_set(of_isa_at(isa), &err), &err);
            for (int k = 0; k < OPERATIONS; k++)
                measure("stats-cache", array, other, distribution_name(data), operations[k], 100,
                        effort);
        }
        require(of_isa_set(NULL, &err), &err);
        of_array_release(array);
        of_array_release(other);
    }
}
