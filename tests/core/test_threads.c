/* The thread pool: every task runs once, nested, from several threads, and in a forked child. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

#include <cmocka.h>

#include <onefold/device.h>

#include "core/sanitizer.h"
#include "core/threads.h"

static void set_threads(int count) {
    assert_int_equal(of_threads_set(count, NULL), OF_OK);
    assert_int_equal(of_threads_get(), count);
}

/* Plain stores: a sanitizer sees when they are not ordered with the caller's reads. */
typedef struct tally {
    int runs[64];
} tally;

static void count_run(void *context, int worker) {
    tally *t = context;
    t->runs[worker]++;
}

static int wrong_tallies(int workers) {
    tally t = {{0}};
    of__parallel(workers, count_run, &t);
    int wrong = 0;
    for (int i = 0; i < 64; i++) wrong += t.runs[i] != (i < workers);
    return wrong;
}

static void each_worker_runs_once(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 3, 7, 2};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        set_threads(threads[i]);
        for (int workers = 0; workers <= 64; workers++) assert_int_equal(wrong_tallies(workers), 0);
    }
}

static void nest(void *context, int worker) {
    atomic_int *wrong = context;
    (void)worker;
    *wrong += wrong_tallies(8);
    *wrong += of__workers_for(INT64_MAX) != 1;
    *wrong += of_threads_set(1, NULL) != OF_ERR_UNSUPPORTED;
}

static void tasks_may_nest(void **state) {
    (void)state;
    set_threads(3);
    atomic_int wrong = 0;
    for (int workers = 1; workers < 8; workers++) of__parallel(workers, nest, &wrong);
    assert_int_equal(wrong, 0);
    assert_int_equal(of__workers_for(INT64_MAX), 3);
}

static void *call_often(void *wrong) {
    for (int i = 0; i < 300; i++) *(int *)wrong += wrong_tallies(4);
    return NULL;
}

static void several_threads_may_call(void **state) {
    (void)state;
    set_threads(3);
    pthread_t callers[4];
    int wrong[4] = {0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, call_often, &wrong[i]), 0);
    for (int i = 0; i < 20; i++) set_threads(2 + i % 3);
    for (int i = 0; i < 4; i++) pthread_join(callers[i], NULL);
    for (int i = 0; i < 4; i++) assert_int_equal(wrong[i], 0);
}

static int exit_code_of_child(int (*child)(void)) {
    pid_t pid = fork();
    if (pid == 0) _exit(child());
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int work_in_child(void) {
    alarm(60); /* a lost pool would wait for ever */
    if (wrong_tallies(5) != 0) return 1;
    if (of_threads_set(2, NULL) != OF_OK || wrong_tallies(5) != 0) return 2;
    return 0;
}

static void forked_children_work(void **state) {
    (void)state;
#ifdef OF__THREAD_SANITIZER
    skip(); /* it ends children that start threads */
#endif
    set_threads(3);
    assert_int_equal(wrong_tallies(6), 0);
    assert_int_equal(exit_code_of_child(work_in_child), 0);
    assert_int_equal(wrong_tallies(6), 0);
}

typedef struct busy_caller {
    atomic_bool stop;
    atomic_int calls;
} busy_caller;

static void *call_until_stopped(void *context) {
    busy_caller *caller = context;
    while (!caller->stop) caller->calls += wrong_tallies(3) == 0;
    return NULL;
}

/* Forks while another thread is likely to hold the pool, with one thread and with several. */
static void forks_while_the_pool_works(void **state) {
    (void)state;
#ifdef OF__THREAD_SANITIZER
    skip();
#endif
    for (int threads = 1; threads <= 3; threads += 2) {
        set_threads(threads);
        busy_caller caller = {false, 0};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, call_until_stopped, &caller), 0);
        while (caller.calls == 0) sched_yield();
        for (int i = 0; i < 10; i++) assert_int_equal(exit_code_of_child(work_in_child), 0);
        caller.stop = true;
        pthread_join(thread, NULL);
    }
}

