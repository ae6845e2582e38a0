/*
 * The exact accumulator: a sum of any finite values, held without rounding, whatever their order
 * and size.
 *
 * Adding commutes and merging is exact, so partial sums made by any thread, process or machine, in
 * any order, give the same total; it is rounded once, at the end. An accumulator is used by one
 * thread at a time.
 */
#ifndef ONEFOLD_EXACT_H
#define ONEFOLD_EXACT_H

#include <onefold/array.h>

OF_BEGIN_C

/* A handle of an accumulator. */
typedef struct of_exact of_exact;

/** Makes an empty accumulator: sum 0 of 0 terms. The caller frees it. OF_ERR_MEMORY. */
OF_API OF_MUST_USE of_status of_exact_create(of_exact **out, of_error *err);

/** Frees an accumulator. NULL is allowed. */
OF_API void of_exact_free(of_exact *exact);

/** Empties an accumulator. */
OF_API void of_exact_clear(of_exact *exact);

/** Adds one value of any type, exactly. bool counts as 0 or 1. OF_ERR_TYPE: not a type. */
OF_API OF_MUST_USE of_status of_exact_add_scalar(of_exact *exact, of_scalar value, of_error *err);

/**
 * Adds every element of an array, exactly, at the speed of an ordinary sum, with all threads.
 *
 *     for (i = 0; i < size; i++) sum += array[i];   in real numbers
 *
 * array   any type, shape and strides; only read.
 * OF_ERR_MEMORY: the accumulator is unchanged.
 */
OF_API OF_MUST_USE of_status of_exact_add_array(of_exact *exact, const of_array *array,
                                                of_error *err);

/** Adds the terms of another accumulator: `into` becomes the sum of both; `from` stays. They may
 * not be the same. */
OF_API void of_exact_merge(of_exact *into, const of_exact *from);

/** How many terms were added. */
OF_API int64_t of_exact_count(const of_exact *exact);

/**
 * The sum, rounded once to nearest, ties to even, to a float type; or modulo its width to an
 * integer type. Contract 3 and 4: NaN if any term is NaN or infinities of both signs are present;
 * else an infinity if one is present; -0.0 when there are terms and all are -0.0.
 *
 * OF_ERR_TYPE: dtype is bool or no type, or an integer type while a float was added.
 */
OF_API OF_MUST_USE of_status of_exact_round(const of_exact *exact, of_dtype dtype, of_scalar *out,
                                            of_error *err);

/**
 * The sum divided by `divisor`, rounded once to a float type. With of_exact_count as the divisor:
 * the mean, which is NaN when there are no terms.
 *
 * divisor   0 or more; 0 gives NaN.
 * OF_ERR_TYPE: dtype is not a float type. OF_ERR_VALUE: divisor is negative.
 */
OF_API OF_MUST_USE of_status of_exact_round_quotient(const of_exact *exact, int64_t divisor,
                                                     of_dtype dtype, of_scalar *out, of_error *err);

/* The numbers in an exported state. */
#define OF_EXACT_STATE_SIZE 144

/**
 * Writes the state as plain integers. Adding two states number by number (an integer sum of arrays,
 * as MPI_Allreduce with MPI_SUM does) and importing the result gives the merged accumulator; up to
 * 2^30 states may be added so. The layout belongs to the contract's version 1: docs/contract.md.
 *
 * state   receives OF_EXACT_STATE_SIZE numbers.
 */
OF_API void of_exact_export(const of_exact *exact, int64_t *state);

/**
 * Replaces an accumulator by an exported state or by a sum of exported states.
 * OF_ERR_VALUE: the numbers are no state (a negative count, limbs out of range); the accumulator is
 * unchanged.
 */
OF_API OF_MUST_USE of_status of_exact_import(of_exact *exact, const int64_t *state, of_error *err);

OF_END_C

#endif
