#include "cli/plain_sum.h"

#include <pthread.h>

/* Compiled for three widths of vectors; the processor's is chosen when the program is loaded.
 * Sanitizers are not ready yet at that moment. */
#if defined(__x86_64__) && !defined(ONEFOLD_SANITIZED)
#define FOR_EACH_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_WIDTH
#endif

#define T    float
#define NAME sum_f32
#include "cli/plain_sum_body.inc"

#define T    double
#define NAME sum_f64
#include "cli/plain_sum_body.inc"

#define T    uint32_t
#define NAME sum_i32
#include "cli/plain_sum_body.inc"

enum { MOST_THREADS = 1024 };

struct part {
    of_dtype dtype;
    const void *numbers;
    int64_t count;
    double sum;
};

static void *sum_part(void *argument) {
    struct part *part = argument;
    switch (part->dtype) {
    case OF_F32: part->sum = sum_f32(part->numbers, part->count); break;
    case OF_F64: part->sum = sum_f64(part->numbers, part->count); break;
    default: part->sum = sum_i32(part->numbers, part->count); break;
    }
    return NULL;
}

static struct part part_of(const of_array *array, int number, int parts) {
    int64_t size = of_array_size(array);
    int64_t begin = size / parts * number;
    int64_t end = number == parts - 1 ? size : size / parts * (number + 1);
    size_t offset = (size_t)begin * of_dtype_size(of_array_dtype(array));
    return (struct part){of_array_dtype(array), (const char *)of_array_data(array) + offset,
                         end - begin, 0};
}

double plain_sum(const of_array *array, int threads) {
    static struct part parts[MOST_THREADS];
    static pthread_t workers[MOST_THREADS];
    bool started[MOST_THREADS];
    for (int i = 1; i < threads; i++) {
        parts[i] = part_of(array, i, threads);
        started[i] = pthread_create(&workers[i], NULL, sum_part, &parts[i]) == 0;
    }
    parts[0] = part_of(array, 0, threads);
    sum_part(&parts[0]);
    double sum = parts[0].sum;
    for (int i = 1; i < threads; i++) {
        if (started[i])
            pthread_join(workers[i], NULL);
        else
            sum_part(&parts[i]);
        sum += parts[i].sum;
    }
    return sum;
}
