/* Numbers as Python writes them: integers exact, floats rounded once. */
#include <string.h>

#include <onefold/dtype.h>

#include "core/fail.h"
#include "lang/lex.h"

static int peek(const of__lexer *lexer) {
    return lexer->at < lexer->source->size ? (unsigned char)lexer->source->text[lexer->at] : -1;
}

/* The value of a digit; 99 of what is none. */
static int digit_value(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
}

static of_status fail_at(const of__lexer *lexer, int32_t offset, of_error *err, const char *why) {
    return of__text_fail(lexer->source, offset, err, OF_ERR_VALUE, "%s", why);
}

// digits = digit ("_"? digit)*
static of_status take_digits(of__lexer *lexer, int base, of_error *err) {
    if (digit_value(peek(lexer)) >= base)
        return fail_at(lexer, lexer->at, err, "a digit of the number is missing here");
    while (digit_value(peek(lexer)) < base) {
        lexer->at++;
        if (peek(lexer) != '_') continue;
        lexer->at++;
        if (digit_value(peek(lexer)) >= base)
            return fail_at(lexer, lexer->at - 1, err, "an underscore stands between digits only");
    }
    return OF_OK;
}

/* What follows a number may not look like more of it. */
static of_status check_end(of__lexer *lexer, const of__token *token, of_error *err) {
    int c = peek(lexer);
    if (c == 'j' || c == 'J')
        return fail_at(lexer, token->offset, err,
                       "there are no complex numbers; use a vec2 of the two parts");
    if (digit_value(c) < 10 || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return fail_at(lexer, lexer->at, err, "the number runs into what follows it");
    return OF_OK;
}

/* Adds up digits from `start`; false when 64 bits do not hold them. */
static bool integer_value(const of__lexer *lexer, int32_t start, unsigned base, uint64_t *value) {
    *value = 0;
    for (int32_t i = start; i < lexer->at; i++) {
        int digit = lexer->source->text[i] == '_' ? -1 : digit_value(lexer->source->text[i]);
        if (digit < 0) continue;
        if (__builtin_mul_overflow(*value, (uint64_t)base, value) ||
            __builtin_add_overflow(*value, (uint64_t)digit, value))
            return false;
    }
    return true;
}

static of_status finish_integer(of__lexer *lexer, int32_t start, unsigned base, of__token *token,
                                of_error *err) {
    OF_TRY(check_end(lexer, token, err));
    token->kind = OF__TOKEN_INTEGER;
    token->size = lexer->at - token->offset;
    if (!integer_value(lexer, start, base, &token->integer))
        return fail_at(lexer, token->offset, err,
                       "the integer is beyond 18446744073709551615, the largest of u64");
    return OF_OK;
}

static of_status finish_float(of__lexer *lexer, of__token *token, of_error *err) {
    OF_TRY(check_end(lexer, token, err));
    token->kind = OF__TOKEN_FLOAT;
    token->size = lexer->at - token->offset;
    char *digits = of__arena_take(lexer->arena, (size_t)token->size + 1), *to = digits;
    if (digits == NULL)
        return of__text_fail_memory(lexer->source, token->offset, lexer->arena, err);
    for (int32_t i = token->offset; i < lexer->at; i++)
        if (lexer->source->text[i] != '_') *to++ = lexer->source->text[i];
    token->digits = digits;
    of_scalar value;
    OF_TRY(of_scalar_parse(digits, OF_F64, &value, err));
    token->real = value.as.f64;
    return OF_OK;
}

// number   = "0" ("x" | "o" | "b") "_"? digits | digits | float
// float    = (digits "." digits? | "." digits | digits) exponent?
// exponent = ("e" | "E") ("+" | "-")? digits
of_status of__lex_number(of__lexer *lexer, of__token *token, of_error *err) {
    const char *text = lexer->source->text;
    int32_t start = lexer->at;
    bool is_float = false;
    if (peek(lexer) == '0' && lexer->at + 1 < lexer->source->size) {
        int letter = text[lexer->at + 1] | 0x20;
        unsigned base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
        if (base != 0) {
            lexer->at += 2;
            if (peek(lexer) == '_') lexer->at++;
            int32_t digits = lexer->at;
            OF_TRY(take_digits(lexer, (int)base, err));
            return finish_integer(lexer, digits, base, token, err);
        }
    }
    if (peek(lexer) != '.') OF_TRY(take_digits(lexer, 10, err));
    if (peek(lexer) == '.') {
        is_float = true;
        lexer->at++;
        if (digit_value(peek(lexer)) < 10) OF_TRY(take_digits(lexer, 10, err));
    }
    if (peek(lexer) == 'e' || peek(lexer) == 'E') {
        is_float = true;
        lexer->at++;
        if (peek(lexer) == '+' || peek(lexer) == '-') lexer->at++;
        OF_TRY(take_digits(lexer, 10, err));
    }
    if (is_float) return finish_float(lexer, token, err);
    OF_TRY(finish_integer(lexer, start, 10, token, err));
    if (text[start] == '0' && token->integer != 0)
        return fail_at(lexer, start, err,
                       "a decimal integer has no leading zeros; octal ones start with 0o");
    return OF_OK;
}
