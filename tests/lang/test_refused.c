/* What the language has not: each with its place and its message, and texts that are too much. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lang/tree_fixture.h"

typedef struct refusal {
    const char *text, *start; /* of the message, after the file's name, up to the end of its line */
} refusal;

/* The message of a one-line body, whose first column is 2 of line 2. */
typedef struct line_refusal {
    const char *line, *start;
} line_refusal;

#define NO_EXCEPTIONS "kernels raise no exceptions; test the condition with if"
#define NO_IMPORT                                                                                  \
    "kernels import nothing; math functions are there by name, others are passed as helpers"
#define NO_STRINGS                                                                                 \
    "kernels have no strings but docstrings, at the start of a function; print(...) takes numbers"
#define NO_SLICES         "kernels have no slices; loop over the elements, or pass View(base, start, size)"
#define NO_GENERATORS     "kernels have no generators; write a for loop over range(...)"
#define NO_COMPREHENSIONS "kernels have no comprehensions; write a for loop over range(...)"
#define NO_SETS           "kernels have no dicts and sets; use a vector, or local_array(dtype, size)"
#define NO_TARGET                                                                                  \
    "this cannot be assigned to; a target is a name, an element a[i] or a component v.x"
#define NO_WALRUS "kernels have no :=; assign in a statement of its own, before this one"
#define NO_RANGE  "a for goes over range(...) or ndindex(...); index arrays in it"

