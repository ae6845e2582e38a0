#include "plain.h"

#include <pthreadpool.h>
#include <stdlib.h>

/* Compiled for three instruction sets; the processor's is chosen when the program is loaded. */
#if defined(__x86_64__)
#define FOR_EACH_ISA __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_ISA
#endif

#define T          float
#define SUM        float
#define NAME(loop) loop##_f32
#include "plain_loops.inc"

#define T          double
#define SUM        double
#define NAME(loop) loop##_f64
#include "plain_loops.inc"

/* Unsigned, so that wrapping is defined. */
#define T          int8_t
#define SUM        uint64_t
#define NAME(loop) loop##_i8
#include "plain_loops.inc"

#define T          int16_t
#define SUM        uint64_t
#define NAME(loop) loop##_i16
#include "plain_loops.inc"

#define T          int32_t
#define SUM        uint64_t
#define NAME(loop) loop##_i32
#include "plain_loops.inc"

#define T          int64_t
#define SUM        uint64_t
#define NAME(loop) loop##_i64
#include "plain_loops.inc"

#define LOOPS(suffix)                                                                              \
    {                                                                                              \
        [OF_SUM] = sum_##suffix, [OF_MEAN] = sum_##suffix, [OF_PROD] = prod_##suffix,              \
        [OF_MIN] = min_##suffix, [OF_MAX] = max_##suffix                                           \
    }

static const plain_loop loops[OF_DTYPE_END][OF_OPERATION_END] = {
    [OF_F32] = LOOPS(f32), [OF_F64] = LOOPS(f64), [OF_I8] = LOOPS(i8),
    [OF_I16] = LOOPS(i16), [OF_I32] = LOOPS(i32), [OF_I64] = LOOPS(i64),
};

plain_loop plain_loop_of(of_operation operation, of_dtype dtype) {
    return loops[dtype][operation];
}

/* ---- Reading ---- */

typedef uint64_t lanes __attribute__((vector_size(64), aligned(8), may_alias));

FOR_EACH_ISA static double read_bytes(const void *bytes, int64_t count) {
    enum { VECTORS = 4 };
    lanes sums[VECTORS] = {0};
    const lanes *x = bytes;
    int64_t vectors = count / (int64_t)sizeof(lanes) / VECTORS * VECTORS;
    for (int64_t i = 0; i < vectors; i += VECTORS)
        for (int k = 0; k < VECTORS; k++) sums[k] += x[i + k];
    for (int k = 1; k < VECTORS; k++) sums[0] += sums[k];
    uint64_t sum = 0;
    for (size_t lane = 0; lane < sizeof(lanes) / 8; lane++) sum += sums[0][lane];
    return (double)sum;
}

static double read_1(const void *numbers, int64_t count) {
    return read_bytes(numbers, count);
}
static double read_2(const void *numbers, int64_t count) {
    return read_bytes(numbers, 2 * count);
}
static double read_4(const void *numbers, int64_t count) {
    return read_bytes(numbers, 4 * count);
}
static double read_8(const void *numbers, int64_t count) {
    return read_bytes(numbers, 8 * count);
}

plain_loop plain_reader_of(of_dtype dtype) {
    switch (of_dtype_size(dtype)) {
    case 1: return read_1;
    case 2: return read_2;
    case 4: return read_4;
    default: return read_8;
    }
}

/* ---- Threads ---- */

static volatile double result; /* keeps the loops from being left out */

static void run_part(void *context, size_t begin, size_t count) {
    const struct plain *plain = context;
    size_t element = of_dtype_size(of_array_dtype(plain->array));
    result =
        plain->loop((const char *)of_array_data(plain->array) + begin * element, (int64_t)count);
}

static pthreadpool_t pool_of(int threads) {
    static pthreadpool_t pool;
    static int pool_threads;
    if (pool_threads != threads) {
        pthreadpool_destroy(pool);
        pool = pthreadpool_create((size_t)threads);
        pool_threads = threads;
    }
    return pool;
}

void run_plain(void *context) {
    struct plain *plain = context;
    size_t count = (size_t)of_array_size(plain->array), threads = (size_t)plain->threads;
    bool small = of_array_nbytes(plain->array) < 1 << 20; /* not worth another thread */
    if (threads == 1 || small)
        run_part(plain, 0, count);
    else
        pthreadpool_parallelize_1d_tile_1d(pool_of(plain->threads), run_part, plain, count,
                                           (count + threads - 1) / threads,
                                           PTHREADPOOL_FLAG_YIELD_WORKERS);
}

FOR_EACH_ISA static void double_bytes(const void *from, void *to, int64_t bytes) {
    const lanes *x = from;
    lanes *y = to;
    for (int64_t i = 0; i < bytes / (int64_t)sizeof(lanes); i++) y[i] = x[i] + x[i];
}

static void copy_part(void *context, size_t begin, size_t count) {
    const struct plain_copy *copy = context;
    double_bytes((const char *)of_array_data(copy->from) + begin,
                 (char *)of_array_mutable_data(copy->to) + begin, (int64_t)count);
}

void run_plain_copy(void *context) {
    struct plain_copy *copy = context;
    size_t bytes = (size_t)of_array_nbytes(copy->from), threads = (size_t)copy->threads;
    size_t share = (bytes / threads + 63) / 64 * 64;
    if (threads == 1)
        copy_part(copy, 0, bytes);
    else
        pthreadpool_parallelize_1d_tile_1d(pool_of(copy->threads), copy_part, copy, bytes, share,
                                           PTHREADPOOL_FLAG_YIELD_WORKERS);
}
