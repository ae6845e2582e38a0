/* Scans of whole arrays, and along either dimension of a table, beside an ordinary loop that reads
 * and writes as much. */
#include "datasets.h"
#include "plain.h"
#include "suites.h"

struct scan {
    const of_array *src;
    of_array *dst;
    of_scan_opts opts;
};

static void run_scan(void *context) {
    const struct scan *scan = context;
    of_error err;
    require(of_inclusive_scan(scan->src, scan->dst, &scan->opts, NULL, &err), &err);
}

static void compare_scan(struct scan *scan, const char *data, const struct effort *effort) {
    for (int threads = 1; threads <= effort->threads; threads *= 2) {
        of_error err;
        require(of_threads_set(threads, &err), &err);
        struct plain_copy copy = {scan->src, scan->dst, threads};
        int64_t bytes = of_array_nbytes(scan->src) + of_array_nbytes(scan->dst);
        struct row row = {
            .suite = "scan",
            .operation = of_operation_name(scan->opts.operation),
            .data = data,
            .source = scan->src,
            .dim = scan->opts.dim == NULL ? ALL_DIMS : *scan->opts.dim,
            .bytes = bytes,
            .limit_bytes = bytes,
            .repeats = 1,
            .ours = {run_scan, scan},
            .limit = {run_plain_copy, &copy},
        };
        compare(&row, effort);
    }
}

static of_array *make_target(const of_array *src) {
    of_array *dst;
    of_error err;
    require(of_array_zeros(NULL, of_array_dtype(src), of_array_ndim(src), of_array_shape(src), &dst,
                           &err),
            &err);
    return dst;
}

static void bench_dtype(of_dtype dtype, const struct effort *effort) {
    int64_t count = long_count(dtype, effort);
    bool is_float = of_dtype_is_float(dtype);
    distribution distribution = is_float ? NORMAL : UNIFORM;
    of_array *src = make_dataset(dtype, 1, &count, distribution), *dst = make_target(src);
    struct scan scan = {src, dst, {0}};
    compare_scan(&scan, distribution_name(distribution), effort);
    if (dtype == OF_F32 || dtype == OF_I32) {
        scan.opts.operation = OF_MAX;
        compare_scan(&scan, distribution_name(distribution), effort);
    }
    of_array_release(src);
    of_array_release(dst);
}

static void bench_tables(of_dtype dtype, const struct effort *effort) {
    int64_t count = long_count(dtype, effort);
    const int64_t shape[] = {4096, count / 4096};
    distribution distribution = of_dtype_is_float(dtype) ? NORMAL : UNIFORM;
    of_array *src = make_dataset(dtype, 2, shape, distribution), *dst = make_target(src);
    for (int dim = 0; dim < 2; dim++) {
        struct scan scan = {src, dst, {.dim = &dim}};
        compare_scan(&scan, distribution_name(distribution), effort);
    }
    of_array_release(src);
    of_array_release(dst);
}

void bench_scan(const struct effort *effort) {
    static const of_dtype dtypes[] = {OF_I32, OF_I64, OF_F32, OF_F64, OF_BF16, OF_F16, OF_I8};
    for (int i = 0; i < 7; i++) bench_dtype(dtypes[i], effort);
    bench_tables(OF_I32, effort);
    bench_tables(OF_F32, effort);
    bench_tables(OF_F64, effort);
}
