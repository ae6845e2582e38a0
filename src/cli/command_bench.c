/* bench: the speed of reductions here, beside a plain loop that takes turns with them. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/clock.h"
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/plain_sum.h"

enum { TURNS = 7, USUAL_MEBIBYTES = 256 };

static const of_operation operations[] = {OF_SUM, OF_MIN, OF_MAX, OF_ARGMIN};
static const of_dtype dtypes[] = {OF_F32, OF_F64, OF_I32};
enum { OPERATION_COUNT = 4, DTYPE_COUNT = 3 };

/* Medians over the turns: bytes a second, and of the ratio of each turn. */
struct measure {
    double speed, plain_speed, ratio;
};

/* ---- Measuring ---- */

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, TURNS, sizeof *values, compare_doubles);
    return values[TURNS / 2];
}

/* Uniform numbers between -1 and 1, or any integers (Marsaglia's xorshift64). */
static void fill(of_array *array) {
    uint64_t state = 88172645463325252;
    void *data = of_array_mutable_data(array);
    of_dtype dtype = of_array_dtype(array);
    for (int64_t i = 0; i < of_array_size(array); i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double uniform = (double)(int64_t)state * 0x1p-63;
        if (dtype == OF_F32)
            ((float *)data)[i] = (float)uniform;
        else if (dtype == OF_F64)
            ((double *)data)[i] = uniform;
        else
            ((uint32_t *)data)[i] = (uint32_t)state;
    }
}

static volatile double plain_result; /* keeps the plain loop from being left out */

static of_status measure(const of_array *array, of_operation operation, int threads,
                         struct measure *out, of_error *err) {
    double speeds[TURNS], plain_speeds[TURNS], ratios[TURNS];
    double bytes = (double)of_array_nbytes(array);
    of_status status = of_threads_set(threads, err);
    for (int turn = -1; turn < TURNS && status == OF_OK; turn++) { /* turn -1 warms up */
        of_scalar result;
        double start = clock_seconds();
        plain_result = plain_sum(array, threads);
        double middle = clock_seconds();
        status = of_reduce_scalar(array, operation, NULL, &result, err);
        double end = clock_seconds();
        if (turn < 0) continue;
        plain_speeds[turn] = bytes / (middle - start);
        speeds[turn] = bytes / (end - middle);
        ratios[turn] = speeds[turn] / plain_speeds[turn];
    }
    if (status != OF_OK) return status;
    *out = (struct measure){median(speeds), median(plain_speeds), median(ratios)};
    return OF_OK;
}

/* ---- Printing ---- */

static void print_head(const struct settings *settings, int mebibytes) {
    if (settings->json)
        printf("{\"op\":\"bench\",\"version\":\"%s\",\"isa\":\"%s\",\"mebibytes\":%d,"
               "\"results\":[",
               of_version(), of_isa_get(), mebibytes);
    else
        printf("%d MiB of each type, instruction set %s, medians of %d turns\n\n"
               "%-10s  %-5s  %7s  %7s  %7s  %5s\n",
               mebibytes, of_isa_get(), TURNS, "operation", "dtype", "threads", "GB/s", "plain",
               "ratio");
}

static void print_row(const struct settings *settings, of_operation operation, of_dtype dtype,
                      int threads, const struct measure *measure, bool is_first) {
    const char *format = "%-10s  %-5s  %7d  %7.1f  %7.1f  %5.2f\n";
    if (settings->json) {
        if (!is_first) putchar(',');
        format = "{\"op\":\"%s\",\"dtype\":\"%s\",\"threads\":%d,\"gb_per_s\":%.3f,"
                 "\"plain_gb_per_s\":%.3f,\"ratio\":%.4f}";
    }
    printf(format, of_operation_name(operation), of_dtype_name(dtype), threads,
           measure->speed * 1e-9, measure->plain_speed * 1e-9, measure->ratio);
}

/* ---- The command ---- */

static of_status bench_array(const struct settings *settings, const of_array *array,
                             int all_threads, of_error *err) {
    const int thread_counts[] = {1, all_threads};
    const int counts = all_threads > 1 ? 2 : 1;
    of_dtype dtype = of_array_dtype(array);
    for (int i = 0; i < OPERATION_COUNT; i++) {
        for (int j = 0; j < counts; j++) {
            struct measure result;
            of_status status = measure(array, operations[i], thread_counts[j], &result, err);
            if (status != OF_OK) return status;
            bool is_first = dtype == dtypes[0] && i == 0 && j == 0;
            print_row(settings, operations[i], dtype, thread_counts[j], &result, is_first);
        }
    }
    return OF_OK;
}

static of_status bench_dtype(const struct settings *settings, of_dtype dtype, int64_t bytes,
                             int all_threads, of_error *err) {
    of_array *array;
    int64_t count = bytes / (int64_t)of_dtype_size(dtype);
    of_status status = of_array_create(NULL, dtype, 1, &count, &array, err);
    if (status != OF_OK) return status;
    fill(array);
    status = bench_array(settings, array, all_threads, err);
    of_array_release(array);
    return status;
}

int run_bench(const struct command *command, const struct settings *settings) {
    (void)command;
    int mebibytes = settings->mebibytes > 0 ? settings->mebibytes : USUAL_MEBIBYTES;
    int all_threads = of_threads_get();
    of_error err = {0};
    print_head(settings, mebibytes);
    for (int i = 0; i < DTYPE_COUNT; i++)
        if (bench_dtype(settings, dtypes[i], (int64_t)mebibytes << 20, all_threads, &err) != OF_OK)
            return fail("bench", "%s", err.message);
    if (settings->json) puts("]}");
    return EXIT_SUCCESS;
}
