/* The functions of a text and how they call each other. */
#ifndef ONEFOLD_LANG_FUNCTIONS_H
#define ONEFOLD_LANG_FUNCTIONS_H

#include "lang/ast.h"

/* Fails with OF_ERR_VALUE where two functions share a name, or one calls itself, directly or by way
 * of others: helpers are put in where they are called. */
of_status of__functions_check(of__node *module, const of__kernel_text *source, of_error *err);

/* The function that a NAME means; NULL when it is none of the text's. */
of__node *of__function_find(const of__node *module, const of__node *name);

/*
 * The kernel of a text: the function called `name`; with NULL the only one marked @kernel, or where
 * none is, the last that is not marked @func. OF_ERR_VALUE: there is none, or more than one.
 */
of_status of__function_kernel(const of__node *module, const char *name,
                              const of__kernel_text *source, of__node **out, of_error *err);

#endif
