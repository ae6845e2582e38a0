/* Tokens of texts; numbers and lines in every form; messages with their line and caret. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lang/lex.h"
#include "lang/tree_fixture.h"

/* The text of every token, between blanks; > and < for blocks, ; for an end of a line. */
static void expect_tokens(const char *text, const char *expected) {
    of__kernel_text source = {TREE_SOURCE, text, (int64_t)strlen(text), 1};
    of__arena arena = of__arena_make(1 << 20);
    of__lexer lexer;
    of__token token;
    of_error err = {0};
    char *tokens = NULL;
    size_t length;
    FILE *file = open_memstream(&tokens, &length);
    of_status status = of__lexer_begin(&lexer, &source, &arena, &err);
    while (status == OF_OK && (status = of__lexer_next(&lexer, &token, &err)) == OF_OK) {
        if (token.kind == OF__TOKEN_END) break;
        assert_in_range(token.offset, 0, source.size);
        switch (token.kind) {
        case OF__TOKEN_NEWLINE: fputs(" ;", file); break;
        case OF__TOKEN_INDENT: fputs(" >", file); break;
        case OF__TOKEN_DEDENT: fputs(" <", file); break;
        default: fprintf(file, " %.*s", (int)token.size, text + token.offset);
        }
    }
    if (status != OF_OK) fprintf(file, " %.*s", (int)strcspn(err.message, "\n"), err.message);
    fclose(file);
    if (strcmp(tokens, expected) != 0) fail_msg("%s\ngives %s\nnot   %s", text, tokens, expected);
    free(tokens);
    of__arena_free(&arena);
}

static void test_tokens(void **state) {
    (void)state;
    expect_tokens("", "");
    expect_tokens("a", " a ;");
    expect_tokens("a\n", " a ;");
    expect_tokens("a\r\nb\rc", " a ; b ; c ;");
    expect_tokens("  \n\n # x\n\t\f\na # b", " a ;");
    expect_tokens("a**=b//=c<<=d>>=e", " a **= b //= c <<= d >>= e ;");
    expect_tokens("a**b//c<<d>>e->f:=g...", " a ** b // c << d >> e -> f := g ... ;");
    expect_tokens("<=>=!===<>", " <= >= != == < > ;");
    expect_tokens("a.b..c", " a . b . . c ;");
    expect_tokens("if1 _if If", " if1 _if If ;");
    expect_tokens("a\n b\n  c\n d\ne\n", " a ; > b ; > c ; < d ; < e ;");
    expect_tokens("a\n b\n  c", " a ; > b ; > c ; < <");
    expect_tokens("a\n b\n  c\n\n # x\n", " a ; > b ; > c ; < <");
    expect_tokens("a\n \f b\n c\n", " a ; > b ; c ; <");
    expect_tokens("(a\n  b\n)c", " ( a b ) c ;");
    expect_tokens("([{\n}\n]\n)\nc", " ( [ { } ] ) ; c ;");
    expect_tokens(")\na", " ) ; a ;");
    expect_tokens("a \\\n b\\\r\nc", " a b c ;");
    expect_tokens("'a' \"b\" '''c\n'd''' r'\\'' ''", " 'a' \"b\" '''c\n'd''' r'\\'' '' ;");
    expect_tokens("'a\\\nb' '\\\r\n' '\xc3\xa9' # \xe2\x82\xac", " 'a\\\nb' '\\\r\n' '\xc3\xa9' ;");
    expect_tokens("u'a' R\"b\" br", " u'a' R\"b\" br ;");
}

