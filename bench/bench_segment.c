/* Segments of a hundred rows on average, in any order and in theirs, beside the usual loop. */
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "plain.h"
#include "suites.h"

enum { ROWS_A_SEGMENT = 100 };

struct segments {
    const of_array *x, *ids;
    int64_t count;
    of_status (*reduce)(const of_array *x, const of_array *ids, int64_t num_segments,
                        const of_segment_opts *opts, of_array **out, of_error *err);
};

static void reduce_segments(void *context) {
    const struct segments *s = context;
    of_array *out;
    of_error err;
    require(s->reduce(s->x, s->ids, s->count, NULL, &out, &err), &err);
    of_array_release(out);
}

/* As everybody writes it: sums in f64 of f32, each add rounded. */
static void loop_f32(void *context) {
    const struct segments *s = context;
    const float *x = of_array_data(s->x);
    const int64_t *id = of_array_data(s->ids);
    double *sum = calloc((size_t)s->count, sizeof *sum);
    if (!sum) exit(EXIT_FAILURE);
    for (int64_t i = 0; i < of_array_size(s->ids); i++) sum[id[i]] += x[i];
    __asm__ volatile("" ::"r"(sum) : "memory");
    free(sum);
}

/* xorshift64* (Vigna 2016). */
static uint64_t next_number(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1d >> 11;
}

static of_array *make_ids(int64_t rows, int64_t segments, bool sorted) {
    of_array *ids;
    of_error err;
    uint64_t state = 1;
    require(of_array_create(NULL, OF_I64, 1, &rows, &ids, &err), &err);
    int64_t *id = of_array_mutable_data(ids);
    for (int64_t i = 0; i < rows; i++)
        id[i] = sorted ? i / ROWS_A_SEGMENT : (int64_t)(next_number(&state) % (uint64_t)segments);
    return ids;
}

static void compare_segments(struct segments *s, const char *operation, const char *data,
                             const struct effort *effort) {
    of_dtype dtype = of_array_dtype(s->x);
    for (int threads = 1; threads <= effort->threads; threads *= 2) {
        of_error err;
        require(of_threads_set(threads, &err), &err);
        struct plain reader = {plain_reader_of(dtype), s->x, threads};
        struct row row = {
            .suite = "segment",
            .operation = operation,
            .data = data,
            .source = s->x,
            .dim = ALL_DIMS,
            .bytes = of_array_nbytes(s->x) + of_array_nbytes(s->ids),
            .repeats = 1,
            .ours = {reduce_segments, s},
            .limit = {run_plain, &reader},
        };
        if (dtype == OF_F32 && !strcmp(operation, "sum")) {
            row.peer = "plain loop";
            row.other = (struct side){loop_f32, s};
        }
        compare(&row, effort);
    }
}

void bench_segment(const struct effort *effort) {
    static const of_dtype dtypes[] = {OF_F32, OF_F64, OF_I32};
    int64_t rows = long_count(OF_F64, effort) / 8 / ROWS_A_SEGMENT * ROWS_A_SEGMENT;
    struct segments s = {.count = rows / ROWS_A_SEGMENT};
    of_array *unsorted = make_ids(rows, s.count, false), *sorted = make_ids(rows, s.count, true);
    for (int i = 0; i < 3; i++) {
        of_array *x =
            make_dataset(dtypes[i], 1, &rows, of_dtype_is_float(dtypes[i]) ? NORMAL : UNIFORM);
        s.x = x;
        s.ids = unsorted;
        s.reduce = of_segment_sum;
        compare_segments(&s, "sum", "unsorted-ids", effort);
        s.reduce = of_segment_max;
        compare_segments(&s, "max", "unsorted-ids", effort);
        s.reduce = of_segment_mean;
        compare_segments(&s, "mean", "unsorted-ids", effort);
        s.reduce = of_segment_softmax;
        compare_segments(&s, "softmax", "unsorted-ids", effort);
        s.ids = sorted;
        s.reduce = of_segment_sum;
        compare_segments(&s, "sum", "sorted-ids", effort);
        of_array_release(x);
    }
    of_array_release(unsorted);
    of_array_release(sorted);
}
