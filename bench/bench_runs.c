/*
 * Runs of equal keys from one element long to a million, and selection by flags.
 *
 * The limit reads the sources and fills new arrays of the results' sizes: results are new arrays, so
 * the system's time for making their memory counts on both sides.
 */
#include <string.h>

#include "datasets.h"
#include "plain.h"
#include "suites.h"

enum { MOST_SOURCES = 2, MOST_RESULTS = 2 };

/* A call, what it reads, and the sizes of what it makes. */
struct job {
    const char *operation;
    of_status (*call)(const struct job *job, of_array *made[MOST_RESULTS], of_error *err);
    of_array *source[MOST_SOURCES]; /* the first is the keys, or what is selected from */
    of_group_operation reduction;
    int64_t result_bytes[MOST_RESULTS];
    int threads;
};

static of_status call_unique(const struct job *job, of_array *made[MOST_RESULTS], of_error *err) {
    return of_unique(job->source[0], NULL, &made[0], &made[1], NULL, NULL, err);
}

static of_status call_reduce(const struct job *job, of_array *made[MOST_RESULTS], of_error *err) {
    return of_reduce_by_key(job->source[0], job->source[1], job->reduction, NULL, &made[0],
                            &made[1], err);
}

static of_status call_compact(const struct job *job, of_array *made[MOST_RESULTS], of_error *err) {
    return of_compact(job->source[0], job->source[1], NULL, &made[0], err);
}

static of_status call_nonzero(const struct job *job, of_array *made[MOST_RESULTS], of_error *err) {
    return of_nonzero(job->source[0], NULL, &made[0], err);
}

static void run_job(void *context) {
    struct job *job = context;
    of_array *made[MOST_RESULTS] = {NULL};
    of_error err;
    require(job->call(job, made, &err), &err);
    for (int i = 0; i < MOST_RESULTS; i++) {
        job->result_bytes[i] = made[i] == NULL ? 0 : of_array_nbytes(made[i]);
        of_array_release(made[i]);
    }
}

static double fill(const void *bytes, int64_t count) {
    memset((void *)(uintptr_t)bytes, 1, (size_t)count);
    return 0;
}

static void move_all(void *context) {
    const struct job *job = context;
    for (int i = 0; i < MOST_SOURCES; i++) {
        if (job->source[i] == NULL) continue;
        of_dtype dtype = of_array_dtype(job->source[i]);
        run_plain(&(struct plain){plain_reader_of(dtype), job->source[i], job->threads});
    }
    for (int i = 0; i < MOST_RESULTS; i++) {
        of_array *filled;
        of_error err;
        require(of_array_create(NULL, OF_U8, 1, &job->result_bytes[i], &filled, &err), &err);
        run_plain(&(struct plain){fill, filled, job->threads});
        of_array_release(filled);
    }
}

static void compare_job(struct job *job, const char *data, const struct effort *effort) {
    run_job(job); /* for the sizes of the results */
    int64_t bytes = 0;
    for (int i = 0; i < MOST_SOURCES; i++)
        if (job->source[i] != NULL) bytes += of_array_nbytes(job->source[i]);
    for (int i = 0; i < MOST_RESULTS; i++) bytes += job->result_bytes[i];
    for (int threads = 1; threads <= effort->threads; threads *= 2) {
        of_error err;
        require(of_threads_set(threads, &err), &err);
        job->threads = threads;
        struct row row = {
            .suite = "runs",
            .operation = job->operation,
            .data = data,
            .source = job->source[job->call == call_reduce],
            .dim = ALL_DIMS,
            .bytes = bytes,
            .limit_bytes = bytes,
            .repeats = 1,
            .ours = {run_job, job},
            .limit = {move_all, job},
        };
        compare(&row, effort);
    }
}

/* ---- Data ---- */

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* An array of i32 or u8 made by a rule from random bits. */
static of_array *make_by(of_dtype dtype, int64_t count,
                         void (*rule)(void *out, int64_t count, uint64_t most), uint64_t most) {
    of_array *array;
    of_error err;
    require(of_array_create(NULL, dtype, 1, &count, &array, &err), &err);
    rule(of_array_mutable_data(array), count, most);
    return array;
}

/* Sorted keys: a new one starts where random bits are at most `most`. */
static void write_keys(void *out, int64_t count, uint64_t most) {
    int32_t *key = out;
    uint64_t state = 88172645463325252;
    int32_t last = 0;
    for (int64_t i = 0; i < count; i++) {
        last += next_random(&state) <= most;
        key[i] = last;
    }
}

static void write_flags(void *out, int64_t count, uint64_t most) {
    uint8_t *flag = out;
    uint64_t state = 88172645463325252;
    for (int64_t i = 0; i < count; i++) flag[i] = next_random(&state) <= most;
}

static void bench_keys(double length, const char *data, of_array *const values[], int count,
                       const struct effort *effort) {
    uint64_t most = length <= 1 ? UINT64_MAX : (uint64_t)(0x1p64 / length);
    for (int i = 0; i < count; i++) {
        of_array *keys = make_by(OF_I32, of_array_size(values[i]), write_keys, most);
        struct job unique = {.operation = "unique", .call = call_unique, .source = {keys}};
        if (i == 0) compare_job(&unique, data, effort);
        struct job sum = {.operation = "reduce_by_key",
                          .call = call_reduce,
                          .source = {keys, values[i]},
                          .reduction = OF_GROUP_SUM};
        compare_job(&sum, data, effort);
        if (i == 0) {
            sum.operation = "max_by_key";
            sum.reduction = OF_GROUP_MAX;
            compare_job(&sum, data, effort);
            sum.operation = "mean_by_key";
            sum.reduction = OF_GROUP_MEAN;
            compare_job(&sum, data, effort);
        }
        of_array_release(keys);
    }
}

static void bench_selection(of_array *source, const struct effort *effort) {
    static const struct {
        const char *name;
        double share;
    } flags[] = {{"1%-set", 0.01}, {"half-set", 0.5}, {"99%-set", 0.99}};
    for (int i = 0; i < 3; i++) {
        of_array *flag =
            make_by(OF_U8, of_array_size(source), write_flags, (uint64_t)(flags[i].share * 0x1p64));
        struct job compact = {
            .operation = "compact", .call = call_compact, .source = {source, flag}};
        struct job nonzero = {.operation = "nonzero", .call = call_nonzero, .source = {flag}};
        compare_job(&compact, flags[i].name, effort);
        compare_job(&nonzero, flags[i].name, effort);
        of_array_release(flag);
    }
}

void bench_runs(const struct effort *effort) {
    static const struct {
        const char *name;
        double length;
    } lengths[] = {{"runs-of-1", 1},   {"runs-of-4", 4},       {"runs-of-16", 16},
                   {"runs-of-64", 64}, {"runs-of-1000", 1000}, {"runs-of-1000000", 1e6}};
    static const of_dtype dtypes[] = {OF_F32, OF_F64, OF_I64};
    of_array *values[3];
    for (int i = 0; i < 3; i++) {
        int64_t count = long_count(dtypes[i], effort) / 2; /* beside keys and results */
        values[i] =
            make_dataset(dtypes[i], 1, &count, of_dtype_is_float(dtypes[i]) ? NORMAL : UNIFORM);
    }
    for (int i = 0; i < 6; i++) bench_keys(lengths[i].length, lengths[i].name, values, 3, effort);
    bench_selection(values[0], effort);
    for (int i = 0; i < 3; i++) of_array_release(values[i]);
}
