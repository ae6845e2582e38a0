/* The thread pool: made when it is first needed, remade when the number of threads changes or the
 * process forks. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "core/threads.h"

#include <limits.h>
#include <pthread.h>
#include <pthreadpool.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <onefold/device.h>

#include "core/fail.h"
#include "core/fpenv.h"
#include "core/sanitizer.h"

/* The sanitizer cannot see the hand-over inside the pool, which is a library compiled without it.
 */
#ifdef OF__THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#define HAND_OVER(object) __tsan_release(object)
#define TAKE_OVER(object) __tsan_acquire(object)
#else
#define HAND_OVER(object) (void)(object)
#define TAKE_OVER(object) (void)(object)
#endif

enum { MOST_THREADS = 1024 };

/* Starting the other threads takes some 10 us: about what one thread needs for this many bytes. */
#ifdef ONEFOLD_TEST_SMALL
static const int64_t parallel_from_bytes = 256;
#else
static const int64_t parallel_from_bytes = INT64_C(2) << 20;
#endif

/* Held while the pool works or changes. */
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthreadpool_t pool;        /* NULL: not made yet, or not needed */
static atomic_int threads_wanted; /* 0: not decided yet */
static _Thread_local bool inside_task;

/* ---- How many ---- */

static int processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN); /* more processors than the set has room for */
    return online < 1 ? 1 : online > MOST_THREADS ? MOST_THREADS : (int)online;
}

static int default_threads(void) {
    const char *wish = getenv("ONEFOLD_THREADS");
    if (wish != NULL && *wish >= '0' && *wish <= '9') {
        char *end;
        long count = strtol(wish, &end, 10);
        if (*end == '\0' && count >= 1 && count <= MOST_THREADS) return (int)count;
    }
    return processors();
}

int of_threads_get(void) {
    int threads = atomic_load_explicit(&threads_wanted, memory_order_relaxed);
    if (threads != 0) return threads;
    int expected = 0;
    threads = default_threads();
    return atomic_compare_exchange_strong(&threads_wanted, &expected, threads) ? threads : expected;
}

int of__workers_for(int64_t bytes) {
    if (bytes < parallel_from_bytes || inside_task) return 1;
    int64_t worthwhile = bytes / (parallel_from_bytes / 2);
    int threads = of_threads_get();
    return worthwhile < threads ? (int)worthwhile : threads;
}

int of__workers_for_elements(int64_t n, int64_t bytes) {
    return of__workers_for(n > INT64_MAX / (bytes + 1) ? INT64_MAX : n * bytes);
}

/* ---- The pool ---- */

static void *wait_for_lock(void *lock) {
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

/* Whether the system grants that many threads more. The pool's own making would wait for ever for
 * one that it does not get. */
static bool can_start(int count) {
    static pthread_t started[MOST_THREADS]; /* one user at a time: under pool_lock */
    pthread_mutex_t hold = PTHREAD_MUTEX_INITIALIZER;
    int running = 0;
    pthread_mutex_lock(&hold);
    while (running < count && pthread_create(&started[running], NULL, wait_for_lock, &hold) == 0)
        running++;
    pthread_mutex_unlock(&hold);
    for (int i = 0; i < running; i++) pthread_join(started[i], NULL);
    return running == count;
}

/* The child of a fork has only the thread that called it: the pool's threads, and whoever held the
 * lock, are gone. */
static void forget_pool(void) {
    pool = NULL;
    pool_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, forget_pool);
}

/* Under pool_lock: makes the pool one of `threads` threads. False, and the old pool stays, when
 * they cannot be had. */
static bool resize_pool(int threads) {
    int present = pool == NULL ? 1 : (int)pthreadpool_get_threads_count(pool);
    if (present == threads) return true;
    pthreadpool_t made = NULL;
    if (threads > 1) {
        if (!can_start(threads - 1)) return false;
        made = pthreadpool_create((size_t)threads);
        if (made == NULL) return false;
    }
    if (pool != NULL) pthreadpool_destroy(pool);
    pool = made;
    return true;
}

of_status of_threads_set(int count, of_error *err) {
    if (count < 0 || count > MOST_THREADS)
        return of__fail(err, OF_ERR_VALUE, "count %d is not from 0 to %d", count, MOST_THREADS);
    if (inside_task)
        return of__fail(err, OF_ERR_UNSUPPORTED, "threads cannot be set while they work");
    if (count == 0) count = default_threads();
    pthread_mutex_lock(&pool_lock);
    bool done = resize_pool(count);
    if (done) atomic_store(&threads_wanted, count);
    pthread_mutex_unlock(&pool_lock);
    return done ? OF_OK : of__fail(err, OF_ERR_MEMORY, "%d threads could not be created", count);
}

/* ---- Work ---- */

typedef struct region {
    of__task task;
    void *context;
} region;

static void run_task(void *opaque, size_t worker) {
    region *work = opaque;
    bool was_inside = inside_task;
    inside_task = true;
    TAKE_OVER(work);
    of__fpenv saved = of__fpenv_enter();
    work->task(work->context, (int)worker);
    of__fpenv_leave(saved);
    HAND_OVER(work);
    inside_task = was_inside;
}

static void run_alone(int workers, region *work) {
    for (int worker = 0; worker < workers; worker++) run_task(work, (size_t)worker);
}

void of__parallel(int workers, of__task task, void *context) {
    region work = {task, context};
    if (workers < 2 || inside_task || pthread_mutex_trylock(&pool_lock) != 0) {
        run_alone(workers, &work);
        return;
    }
    if (resize_pool(of_threads_get()) && pool != NULL) {
        HAND_OVER(&work);
        /* Sleeping between calls costs some microseconds a call; waiting awake would cost a
         * processor. */
        pthreadpool_parallelize_1d(pool, run_task, &work, (size_t)workers,
                                   PTHREADPOOL_FLAG_YIELD_WORKERS);
        TAKE_OVER(&work);
    } else {
        run_alone(workers, &work);
    }
    pthread_mutex_unlock(&pool_lock);
}
