/* What the parser's files share: the token to be taken next, and the first failure. */
#ifndef ONEFOLD_LANG_PARSER_H
#define ONEFOLD_LANG_PARSER_H

#include "lang/ast.h"
#include "lang/lex.h"

enum {
    OF__NESTING_MOST =
        200, /* brackets, signs, conditional expressions within each other; as Python's */
    OF__PARAMETERS_MOST = 255,
};

/*
 * The first failure stays, and what follows it is the end of the text, so that every loop ends and
 * only who looks into a node has to ask whether there is one: a function without a node to return
 * has failed.
 */
typedef struct of__parser {
    of__lexer lexer;
    of__token token; /* not taken yet */
    of_status status;
    of_error *err;
    int nesting;
    int loops;            /* around the statement */
    of__node **next_call; /* where the function's next call of a name is noted */
} of__parser;

/* A list in the making. */
typedef struct of__node_list {
    of__node *first, *last;
} of__node_list;

/* Starts with the first token. */
void of__parser_begin(of__parser *parser, const of__kernel_text *source, of__arena *arena,
                      of_error *err);

/* Takes the token. */
void of__parser_advance(of__parser *parser);

/* Takes the token if it is of the kind. */
bool of__parser_accept(of__parser *parser, of__token_kind kind);

/* Takes a token of the kind, or fails. */
bool of__parser_expect(of__parser *parser, of__token_kind kind);

/* Takes the bracket that closes the one at `open`, or fails. */
bool of__parser_close(of__parser *parser, of__token_kind kind, int32_t open);

/* Fails at the token, which is not what is expected; a word of Python's by its own message. */
void of__parser_unexpected(of__parser *parser, const char *expected);

/* Fails with a message about a place. Returns NULL. */
of__node *of__parser_fail(of__parser *parser, int32_t offset, const char *format, ...)
    OF_PRINTF(3, 4);

/* A node that starts at an offset; one named by the token. */
of__node *of__parser_node(of__parser *parser, of__node_kind kind, int32_t offset);
of__node *of__parser_named(of__parser *parser, of__node_kind kind);

/* An expression whose parts are complete; NULL when there was a failure, or the tree is too high. */
of__node *of__parser_measured(of__parser *parser, of__node *node);

/* Counts nesting; false, with a failure, when there is too much. */
bool of__parser_enter(of__parser *parser);
void of__parser_leave(of__parser *parser);

void of__node_list_add(of__node_list *list, of__node *node);

/* The rules that several files use. */
of__node *of__parse_expr(of__parser *parser);
of__node *of__parse_exprs(of__parser *parser);
of__node *of__parse_primary(of__parser *parser);
of__node *of__parse_block(of__parser *parser, bool is_function);

/* Whether the token may start an expression. */
bool of__starts_expr(const of__parser *parser);

#endif
