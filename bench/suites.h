/*
 * What is measured: each suite of suites.def is a function, which prints its rows.
 */
#ifndef ONEFOLD_BENCH_SUITES_H
#define ONEFOLD_BENCH_SUITES_H

#include "compare.h"

#define SUITE(function, name, heading) void function(const struct effort *effort);
#include "suites.def"
#undef SUITE

#endif
