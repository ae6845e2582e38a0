/* Texts as printed trees, for the tests of the front end. */
#ifndef ONEFOLD_TESTS_LANG_TREE_FIXTURE_H
#define ONEFOLD_TESTS_LANG_TREE_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>

#include <onefold/error.h>

/* What the fixture calls its texts. */
#define TREE_SOURCE "k.ofk"

/* The printed tree of a module, or of an expression; NULL, with `err`, when it is refused. The
 * caller frees it. */
char *tree_of_module(const char *text, size_t size, of_error *err);
char *tree_of_expression(const char *text, of_error *err);

/* Fails the test unless the text gives the tree. */
void expect_module(const char *text, const char *tree);
void expect_expression(const char *text, const char *tree);

/* Fails the test unless the text is refused with OF_ERR_VALUE and a message that starts with
 * TREE_SOURCE and `start` and has a caret. */
void expect_refused(const char *text, const char *start);

/* A text made of `count` copies of `part` between two others. The caller frees it. */
char *repeated(const char *before, const char *part, size_t count, const char *after);

#endif
