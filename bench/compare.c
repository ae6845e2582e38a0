#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_TURNS = 31 };

/* Seconds that a call of each side took, turn by turn; NaN where there is no such side. */
struct times {
    double ours[MOST_TURNS], other[MOST_TURNS], limit[MOST_TURNS];
};

int64_t long_count(of_dtype dtype, const struct effort *effort) {
    int64_t fitting = effort->bytes / (int64_t)of_dtype_size(dtype);
    int64_t count = (int64_t)1 << effort->log2_count;
    return count < fitting ? count : fitting;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double time_side(const struct side *side, int repeats) {
    if (side->run == NULL) return NAN;
    double start = now();
    for (int i = 0; i < repeats; i++) side->run(side->context);
    return (now() - start) / repeats;
}

/* The first turn, number -1, warms up. */
static void take_turns(const struct row *row, int turns, struct times *times) {
    for (int turn = -1; turn < turns; turn++) {
        int place = turn < 0 ? 0 : turn;
        times->ours[place] = time_side(&row->ours, row->repeats);
        times->other[place] = time_side(&row->other, row->repeats);
        times->limit[place] = time_side(&row->limit, row->repeats);
    }
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values, int count) {
    double sorted[MOST_TURNS];
    for (int i = 0; i < count; i++) sorted[i] = values[i];
    qsort(sorted, (size_t)count, sizeof *sorted, compare_doubles);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* A number as JSON, which has no NaN. */
static void print_number(const char *name, double value) {
    if (isnan(value))
        printf(",\"%s\":null", name);
    else
        printf(",\"%s\":%.6g", name, value);
}

static void print_shape(const of_array *array) {
    printf(",\"shape\":[");
    for (int i = 0; i < of_array_ndim(array); i++)
        printf(i > 0 ? ",%lld" : "%lld", (long long)of_array_shape(array)[i]);
    printf("]");
}

static void print_row(const struct row *row, const struct times *times, int turns) {
    double ratios[MOST_TURNS], shares[MOST_TURNS];
    int64_t limit_bytes = row->limit_bytes ? row->limit_bytes : of_array_nbytes(row->source);
    double excess = (double)row->bytes / (double)limit_bytes;
    for (int i = 0; i < turns; i++) {
        ratios[i] = times->other[i] / times->ours[i];
        /* A peer may read faster than the reader; fmin leaves out the NaN of a side that is not
         * there. */
        shares[i] = fmin(times->limit[i], times->other[i]) * excess / times->ours[i];
    }
    printf("{\"suite\":\"%s\",\"operation\":\"%s\",\"dtype\":\"%s\",\"data\":\"%s\"", row->suite,
           row->operation, of_dtype_name(of_array_dtype(row->source)), row->data);
    print_shape(row->source);
    printf(row->dim == ALL_DIMS ? ",\"dim\":null" : ",\"dim\":%d", row->dim);
    printf(",\"threads\":%d,\"isa\":\"%s\",\"bytes\":%lld,\"turns\":%d,\"repeats\":%d",
           of_threads_get(), of_isa_get(), (long long)row->bytes, turns, row->repeats);
    print_number("seconds", median(times->ours, turns));
    printf(row->peer == NULL ? ",\"peer\":null" : ",\"peer\":\"%s\"", row->peer);
    print_number("peer_seconds", median(times->other, turns));
    print_number("limit_seconds", median(times->limit, turns));
    print_number("ratio", median(ratios, turns));
    print_number("share", row->limit.run == NULL ? NAN : median(shares, turns));
    printf("}\n");
    fflush(stdout);
}

void compare(const struct row *row, const struct effort *effort) {
    struct times times;
    int turns = effort->turns < MOST_TURNS ? effort->turns : MOST_TURNS;
    take_turns(row, turns, &times);
    print_row(row, &times, turns);
}

void print_machine(void) {
    printf("{\"compiler\":\"%s\",\"flags\":\"%s\",\"version\":\"%s\",\"device\":\"%s\"}\n",
           BENCH_COMPILER, BENCH_FLAGS, of_version(), of_device_description(of_device_at(0)));
    fflush(stdout);
}

void require(of_status status, const of_error *err) {
    if (status == OF_OK) return;
    fprintf(stderr, "onefold_bench: %s\n", err->message);
    exit(EXIT_FAILURE);
}
