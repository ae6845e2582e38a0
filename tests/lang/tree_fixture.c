#include "lang/tree_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lang/parse.h"

typedef of_status parse_function(const of__kernel_text *, of__arena *, of__node **, of_error *);

static char *tree_of(parse_function *parse, const char *text, size_t size, of_error *err) {
    /* The text ends where its memory does, so that a sanitizer sees a read past it. */
    char *copy = malloc(size + (size == 0)), *tree = NULL;
    assert_non_null(copy);
    memcpy(copy, text, size);
    of__kernel_text source = {TREE_SOURCE, copy, (int64_t)size, 1};
    of__arena arena = of__arena_make((size_t)64 << 20);
    of__node *node = NULL;
    of_status status = parse(&source, &arena, &node, err);
    if (status == OF_OK) {
        size_t length;
        FILE *file = open_memstream(&tree, &length);
        of__node_print(node, file);
        fclose(file);
    } else {
        assert_int_equal(err->code, status);
    }
    of__arena_free(&arena);
    free(copy);
    return tree;
}

char *tree_of_module(const char *text, size_t size, of_error *err) {
    return tree_of(of__parse_module, text, size, err);
}

char *tree_of_expression(const char *text, of_error *err) {
    return tree_of(of__parse_expression, text, strlen(text), err);
}

static void expect_tree(parse_function *parse, const char *text, const char *expected) {
    of_error err = {0};
    char *tree = tree_of(parse, text, strlen(text), &err);
    if (tree == NULL || strcmp(tree, expected) != 0)
        fail_msg("%s\ngives  %s\nnot    %s", text, tree != NULL ? tree : err.message, expected);
    free(tree);
}

void expect_module(const char *text, const char *tree) {
    expect_tree(of__parse_module, text, tree);
}

void expect_expression(const char *text, const char *tree) {
    expect_tree(of__parse_expression, text, tree);
}

void expect_refused(const char *text, const char *start) {
    of_error err = {0};
    char *tree = tree_of_module(text, strlen(text), &err), expected[600];
    if (tree != NULL) fail_msg("%s\nis not refused: %s", text, tree);
    snprintf(expected, sizeof expected, TREE_SOURCE ":%s\n", start);
    bool fits = strncmp(err.message, expected, strlen(expected)) == 0;
    if (!fits || err.code != OF_ERR_VALUE || strchr(err.message, '^') == NULL)
        fail_msg("%s\ngives  %s\nnot    %s", text, err.message, expected);
}

char *repeated(const char *before, const char *part, size_t count, const char *after) {
    size_t size = strlen(before) + strlen(part) * count + strlen(after) + 1;
    char *text = malloc(size), *to = text;
    assert_non_null(text);
    to = stpcpy(to, before);
    for (size_t i = 0; i < count; i++) to = stpcpy(to, part);
    stpcpy(to, after);
    return text;
}
