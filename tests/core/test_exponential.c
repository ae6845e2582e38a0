/* The correctly rounded exponential against GNU MPFR. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <mpfr.h>

#include "core/bytes.h"
#include "core/exponential.h"
#include "random_bits.h"

/* exp of the exact sum: enough bits for any two f64, then one rounding that knows subnormals. */
static double expected(double high, double low) {
    mpfr_t x, y;
    mpfr_inits2(2200, x, y, (mpfr_ptr)NULL);
    mpfr_set_d(x, high, MPFR_RNDN);
    mpfr_add_d(x, x, low, MPFR_RNDN);
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_set_emin(-1073);
    mpfr_set_emax(1024);
    mpfr_set_prec(y, 53);
    int ternary = mpfr_exp(y, x, MPFR_RNDN);
    mpfr_subnormalize(y, ternary, MPFR_RNDN);
    double result = mpfr_get_d(y, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    mpfr_clears(x, y, (mpfr_ptr)NULL);
    return result;
}

static void check(double high, double low) {
    double got = of__exp(of__exp_table_get(), high, low), want = expected(high, low);
    if (of__f64_bits(got) != of__f64_bits(want))
        fail_msg("exp(%a + %a) is %a, not %a", high, low, got, want);
}

static double random_unit(void) {
    return (double)(random_bits() >> 11) * 0x1p-53;
}

/* A second part of any size that a sum of two f64 may have. */
static double random_low(double high) {
    double half = (nextafter(-high, INFINITY) + high) / 2; /* half a unit in the last place */
    double low = ldexp(half * random_unit(), -(int)random_below(60));
    switch (random_below(4)) {
    case 0: return 0;
    case 1: return half;
    case 2: return -low;
    default: return low;
    }
}

#ifdef ONEFOLD_TEST_SANITIZED
enum { ROUNDS = 3000 };
#else
enum { ROUNDS = 40000 };
#endif

static void test_random(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        double wide = -random_unit() * 746,
               small = -ldexp(1 + random_unit(), -(int)random_below(60));
        check(wide, random_low(wide));
        check(small, random_low(small));
    }
}

static void test_edges(void **state) {
    (void)state;
    static const double edges[] = {
        -0x1p-54,
        -0x1p-53,
        -0x1p-52,
        -1,
        -708,
        -708.396418532264,
        -709,
        -744.4400719213812,
        -745.1332191019411,
        -745.1332191019412,
        -745.2,
        -745.1999999999999,
        -0x1.62e42fefa39efp-1,
        -0x1.62e42fefa39efp-8,
        -0x1.62e42fefa39efp-9,
        -0x1p-1074,
    };
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        for (int step = -3; step <= 3; step++) {
            double high = edges[i];
            for (int k = 0; k < step; k++) high = nextafter(high, 0);
            for (int k = 0; k > step; k--) high = nextafter(high, -INFINITY);
            if (high == 0) continue;
            check(high, 0);
            for (int k = 0; k < 5; k++) check(high, random_low(high));
            check(high, -0x1p-1074);
            check(high, 0x1p-1074);
        }
    const of__exp_table *table = of__exp_table_get();
    assert_true(of__exp(table, 0, 0) == 1);
    assert_true(of__exp(table, -0.0, 0) == 1);
    assert_true(of__exp(table, -INFINITY, NAN) == 0);
    assert_true(of__exp(table, -1e300, 0) == 0);
    assert_true(isnan(of__exp(table, NAN, 0)));
}

/* Numbers whose exponentials lie as close to a tie as a sum of two f64 can bring them. */
static void test_near_ties(void **state) {
    (void)state;
    mpfr_t tie, log, rest;
    mpfr_inits2(400, tie, log, rest, (mpfr_ptr)NULL);
    for (int i = 0; i < ROUNDS / 20; i++) {
        mpfr_set_ui(tie, random_bits() >> 11 | UINT64_C(1) << 52, MPFR_RNDN);
        mpfr_mul_2ui(tie, tie, 1, MPFR_RNDN);
        mpfr_add_ui(tie, tie, 1, MPFR_RNDN); /* 54 bits, the last one set */
        mpfr_mul_2si(tie, tie, -55 - (long)random_below(1000), MPFR_RNDN);
        mpfr_log(log, tie, MPFR_RNDN);
        double high = mpfr_get_d(log, MPFR_RNDN);
        mpfr_sub_d(rest, log, high, MPFR_RNDN);
        double low = mpfr_get_d(rest, MPFR_RNDN);
        check(high, low);
        check(high, nextafter(low, INFINITY));
        check(high, nextafter(low, -INFINITY));
    }
    mpfr_clears(tie, log, rest, (mpfr_ptr)NULL);
}

/* The fallback alone, where it is seldom asked. */
static void test_wide(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS / 20; i++) {
        double high = -ldexp(random_unit() + 0x1p-60, (int)random_below(10)),
               low = random_low(high);
        double got = of__exp_wide(high, low), want = expected(high, low);
        if (of__f64_bits(got) != of__f64_bits(want))
            fail_msg("exp(%a + %a) is %a, not %a", high, low, got, want);
    }
}

static void test_table(void **state) {
    (void)state;
    const of__exp_table *table = of__exp_table_get();
    mpfr_t power, sum;
    mpfr_inits2(300, power, sum, (mpfr_ptr)NULL);
    for (int j = 0; j < 128; j++) {
        mpfr_set_d(power, j / 128.0, MPFR_RNDN);
        mpfr_exp2(power, power, MPFR_RNDN);
        mpfr_set_d(sum, table->high[j], MPFR_RNDN);
        mpfr_add_d(sum, sum, table->low[j], MPFR_RNDN);
        mpfr_sub(sum, sum, power, MPFR_RNDN);
        assert_true(fabs(mpfr_get_d(sum, MPFR_RNDN)) < 0x1p-103);
    }
    mpfr_clears(power, sum, (mpfr_ptr)NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),     cmocka_unit_test(test_edges),
        cmocka_unit_test(test_random),    cmocka_unit_test(test_wide),
        cmocka_unit_test(test_near_ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
