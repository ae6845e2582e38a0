#include "python/library_call.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* Below so many bytes, letting other threads run would cost more than the work. */
static const int64_t LOCKED_BYTES = 1 << 14;

/* From so many bytes on a call may take long enough for a person to give up on. */
static const int64_t INTERRUPTIBLE_BYTES = 1 << 24;

/* How often signals are looked for. */
static const long POLL_NANOSECONDS = 50 * 1000 * 1000;

/* Only the main thread runs signal handlers. */
static unsigned long main_thread;

/* A call on a thread of its own. Whoever comes last, the caller or the work, releases it. */
typedef struct job {
    call *call;
    of_status status;
    of_error err;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool done, abandoned;
} job;

bool call_register(void) {
    PyObject *threading = PyImport_ImportModule("threading");
    PyObject *thread =
        threading != NULL ? PyObject_CallMethod(threading, "main_thread", NULL) : NULL;
    PyObject *identity = thread != NULL ? PyObject_GetAttrString(thread, "ident") : NULL;
    if (identity != NULL) main_thread = PyLong_AsUnsignedLong(identity);
    Py_XDECREF(identity);
    Py_XDECREF(thread);
    Py_XDECREF(threading);
    return !PyErr_Occurred();
}

call *call_create(call_body run) {
    call *created = calloc(1, sizeof(call));
    if (created == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    created->run = run;
    return created;
}

void call_release(call *call) {
    if (call == NULL) return;
    for (int i = 0; i < MOST_SOURCES; i++) of_array_release(call->source[i]);
    for (int i = 0; i < MOST_RESULTS; i++) of_array_release(call->result[i]);
    free(call);
}

void call_expect(call *call, int64_t elements) {
    const int64_t most = INT64_MAX / 16;
    call->result_bytes = 8 * (elements < 0 ? 0 : elements > most ? most : elements);
}

/* How much work there is, up to what makes it interruptible: arrays with strides of 0 may have any
 * number of bytes. */
static int64_t bytes_of(const call *call) {
    int64_t bytes = call->result_bytes;
    for (int i = 0; i < MOST_SOURCES && bytes < INTERRUPTIBLE_BYTES; i++) {
        if (call->source[i] == NULL) continue;
        int64_t more = of_array_nbytes(call->source[i]);
        bytes = more < INTERRUPTIBLE_BYTES ? bytes + more : INTERRUPTIBLE_BYTES;
    }
    return bytes;
}

static void job_free(job *job) {
    pthread_cond_destroy(&job->changed);
    pthread_mutex_destroy(&job->mutex);
    free(job);
}

static void *job_run(void *context) {
    job *job = context;
    of_status status = job->call->run(job->call, &job->err);
    pthread_mutex_lock(&job->mutex);
    job->status = status;
    job->done = true;
    bool abandoned = job->abandoned;
    pthread_cond_signal(&job->changed);
    pthread_mutex_unlock(&job->mutex);
    if (abandoned) {
        call_release(job->call);
        job_free(job);
    }
    return NULL;
}

/* Waits a moment for the work. True when it is done. */
static bool job_wait(job *job) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += POLL_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&job->mutex);
    int waited = 0;
    while (!job->done && waited != ETIMEDOUT) {
        waited = pthread_cond_timedwait(&job->changed, &job->mutex, &until);
    }
    bool done = job->done;
    pthread_mutex_unlock(&job->mutex);
    return done;
}

/* Leaves the work to itself. False when it is done already. */
static bool job_abandon(job *job) {
    pthread_mutex_lock(&job->mutex);
    bool running = !job->done;
    job->abandoned = running;
    pthread_mutex_unlock(&job->mutex);
    return running;
}

static job *job_start(call *call) {
    job *started = calloc(1, sizeof(job));
    if (started == NULL) return NULL;
    started->call = call;
    pthread_mutex_init(&started->mutex, NULL);
    pthread_cond_init(&started->changed, NULL);
    pthread_t thread;
    if (pthread_create(&thread, NULL, job_run, started) != 0) {
        job_free(started);
        return NULL;
    }
    pthread_detach(thread);
    return started;
}

/* On a thread of its own, while this one answers signals. False where no thread could be had. */
static bool perform_watched(call **pointer, of_status *status, of_error *err, bool *interrupted) {
    job *job = job_start(*pointer);
    if (job == NULL) return false;
    bool done = false;
    while (!done && !*interrupted) {
        Py_BEGIN_ALLOW_THREADS done = job_wait(job);
        Py_END_ALLOW_THREADS if (!done && PyErr_CheckSignals() < 0) *interrupted = true;
    }
    if (*interrupted && job_abandon(job)) {
        *pointer = NULL;
        return true;
    }
    *status = job->status;
    *err = job->err;
    job_free(job);
    return true;
}

bool call_perform(call **pointer) {
    call *call = *pointer;
    of_error err = {0};
    of_status status = OF_OK;
    bool interrupted = false;
    int64_t bytes = bytes_of(call);
    if (bytes < LOCKED_BYTES) {
        status = call->run(call, &err);
    } else if (bytes < INTERRUPTIBLE_BYTES || PyThread_get_thread_ident() != main_thread ||
               !perform_watched(pointer, &status, &err, &interrupted)) {
        Py_BEGIN_ALLOW_THREADS status = call->run(call, &err);
        Py_END_ALLOW_THREADS
    }
    if (interrupted) return false;
    if (status != OF_OK) raise_status(status, &err);
    return status == OF_OK;
}
