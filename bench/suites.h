/*
 * What is measured: each suite prints its rows.
 */
#ifndef ONEFOLD_BENCH_SUITES_H
#define ONEFOLD_BENCH_SUITES_H

#include "compare.h"

/* Whole arrays from memory: every operation and type, one and all threads, each instruction set. */
void bench_reduce(const struct effort *effort);
/* Along dimensions of tables of every proportion, into arrays that are there. */
void bench_dims(const struct effort *effort);
/* The same into a new array each time. */
void bench_dims_new(const struct effort *effort);
/* Whole arrays from the second-level cache. */
void bench_cache(const struct effort *effort);
/* A hundred elements: what a call costs. */
void bench_small(const struct effort *effort);
/* Whether cost grows linearly. */
void bench_scaling(const struct effort *effort);

#endif
