#include "datasets.h"
#include "suites.h"

enum { PARTS = 16 };

/* The whole array at once, beside the same elements in 16 calls. */
struct cut {
    of_array *whole;
    of_array *parts[PARTS];
};

static void sum(const of_array *array) {
    of_scalar result;
    of_error err;
    require(of_sum(array, NULL, &result, &err), &err);
}

static void sum_whole(void *context) {
    const struct cut *cut = context;
    sum(cut->whole);
}

static void sum_parts(void *context) {
    const struct cut *cut = context;
    for (int i = 0; i < PARTS; i++) sum(cut->parts[i]);
}

static void compare_cut(struct cut *cut, const struct effort *effort) {
    struct row row = {
        .suite = "scaling",
        .operation = "sum",
        .data = "normal",
        .peer = "16 calls",
        .source = cut->whole,
        .dim = ALL_DIMS,
        .bytes = of_array_nbytes(cut->whole),
        .repeats = 1,
        .ours = {sum_whole, cut},
        .other = {sum_parts, cut},
    };
    for (int threads = 1; threads <= effort->threads; threads *= 2) {
        of_error err;
        require(of_threads_set(threads, &err), &err);
        compare(&row, effort);
    }
}

static void bench_dtype(of_dtype dtype, const struct effort *effort) {
    const int64_t count = (int64_t)1 << effort->log2_count;
    struct cut cut = {.whole = make_dataset(dtype, 1, &count, NORMAL)};
    of_error err;
    for (int i = 0; i < PARTS; i++)
        require(
            of_array_slice(cut.whole, 0, count / PARTS * i, count / PARTS, 1, &cut.parts[i], &err),
            &err);
    compare_cut(&cut, effort);
    for (int i = 0; i < PARTS; i++) of_array_release(cut.parts[i]);
    of_array_release(cut.whole);
}

void bench_scaling(const struct effort *effort) {
    bench_dtype(OF_F32, effort);
    bench_dtype(OF_F64, effort);
}
