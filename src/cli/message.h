/* What goes to standard error, and the exit status that goes with it. */
#ifndef ONEFOLD_CLI_MESSAGE_H
#define ONEFOLD_CLI_MESSAGE_H

#include <onefold/error.h>

struct command;

/* Beside EXIT_SUCCESS and EXIT_FAILURE: the command line itself was wrong. */
enum { EXIT_USAGE = 2 };

/* Prints "onefold: SUBJECT: reason" (without the subject when it is NULL) and returns EXIT_FAILURE.
 */
int fail(const char *subject, const char *format, ...) OF_PRINTF(2, 3);

/* Prints "onefold COMMAND: reason" and where to read more, and returns EXIT_USAGE. NULL: no command
 * was named. */
int misuse(const struct command *command, const char *format, ...) OF_PRINTF(2, 3);

#endif
