/* What the tests of sorting share: arrays from C values, and checks of failing calls. */
#ifndef ONEFOLD_TESTS_SORT_FIXTURE_H
#define ONEFOLD_TESTS_SORT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <onefold/onefold.h>

/* An array over memory that stays the test's. */
of_array *array_over(of_dtype dtype, int ndim, const int64_t *shape, const void *data);

/* The same with one dimension. */
of_array *line_over(of_dtype dtype, int64_t n, const void *data);

/* That a call failed with a status and a message. */
#define ASSERT_FAILS(status, text, call)                                                           \
    do {                                                                                           \
        of_error err = {0};                                                                        \
        assert_int_equal(call, status);                                                            \
        assert_int_equal(err.code, status);                                                        \
        assert_string_equal(err.message, text);                                                    \
    } while (0)

/* That it succeeded. */
#define ASSERT_OK(call)                                                                            \
    do {                                                                                           \
        of_error err = {0};                                                                        \
        if ((call) != OF_OK) fail_msg("%s", err.message);                                          \
    } while (0)

/* Releases an array after comparing its elements, in row-major order, byte by byte. */
void assert_holds(of_array *array, of_dtype dtype, int64_t n, const void *expected);

#endif
