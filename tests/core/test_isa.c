/* Choosing the instruction set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/device.h>

#include "core/isa.h"

static const char *best_isa(void) {
    const char *best = NULL;
    for (int i = 0; of_isa_at(i) != NULL; i++) best = of_isa_at(i);
    return best;
}

static void those_listed_can_be_set(void **state) {
    (void)state;
    assert_string_equal(of_isa_at(0), "baseline");
    assert_null(of_isa_at(-1));
    assert_null(of_isa_at(OF__ISA_COUNT));
    for (int i = 0; of_isa_at(i) != NULL; i++) {
        assert_int_equal(of_isa_set(of_isa_at(i), NULL), OF_OK);
        assert_string_equal(of_isa_get(), of_isa_at(i));
        assert_true((int)of__isa_current() >= i);
    }
    assert_int_equal(of_isa_set(NULL, NULL), OF_OK);
    assert_string_equal(of_isa_get(), best_isa());
}

static void others_are_refused(void **state) {
    (void)state;
    of_error err = {0};
    const char *before = of_isa_get();
    assert_int_equal(of_isa_set("sse9", &err), OF_ERR_VALUE);
    assert_non_null(strstr(err.message, "\"sse9\""));
    assert_int_equal(of_isa_set("", &err), OF_ERR_VALUE);
    if (strcmp(best_isa(), "avx512") != 0)
        assert_int_equal(of_isa_set("avx512", &err), OF_ERR_UNSUPPORTED);
    assert_string_equal(of_isa_get(), before);
}

static void assert_environment_gives(const char *wish, const char *isa) {
    setenv("ONEFOLD_ISA", wish, 1);
    assert_int_equal(of_isa_set(NULL, NULL), OF_OK);
    assert_string_equal(of_isa_get(), isa);
    unsetenv("ONEFOLD_ISA");
}

static void the_environment_chooses(void **state) {
    (void)state;
    for (int i = 0; of_isa_at(i) != NULL; i++) assert_environment_gives(of_isa_at(i), of_isa_at(i));
    assert_environment_gives("nonsense", best_isa());
    assert_environment_gives("", best_isa());
}

int main(void) {
    unsetenv("ONEFOLD_ISA");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_listed_can_be_set),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(the_environment_chooses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
