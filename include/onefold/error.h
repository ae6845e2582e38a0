/*
 * How functions fail. A function that can fail returns an of_status and takes an optional of_error,
 * which receives the code and one sentence that names the argument and its value. Nothing in
 * Onefold exits, aborts or prints. A pointer that receives a result may be NULL only where its
 * function says so.
 */
#ifndef ONEFOLD_ERROR_H
#define ONEFOLD_ERROR_H

#include <onefold/export.h>

OF_BEGIN_C

/* What became of a call. */
typedef enum of_status {
    OF_OK = 0,
#define OF_ERROR(symbol, name, meaning) symbol,
#include <onefold/errors.def>
#undef OF_ERROR
} of_status;

/* Owned by the caller, no cleanup needed: `of_error err = {0};`. Written on failure only. NULL is
 * accepted wherever an of_error pointer is taken. */
typedef struct of_error {
    of_status code;
    char message[508];
} of_error;

/** The short name of a status: "ok", "value", "memory", ... Never NULL; "unknown" for a number that
 * is no status. */
OF_API const char *of_status_name(of_status status);

/** What a status means, as a phrase without a full stop. Never NULL. */
OF_API const char *of_status_meaning(of_status status);

OF_END_C

#endif