static const line_refusal lines[] = {
    /* Words of Python. */
    {"try:\n  pass\n except: pass", "2:2: " NO_EXCEPTIONS},
    {"except: pass", "2:2: " NO_EXCEPTIONS},
    {"finally: pass", "2:2: kernels raise no exceptions; write the statements after the block"},
    {"raise x", "2:2: kernels raise no exceptions; write an error code to an array and check it "
                "after the call"},
    {"with x as y: pass",
     "2:2: kernels have no contexts; open and close things where the kernel is called"},
    {"assert x > 0",
     "2:2: kernels cannot assert; write the condition to an array and check it after the call"},
    {"import math", "2:2: " NO_IMPORT},
    {"from math import sin", "2:2: " NO_IMPORT},
    {"class C: pass",
     "2:2: kernels define no classes; pass arrays, numbers and vectors as arguments"},
    {"del x", "2:2: kernels delete nothing; locals end with the function"},
    {"global x", "2:2: kernels change no globals; pass an array and store to it"},
    {"nonlocal x", "2:2: kernels change no outer names; pass an array and store to it"},
    {"async def g(): pass", "2:2: kernels have no async; a for over range(...) or ndindex(...) "
                            "runs in parallel"},
    {"await x", "2:2: kernels cannot await; a launch is waited for where its results are read"},
    {"yield x", "2:2: kernels yield nothing; store results to an array"},
    {"y = yield", "2:6: kernels yield nothing; store results to an array"},
    {"y = lambda a: a",
     "2:6: kernels have no lambda; define a helper function with def at the top level"},
    {"y = x is x", "2:8: kernels compare values only; write == or !="},
    {"y = x is not x", "2:8: kernels compare values only; write == or !="},
    {"y = x in x", "2:8: kernels do not search with in; compare the values with =="},
    {"y = x not in x", "2:8: kernels do not search with in; compare the values with =="},
    {"y = None", "2:6: there is no None in kernels; a 0-dimensional array is read as f[()]"},
    {"y = x[None]", "2:8: there is no None in kernels; a 0-dimensional array is read as f[()]"},
    {"y = x as z", "2:8: 'as' has no use in kernels; choose a name where the kernel is called"},
    {"match x:\n  case 1: pass", "2:2: kernels have no match; write if, elif and else"},
    {"match (x):\n  case 1: pass", "2:2: kernels have no match; write if, elif and else"},
    /* Functions and calls. */
    {"def g(): pass", "2:2: functions are not nested; define helpers at the top level"},
    {"@func\n def g(): pass", "2:2: functions are not nested; define helpers at the top level"},
    {"g(a=1)", "2:4: kernels have no keyword arguments; pass them in order"},
    {"g(x, a=1)", "2:7: kernels have no keyword arguments; pass them in order"},
    {"g(*x)", "2:4: kernels have no starred arguments; write them one by one"},
    {"g(x, **x)", "2:7: kernels have no starred arguments; write them one by one"},
    {"g(a for a in x)", "2:4: " NO_GENERATORS},
    {"f(x)", "2:2: f calls itself; write a loop"},
    {"y = 1 + g(f(x))", "2:12: f calls itself; write a loop"},
    /* Values. */
    {"y = 'text'", "2:6: " NO_STRINGS},
    {"x = 1; 'late'", "2:9: " NO_STRINGS},
    {"print('text')", "2:8: " NO_STRINGS},
    {"y = f'{x}'", "2:6: kernels have no formatted strings; print(...) takes numbers"},
    {"y = rb'x'", "2:6: kernels have no bytes; print(...) takes numbers"},
    {"y = [1, 2]", "2:6: kernels have no lists; use a vector, or local_array(dtype, size)"},
    {"y = []", "2:6: kernels have no lists; use a vector, or local_array(dtype, size)"},
    {"[a, b] = x", "2:2: kernels have no lists; use a vector, or local_array(dtype, size)"},
    {"y = [a for a in x]", "2:6: " NO_COMPREHENSIONS},
    {"y = {}", "2:6: " NO_SETS},
    {"y = {1: 2}", "2:6: " NO_SETS},
    {"y = {'a': 2}", "2:6: " NO_SETS},
    {"y = {1, 2}", "2:6: " NO_SETS},
    {"y = {a for a in x}", "2:6: " NO_COMPREHENSIONS},
    {"y = (a for a in x)", "2:6: " NO_GENERATORS},
    {"y = x[1:2]", "2:9: " NO_SLICES},
    {"y = x[:]", "2:8: " NO_SLICES},
    {"y = x[0, ::2]", "2:11: " NO_SLICES},
    {"y = x[...]", "2:8: kernels have no ...; give an index for each dimension"},
    {"y = *x, 1", "2:6: kernels have no starred values; write them one by one"},
    {"a, *b = x", "2:5: kernels have no starred values; write them one by one"},
    {"y = (z := x)", "2:9: " NO_WALRUS},
    {"if y := x: pass", "2:7: " NO_WALRUS},
    {"y = 2j", "2:6: there are no complex numbers; use a vec2 of the two parts"},
    {"y = not", "2:9: expected an expression, found the end of the line"},
    {"y = !x", "2:6: write not instead of !"},
    {"y = x $ x", "2:8: character $ has no meaning in the language"},
    {"y = \xc3\xa9 + 1", "2:6: character U+00E9 is outside comments and docstrings; names are made "
                         "of a to z, A to Z, 0 to 9 and _"},
    /* Statements. */
    {"y: f32 = 0", "2:3: locals have no annotations; cast the value, as in x = f32(0)"},
    {"1 = x", "2:2: " NO_TARGET},
    {"True = x", "2:2: " NO_TARGET},
    {"g() = x", "2:2: " NO_TARGET},
    {"() = x", "2:2: " NO_TARGET},
    {"a, g() = x", "2:5: " NO_TARGET},
    {"a = 1 = x", "2:6: " NO_TARGET},
    {"a + b = x", "2:4: an operation cannot be assigned to; compare with =="},
    {"-a = x", "2:2: an operation cannot be assigned to; compare with =="},
    {"a == b = x", "2:4: an operation cannot be assigned to; compare with =="},
    {"a < b += x", "2:4: an operation cannot be assigned to; compare with =="},
    {"a, b += x", "2:2: a tuple cannot be changed in place; change its values one by one"},
    {"a += b += x", "2:9: expected the end of the line, found '+='"},
    {"if x = 1: pass", "2:7: a condition assigns nothing; compare with =="},
    {"while x = 1: pass", "2:10: a condition assigns nothing; compare with =="},
    {"if x: pass\n else if x: pass", "3:7: write elif instead of else if"},
    {"elif x: pass", "2:2: expected an expression, found 'elif'"},
    {"else: pass", "2:2: expected an expression, found 'else'"},
    {"if x pass", "2:7: expected ':', found 'pass'"},
    {"if x: if x: pass", "2:8: expected an expression, found 'if'"},
    {"x = 1\n  y = 2", "3:3: the line is indented, but no block starts before it"},
    {"for i in range(3): pass\n else: pass",
     "3:2: a for has no else; set a local before break, and test it after the loop"},
    {"while x: pass\n else: pass",
     "3:2: a while has no else; set a local before break, and test it after the loop"},
    {"break", "2:2: break stands outside a loop"},
    {"if x: continue", "2:8: continue stands outside a loop"},
    {"for i in x: pass", "2:11: " NO_RANGE},
    {"for i in enumerate(x): pass", "2:11: " NO_RANGE},
    {"for i in 3: pass", "2:11: " NO_RANGE},
    {"for i in range(3)[0]: pass", "2:11: " NO_RANGE},
    {"for i in range(): pass", "2:11: range takes 1 to 3 arguments, not 0"},
    {"for i in ndindex(1, 2, 3, 4): pass", "2:11: ndindex takes 1 to 3 arguments, not 4"},
    {"for i, j in range(3): pass", "2:6: range gives one index; write one name"},
    {"for i, j in ndindex(3): pass", "2:6: ndindex of 1 gives 1 indices, not 2"},
    {"for (i, j) in ndindex(3, 3, 3): pass", "2:7: ndindex of 3 gives 3 indices, not 2"},
    {"for x[0] in range(3): pass", "2:6: the index of a for is a name"},
    {"for i, 3 in ndindex(3, 3): pass", "2:9: the index of a for is a name"},
    {"for i range(3): pass", "2:8: expected 'in', found range"},
    {"g(x", "2:3: '(' is not closed"},
    {"y = g(x, ", "2:7: '(' is not closed"},
    {"y = (x + g(1)", "2:6: '(' is not closed"},
    {"y = x[1", "2:7: '[' is not closed"},
    {"g(x]", "2:5: expected ')', found ']'"},
    {"x[]", "2:4: expected an expression, found ']'"},
    {"x.1", "2:3: expected the end of the line, found .1"},
    {"x.", "2:4: expected a name, found the end of the line"},
    {"return x y", "2:11: expected the end of the line, found y"},
};