static void test_tabs(void **state) {
    (void)state;
#define MIXED                                                                                      \
    "tabs and spaces are mixed so that the indentation depends on the width of a tab; use spaces"
    expect_tokens("a\n\tb\n\t c\n\td\n", " a ; > b ; > c ; < d ; <");
    expect_tokens("a\n \tb\n \tc\n", " a ; > b ; c ; <");
    expect_tokens("a\n\tb\n        c\n", " a ; > b ; k.ofk:3:9: " MIXED);
    expect_tokens("a\n    b\n\tc\n", " a ; > b ; k.ofk:3:2: " MIXED);
    expect_tokens("a\n        b\n\tc\n", " a ; > b ; k.ofk:3:2: " MIXED);
    expect_tokens("a\n  b\n    c\n \td\n", " a ; > b ; > c ; k.ofk:4:3: " MIXED);
}

static void test_refused_tokens(void **state) {
    (void)state;
#define JOINS                                                                                      \
    "a backslash joins lines, so nothing may follow it on its line, and a line must follow"
    expect_tokens("\\", " k.ofk:1:1: " JOINS);
    expect_tokens("a\\", " a k.ofk:1:2: " JOINS);
    expect_tokens("a\\\n", " a k.ofk:1:2: " JOINS);
    expect_tokens("a\\ \nb", " a k.ofk:1:2: " JOINS);
    expect_tokens("'a", " k.ofk:1:1: a string is not closed");
    expect_tokens("'a\n'", " k.ofk:1:1: a string is not closed");
    expect_tokens("'''a''", " k.ofk:1:1: a string is not closed");
    expect_tokens("'\\", " k.ofk:1:1: a string is not closed");
    expect_tokens("'\\'", " k.ofk:1:1: a string is not closed");
    expect_tokens("a\n  b\n c",
                  " a ; > b ; k.ofk:3:2: the line is indented like no block around it");
    expect_tokens("a ?", " a k.ofk:1:3: character ? has no meaning in the language");
    expect_tokens("\x01", " k.ofk:1:1: byte 0x01 is no character of a text");
    expect_tokens("# \xff", " k.ofk:1:3: byte 0xff is not UTF-8");
    expect_tokens("# \xc3", " k.ofk:1:3: byte 0xc3 is not UTF-8");
    expect_tokens("# \xc0\x80", " k.ofk:1:3: byte 0xc0 is not UTF-8");
    expect_tokens("# \xed\xa0\x80", " k.ofk:1:3: byte 0xed is not UTF-8");
    expect_tokens("# \xf4\x90\x80\x80", " k.ofk:1:3: byte 0xf4 is not UTF-8");
    expect_tokens(
        "# \xf0\x9f\x98\x80\n\xf0\x9f\x98\x80",
        " k.ofk:2:1: character U+1F600 is outside comments and docstrings; names are made "
        "of a to z, A to Z, 0 to 9 and _");
    of__kernel_text zero = {TREE_SOURCE, "a\0b", 3, 1};
    of__arena arena = of__arena_make(0);
    of__lexer lexer;
    of__token token;
    of_error err = {0};
    assert_int_equal(of__lexer_begin(&lexer, &zero, &arena, &err), OF_OK);
    assert_int_equal(of__lexer_next(&lexer, &token, &err), OF_OK);
    assert_int_equal(of__lexer_next(&lexer, &token, &err), OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "k.ofk:1:2: byte 0x00 is no character of a text"));
}

/* ---- Numbers ---- */

/* The first token of a text, or the status. */
static of_status first_token(const char *text, of__token *token, char *digits, of_error *err) {
    of__kernel_text source = {TREE_SOURCE, text, (int64_t)strlen(text), 1};
    of__arena arena = of__arena_make(1 << 20);
    of__lexer lexer;
    of_status status = of__lexer_begin(&lexer, &source, &arena, err);
    if (status == OF_OK) status = of__lexer_next(&lexer, token, err);
    if (status == OF_OK && token->kind == OF__TOKEN_FLOAT) strcpy(digits, token->digits);
    of__arena_free(&arena);
    return status;
}

