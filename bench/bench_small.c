#include "datasets.h"
#include "suites.h"
#include "whole.h"

static const of_dtype dtypes[] = {OF_F32, OF_F64, OF_I32};
static const of_operation operations[] = {OF_SUM, OF_MEAN, OF_PROD, OF_MIN, OF_MAX, OF_ARGMAX};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* With the threads that a program has unless it asks for others. */
void bench_small(const struct effort *effort) {
    const int64_t count = 100;
    of_error err;
    require(of_threads_set(effort->threads, &err), &err);
    for (int i = 0; i < 3; i++) {
        distribution data = of_dtype_is_float(dtypes[i]) ? NORMAL : UNIFORM;
        of_array *array = make_dataset(dtypes[i], 1, &count, data);
        for (int k = 0; k < OPERATIONS; k++)
            compare_whole("small", array, distribution_name(data), operations[k], 1000, effort);
        of_array_release(array);
    }
}