static const refusal texts[] = {
    {"", "1:1: expected a function, def name(parameters):, found the end of the text"},
    {"# nothing\n", "2:1: expected a function, def name(parameters):, found the end of the text"},
    {"import onefold\n", "1:1: " NO_IMPORT},
    {"class C: pass\n",
     "1:1: kernels define no classes; pass arrays, numbers and vectors as arguments"},
    {"x = 1\n", "1:1: only functions stand at the top level; move the statement into one"},
    {"def f(): pass\nfor i in range(3): pass\n",
     "2:1: only functions stand at the top level; move the statement into one"},
    {" def f(): pass\n", "1:2: the line is indented, but no block starts before it"},
    {"def f(x=1): pass\n", "1:8: parameters have no defaults; pass every argument"},
    {"def f(x: f32 = 1): pass\n", "1:14: parameters have no defaults; pass every argument"},
    {"def f(*x): pass\n", "1:7: parameters are names, given by position; list them one by one"},
    {"def f(x, /): pass\n", "1:10: parameters are names, given by position; list them one by one"},
    {"def f(**x): pass\n", "1:7: parameters are names, given by position; list them one by one"},
    {"def f(x, y, x): pass\n", "1:13: two parameters are called x"},
    {"def f(x y): pass\n", "1:9: expected ')', found y"},
    {"def f(if): pass\n", "1:7: expected a name, found 'if'"},
    {"def (x): pass\n", "1:5: expected a name, found '('"},
    {"def f(x\n", "1:6: '(' is not closed"},
    {"def f: pass\n", "1:6: expected '(', found ':'"},
    {"def f() -> 'f32': pass\n", "1:12: " NO_STRINGS},
    {"def f():\npass\n", "2:1: expected an indented line, found 'pass'"},
    {"def f(): pass\ndef f(): pass\n", "2:5: another function is called f"},
    {"def f():\n  if 1:\n    pass\n   pass\n", "4:4: the line is indented like no block around it"},
    {"@jit\ndef f(): pass\n",
     "1:2: decorator jit is unknown; functions are marked @kernel or @func"},
    {"@kernel(1)\ndef f(): pass\n",
     "1:8: a decorator takes no arguments here; give them where the kernel is called"},
    {"@kernel\n@func\ndef f(): pass\n", "2:1: a function is a kernel or a helper, not both"},
    {"@kernel\nx = 1\n", "2:1: expected 'def', found x"},
    {"def f(): return g()\ndef g(): return f()\n", "2:17: g calls f, which has called it; write a "
                                                   "loop"},
    {"def f(): return g()\ndef g(): return h()\ndef h(): return g()\n",
     "3:17: h calls g, which has called it; write a loop"},
};

static void test_lines(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *text = repeated("def f(x):\n ", lines[i].line, 1, "\n");
        expect_refused(text, lines[i].start);
        free(text);
    }
}

static void test_texts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_refused(texts[i].text, texts[i].start);
}

static void expect_refused_and_free(char *text, const char *start) {
    expect_refused(text, start);
    free(text);
}

static void expect_taken_and_free(char *text) {
    of_error err = {0};
    char *tree = tree_of_module(text, strlen(text), &err);
    if (tree == NULL) fail_msg("%s", err.message);
    free(tree);
    free(text);
}

#define DEEP "the expression is nested more than 200 deep; use locals for its parts"
#define LONG                                                                                       \
    "the expression has more than 1000 operations upon each other; use locals for its parts"