static void expect_integer(const char *text, uint64_t value) {
    of__token token;
    of_error err = {0};
    char digits[100];
    if (first_token(text, &token, digits, &err) != OF_OK) fail_msg("%s", err.message);
    assert_int_equal(token.kind, OF__TOKEN_INTEGER);
    assert_int_equal(token.size, strlen(text));
    assert_true(token.integer == value);
}

static void expect_float(const char *text, double value, const char *expected_digits) {
    of__token token;
    of_error err = {0};
    char digits[100];
    if (first_token(text, &token, digits, &err) != OF_OK) fail_msg("%s", err.message);
    assert_int_equal(token.kind, OF__TOKEN_FLOAT);
    assert_int_equal(token.size, strlen(text));
    assert_memory_equal(&token.real, &value, sizeof value);
    assert_string_equal(digits, expected_digits);
}

static void test_numbers(void **state) {
    (void)state;
    expect_integer("0", 0);
    expect_integer("0_0", 0);
    expect_integer("1_000", 1000);
    expect_integer("0x_fF", 255);
    expect_integer("0XdeadBEEF", 0xdeadbeef);
    expect_integer("0o17", 15);
    expect_integer("0B1_0", 2);
    expect_integer("18446744073709551615", UINT64_MAX);
    expect_integer("0xffff_ffff_ffff_ffff", UINT64_MAX);
    expect_integer("0x0000000000000000000001", 1);
    expect_float("0.1", 0.1, "0.1");
    expect_float("1.", 1, "1.");
    expect_float(".5", .5, ".5");
    expect_float("1e3", 1000, "1e3");
    expect_float("1_0.0_1E+1_0", 10.01e10, "10.01E+10");
    expect_float("00012.5", 12.5, "00012.5");
    expect_float("0e0", 0, "0e0");
    expect_float("9007199254740993.0", 9007199254740992, "9007199254740993.0");
    expect_float("5e-324", 5e-324, "5e-324");
    expect_float("1e999", (double)INFINITY, "1e999");
    expect_tokens("1.e5.x", " 1.e5 . x ;");
    expect_tokens("1..x", " 1. . x ;");
}

static void test_refused_numbers(void **state) {
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {"18446744073709551616",
         "1:1: the integer is beyond 18446744073709551615, the largest of u64"},
        {"0x1_0000_0000_0000_0000",
         "1:1: the integer is beyond 18446744073709551615, the largest of u64"},
        {"99999999999999999999999999",
         "1:1: the integer is beyond 18446744073709551615, the largest of u64"},
        {"012", "1:1: a decimal integer has no leading zeros; octal ones start with 0o"},
        {"1__0", "1:2: an underscore stands between digits only"},
        {"1_", "1:2: an underscore stands between digits only"},
        {"1_.5", "1:2: an underscore stands between digits only"},
        {"1._5", "1:3: the number runs into what follows it"},
        {"0x", "1:3: a digit of the number is missing here"},
        {"0xg", "1:3: a digit of the number is missing here"},
        {"0b12", "1:4: the number runs into what follows it"},
        {"0o8", "1:3: a digit of the number is missing here"},
        {"1e", "1:3: a digit of the number is missing here"},
        {"1e+", "1:4: a digit of the number is missing here"},
        {"12abc", "1:3: the number runs into what follows it"},
        {"1if x", "1:2: the number runs into what follows it"},
        {"1.5L", "1:4: the number runs into what follows it"},
        {"1.5J", "1:1: there are no complex numbers; use a vec2 of the two parts"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[200];
        snprintf(expected, sizeof expected, " k.ofk:%s", cases[i].message);
        expect_tokens(cases[i].text, expected);
    }
}

/* ---- Messages ---- */

static void expect_message(of__kernel_text source, int32_t offset, const char *sentence,
                           const char *expected) {
    of_error err = {0};
    source.size = (int64_t)strlen(source.text);
    assert_int_equal(of__text_fail(&source, offset, &err, OF_ERR_TYPE, "%s", sentence),
                     OF_ERR_TYPE);
    assert_int_equal(err.code, OF_ERR_TYPE);
    assert_string_equal(err.message, expected);
    assert_int_equal(of__text_fail(&source, offset, NULL, OF_ERR_TYPE, "%s", sentence),
                     OF_ERR_TYPE);
}

