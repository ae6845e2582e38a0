/* bench: the speed of what is done here, beside a plain loop that takes turns with it. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/clock.h"
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/plain_sum.h"

enum { TURNS = 7, USUAL_MEBIBYTES = 256 };

static const of_dtype dtypes[] = {OF_F32, OF_F64, OF_I32};
enum { DTYPE_COUNT = 3 };

/* What is measured. `room` is another array of the same type and size. */
struct bench_item {
    const char *name;
    of_status (*run)(const struct bench_item *item, const of_array *array, of_array *room,
                     of_error *err);
    of_operation operation; /* of a reduction */
};

static of_status run_reduction(const struct bench_item *item, const of_array *array, of_array *room,
                               of_error *err) {
    of_scalar result;
    (void)room;
    return of_reduce_scalar(array, item->operation, NULL, &result, err);
}

static of_status run_running_sum(const struct bench_item *item, const of_array *array,
                                 of_array *room, of_error *err) {
    (void)item;
    return of_inclusive_scan(array, room, NULL, NULL, err);
}

/* With a range, which others have to be told too. */
static of_status run_histogram(const struct bench_item *item, const of_array *array, of_array *room,
                               of_error *err) {
    static const double floats[] = {-1, 1}, integers[] = {INT32_MIN, INT32_MAX};
    enum { BINS = 64 };
    of_array *counts = NULL;
    of_histogram_opts opts = {.range =
                                  of_dtype_is_float(of_array_dtype(array)) ? floats : integers};
    (void)item;
    (void)room;
    of_status status = of_histogram(array, BINS, &opts, &counts, NULL, err);
    of_array_release(counts);
    return status;
}

static const struct bench_item items[] = {
    {"sum", run_reduction, OF_SUM},           {"min", run_reduction, OF_MIN},
    {"max", run_reduction, OF_MAX},           {"argmin", run_reduction, OF_ARGMIN},
    {.name = "scan", .run = run_running_sum}, {.name = "hist", .run = run_histogram},
};
enum { ITEM_COUNT = sizeof items / sizeof items[0] };

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

static of_status measure(const struct bench_item *item, const of_array *array, of_array *room,
                         int threads, struct measure *out, of_error *err) {
    double speeds[TURNS], plain_speeds[TURNS], ratios[TURNS];
    double bytes = (double)of_array_nbytes(array);
    of_status status = of_threads_set(threads, err);
    for (int turn = -1; turn < TURNS && status == OF_OK; turn++) { /* turn -1 warms up */
        double start = clock_seconds();
        plain_result = plain_sum(array, threads);
        double middle = clock_seconds();
        status = item->run(item, array, room, err);
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

static void print_row(const struct settings *settings, const struct bench_item *item,
                      of_dtype dtype, int threads, const struct measure *measure, bool is_first) {
    const char *format = "%-10s  %-5s  %7d  %7.1f  %7.1f  %5.2f\n";
    if (settings->json) {
        if (!is_first) putchar(',');
        format = "{\"op\":\"%s\",\"dtype\":\"%s\",\"threads\":%d,\"gb_per_s\":%.3f,"
                 "\"plain_gb_per_s\":%.3f,\"ratio\":%.4f}";
    }
    printf(format, item->name, of_dtype_name(dtype), threads, measure->speed * 1e-9,
           measure->plain_speed * 1e-9, measure->ratio);
}

/* ---- The command ---- */

static of_status bench_array(const struct settings *settings, const of_array *array, of_array *room,
                             int all_threads, of_error *err) {
    const int thread_counts[] = {1, all_threads};
    const int counts = all_threads > 1 ? 2 : 1;
    of_dtype dtype = of_array_dtype(array);
    for (int i = 0; i < ITEM_COUNT; i++) {
        for (int j = 0; j < counts; j++) {
            struct measure result;
            of_status status = measure(&items[i], array, room, thread_counts[j], &result, err);
            if (status != OF_OK) return status;
            bool is_first = dtype == dtypes[0] && i == 0 && j == 0;
            print_row(settings, &items[i], dtype, thread_counts[j], &result, is_first);
        }
    }
    return OF_OK;
}

static of_status bench_dtype(const struct settings *settings, of_dtype dtype, int64_t bytes,
                             int all_threads, of_error *err) {
    of_array *array = NULL, *room = NULL;
    int64_t count = bytes / (int64_t)of_dtype_size(dtype);
    of_status status = of_array_create(NULL, dtype, 1, &count, &array, err);
    if (status == OF_OK) status = of_array_zeros(NULL, dtype, 1, &count, &room, err);
    if (status == OF_OK) {
        fill(array);
        status = bench_array(settings, array, room, all_threads, err);
    }
    of_array_release(room);
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
