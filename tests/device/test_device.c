/* The list of devices and the default. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/device.h>

static void the_cpu_comes_first(void **state) {
    (void)state;
    assert_true(of_device_count() >= 1);
    of_device *found = NULL;
    assert_int_equal(of_device_find("cpu", &found, NULL), OF_OK);
    assert_ptr_equal(found, of_device_at(0));
    assert_string_equal(of_device_name(found), "cpu");
    assert_int_equal(of_device_sync(found, NULL), OF_OK);
    assert_null(of_device_at(-1));
    assert_null(of_device_at(of_device_count()));
}

static void the_description_names_what_is_in_use(void **state) {
    (void)state;
    of_device *cpu = of_device_at(0);
    assert_int_equal(of_threads_set(3, NULL), OF_OK);
    assert_int_equal(of_isa_set("baseline", NULL), OF_OK);
    assert_non_null(strstr(of_device_description(cpu), "baseline, 3 threads"));
    assert_int_equal(of_threads_set(1, NULL), OF_OK);
    assert_non_null(strstr(of_device_description(cpu), "1 thread"));
    assert_null(strchr(of_device_description(cpu), '\n'));
}

static void unknown_names_are_refused(void **state) {
    (void)state;
    of_device *found = NULL;
    of_error err = {0};
    static const char *const wrong[] = {"", "CPU", "cpu:0", "cuda:7"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(of_device_find(wrong[i], &found, &err), OF_ERR_DEVICE);
        assert_non_null(strstr(err.message, wrong[i]));
        assert_non_null(strstr(err.message, " cpu"));
    }
    assert_null(found);
}

static void the_default_can_be_chosen(void **state) {
    (void)state;
    of_device *cpu = of_device_at(0), *found = NULL;
    assert_int_equal(of_device_find(NULL, &found, NULL), OF_OK);
    assert_ptr_equal(found, cpu);
    setenv("ONEFOLD_DEVICE", "nonsense", 1);
    assert_int_equal(of_device_find(NULL, &found, NULL), OF_ERR_DEVICE);
    of_device_set_default(cpu);
    assert_int_equal(of_device_find(NULL, &found, NULL), OF_OK);
    of_device_set_default(NULL);
    assert_int_equal(of_device_find(NULL, &found, NULL), OF_ERR_DEVICE);
    setenv("ONEFOLD_DEVICE", "cpu", 1);
    assert_int_equal(of_device_find(NULL, &found, NULL), OF_OK);
    unsetenv("ONEFOLD_DEVICE");
}

int main(void) {
    unsetenv("ONEFOLD_DEVICE");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cpu_comes_first),
        cmocka_unit_test(the_description_names_what_is_in_use),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(the_default_can_be_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
