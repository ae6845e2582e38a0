/* The names of the operations on groups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/group.h>

static const struct {
    of_group_operation operation;
    const char *name;
} operations[] = {
    {OF_GROUP_SUM, "sum"},           {OF_GROUP_MIN, "min"},     {OF_GROUP_MAX, "max"},
    {OF_GROUP_MEAN, "mean"},         {OF_GROUP_COUNT, "count"}, {OF_GROUP_PROD, "prod"},
    {OF_GROUP_VARIANCE, "variance"},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void names_and_back(void **state) {
    (void)state;
    assert_int_equal(OPERATIONS, OF_GROUP_OPERATION_END);
    for (int i = 0; i < OPERATIONS; i++) {
        of_group_operation parsed = OF_GROUP_OPERATION_END;
        assert_string_equal(of_group_operation_name(operations[i].operation), operations[i].name);
        assert_true(strlen(of_group_operation_meaning(operations[i].operation)) > 8);
        assert_int_equal(of_group_operation_parse(operations[i].name, &parsed, NULL), OF_OK);
        assert_int_equal(parsed, operations[i].operation);
    }
}

static void others_have_none(void **state) {
    (void)state;
    static const int numbers[] = {-1, OF_GROUP_OPERATION_END, 1000};
    for (int i = 0; i < 3; i++) {
        assert_string_equal(of_group_operation_name((of_group_operation)numbers[i]), "unknown");
        assert_string_equal(of_group_operation_meaning((of_group_operation)numbers[i]), "unknown");
    }
    static const char *const names[] = {"", "SUM", "summ", "argmin"};
    for (int i = 0; i < 4; i++) {
        of_group_operation parsed = OF_GROUP_PROD;
        of_error err = {0};
        assert_int_equal(of_group_operation_parse(names[i], &parsed, &err), OF_ERR_VALUE);
        assert_int_equal(parsed, OF_GROUP_PROD);
        assert_non_null(strstr(err.message, "\"; there are sum min max mean count prod variance"));
    }
    of_error err = {0};
    of_group_operation parsed;
    assert_int_equal(of_group_operation_parse(NULL, &parsed, &err), OF_ERR_VALUE);
    assert_string_equal(err.message, "name is NULL");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_back),
        cmocka_unit_test(others_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
