/* Any number of threads may call at once, on arrays of their own or on one that they share. */
#include <pthread.h>

#include "reduce/harness.h"

enum { THREADS = 8, ROUNDS = 12 };

typedef struct job {
    of_array *own, *shared;
    of_scalar own_answers[OF_OPERATION_END], shared_answers[OF_OPERATION_END];
    of_array *own_rows;
    int wrong;
} job;

static pthread_barrier_t start;

static bool same(of_scalar a, of_scalar b) {
    return a.dtype == b.dtype && a.as.bits == b.as.bits;
}

/* Counts what is wrong; the checks themselves are made by one thread, after all. */
static void *work(void *context) {
    job *j = context;
    pthread_barrier_wait(&start);
    for (int round = 0; round < ROUNDS; round++)
        for (of_operation operation = 0; operation < FIRST_OF_TWO; operation++) {
            of_scalar got = {0};
            j->wrong += of_reduce_scalar(j->own, operation, NULL, &got, NULL) != OF_OK;
            j->wrong += !same(got, j->own_answers[operation]);
            j->wrong += of_reduce_scalar(j->shared, operation, NULL, &got, NULL) != OF_OK;
            j->wrong += !same(got, j->shared_answers[operation]);
            if (operation != OF_SUM) continue;
            of_array *rows = NULL;
            j->wrong += of_reduce(j->own, OF_SUM, &(of_reduce_opts){.dims = OF_DIMS(1)}, &rows,
                                  NULL) != OF_OK;
            for (int64_t i = 0; rows && i < of_array_size(rows); i++) {
                of_scalar a = {.dtype = of_array_dtype(rows)}, b = a;
                array_gather(rows, 0, i, &a.as);
                array_gather(j->own_rows, 0, i, &b.as);
                j->wrong += !same(a, b);
            }
            of_array_release(rows);
        }
    return NULL;
}

static void run_jobs(void *context) {
    job *jobs = context;
    pthread_t threads[THREADS];
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < THREADS; i++) {
        check(jobs[i].wrong == 0, "thread %d: %d answers are wrong", i, jobs[i].wrong);
        jobs[i].wrong = 0;
    }
}

static void test_callers(void **state) {
    (void)state;
    static const of_dtype dtypes[THREADS] = {OF_F32, OF_F64, OF_F16, OF_I32,
                                             OF_F64, OF_F32, OF_U8,  OF_BF16};
    static const int64_t shapes[][2] = {{200, 500}, {3, 10}, {64, 64}, {300, 100}};
    static job jobs[THREADS];
    of_array *shared = array_make(OF_F64, DATA_raw, 1, LAYOUT_contiguous, 2, shapes[0]);
    for (int i = 0; i < THREADS; i++) {
        job *j = &jobs[i];
        j->own = array_make(dtypes[i], DATA_raw, (uint64_t)i,
                            i % 3 ? LAYOUT_contiguous : LAYOUT_transposed, 2, shapes[i % 4]);
        j->shared = shared;
        for (of_operation operation = 0; operation < FIRST_OF_TWO; operation++) {
            expected_of_slice(j->own, WHOLE, 0, operation, NULL, OF_DTYPE_NONE,
                              &j->own_answers[operation]);
            expected_of_slice(shared, WHOLE, 0, operation, NULL, OF_DTYPE_NONE,
                              &j->shared_answers[operation]);
        }
        assert_int_equal(
            of_reduce(j->own, OF_SUM, &(of_reduce_opts){.dims = OF_DIMS(1)}, &j->own_rows, NULL),
            OF_OK);
    }
    each_configuration(run_jobs, jobs);
    for (int i = 0; i < THREADS; i++) {
        of_array_release(jobs[i].own);
        of_array_release(jobs[i].own_rows);
    }
    of_array_release(shared);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_callers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
