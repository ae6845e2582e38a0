#include "datasets.h"
#include "suites.h"
#include "whole.h"

static const of_dtype dtypes[] = {OF_F32, OF_F64, OF_I32};
static const of_operation operations[] = {OF_SUM, OF_MAX, OF_ARGMAX};

static void bench_array(const of_array *array, distribution data, const struct effort *effort) {
    of_error err;
    for (int i = 0; of_isa_at(i) != NULL; i++) {
        require(of_isa_set(of_isa_at(i), &err), &err);
        for (int k = 0; k < 3; k++)
            compare_whole("cache", array, distribution_name(data), operations[k], 100, effort);
    }
    require(of_isa_set(NULL, &err), &err);
}

void bench_cache(const struct effort *effort) {
    const int64_t count = 1 << 16;
    of_error err;
    require(of_threads_set(1, &err), &err);
    for (int i = 0; i < 3; i++) {
        distribution data = of_dtype_is_float(dtypes[i]) ? NORMAL : UNIFORM;
        of_array *array = make_dataset(dtypes[i], 1, &count, data);
        bench_array(array, data, effort);
        of_array_release(array);
    }
}
