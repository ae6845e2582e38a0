/*
 * Operations on groups: what can be made of each, where an array holds many groups of values, be they
 * runs of equal keys (runs.h) or segments by number (segment.h).
 */
#ifndef ONEFOLD_GROUP_H
#define ONEFOLD_GROUP_H

#include <onefold/error.h>

OF_BEGIN_C

/* The operations. Not every function takes each. */
typedef enum of_group_operation {
#define OF_GROUP_OPERATION(SYMBOL, name, meaning) OF_GROUP_##SYMBOL,
#include <onefold/group_operations.def>
#undef OF_GROUP_OPERATION
    OF_GROUP_OPERATION_END /* one past the last; not an operation */
} of_group_operation;

/** The name of an operation: "sum", "count", ...; "unknown" for a number that is none. */
OF_API const char *of_group_operation_name(of_group_operation operation);

/** What an operation gives, as a phrase without a full stop; "unknown" where there is none. */
OF_API const char *of_group_operation_meaning(of_group_operation operation);

/** Finds an operation by name. OF_ERR_VALUE: there is none; the message lists those there are. */
OF_API OF_MUST_USE of_status of_group_operation_parse(const char *name, of_group_operation *out,
                                                      of_error *err);

OF_END_C

#endif
