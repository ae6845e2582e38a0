/* Element types: facts, names and joins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/onefold.h>

static of_dtype parsed(const char *name) {
    of_dtype dtype = OF_DTYPE_NONE;
    of_error err = {0};
    assert_int_equal(of_dtype_parse(name, &dtype, &err), OF_OK);
    return dtype;
}

static void names_are_found(void **state) {
    (void)state;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        assert_int_equal(parsed(of_dtype_name(dtype)), dtype);
    assert_int_equal(parsed("bool"), OF_BOOL);
    assert_int_equal(parsed("int8"), OF_I8);
    assert_int_equal(parsed("int16"), OF_I16);
    assert_int_equal(parsed("int32"), OF_I32);
    assert_int_equal(parsed("int64"), OF_I64);
    assert_int_equal(parsed("uint8"), OF_U8);
    assert_int_equal(parsed("uint16"), OF_U16);
    assert_int_equal(parsed("uint32"), OF_U32);
    assert_int_equal(parsed("uint64"), OF_U64);
    assert_int_equal(parsed("float16"), OF_F16);
    assert_int_equal(parsed("bfloat16"), OF_BF16);
    assert_int_equal(parsed("float32"), OF_F32);
    assert_int_equal(parsed("float64"), OF_F64);
}

static void other_names_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"",      "F32",    "f31",    "f320",     "float8", "int",
                                        "bf32",  "none",   "float",  "bfloat32", "float",  "u",
                                        "uint3", "int128", "bool16", " f32",     "f32 ",   "16"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        of_dtype dtype = OF_I8;
        of_error err = {0};
        assert_int_equal(of_dtype_parse(wrong[i], &dtype, &err), OF_ERR_TYPE);
        assert_int_equal(dtype, OF_I8);
        assert_int_equal(err.code, OF_ERR_TYPE);
        assert_non_null(strstr(err.message, wrong[i]));
        assert_non_null(strstr(err.message, "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64"));
        assert_int_equal(of_dtype_parse(wrong[i], &dtype, NULL), OF_ERR_TYPE);
    }
    of_dtype dtype;
    assert_int_equal(of_dtype_parse(NULL, &dtype, NULL), OF_ERR_TYPE);
}

static void facts_hold(void **state) {
    (void)state;
    static const struct {
        of_dtype dtype;
        const char *name;
        size_t size;
        bool is_float, is_integer, is_signed;
    } facts[] = {
        {OF_BOOL, "bool", 1, false, false, false}, {OF_I8, "i8", 1, false, true, true},
        {OF_I16, "i16", 2, false, true, true},     {OF_I32, "i32", 4, false, true, true},
        {OF_I64, "i64", 8, false, true, true},     {OF_U8, "u8", 1, false, true, false},
        {OF_U16, "u16", 2, false, true, false},    {OF_U32, "u32", 4, false, true, false},
        {OF_U64, "u64", 8, false, true, false},    {OF_F16, "f16", 2, true, false, false},
        {OF_BF16, "bf16", 2, true, false, false},  {OF_F32, "f32", 4, true, false, false},
        {OF_F64, "f64", 8, true, false, false},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        assert_string_equal(of_dtype_name(facts[i].dtype), facts[i].name);
        assert_int_equal(of_dtype_size(facts[i].dtype), facts[i].size);
        assert_int_equal(of_dtype_is_float(facts[i].dtype), facts[i].is_float);
        assert_int_equal(of_dtype_is_integer(facts[i].dtype), facts[i].is_integer);
        assert_int_equal(of_dtype_is_signed(facts[i].dtype), facts[i].is_signed);
    }
    static const int strangers[] = {OF_DTYPE_NONE, OF_DTYPE_END, -1, 1000};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        of_dtype stranger = (of_dtype)strangers[i];
        assert_string_equal(of_dtype_name(stranger), "none");
        assert_int_equal(of_dtype_size(stranger), 0);
        assert_false(of_dtype_is_float(stranger) || of_dtype_is_integer(stranger));
        assert_int_equal(of_dtype_join(stranger, OF_F32), OF_DTYPE_NONE);
        assert_int_equal(of_dtype_join(OF_BOOL, stranger), OF_DTYPE_NONE);
    }
}

/* The whole table, row by row in the order of the types. */
static void joins_follow_the_contract(void **state) {
    (void)state;
    static const char *const table[] = {
        "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",           /* bool */
        "i8 i8 i16 i32 i64 i16 i32 i64 f64 f16 bf16 f32 f64",            /* i8 */
        "i16 i16 i16 i32 i64 i16 i32 i64 f64 f16 bf16 f32 f64",          /* i16 */
        "i32 i32 i32 i32 i64 i32 i32 i64 f64 f16 bf16 f32 f64",          /* i32 */
        "i64 i64 i64 i64 i64 i64 i64 i64 f64 f16 bf16 f32 f64",          /* i64 */
        "u8 i16 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",            /* u8 */
        "u16 i32 i32 i32 i64 u16 u16 u32 u64 f16 bf16 f32 f64",          /* u16 */
        "u32 i64 i64 i64 i64 u32 u32 u32 u64 f16 bf16 f32 f64",          /* u32 */
        "u64 f64 f64 f64 f64 u64 u64 u64 u64 f16 bf16 f32 f64",          /* u64 */
        "f16 f16 f16 f16 f16 f16 f16 f16 f16 f16 f32 f32 f64",           /* f16 */
        "bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32 bf16 f32 f64", /* bf16 */
        "f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64",           /* f32 */
        "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64",           /* f64 */
    };
    for (of_dtype a = OF_BOOL; a < OF_DTYPE_END; a++) {
        char row[80];
        strcpy(row, table[a - OF_BOOL]);
        char *rest = row;
        for (of_dtype b = OF_BOOL; b < OF_DTYPE_END; b++)
            assert_int_equal(of_dtype_join(a, b), parsed(strtok_r(rest, " ", &rest)));
    }
}

static void statuses_have_names(void **state) {
    (void)state;
    assert_string_equal(of_status_name(OF_OK), "ok");
    assert_string_equal(of_status_name(OF_ERR_VALUE), "value");
    assert_string_equal(of_status_name(OF_ERR_DEVICE), "device");
    assert_string_equal(of_status_name((of_status)-1), "unknown");
    assert_string_equal(of_status_name((of_status)99), "unknown");
    assert_string_equal(of_status_meaning(OF_ERR_INDEX), "an index is out of range");
    assert_non_null(of_status_meaning(OF_OK));
    assert_non_null(of_status_meaning((of_status)99));
    assert_string_equal(of_version(), "0.1.0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found),     cmocka_unit_test(other_names_are_refused),
        cmocka_unit_test(facts_hold),          cmocka_unit_test(joins_follow_the_contract),
        cmocka_unit_test(statuses_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
