/* Work shared among threads. Which thread does what never reaches a result. */
#ifndef ONEFOLD_CORE_THREADS_H
#define ONEFOLD_CORE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

typedef void (*of__task)(void *context, int worker);

/*
 *     for (worker = 0; worker < workers; worker++) task(context, worker);
 *
 * The calls run at the same time on the pool's threads and the caller's; all have returned when
 * this returns, and what they wrote is visible. Safe to call from a task (the inner calls run one
 * after another), from several threads at once (whoever finds the pool busy runs alone), and in a
 * forked child (which gets a pool of its own).
 */
void of__parallel(int workers, of__task task, void *context);

/* How many workers a pass over `bytes` bytes is worth: 1 for small work and inside a task, at most
 * the threads set (of_threads_get). */
int of__workers_for(int64_t bytes);

/* The same for n elements of so many bytes, whose product may overflow. */
int of__workers_for_elements(int64_t n, int64_t bytes);

#endif
