#include "cli/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"

int fail(const char *subject, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("onefold: ", stderr);
    if (subject != NULL) fprintf(stderr, "%s: ", subject);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_FAILURE;
}

int misuse(const struct command *command, const char *format, ...) {
    const char *gap = command == NULL ? "" : " ";
    const char *name = command == NULL ? "" : command->name;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "onefold%s%s: ", gap, name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\nTry: onefold help%s%s\n", gap, name);
    va_end(arguments);
    return EXIT_USAGE;
}
