/* Trees of texts, written by hand from Python's grammar. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/alloc.h"
#include "lang/functions.h"
#include "lang/parse.h"
#include "lang/tree_fixture.h"

typedef struct example {
    const char *text, *tree;
} example;

static const example expressions[] = {
    {"x", "x"},
    {"  x  # blanks", "x"},
    {"1_000", "1000"},
    {"True", "True"},
    {"(False)", "False"},
    {"1e3", "1000.0"},
    {"a - b - c", "(binary - (binary - a b) c)"},
    {"a + b * c", "(binary + a (binary * b c))"},
    {"(a + b) * c", "(binary * (binary + a b) c)"},
    {"a * b @ c / d // e % f",
     "(binary % (binary // (binary / (binary @ (binary * a b) c) d) e) f)"},
    {"a | b ^ c & d << e + f",
     "(binary | a (binary ^ b (binary & c (binary << d (binary + e f)))))"},
    {"a >> b << c", "(binary << (binary >> a b) c)"},
    {"a ** b ** c", "(binary ** a (binary ** b c))"},
    {"-a ** b", "(unary - (binary ** a b))"},
    {"a ** -b", "(binary ** a (unary - b))"},
    {"-a * b", "(binary * (unary - a) b)"},
    {"- + ~ a", "(unary - (unary + (unary ~ a)))"},
    {"not a == b", "(unary not (compare a [(link == b)]))"},
    {"not not a", "(unary not (unary not a))"},
    {"a < b <= c", "(compare a [(link < b) (link <= c)])"},
    {"a > b >= c == d != e", "(compare a [(link > b) (link >= c) (link == d) (link != e)])"},
    {"(a < b) < c", "(compare (compare a [(link < b)]) [(link < c)])"},
    {"a < b | c", "(compare a [(link < (binary | b c))])"},
    {"a and b and c", "(and [a b c])"},
    {"(a and b) and c", "(and [(and [a b]) c])"},
    {"a or b and not c or d", "(or [a (and [b (unary not c)]) d])"},
    {"a if b else c", "(conditional b a c)"},
    {"a if b else c if d else e", "(conditional b a (conditional d c e))"},
    {"a or b if c or d else e", "(conditional (or [c d]) (or [a b]) e)"},
    {"(a, b)", "(tuple [a b])"},
    {"a, b,", "(tuple [a b])"},
    {"(a,)", "(tuple [a])"},
    {"()", "(tuple [])"},
    {"f()", "(call f [])"},
    {"f(a, b + c,)", "(call f [a (binary + b c)])"},
    {"f((a, b))", "(call f [(tuple [a b])])"},
    {"onefold.math.sin(x)(y)", "(call (call (attribute sin (attribute math onefold)) [x]) [y])"},
    {"a[i]", "(subscript a [i])"},
    {"a[i, j + 1, k,]", "(subscript a [i (binary + j 1) k])"},
    {"a[(i, j)]", "(subscript a [i j])"},
    {"a[(i, j), k]", "(subscript a [(tuple [i j]) k])"},
    {"a[(i, j),]", "(subscript a [(tuple [i j])])"},
    {"f[()]", "(subscript f [])"},
    {"a.shape[0]", "(subscript (attribute shape a) [0])"},
    {"pos[i].x ** 2", "(binary ** (attribute x (subscript pos [i])) 2)"},
    {"-x.y", "(unary - (attribute y x))"},
    {"2 .x", "(attribute x 2)"},
    {"(a\n + # over lines\n\n b)", "(binary + a b)"},
    {"a + \\\n b", "(binary + a b)"},
    {"a if abs(a) > abs(b) else b",
     "(conditional (compare (call abs [a]) [(link > (call abs [b]))]) a b)"},
};

#define BODY(lines) "def f(x):\n" lines
#define TREE(body)  "(module [(def f [(parameter x -)] - [" body "])])"

static const example modules[] = {
    {"def f(): pass", "(module [(def f [] - [(pass)])])"},
    {"def f(): pass\n", "(module [(def f [] - [(pass)])])"},
    {"\xef\xbb\xbf# mark\n\ndef f():\n\tpass\n# end", "(module [(def f [] - [(pass)])])"},
    {"def f(a, b: f32, c: tack.Array,) -> f64:\r\n  return a\r\n",
     "(module [(def f [(parameter a -) (parameter b f32) (parameter c (attribute Array tack))] f64 "
     "[(return a)])])"},
    {"@kernel\ndef f(): pass\n@onefold.func\ndef g(): pass\n",
     "(module [(def @kernel f [] - [(pass)]) (def @func g [] - [(pass)])])"},
    {"\"\"\"About\nall.\"\"\"\ndef f():\n    '''one''' \"two\"\n    pass\n",
     "(module [(def f [] - [(pass)])])"},
    {"def f(): 'only this'\n", "(module [(def f [] - [])])"},
    {"def f(): 'this'; pass\n", "(module [(def f [] - [(pass)])])"},
    {"def f():\n  r'''\\'''\\''''\n\n  # nothing else\n", "(module [(def f [] - [])])"},
    {BODY(" x = 1; y = 2;\n z = 3"), TREE("(assign [x] 1) (assign [y] 2) (assign [z] 3)")},
    {BODY(" a = b = c\n"), TREE("(assign [a b] c)")},
    {BODY(" a, b = b, a\n"), TREE("(assign [(tuple [a b])] (tuple [b a]))")},
    {BODY(" (a, b), c[i], d.x, = t\n"),
     TREE("(assign [(tuple [(tuple [a b]) (subscript c [i]) (attribute x d)])] t)")},
    {BODY(" x[i, j] += y\n"), TREE("(augment + (subscript x [i j]) y)")},
    {BODY(" a -= 1; a *= 1; a /= 1; a //= 1; a %= 1; a @= 1\n"),
     TREE("(augment - a 1) (augment * a 1) (augment / a 1) (augment // a 1) (augment % a 1) "
          "(augment @ a 1)")},
    {BODY(" a &= 1; a |= 1; a ^= 1; a <<= 1; a >>= 1; a **= 1\n"),
     TREE("(augment & a 1) (augment | a 1) (augment ^ a 1) (augment << a 1) (augment >> a 1) "
          "(augment ** a 1)")},
    {BODY(" barrier()\n"), TREE("(discard (call barrier []))")},
    {BODY(" return\n"), TREE("(return -)")},
    {BODY(" return x, 1\n"), TREE("(return (tuple [x 1]))")},
    {BODY(" for i in range(len(x)):\n  x[i] = 0\n"),
     TREE("(for i (call range [(call len [x])]) [(assign [(subscript x [i])] 0)])")},
    {BODY(" for i, j in tack.ndindex(2, 3): pass\n"),
     TREE("(for (tuple [i j]) (call (attribute ndindex tack) [2 3]) [(pass)])")},
    {BODY(" for (i, j, k,) in ndindex(n, n, n): continue\n"),
     TREE("(for (tuple [i j k]) (call ndindex [n n n]) [(continue)])")},
    {BODY(" for i, in ndindex(2): pass\n"), TREE("(for (tuple [i]) (call ndindex [2]) [(pass)])")},
    {BODY(" for cell in ndindex(2, 3):\n  for i in range(0, n, 2):\n   break\n"),
     TREE("(for cell (call ndindex [2 3]) [(for i (call range [0 n 2]) [(break)])])")},
    {BODY(" while a < 2:\n  a += 1\n  if b: break\n"),
     TREE("(while (compare a [(link < 2)]) [(augment + a 1) (if [(clause b [(break)])] [])])")},
    {BODY(" if a: pass\n elif b: pass\n elif c:\n  pass\n else:\n  return\n return\n"),
     TREE("(if [(clause a [(pass)]) (clause b [(pass)]) (clause c [(pass)])] [(return -)]) "
          "(return -)")},
    {BODY(" if a:\n  if b: pass\n else: pass\n"),
     TREE("(if [(clause a [(if [(clause b [(pass)])] [])])] [(pass)])")},
    {BODY("\tif a:\n\t  pass\n\tpass\n"), TREE("(if [(clause a [(pass)])] []) (pass)")},
    {BODY(" match = x; match[0] = 1; case = type\n"),
     TREE("(assign [match] x) (assign [(subscript match [0])] 1) (assign [case] type)")},
    {"def f(x): return g(x)\ndef g(x): return h(x) + h(1)\ndef h(x): return x.f\n",
     "(module [(def f [(parameter x -)] - [(return (call g [x]))]) (def g [(parameter x -)] - "
     "[(return (binary + (call h [x]) (call h [1])))]) (def h [(parameter x -)] - [(return "
     "(attribute f x))])])"},
};

static void test_expressions(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++)
        expect_expression(expressions[i].text, expressions[i].tree);
}

static void test_modules(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        expect_module(modules[i].text, modules[i].tree);
}

/* Which function is the kernel: by name, by mark, by place. */
static void expect_kernel(const char *text, const char *name, const char *expected) {
    of__kernel_text source = {TREE_SOURCE, text, (int64_t)strlen(text), 1};
    of__arena arena = of__arena_make(1 << 20);
    of__node *module, *kernel = NULL;
    of_error err = {0};
    assert_int_equal(of__parse_module(&source, &arena, &module, &err), OF_OK);
    of_status status = of__function_kernel(module, name, &source, &kernel, &err);
    if (kernel != NULL) {
        assert_int_equal(status, OF_OK);
        assert_true(of__node_is_named(kernel, expected));
    } else {
        assert_int_equal(status, OF_ERR_VALUE);
        if (strncmp(err.message, expected, strlen(expected)) != 0)
            fail_msg("%s\ngives  %s\nnot    %s", text, err.message, expected);
    }
    of__arena_free(&arena);
}

