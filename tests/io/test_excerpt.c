/* Text from files in messages: always UTF-8, always short enough, whatever the file holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "io/excerpt.h"

static void check(const char *text, int64_t size, const char *expected) {
    char excerpt[64];
    memset(excerpt, 'x', sizeof excerpt);
    assert_ptr_equal(of__text_excerpt(text, (int64_t)strlen(text), excerpt, size), excerpt);
    assert_string_equal(excerpt, expected);
    assert_int_equal(excerpt[size], 'x');
}

static void short_texts_are_whole(void **state) {
    (void)state;
    check("", 8, "");
    check("abc", 8, "abc");
    check("1234567", 8, "1234567");
    check("12345678", 8, "1234...");
    check("123456789", 8, "1234...");
    check("12345", 4, "...");
    check("\xc3\xa9t\xc3\xa9", 8, "\xc3\xa9t\xc3\xa9");
}

static void characters_are_not_cut(void **state) {
    (void)state;
    check("123\xc3\xa9xxxx", 8, "123...");
    check("12\xe2\x82\xacxxxx", 8, "12...");
    check("\xf0\x9f\x98\x80xxxx", 8, "\xf0\x9f\x98\x80...");
}

static void other_bytes_are_questions(void **state) {
    (void)state;
    check("a\tb\nc\x7f", 16, "a?b?c?");
    check("caf\xe9", 16, "caf?");
    check("\xe2\x82", 16, "??");
    check("\x80\xbf\xff\xfe", 16, "????");
    check("\xc0\xaf", 16, "??");           /* overlong */
    check("\xe0\x80\xaf", 16, "???");      /* overlong */
    check("\xed\xa0\x80", 16, "???");      /* a surrogate */
    check("\xf4\x90\x80\x80", 16, "????"); /* past the last character */
    check("\xc2\x9b"
          "31m",
          16, "??31m"); /* a control character of terminals */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_texts_are_whole),
        cmocka_unit_test(characters_are_not_cut),
        cmocka_unit_test(other_bytes_are_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