static void test_messages(void **state) {
    (void)state;
    expect_message((of__kernel_text){"a.ofk", "one\ntwo = 2\n", 0, 1}, 8, "no",
                   "a.ofk:2:5: no\ntwo = 2\n    ^");
    expect_message((of__kernel_text){"a.py", "one\r\n\ttwo\rthree", 0, 41}, 8, "no",
                   "a.py:42:4: no\n two\n   ^");
    expect_message((of__kernel_text){"a", "x", 0, 1}, 1, "at the end", "a:1:2: at the end\nx\n ^");
    expect_message((of__kernel_text){"a", "x\n", 0, 1}, 2, "at the end", "a:2:1: at the end\n\n^");
    expect_message((of__kernel_text){"a", "\xc3\xa9\xe2\x82\xac\xff = 1", 0, 1}, 7, "no",
                   "a:1:5: no\n\xc3\xa9\xe2\x82\xac? = 1\n    ^");
}

/* Whatever is long, there is room for a caret under its place, and no character is cut. */
static void test_long_messages(void **state) {
    (void)state;
    char name[400], *line = repeated("", "\xe2\x82\xac", 5000, "");
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    char *sentence = repeated("", "s", 400, "");
    for (int length = 0; length <= 400; length += 20) {
        for (int32_t place = 0; place <= 5000; place += 100) {
            of__kernel_text source = {name + sizeof name - 1 - (length < 399 ? length : 399), line,
                                      15000, 1};
            of_error err = {0};
            of__text_fail(&source, 3 * place, &err, OF_ERR_VALUE, "%.*s", length, sentence);
            char column[20];
            snprintf(column, sizeof column, ":1:%d: ", (int)place + 1);
            assert_non_null(strstr(err.message, column));
            const char *shown = strchr(err.message, '\n');
            assert_non_null(shown);
            const char *below = strchr(shown + 1, '\n');
            assert_non_null(below);
            assert_int_equal((below - shown - 1) % 3, 0);
            int64_t before = (int64_t)strspn(below + 1, " ");
            assert_string_equal(below + 1 + before, "^");
            assert_true(before <= place);
            if (place < 5000) assert_true(before < (below - shown - 1) / 3);
        }
    }
    free(line);
    free(sentence);
}

static void test_size(void **state) {
    (void)state;
    of__kernel_text source = {TREE_SOURCE, "", (int64_t)INT32_MAX + 1, 1};
    of__arena arena = of__arena_make(1000);
    of__lexer lexer;
    of_error err = {0};
    assert_int_equal(of__lexer_begin(&lexer, &source, &arena, &err), OF_ERR_VALUE);
    assert_string_equal(err.message,
                        "k.ofk has 2147483648 bytes, more than a kernel's text may have");
}

static void test_arena(void **state) {
    (void)state;
    of__arena arena = of__arena_make(100000);
    size_t taken = 0;
    for (size_t size = 1;; size = size * 3 % 1000 + 1) {
        char *memory = of__arena_take(&arena, size);
        if (memory == NULL) break;
        assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) assert_int_equal(memory[i], 0);
        memset(memory, 0xff, size);
        taken += size;
    }
    assert_true(arena.is_exhausted);
    assert_in_range(taken, 50000, 100000);
    assert_null(of__arena_take(&arena, SIZE_MAX));
    of__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),          cmocka_unit_test(test_tabs),
        cmocka_unit_test(test_refused_tokens),  cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_refused_numbers), cmocka_unit_test(test_messages),
        cmocka_unit_test(test_long_messages),   cmocka_unit_test(test_size),
        cmocka_unit_test(test_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