static void out_of_range_is_refused(void **state) {
    (void)state;
    of_error err = {0};
    set_threads(2);
    assert_int_equal(of_threads_set(-1, &err), OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "-1"));
    assert_int_equal(of_threads_set(1025, &err), OF_ERR_VALUE);
    assert_int_equal(of_threads_get(), 2);
}

/* Stacks for so many threads do not fit into the address space allowed. */
static int ask_for_too_many(void) {
    alarm(60);
    const struct rlimit limit = {UINT64_C(1) << 30, UINT64_C(1) << 30};
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 1;
    of_error err = {0};
    if (of_threads_set(1024, &err) != OF_ERR_MEMORY || err.code != OF_ERR_MEMORY) return 2;
    if (of_threads_get() != 3) return 3;
    return wrong_tallies(6) == 0 ? 0 : 4;
}

static void threads_that_cannot_be_had_change_nothing(void **state) {
    (void)state;
#if defined(OF__THREAD_SANITIZER) || defined(OF__ADDRESS_SANITIZER)
    skip(); /* they need the address space for themselves */
#endif
    set_threads(3);
    assert_int_equal(exit_code_of_child(ask_for_too_many), 0);
}

static void the_environment_chooses(void **state) {
    (void)state;
    unsetenv("ONEFOLD_THREADS");
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
    int processors = of_threads_get();
    assert_true(processors >= 1);
    setenv("ONEFOLD_THREADS", "5", 1);
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
    assert_int_equal(of_threads_get(), 5);
    static const char *const wrong[] = {"", "0", "-1", "1025", "2x", " 3", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("ONEFOLD_THREADS", wrong[i], 1);
        assert_int_equal(of_threads_set(0, NULL), OF_OK);
        assert_int_equal(of_threads_get(), processors);
    }
    unsetenv("ONEFOLD_THREADS");
}

static void small_work_stays_with_the_caller(void **state) {
    (void)state;
    set_threads(7);
    assert_int_equal(of__workers_for(0), 1);
    assert_int_equal(of__workers_for(255), 1);
#ifndef ONEFOLD_TEST_SMALL
    assert_int_equal(of__workers_for((2 << 20) - 1), 1);
    assert_int_equal(of__workers_for(2 << 20), 2);
#endif
    assert_int_equal(of__workers_for(64 << 20), 7);
    assert_int_equal(of__workers_for(INT64_MAX), 7);
}

static void look_at_control_word(void *context, int worker) {
    (void)worker;
    atomic_int *wrong = context;
    *wrong += _mm_getcsr() != 0x1f80;
    _mm_setcsr(0x1f80 | 0x20); /* an inexact result */
}

static void callers_keep_their_control_word(void **state) {
    (void)state;
    set_threads(3);
    unsigned before = _mm_getcsr();
    static const unsigned words[] = {0x1f80, 0x1f80 | 0x6000, 0x9fc0, 0x1f80 | 0x01};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        atomic_int wrong = 0;
        _mm_setcsr(words[i]);
        of__parallel(1, look_at_control_word, &wrong);
        of__parallel(6, look_at_control_word, &wrong);
        unsigned after = _mm_getcsr();
        _mm_setcsr(before);
        assert_int_equal(after, words[i]);
        assert_int_equal(wrong, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_worker_runs_once),
        cmocka_unit_test(tasks_may_nest),
        cmocka_unit_test(several_threads_may_call),
        cmocka_unit_test(forked_children_work),
        cmocka_unit_test(forks_while_the_pool_works),
        cmocka_unit_test(out_of_range_is_refused),
        cmocka_unit_test(threads_that_cannot_be_had_change_nothing),
        cmocka_unit_test(the_environment_chooses),
        cmocka_unit_test(small_work_stays_with_the_caller),
        cmocka_unit_test(callers_keep_their_control_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
