/* Exact scans of floats: every value against the accumulator of its prefix, and against of_sum. */
#include <stdlib.h>
#include <string.h>

#include <onefold/exact.h>
#include <onefold/scan.h>

#include "reduce/harness.h"

static const of_dtype floats[] = {OF_F32, OF_F64, OF_BF16, OF_F16};

/* An array, and the sums of its first 0, 1, ..., n elements, and init: bits of `dtype`. */
typedef struct example {
    const char *about;
    of_dtype dtype;
    of_array *src;
    int64_t n;
    const of_scalar *init;
    uint64_t *sums;
} example;

static void add_one_by_one(example *e) {
    of_exact *exact = NULL;
    const char *x = of_array_data(e->src);
    const size_t size = of_dtype_size(e->dtype);
    e->sums = malloc((size_t)(e->n + 1) * sizeof *e->sums);
    assert_non_null(e->sums);
    assert_int_equal(of_exact_create(&exact, NULL), OF_OK);
    if (e->init != NULL) assert_int_equal(of_exact_add_scalar(exact, *e->init, NULL), OF_OK);
    for (int64_t i = 0; i <= e->n; i++) {
        of_scalar sum = {.dtype = e->dtype};
        assert_int_equal(of_exact_round(exact, e->dtype, &sum, NULL), OF_OK);
        e->sums[i] = sum.as.bits;
        if (i == e->n) break;
        of_scalar element = of_scalar_load(e->dtype, x + (size_t)i * size);
        assert_int_equal(of_exact_add_scalar(exact, element, NULL), OF_OK);
    }
    of_exact_free(exact);
}

static void release(example *e) {
    free(e->sums);
    of_array_release(e->src);
}

static void compare(const example *e, const of_array *dst, bool exclusive, const of_scalar *total,
                    const char *how) {
    const char *y = of_array_data(dst);
    const size_t size = of_dtype_size(e->dtype);
    int64_t wrong = 0;
    for (int64_t i = 0; i < e->n; i++) {
        of_scalar got = of_scalar_load(e->dtype, y + (size_t)i * size);
        uint64_t expected = e->sums[exclusive ? i : i + 1];
        if (got.as.bits == expected) continue;
        if (++wrong < 4)
            check(false, "%s %s n=%lld %s%s, %s, %d threads: [%lld] is %llx, not %llx", e->about,
                  of_dtype_name(e->dtype), (long long)e->n, how, exclusive ? " exclusive" : "",
                  of_isa_get(), of_threads_get(), (long long)i, (unsigned long long)got.as.bits,
                  (unsigned long long)expected);
    }
    check(wrong == 0 && total->dtype == e->dtype && total->as.bits == e->sums[e->n],
          "%s %s n=%lld: %lld wrong, total %llx", e->about, of_dtype_name(e->dtype),
          (long long)e->n, (long long)wrong, (unsigned long long)total->as.bits);
}

static of_status scan(const of_array *src, of_array *dst, bool exclusive, const of_scalar *init,
                      of_scalar *total) {
    of_scan_opts opts = {.init = init};
    return exclusive ? of_exclusive_scan(src, dst, &opts, total, NULL)
                     : of_inclusive_scan(src, dst, &opts, total, NULL);
}

static void check_example(const example *e) {
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        of_scalar total = {0};
        of_array *dst = NULL, *own = NULL;
        assert_int_equal(of_array_create(NULL, e->dtype, 1, &e->n, &dst, NULL), OF_OK);
        assert_int_equal(of_array_copy(e->src, &own, NULL), OF_OK);
        assert_int_equal(scan(e->src, dst, exclusive, e->init, &total), OF_OK);
        compare(e, dst, exclusive, &total, "to another");
        assert_int_equal(scan(own, own, exclusive, e->init, &total), OF_OK);
        compare(e, own, exclusive, &total, "in place");
        of_array_release(dst);
        of_array_release(own);
    }
}

/* ---- Many examples ---- */

enum { MOST_EXAMPLES = 1000 };
static example examples[MOST_EXAMPLES];
static int example_count;

/* Takes the array over. */
static void ask(const example *e) {
    assert_true(example_count < MOST_EXAMPLES);
    examples[example_count] = *e;
    add_one_by_one(&examples[example_count++]);
}

static void check_examples(void *context) {
    (void)context;
    for (int i = 0; i < example_count; i++) check_example(&examples[i]);
}

/* Scans them under every configuration, and forgets them. */
static void answer(void) {
    each_configuration(check_examples, NULL);
    for (int i = 0; i < example_count; i++) release(&examples[i]);
    example_count = 0;
    checks_finish();
}

/* ---- The data of reductions ---- */

static void test_kinds(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 2, 17, 63, 64, 65, 1023, 1024, 1025, 3333};
    int64_t turn = 0;
    for (int t = 0; t < 4; t++)
        for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++) {
            if (!data_kind_has(kind, floats[t])) continue;
            for (int s = 0; s < 10; s++) {
                /* the sizes of tiles for each; of others one in three */
                turn++;
                if (left_out(turn) || (s != 9 && turn % 3)) continue;
                example e = {.about = data_kind_name(kind), .dtype = floats[t], .n = sizes[s]};
                e.src = array_make(e.dtype, kind, 3, LAYOUT_contiguous, 1, &e.n);
                ask(&e);
            }
        }
    answer();
}

