/*
 * Questions and answers. A test asks what a reduction must give; the reference answers at once.
 * harness_answer then puts every question to the library under every instruction set and thread
 * count, and compares bits.
 */
#ifndef ONEFOLD_TESTS_HARNESS_H
#define ONEFOLD_TESTS_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <onefold/reduce.h>

#include "reduce/arrays.h"
#include "reference/reference.h"

/* ---- single checks ---- */

/* Counts a check, and prints `what` where it fails. */
void check(bool holds, const char *what, ...) OF_PRINTF(2, 3);

/* That two values have the same type and bits. */
void check_scalar(of_scalar got, of_scalar expected, const char *what, ...) OF_PRINTF(3, 4);

/* That a call failed with this status and a message that holds these words. */
void check_failure(of_status got, of_status expected, const of_error *err, const char *words,
                   const char *what);

/* Ends a test: fails it when a check failed, or when there was none. */
void checks_finish(void);

/* ---- questions ---- */

/* What of_reduce_scalar must give. The array and opts->second are kept alive; `about` says what the
 * data is. */
void ask_scalar(const of_array *src, of_operation operation, const of_reduce_opts *opts,
                const char *about);

/* What of_reduce must give for each slice over opts->dims. */
void ask_dims(const of_array *src, of_operation operation, const of_reduce_opts *opts,
              const char *about);

/* Puts all questions under every configuration and forgets them. */
void harness_answer(void);

/* Operations from these on are statistics, which take no map, and take a second array. */
#define FIRST_STATISTIC OF_VAR
#define FIRST_OF_TWO    OF_DOT

/* All dimensions: what is asked for is the reduction of a whole array. */
#define WHOLE (~0u)

/* The answer of the reference for the slice of `src` over `dims` at a position of the others; false
 * when there is none. opts may be NULL. `result` is the type of the answer; NONE: opts->acctype or
 * else the contract's. */
bool expected_of_slice(const of_array *src, dim_set dims, int64_t outer, of_operation operation,
                       const of_reduce_opts *opts, of_dtype result, of_scalar *out);

/* The sum of the finite elements times 2^2176, which makes it whole. */
#define EXACT_SCALE 2176
void exact_total(mpz_t out, const of_array *array);

/* ---- configurations ---- */

/* Calls `body` under every instruction set of this machine with 1, 2, 3 and 7 threads. */
void each_configuration(void (*body)(void *context), void *context);

/* Of long lists of cases, sanitizers run one in three. */
static inline bool left_out(int64_t turn) {
#ifdef ONEFOLD_TEST_SANITIZED
    return turn % 3 != 0;
#else
    (void)turn;
    return false;
#endif
}

/* "sum", and so on, without asking the library. */
extern const char *const operation_names[];

#endif
