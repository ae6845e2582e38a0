#include "lang/lex.h"

#include <string.h>

#include "core/fail.h"

typedef struct word {
    of__token_kind kind;
    int size;
    const char *text;
} word;

static const word marks[] = {
#define OF_MARK(symbol, text) {OF__TOKEN_##symbol, sizeof text - 1, text},
#include "lang/tokens.def"
};

static const word keywords[] = {
#define OF_KEYWORD(symbol, text)      {OF__TOKEN_##symbol, sizeof text - 1, text},
#define OF_REFUSED(symbol, text, why) {OF__TOKEN_##symbol, sizeof text - 1, text},
#include "lang/tokens.def"
};

enum { MARKS = sizeof marks / sizeof *marks, KEYWORDS = sizeof keywords / sizeof *keywords };

const char *of__token_text(of__token_kind kind) {
    static const char *const texts[] = {
#define OF_TOKEN(symbol, text)        text,
#define OF_MARK(symbol, text)         "'" text "'",
#define OF_KEYWORD(symbol, text)      "'" text "'",
#define OF_REFUSED(symbol, text, why) "'" text "'",
#include "lang/tokens.def"
    };
    return texts[kind];
}

const char *of__token_refused(of__token_kind kind) {
    static const char *const reasons[] = {
#define OF_REFUSED(symbol, text, why) [OF__TOKEN_##symbol] = why,
#include "lang/tokens.def"
    };
    return (size_t)kind < sizeof reasons / sizeof *reasons ? reasons[kind] : NULL;
}

/* ---- Characters ---- */

static bool is_digit(int c) {
    return c >= '0' && c <= '9';
}