static void test_kernel_of_a_text(void **state) {
    (void)state;
    const char *three = "def a(): pass\ndef b(): pass\ndef c(): pass\n";
    expect_kernel(three, NULL, "c");
    expect_kernel(three, "b", "b");
    expect_kernel(three, "d", "k.ofk has no kernel d");
    expect_kernel("@kernel\ndef a(): pass\ndef b(): pass\n", NULL, "a");
    expect_kernel("def a(): pass\n@func\ndef b(): pass\n", NULL, "a");
    expect_kernel("@func\ndef a(): pass\n", NULL, "k.ofk has helpers only, and no kernel");
    expect_kernel("@func\ndef a(): pass\n", "a", "k.ofk:2:5: a is marked as a helper");
    expect_kernel("@kernel\ndef a(): pass\n@kernel\ndef b(): pass\n", NULL,
                  "k.ofk:4:5: b is a kernel beside a; give the name of the one wanted\n");
    expect_kernel("@kernel\ndef a(): pass\n@kernel\ndef b(): pass\n", "a", "a");
}

static void test_allocation_failure(void **state) {
    (void)state;
    const char *text = modules[sizeof modules / sizeof *modules - 1].text;
    char *large = repeated("def f(x):\n", " x[i] = x + 1.5\n", 3000, "");
    const char *const texts[] = {text, large};
    for (int i = 0; i < 2; i++) {
        int64_t failures = 0;
        while (true) {
            of_error err = {0};
            of__alloc_fail_after(failures);
            char *tree = tree_of_module(texts[i], strlen(texts[i]), &err);
            of__alloc_fail_after(-1);
            if (tree != NULL) {
                free(tree);
                break;
            }
            assert_int_equal(err.code, OF_ERR_MEMORY);
            assert_string_equal(err.message, "no memory to read k.ofk");
            failures++;
        }
        assert_true(failures > 0);
    }
    free(large);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_modules),
        cmocka_unit_test(test_kernel_of_a_text),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
