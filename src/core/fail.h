/* Reporting a failure: one line at the place that finds it. */
#ifndef ONEFOLD_CORE_FAIL_H
#define ONEFOLD_CORE_FAIL_H

#include <onefold/error.h>

/* Writes code and message into err (NULL allowed) and returns the code, so that `return
 * of__fail(err, ...)` reads as it acts. A message is one sentence without a full stop that names
 * the argument and its value. */
of_status of__fail(of_error *err, of_status code, const char *format, ...) OF_PRINTF(3, 4);

/* Returns from the enclosing function when a call fails. Only where nothing is owned. */
#define OF_TRY(call)                                                                               \
    do {                                                                                           \
        of_status of_try_status = (call);                                                          \
        if (of_try_status != OF_OK) return of_try_status;                                          \
    } while (0)

#endif