static bool starts_name(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The byte `ahead` of the current one; -1 past the end. */
static int peek(const of__lexer *lexer, int ahead) {
    int64_t at = (int64_t)lexer->at + ahead;
    return at < lexer->source->size ? (unsigned char)lexer->source->text[at] : -1;
}

/* Passes over one end of a line, of any system's. */
static bool take_line_end(of__lexer *lexer) {
    int c = peek(lexer, 0);
    if (c != '\n' && c != '\r') return false;
    lexer->at += c == '\r' && peek(lexer, 1) == '\n' ? 2 : 1;
    return true;
}

static void skip_comment(of__lexer *lexer) {
    if (peek(lexer, 0) != '#') return;
    for (int c; (c = peek(lexer, 0)) != -1 && c != '\n' && c != '\r';) lexer->at++;
}

of_status of__lexer_begin(of__lexer *lexer, const of__kernel_text *source, of__arena *arena,
                          of_error *err) {
    *lexer = (of__lexer){.source = source, .arena = arena, .is_line_start = true};
    lexer->is_line_empty = true;
    if (source->size > OF__TEXT_MOST)
        return of__fail(err, OF_ERR_VALUE,
                        "%.100s has %lld bytes, more than a kernel's text may have", source->name,
                        (long long)source->size);
    const char *text = source->text, *end = text + source->size;
    int32_t code;
    for (const char *at = text; at < end; at += of__utf8_read(at, end, &code))
        if ((unsigned char)*at >= 0x80 && (of__utf8_read(at, end, &code), code < 0))
            return of__text_fail(source, (int32_t)(at - text), err, OF_ERR_VALUE,
                                 "byte 0x%02x is not UTF-8", (unsigned char)*at);
    if (source->size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) lexer->at = 3;
    return OF_OK;
}

/* ---- Lines ---- */

/* Passes over blanks and comments between tokens, and joined lines. */
static of_status skip_blanks(of__lexer *lexer, of_error *err) {
    while (true) {
        int c = peek(lexer, 0);
        if (c == ' ' || c == '\t' || c == '\f') {
            lexer->at++;
        } else if (c == '\\') {
            int32_t start = lexer->at++;
            if (!take_line_end(lexer) || peek(lexer, 0) == -1)
                return of__text_fail(lexer->source, start, err, OF_ERR_VALUE,
                                     "a backslash joins lines, so nothing may follow it on its "
                                     "line, and a line must follow");
        } else if (c == '#') {
            skip_comment(lexer);
        } else if (lexer->brackets == 0 || !take_line_end(lexer)) {
            return OF_OK;
        }
    }
}

/* Measures the blanks that a line starts with. */
static of__indent take_indent(of__lexer *lexer) {
    of__indent indent = {0, 0};
    for (;; lexer->at++) {
        int c = peek(lexer, 0);
        if (c == ' ')
            indent.wide++, indent.narrow++;
        else if (c == '\t')
            indent.wide = (indent.wide / 8 + 1) * 8, indent.narrow++;
        else if (c == '\f')
            indent = (of__indent){0, 0};
        else
            return indent;
    }
}

static of_status fail_tabs(const of__lexer *lexer, of_error *err) {
    return of__text_fail(lexer->source, lexer->at, err, OF_ERR_VALUE,
                         "tabs and spaces are mixed so that the indentation depends on the width "
                         "of a tab; use spaces");
}

/* Compares a line's indentation with those open; gives INDENT, or notes how many DEDENTs are due. */
static of_status take_line_start(of__lexer *lexer, of__token *token, of_error *err) {
    of__indent indent;
    lexer->is_line_start = false;
    do { /* lines of blanks and comments have no indentation */
        indent = take_indent(lexer);
        skip_comment(lexer);
    } while (take_line_end(lexer));
    if (peek(lexer, 0) == -1) return OF_OK;

    of__indent *open = &lexer->indents[lexer->depth];
    if (indent.wide == open->wide)
        return indent.narrow == open->narrow ? OF_OK : fail_tabs(lexer, err);
    if (indent.wide > open->wide) {
        if (indent.narrow <= open->narrow) return fail_tabs(lexer, err);
        if (lexer->depth == OF__INDENTS_MOST)
            return of__text_fail(lexer->source, lexer->at, err, OF_ERR_VALUE,
                                 "more than %d blocks are nested; move inner ones to a helper "
                                 "function",
                                 OF__INDENTS_MOST);
        lexer->indents[++lexer->depth] = indent;
        *token = (of__token){.kind = OF__TOKEN_INDENT, .offset = lexer->at};
        return OF_OK;
    }
    while (indent.wide < lexer->indents[lexer->depth].wide) lexer->depth--, lexer->dedents++;
    open = &lexer->indents[lexer->depth];
    if (indent.wide != open->wide)
        return of__text_fail(lexer->source, lexer->at, err, OF_ERR_VALUE,
                             "the line is indented like no block around it");
    return indent.narrow == open->narrow ? OF_OK : fail_tabs(lexer, err);
}

/* The line's end where there is text on it, then the blocks'. */
static void take_end(of__lexer *lexer, of__token *token) {
    if (!lexer->is_line_empty) {
        token->kind = OF__TOKEN_NEWLINE;
        lexer->is_line_empty = true;
    } else if (lexer->depth > 0) {
        token->kind = OF__TOKEN_DEDENT;
        lexer->depth--;
    } else {
        token->kind = OF__TOKEN_END;
    }
}

/* ---- Tokens ---- */

static void take_word(of__lexer *lexer, of__token *token) {
    const char *text = lexer->source->text + token->offset;
    while (starts_name(peek(lexer, 0)) || is_digit(peek(lexer, 0))) lexer->at++;
    token->kind = OF__TOKEN_NAME;
    token->size = lexer->at - token->offset;
    for (int i = 0; i < KEYWORDS; i++)
        if (keywords[i].size == token->size &&
            memcmp(keywords[i].text, text, (size_t)token->size) == 0)
            token->kind = keywords[i].kind;
}

/* The letters before a string's quote, at most three; -1 where no string starts. */
static int string_prefix(const of__lexer *lexer) {
    for (int letters = 0; letters <= 3; letters++) {
        int c = peek(lexer, letters);
        if (c == '"' || c == '\'') return letters;
        if (c < 0 || strchr("rRbBuUfFtT", c) == NULL || c == 0) return -1;
    }
    return -1;
}

/* Passes over a string. Only one that may be a docstring is taken. */
static of_status take_string(of__lexer *lexer, int letters, of__token *token, of_error *err) {
    for (int i = 0; i < letters; i++)
        if (strchr("bBfFtT", peek(lexer, i)) != NULL)
            return of__text_fail(lexer->source, lexer->at, err, OF_ERR_VALUE,
                                 "kernels have no %s; print(...) takes numbers",
                                 strchr("bB", peek(lexer, i)) ? "bytes" : "formatted strings");
    lexer->at += letters;
    int quote = peek(lexer, 0), quotes = 1;
    if (peek(lexer, 1) == quote && peek(lexer, 2) == quote) quotes = 3;
    lexer->at += quotes;
    for (int run = 0; run < quotes; lexer->at++) {
        int c = peek(lexer, 0);
        if (c == -1 || (quotes == 1 && (c == '\n' || c == '\r')))
            return of__text_fail(lexer->source, token->offset, err, OF_ERR_VALUE,
                                 "a string is not closed");
        run = c == quote ? run + 1 : 0;
        if (c != '\\') continue;
        if (peek(lexer, 1) == '\r' && peek(lexer, 2) == '\n') lexer->at++;
        if (peek(lexer, 1) != -1) lexer->at++;
    }
    token->kind = OF__TOKEN_STRING;
    token->size = lexer->at - token->offset;
    return OF_OK;
}

static of_status fail_character(const of__lexer *lexer, of_error *err) {
    const char *at = lexer->source->text + lexer->at;
    int32_t code;
    of__utf8_read(at, lexer->source->text + lexer->source->size, &code);
    if (code >= 0x80)
        return of__text_fail(lexer->source, lexer->at, err, OF_ERR_VALUE,
                             "character U+%04X is outside comments and docstrings; names are made "
                             "of a to z, A to Z, 0 to 9 and _",
                             (unsigned)code);
    if (code == '!')
        return of__text_fail(lexer->source, lexer->at, err, OF_ERR_VALUE, "write not instead of !");
    if (code < 0x20 || code == 0x7f)
        return of__text_fail(lexer->source, lexer->at, err, OF_ERR_VALUE,
                             "byte 0x%02x is no character of a text", (unsigned)code);
    return of__text_fail(lexer->source, lexer->at, err, OF_ERR_VALUE,
                         "character %c has no meaning in the language", (char)code);
}

static of_status take_mark(of__lexer *lexer, of__token *token, of_error *err) {
    const char *text = lexer->source->text + lexer->at;
    int64_t left = lexer->source->size - lexer->at;
    const word *mark = marks;
    while (mark < marks + MARKS &&
           (mark->size > left || memcmp(mark->text, text, (size_t)mark->size) != 0))
        mark++;
    if (mark == marks + MARKS) return fail_character(lexer, err);
    token->kind = mark->kind;
    token->size = mark->size;
    lexer->at += mark->size;
    bool opens = strchr("([{", *text) != NULL, closes = strchr(")]}", *text) != NULL;
    lexer->brackets += opens;
    lexer->brackets -= closes && lexer->brackets > 0;
    return OF_OK;
}

of_status of__lexer_next(of__lexer *lexer, of__token *token, of_error *err) {
    *token = (of__token){.kind = OF__TOKEN_END};
    if (lexer->is_line_start) OF_TRY(take_line_start(lexer, token, err));
    if (token->kind == OF__TOKEN_INDENT) return OF_OK;
    token->offset = lexer->at;
    if (lexer->dedents > 0) {
        lexer->dedents--;
        token->kind = OF__TOKEN_DEDENT;
        return OF_OK;
    }
    OF_TRY(skip_blanks(lexer, err));
    token->offset = lexer->at;
    int c = peek(lexer, 0), letters = string_prefix(lexer);
    if (c == -1) {
        take_end(lexer, token);
        return OF_OK;
    }
    if (take_line_end(lexer)) {
        token->kind = OF__TOKEN_NEWLINE;
        lexer->is_line_start = lexer->is_line_empty = true;
        return OF_OK;
    }
    lexer->is_line_empty = false;
    if (letters >= 0) return take_string(lexer, letters, token, err);
    if (is_digit(c) || (c == '.' && is_digit(peek(lexer, 1))))
        return of__lex_number(lexer, token, err);
    if (!starts_name(c)) return take_mark(lexer, token, err);
    take_word(lexer, token);
    return OF_OK;
}
