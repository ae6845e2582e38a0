/*
 * The ordinary loops that Onefold is measured beside: vectorized by the compiler, split among
 * threads, and as inexact and as indifferent to NaN as usual.
 */
#ifndef ONEFOLD_BENCH_PLAIN_H
#define ONEFOLD_BENCH_PLAIN_H

#include <onefold/onefold.h>

/* A loop over `count` numbers. What it finds is returned so that it cannot be left out. */
typedef double (*plain_loop)(const void *numbers, int64_t count);

/* A loop and the array that it goes over, in one part a thread. */
struct plain {
    plain_loop loop;
    const of_array *array;
    int threads;
};

/* The loop of an operation, or NULL where C has no simple one. */
plain_loop plain_loop_of(of_operation operation, of_dtype dtype);

/* Only reads: adds up the bytes of elements of any type as 64-bit integers, several vectors at a
 * time. */
plain_loop plain_reader_of(of_dtype dtype);

/* Runs a struct plain, as a side does. */
void run_plain(void *plain);

/* What the machine can read and write at most by ordinary means: each byte of an array in one part a
 * thread, its vectors of integers doubled, to another of the same size. */
struct plain_copy {
    const of_array *from;
    of_array *to;
    int threads;
};

/* Runs a struct plain_copy, as a side does. */
void run_plain_copy(void *copy);

#endif
