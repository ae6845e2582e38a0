/* Text to tokens: Python's, with its indentation. */
#ifndef ONEFOLD_LANG_LEX_H
#define ONEFOLD_LANG_LEX_H

#include <stdbool.h>

#include "lang/arena.h"
#include "lang/kernel_text.h"

typedef enum of__token_kind {
#define OF_TOKEN(symbol, text)        OF__TOKEN_##symbol,
#define OF_MARK(symbol, text)         OF__TOKEN_##symbol,
#define OF_KEYWORD(symbol, text)      OF__TOKEN_##symbol,
#define OF_REFUSED(symbol, text, why) OF__TOKEN_##symbol,
#include "lang/tokens.def"
} of__token_kind;

/* As Python's. */
enum { OF__INDENTS_MOST = 100 };

typedef struct of__token {
    of__token_kind kind;
    int32_t offset, size; /* in the source; size 0 where it has no characters */
    uint64_t integer;     /* INTEGER */
    double real;          /* FLOAT, correctly rounded */
    const char *digits;   /* FLOAT: as written, without underscores, in the arena, ended by zero */
} of__token;

/* A line's indentation, with tabs to multiples of 8 and with tabs as one blank. Lines are told apart
 * only where both agree, as in Python. */
typedef struct of__indent {
    int64_t wide, narrow;
} of__indent;

typedef struct of__lexer {
    const of__kernel_text *source;
    of__arena *arena;
    int32_t at;
    bool is_line_start, is_line_empty;
    int brackets; /* open ones; lines end in none */
    int dedents;  /* that are still to be given */
    int depth;    /* of indents; the first is of no width */
    of__indent indents[OF__INDENTS_MOST + 1];
} of__lexer;

/* A lexer at the start of a source, which both arguments must outlive. OF_ERR_VALUE: the source is
 * too large, or not UTF-8. */
of_status of__lexer_begin(of__lexer *lexer, const of__kernel_text *source, of__arena *arena,
                          of_error *err);

/* The next token; END again and again at the end. OF_ERR_VALUE: none that the language has, with its
 * place. OF_ERR_MEMORY. */
of_status of__lexer_next(of__lexer *lexer, of__token *token, of_error *err);

/* The number at lexer->at, a digit or a point before one. */
of_status of__lex_number(of__lexer *lexer, of__token *token, of_error *err);

/* What messages call a kind of token: 'while', a name. */
const char *of__token_text(of__token_kind kind);

/* Why a word of Python is refused, and what to write instead; NULL for other kinds. */
const char *of__token_refused(of__token_kind kind);

#endif
