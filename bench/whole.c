#include "whole.h"

#include "plain.h"

struct reduction {
    const of_array *array;
    of_operation operation;
};

static void reduce(void *context) {
    const struct reduction *reduction = context;
    of_scalar result;
    of_error err;
    require(of_reduce_scalar(reduction->array, reduction->operation, NULL, &result, &err), &err);
}

void compare_whole(const char *suite, const of_array *array, const char *data,
                   of_operation operation, int repeats, const struct effort *effort) {
    of_dtype dtype = of_array_dtype(array);
    int threads = of_threads_get();
    struct reduction reduction = {array, operation};
    struct plain loop = {plain_loop_of(operation, dtype), array, threads};
    struct plain reader = {plain_reader_of(dtype), array, threads};
    struct row row = {
        .suite = suite,
        .operation = of_operation_name(operation),
        .data = data,
        .source = array,
        .dim = ALL_DIMS,
        .bytes = of_array_nbytes(array),
        .repeats = repeats,
        .ours = {reduce, &reduction},
    };
    /* What a call costs with a few elements says nothing of memory. */
    if (row.bytes > 4096) row.limit = (struct side){run_plain, &reader};
    if (loop.loop != NULL) {
        row.peer = "plain loop";
        row.other = (struct side){run_plain, &loop};
    }
    compare(&row, effort);
}
