/* Random programs give the trees that Python's own parser gives, and broken ones are never taken for
 * something else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lang/tree_fixture.h"

enum { PROGRAMS = 1000 };

static char *read_bytes(FILE *file, size_t size) {
    char *bytes = malloc(size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, size, file), size);
    bytes[size] = 0;
    return bytes;
}

/* Trees are long; what matters is where they part. */
static void fail_differing(const char *text, const char *given, const char *expected) {
    size_t same = 0;
    while (given[same] != 0 && given[same] == expected[same]) same++;
    size_t start = same > 100 ? same - 100 : 0;
    fprintf(stderr, "%s\n", text);
    fail_msg("gives  %.300s\nnot    %.300s", given + start, expected + start);
}

/* Compares all programs of a mode. Returns how many were taken. */
static int compare(const char *mode) {
    const char *interpreter = getenv("ONEFOLD_PYTHON"), *source = getenv("ONEFOLD_SOURCE");
    char command[2000];
    snprintf(command, sizeof command, "%s %s/tests/lang/random_programs.py %s %d",
             interpreter == NULL ? "python3" : interpreter, source == NULL ? "." : source, mode,
             PROGRAMS);
    FILE *file = popen(command, "r");
    assert_non_null(file);
    bool may_refuse = strcmp(mode, "broken") == 0;
    int count = 0, taken = 0;
    for (size_t sizes[2]; fscanf(file, "%zu %zu", &sizes[0], &sizes[1]) == 2; count++) {
        assert_int_equal(fgetc(file), '\n');
        char *text = read_bytes(file, sizes[0]), *expected = read_bytes(file, sizes[1]);
        of_error err = {0};
        char *tree = tree_of_module(text, sizes[0], &err);
        if (tree == NULL ? !may_refuse : strcmp(tree, expected) != 0)
            fail_differing(text, tree != NULL ? tree : err.message, expected);
        taken += tree != NULL;
        free(tree);
        free(expected);
        free(text);
    }
    assert_int_equal(pclose(file), 0);
    assert_int_equal(count, PROGRAMS);
    return taken;
}

static void test_valid(void **state) {
    (void)state;
    assert_int_equal(compare("valid"), PROGRAMS);
}

static void test_broken(void **state) {
    (void)state;
    assert_in_range(compare("broken"), PROGRAMS / 50, PROGRAMS / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
