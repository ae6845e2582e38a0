#include "lang/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fail_with(of__parser *parser, of_status status) {
    parser->status = status;
    parser->token.kind = OF__TOKEN_END;
}

void of__parser_advance(of__parser *parser) {
    if (parser->status != OF_OK) return;
    of_status status = of__lexer_next(&parser->lexer, &parser->token, parser->err);
    if (status != OF_OK) fail_with(parser, status);
}

void of__parser_begin(of__parser *parser, const of__kernel_text *source, of__arena *arena,
                      of_error *err) {
    *parser = (of__parser){.err = err};
    of_status status = of__lexer_begin(&parser->lexer, source, arena, err);
    if (status != OF_OK) fail_with(parser, status);
    of__parser_advance(parser);
}

bool of__parser_accept(of__parser *parser, of__token_kind kind) {
    if (parser->status != OF_OK || parser->token.kind != kind) return false;
    of__parser_advance(parser);
    return true;
}

bool of__parser_expect(of__parser *parser, of__token_kind kind) {
    if (of__parser_accept(parser, kind)) return true;
    of__parser_unexpected(parser, of__token_text(kind));
    return false;
}

bool of__parser_close(of__parser *parser, of__token_kind kind, int32_t open) {
    /* Lines end in no bracket, so this is the end of the text, far from where the fault is. */
    if (parser->status == OF_OK && parser->token.kind == OF__TOKEN_NEWLINE)
        of__parser_fail(parser, open, "'%c' is not closed", parser->lexer.source->text[open]);
    return of__parser_expect(parser, kind);
}

of__node *of__parser_fail(of__parser *parser, int32_t offset, const char *format, ...) {
    if (parser->status != OF_OK) return NULL;
    char message[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fail_with(parser, of__text_fail(parser->lexer.source, offset, parser->err, OF_ERR_VALUE, "%s",
                                    message));
    return NULL;
}

/* Messages about tokens that are wrong wherever they are not asked for. */
static const char *why_never(of__token_kind kind) {
    switch (kind) {
    case OF__TOKEN_STRING:
        return "kernels have no strings but docstrings, at the start of a function; print(...) "
               "takes "
               "numbers";
    case OF__TOKEN_WALRUS:
        return "kernels have no :=; assign in a statement of its own, before this one";
    case OF__TOKEN_ELLIPSIS: return "kernels have no ...; give an index for each dimension";
    case OF__TOKEN_INDENT: return "the line is indented, but no block starts before it";
    default: return of__token_refused(kind);
    }
}

void of__parser_unexpected(of__parser *parser, const char *expected) {
    if (parser->status != OF_OK) return;
    const of__token *token = &parser->token;
    const char *why = why_never(token->kind);
    const char *text = parser->lexer.source->text + token->offset;
    int size = token->size < 40 ? (int)token->size : 40;
    if (why != NULL) {
        of__parser_fail(parser, token->offset, "%s", why);
    } else if (token->kind == OF__TOKEN_NAME || token->kind == OF__TOKEN_INTEGER ||
               token->kind == OF__TOKEN_FLOAT) {
        of__parser_fail(parser, token->offset, "expected %s, found %.*s", expected, size, text);
    } else {
        of__parser_fail(parser, token->offset, "expected %s, found %s", expected,
                        of__token_text(token->kind));
    }
}

of__node *of__parser_node(of__parser *parser, of__node_kind kind, int32_t offset) {
    if (parser->status != OF_OK) return NULL;
    of__node *node = of__node_make(parser->lexer.arena, kind, offset);
    if (node == NULL)
        fail_with(parser, of__text_fail_memory(parser->lexer.source, offset, parser->lexer.arena,
                                               parser->err));
    return node;
}

of__node *of__parser_named(of__parser *parser, of__node_kind kind) {
    if (parser->token.kind != OF__TOKEN_NAME) {
        of__parser_unexpected(parser, "a name");
        return NULL;
    }
    of__node *node = of__parser_node(parser, kind, parser->token.offset);
    if (node == NULL) return NULL;
    node->name = parser->lexer.source->text + parser->token.offset;
    node->size = parser->token.size;
    of__parser_advance(parser);
    return parser->status == OF_OK ? node : NULL;
}

of__node *of__parser_measured(of__parser *parser, of__node *node) {
    if (parser->status != OF_OK) return NULL;
    if (of__node_measure(node)) return node;
    return of__parser_fail(parser, node->offset,
                           "the expression has more than %d operations upon each other; use locals "
                           "for its parts",
                           OF__HEIGHT_MOST);
}

bool of__parser_enter(of__parser *parser) {
    if (parser->nesting++ < OF__NESTING_MOST) return true;
    of__parser_fail(parser, parser->token.offset,
                    "the expression is nested more than %d deep; use locals for its parts",
                    OF__NESTING_MOST);
    return false;
}

void of__parser_leave(of__parser *parser) {
    parser->nesting--;
}

void of__node_list_add(of__node_list *list, of__node *node) {
    if (node == NULL) return;
    if (list->first == NULL)
        list->first = node;
    else
        list->last->next = node;
    list->last = node;
}
