/* Failures: codes, their names, and the one function that writes an of_error. */
#include "core/fail.h"

#include <stdarg.h>
#include <stdio.h>

of_status of__fail(of_error *err, of_status code, const char *format, ...) {
    if (err == NULL) return code;
    err->code = code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    return code;
}

const char *of_status_name(of_status status) {
    switch (status) {
    case OF_OK: return "ok";
#define OF_ERROR(symbol, name, meaning)                                                            \
    case symbol:                                                                                   \
        return name;
#include <onefold/errors.def>
#undef OF_ERROR
    }
    return "unknown";
}

const char *of_status_meaning(of_status status) {
    switch (status) {
    case OF_OK: return "the call succeeded";
#define OF_ERROR(symbol, name, meaning)                                                            \
    case symbol:                                                                                   \
        return meaning;
#include <onefold/errors.def>
#undef OF_ERROR
    }
    return "no such status";
}