static void test_init(void **state) {
    (void)state;
    static of_scalar inits[4][6]; /* until they are answered */
    static const double values[] = {0.0, -0.0, 1.5, 0x1p-1074, -0x1.fffffep127, 0x1p1023};
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 6; k++) {
            inits[t][k] = of_scalar_convert(of_scalar_f64(values[k]), floats[t]);
            data_kind kind = k % 2 ? DATA_negative_zero : DATA_binades_58;
            example e = {.about = "init", .dtype = floats[t], .n = 1500, .init = &inits[t][k]};
            e.src = array_make(e.dtype, kind, 4, LAYOUT_contiguous, 1, &e.n);
            ask(&e);
        }
    answer();
}

/* Long enough for threads and many chunks; carries of every character. */
#ifdef ONEFOLD_TEST_SMALL
enum { LONG = 30007 };
#else
enum { LONG = 300007 };
#endif

static void test_long(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_normal,  DATA_uniform, DATA_binades_20, DATA_outlier,
                                      DATA_patches, DATA_nan,     DATA_infinities};
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < 7; k++) {
            if (left_out(k)) continue;
            example e = {.about = data_kind_name(kinds[k]), .dtype = floats[t], .n = LONG};
            e.src = array_make(e.dtype, kinds[k], 5, LAYOUT_contiguous, 1, &e.n);
            ask(&e);
        }
    answer();
}

/* ---- What a carry may be ---- */

enum { AHEAD = 2048, BEHIND = 300 };

/* `first` at the start, zeros to the end of a tile or more, then `then` over and over. */
static of_array *make_carry(of_dtype dtype, const double *first, int firsts, const double *then,
                            int thens) {
    int64_t n = AHEAD + BEHIND;
    of_array *array = NULL;
    assert_int_equal(of_array_zeros(NULL, dtype, 1, &n, &array, NULL), OF_OK);
    char *x = of_array_mutable_data(array);
    const size_t size = of_dtype_size(dtype);
    for (int i = 0; i < firsts; i++)
        of_scalar_store(of_scalar_convert(of_scalar_f64(first[i]), dtype), x + (size_t)i * size);
    for (int i = 0; i < BEHIND; i++)
        of_scalar_store(of_scalar_convert(of_scalar_f64(then[i % thens]), dtype),
                        x + (size_t)(AHEAD + i) * size);
    return array;
}

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))
#define CARRY(dtype, about, first, then)                                                           \
    check_carry(dtype, about, first, COUNT(first), then, COUNT(then))

static void check_carry(of_dtype dtype, const char *about, const double *first, int firsts,
                        const double *then, int thens) {
    example e = {.about = about, .dtype = dtype, .n = AHEAD + BEHIND};
    e.src = make_carry(dtype, first, firsts, then, thens);
    ask(&e);
}

/* The sums lie half-way between two neighbours but for what is far below, in the low part of the
 * carry or in its rest: no rounding of rounded parts gets all of them right. */
static void test_ties(void **state) {
    (void)state;
    static const double f32_half[] = {0x1p36, -0x1p36, 0x1p36, 0x1p36, -0x1p37};
    static const double f32_odd[] = {0x1p37, 0x1p36, -0x1p36, -0x1p36, 0x1p36};
    static const double f64_half[] = {0x1p7, -0x1p7, 0x1p7, 0x1p7, -0x1p8};
    static const double f64_apart[] = {0x1p7, -0x1p7, 0x1p-2, -0x1p-2, 0x1p-40};
    static const double above[] = {0x1p60, 0x1p-10}, below[] = {0x1p60, -0x1p-10};
    static const double far_above[] = {0x1p60, 0x1p-120}, far_below[] = {0x1p60, -0x1p-120};
    static const double rest[] = {0x1p60, 0x1p-10, 0x1p-126}, exactly[] = {0x1p60};
    CARRY(OF_F32, "tie and more", above, f32_half);
    CARRY(OF_F32, "tie and less", below, f32_half);
    CARRY(OF_F32, "tie and far more", far_above, f32_half);
    CARRY(OF_F32, "tie and far less", far_below, f32_odd);
    CARRY(OF_F32, "tie and a rest", rest, f32_odd);
    CARRY(OF_F32, "tie", exactly, f32_odd);
    CARRY(OF_F64, "tie and more", above, f64_half);
    CARRY(OF_F64, "tie and less", below, f64_half);
    CARRY(OF_F64, "tie and far more", far_above, f64_half);
    CARRY(OF_F64, "tie and far less", far_below, f64_apart);
    CARRY(OF_F64, "tie and a rest", rest, f64_apart);
    CARRY(OF_F64, "tie", exactly, f64_apart);
    answer();
}