/* At each bound, and one past it. An expression is itself one level deep. */
static void test_limits(void **state) {
    (void)state;
    const char *start = "def f(x): x = ";
    char *tail = repeated("1", ")", 199, "\n"), *far_tail = repeated("1", ")", 200, "\n");
    expect_taken_and_free(repeated(start, "(", 199, tail));
    expect_refused_and_free(repeated(start, "(", 200, far_tail), "1:215: " DEEP);
    free(tail);
    free(far_tail);
    expect_taken_and_free(repeated(start, "-", 199, "1\n"));
    expect_refused_and_free(repeated(start, "-", 200, "1\n"), "1:214: " DEEP);
    expect_refused_and_free(repeated(start, "not ", 200, "1\n"), "1:811: " DEEP);
    expect_refused_and_free(repeated(start, "1 ** ", 200, "1\n"), "1:1012: " DEEP);
    expect_refused_and_free(repeated(start, "x if x else ", 200, "1\n"), "1:2415: " DEEP);
    expect_taken_and_free(repeated(start, "1 + ", 999, "1\n"));
    expect_refused_and_free(repeated(start, "1 + ", 1000, "1\n"), "1:4013: " LONG);
    expect_refused_and_free(repeated("def f(x): x", ".x", 1000, "\n"), "1:2011: " LONG);
    expect_refused_and_free(repeated("def f(x): x", "()", 1000, "\n"), "1:11: " LONG);
    expect_taken_and_free(repeated(start, "1 < ", 100000, "1\n"));
    expect_taken_and_free(repeated("def f(x):\n if x: pass\n", " elif x: pass\n", 100000, ""));
    expect_taken_and_free(repeated("def f(", "x,", 1, "): pass"));
}

/* Blocks in blocks: the depth that indentation may have. */
static void test_blocks(void **state) {
    (void)state;
    for (int depth = 100; depth <= 101; depth++) {
        char *text = malloc(102 * 110), *to = text;
        assert_non_null(text);
        to = stpcpy(to, "def f(x):\n");
        for (int i = 1; i < depth; i++) {
            memset(to, ' ', (size_t)i);
            to = stpcpy(to + i, "if x:\n");
        }
        memset(to, ' ', (size_t)depth);
        stpcpy(to + depth, "pass\n");
        if (depth == 100)
            expect_taken_and_free(text);
        else
            expect_refused_and_free(text, "102:102: more than 100 blocks are nested; move inner "
                                          "ones to a helper function");
    }
}

/* Functions, parameters and the tree's memory. */
static void test_counts(void **state) {
    (void)state;
    char names[3000] = "", *to = names;
    for (int i = 0; i < 256; i++) {
        to = stpcpy(to, "p");
        for (int bit = 0; bit < 8; bit++) *to++ = (char)('0' + (i >> bit & 1));
        to = stpcpy(to, ",");
    }
    expect_refused_and_free(repeated("def f(", names, 1, "): pass\n"),
                            "1:2557: the function has more than 255 parameters; pass an array");
    names[255 * 10] = 0;
    expect_taken_and_free(repeated("def f(", names, 1, "): pass\n"));

    char *text = malloc(257 * 30);
    assert_non_null(text);
    to = text;
    for (int i = 0; i < 257; i++) {
        to = stpcpy(to, "def p");
        for (int bit = 0; bit < 9; bit++) *to++ = (char)('0' + (i >> bit & 1));
        to = stpcpy(to, "(): pass\n");
        if (i == 255) {
            of_error err = {0};
            char *tree = tree_of_module(text, (size_t)(to - text), &err);
            assert_non_null(tree);
            free(tree);
        }
    }
    expect_refused_and_free(text, "257:5: the text has more than 256 functions");

    text = repeated("def f(x):\n", " x = x\n", 1000000, "");
    of_error err = {0};
    assert_null(tree_of_module(text, strlen(text), &err));
    assert_int_equal(err.code, OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "the text is too large for a kernel; split it"));
    free(text);
    expect_taken_and_free(repeated("def f(x): pass\n", "# ten megabytes", 1 << 20, "\n"));
}

/* Every text that starts like a good one ends in a tree or a message. */
static void test_every_beginning(void **state) {
    (void)state;
    const char *text = "@kernel\ndef f(a, b: f32):\n    '''doc'''\n    for i, j in ndindex(2, 3):\n"
                       "        if a[i] < 0x1F and not b or (a, 1.5e3) == -b[i, j].x:\n"
                       "            a[i] **= b if a else g(a, b)\n\telse: pass\n    return a\n";
    for (size_t size = 0; size <= strlen(text); size++) {
        of_error err = {0};
        char *tree = tree_of_module(text, size, &err);
        assert_true(tree != NULL || strncmp(err.message, TREE_SOURCE ":", 6) == 0);
        free(tree);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),  cmocka_unit_test(test_texts),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_counts), cmocka_unit_test(test_every_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
