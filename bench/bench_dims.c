#include "datasets.h"
#include "plain.h"
#include "suites.h"

/* A reduction along one dimension: into an array that is there, or into a new one each time. */
struct reduction {
    const of_array *array;
    of_operation operation;
    int dim;
    of_array *result;
};

static void reduce_into(void *context) {
    const struct reduction *reduction = context;
    of_reduce_opts opts = {.overwrite = true};
    of_error err;
    require(of_reduce_into(reduction->result, reduction->array, reduction->operation, &opts, &err),
            &err);
}

static void reduce_new(void *context) {
    const struct reduction *reduction = context;
    of_reduce_opts opts = {.dims = OF_DIMS(reduction->dim), .keepdims = true};
    of_array *result;
    of_error err;
    require(of_reduce(reduction->array, reduction->operation, &opts, &result, &err), &err);
    of_array_release(result);
}

static of_array *make_result(const of_array *array, int dim) {
    int64_t shape[OF_MAX_DIMS];
    for (int i = 0; i < of_array_ndim(array); i++)
        shape[i] = i == dim ? 1 : of_array_shape(array)[i];
    of_array *result;
    of_error err;
    require(of_array_zeros(NULL, of_array_dtype(array), of_array_ndim(array), shape, &result, &err),
            &err);
    return result;
}

/* A way to reduce, and the suite that measures it. */
struct way {
    const char *suite;
    void (*run)(void *reduction);
};

static void compare_dim(const struct way *way, struct reduction *reduction,
                        const struct effort *effort) {
    const of_array *array = reduction->array;
    for (int threads = 1; threads <= effort->threads; threads *= 2) {
        of_error err;
        require(of_threads_set(threads, &err), &err);
        struct plain reader = {plain_reader_of(of_array_dtype(array)), array, threads};
        struct row row = {
            .suite = way->suite,
            .operation = of_operation_name(reduction->operation),
            .data = distribution_name(NORMAL),
            .source = array,
            .dim = reduction->dim,
            .bytes = of_array_nbytes(array) + of_array_nbytes(reduction->result),
            .repeats = 1,
            .ours = {way->run, reduction},
            .limit = {run_plain, &reader},
        };
        compare(&row, effort);
    }
}

static void bench_table(const struct way *way, const of_array *table, const struct effort *effort) {
    static const of_operation operations[] = {OF_SUM, OF_MAX};
    for (int dim = 0; dim < of_array_ndim(table); dim++) {
        of_array *result = make_result(table, dim);
        for (int i = 0; i < 2; i++) {
            struct reduction reduction = {table, operations[i], dim, result};
            compare_dim(way, &reduction, effort);
        }
        of_array_release(result);
    }
}

static void bench_dtype(const struct way *way, of_dtype dtype, const struct effort *effort) {
    int64_t count = long_count(dtype, effort);
    const struct {
        int ndim;
        int64_t shape[3];
    } shapes[] = {{2, {count / 4, 4}},
                  {2, {4, count / 4}},
                  {2, {4096, count / 4096}},
                  {3, {64, count / 4096, 64}}};
    of_array *numbers = make_dataset(dtype, 1, &count, NORMAL);
    for (int i = 0; i < 4; i++) {
        of_array *table;
        of_error err;
        require(of_array_reshape(numbers, shapes[i].ndim, shapes[i].shape, &table, &err), &err);
        bench_table(way, table, effort);
        of_array_release(table);
    }
    of_array_release(numbers);
}

void bench_dims(const struct effort *effort) {
    static const struct way way = {"dims", reduce_into};
    bench_dtype(&way, OF_F32, effort);
    bench_dtype(&way, OF_F64, effort);
}

void bench_dims_new(const struct effort *effort) {
    static const struct way way = {"dims-new", reduce_new};
    bench_dtype(&way, OF_F32, effort);
    bench_dtype(&way, OF_F64, effort);
}