/* What is left is far below what was there. */
static void test_cancellation(void **state) {
    (void)state;
    static const double two[] = {0x1p100, 1}, three[] = {0x1p100, 0x1p40, 0x1.8p-60};
    static const double down[] = {-0x1p100, 0x1p-30, 0x1p100, 3};
    static const double down_twice[] = {-0x1p100, -0x1p40, 0x1p-100, 0x1p40, 0x1p100};
    for (int t = 0; t < 3; t++) { /* f16 would overflow at once */
        CARRY(floats[t], "cancellation", two, down);
        CARRY(floats[t], "cancellation", three, down_twice);
    }
    static const double wide[] = {0x1p1000, 0x1p500, 1, 0x1p-500, 0x1p-1074};
    static const double back[] = {-0x1p1000, -0x1p500, -1,        -0x1p-500, -0x1p-1074,
                                  0x1p1000,  0x1p500,  0x1p-1074, 0x1p-500,  1};
    CARRY(OF_F64, "every exponent", wide, back);
    answer();
}

/* Prefixes beyond the type's range, and beyond f64's, that come back. */
static void test_overflow(void **state) {
    (void)state;
    const double f64_most = 0x1.fffffffffffffp1023, f32_most = 0x1.fffffep127;
    const double f64_first[] = {f64_most, f64_most, 1}, f32_first[] = {f32_most, f32_most, 1};
    const double f64_then[] = {-f64_most, -f64_most, 0x1p-60, f64_most, f64_most};
    const double f32_then[] = {-f32_most, -f32_most, 0x1p-60, f32_most, f32_most};
    const double edge[] = {f64_most}, half_unit[] = {0x1p970, -0x1p970, 0x1p969, 0x1p969, -0x1p970};
    const double f32_edge[] = {f32_most, 0x1p-60};
    const double f32_half_unit[] = {0x1p103, -0x1p103, 0x1p102, 0x1p102, -0x1p103};
    CARRY(OF_F64, "overflow", f64_first, f64_then);
    CARRY(OF_F32, "overflow", f32_first, f32_then);
    CARRY(OF_F64, "edge of overflow", edge, half_unit);
    CARRY(OF_F32, "edge of overflow", f32_edge, f32_half_unit);
    static const double f16_first[] = {65504, 65504}, f16_then[] = {-65504, -65504, 16, 65504};
    CARRY(OF_F16, "overflow", f16_first, f16_then);
    answer();
}

static void test_specials(void **state) {
    (void)state;
    const double inf = __builtin_inf(), nan = __builtin_nan("");
    const double one[] = {1}, infinities[] = {inf, 1, inf, -inf, 2}, only[] = {-inf, 3};
    const double nans[] = {1, nan, 2}, minus[] = {-0.0};
    const double zeros[] = {-0.0, -0.0, 0.0, -0.0}, cancels[] = {-0.0, 1, -1, -0.0};
    for (int t = 0; t < 4; t++) {
        CARRY(floats[t], "infinities", one, infinities);
        CARRY(floats[t], "an infinity", one, only);
        CARRY(floats[t], "NaN", one, nans);
        CARRY(floats[t], "infinity first", only, one);
        CARRY(floats[t], "zeros", minus, zeros);
        CARRY(floats[t], "zeros", zeros, cancels);
    }
    answer();
}

/* ---- of_sum ---- */

/* Each value, and the total, is of_sum of the prefix. */
static void test_sums_of_prefixes(void **state) {
    (void)state;
    for (int t = 0; t < 4; t++)
        for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++) {
            int64_t n = 150;
            if (!data_kind_has(kind, floats[t])) continue;
            of_array *src = array_make(floats[t], kind, 6, LAYOUT_contiguous, 1, &n), *dst = NULL;
            assert_int_equal(of_array_create(NULL, floats[t], 1, &n, &dst, NULL), OF_OK);
            of_scalar total = {0}, sum = {0}, got = {.dtype = floats[t]};
            assert_int_equal(of_inclusive_scan(src, dst, NULL, &total, NULL), OF_OK);
            for (int64_t i = 0; i < n; i++) {
                of_array *part = NULL;
                assert_int_equal(of_array_slice(src, 0, 0, i + 1, 1, &part, NULL), OF_OK);
                assert_int_equal(of_sum(part, NULL, &sum, NULL), OF_OK);
                assert_int_equal(of_array_get(dst, &i, &got, NULL), OF_OK);
                check_scalar(got, sum, "sum of %lld of %s", (long long)i + 1, data_kind_name(kind));
                of_array_release(part);
            }
            check_scalar(total, sum, "total of %s", data_kind_name(kind));
            of_array_release(src);
            of_array_release(dst);
        }
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),    cmocka_unit_test(test_init),
        cmocka_unit_test(test_long),     cmocka_unit_test(test_ties),
        cmocka_unit_test(test_overflow), cmocka_unit_test(test_cancellation),
        cmocka_unit_test(test_specials), cmocka_unit_test(test_sums_of_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
