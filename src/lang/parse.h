/* Tokens to a tree: the grammar of the kernel language, and why the rest of Python is refused. */
#ifndef ONEFOLD_LANG_PARSE_H
#define ONEFOLD_LANG_PARSE_H

#include "lang/ast.h"

/*
 * The functions of a text, in its order: a MODULE. The tree is the arena's and refers to the source's
 * characters; both must outlive it. OF_ERR_VALUE, with the place: what the language has not, nested
 * too deeply, or larger than the arena may be. OF_ERR_MEMORY.
 */
of_status of__parse_module(const of__kernel_text *source, of__arena *arena, of__node **out,
                           of_error *err);

/* A text that is one expression: the map or operator of a reduction. Else as of__parse_module. */
of_status of__parse_expression(const of__kernel_text *source, of__arena *arena, of__node **out,
                               of_error *err);

#endif
