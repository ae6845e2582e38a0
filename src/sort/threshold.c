#include "sort/threshold.h"

#include <math.h>

/* A value without its type: an integer, or a float that is none. */
typedef struct real {
    bool is_integer;
    __int128 integer;
    double value;
} real;

/* Floats keep their type where it tells more: the zeros differ, infinities and NaNs are none. */
static real real_of(of_scalar scalar) {
    if (of_dtype_is_float(scalar.dtype)) return (real){.value = of_scalar_to_f64(scalar)};
    if (scalar.dtype == OF_BOOL) return (real){true, scalar.as.b != 0, 0};
    if (of_dtype_is_signed(scalar.dtype))
        return (real){true, of_scalar_convert(scalar, OF_I64).as.i64, 0};
    return (real){true, of_scalar_convert(scalar, OF_U64).as.u64, 0};
}

static int compare_integers(__int128 a, __int128 b) {
    return (a > b) - (a < b);
}

/* In the order of contract 9; the sign of the answer. */
static int compare_floats(double a, double b) {
    if (a != a || b != b) return (a != a) - (b != b);
    if (a != b) return a < b ? -1 : 1;
    return (signbit(b) != 0) - (signbit(a) != 0);
}

/* Integers of at most 64 bits with a double. */
static int compare_mixed(__int128 integer, double value) {
    if (value != value || value >= 0x1p64) return -1;
    if (value < -0x1p63) return 1;
    if (value == 0 && integer == 0) return signbit(value) != 0;
    __int128 whole = (__int128)value; /* towards zero */
    if (integer != whole) return integer < whole ? -1 : 1;
    double part = value - (double)whole; /* exact: a value with a fraction is below 2^53 */
    return part > 0 ? -1 : part < 0;
}

static int compare(real a, real b) {
    if (a.is_integer && b.is_integer) return compare_integers(a.integer, b.integer);
    if (a.is_integer) return compare_mixed(a.integer, b.value);
    if (b.is_integer) return -compare_mixed(b.integer, a.value);
    return compare_floats(a.value, b.value);
}

/* The element of a key. */
static real element_at(const of__key_rule *rule, of_dtype dtype, uint64_t key) {
    of_scalar element = {.dtype = dtype};
    element.as.bits = of__element_of(rule, key);
    return real_of(element);
}

/* Keys rise with their elements: found by halving. */
bool of__threshold(const of__key_rule *rule, of_dtype dtype, of_scalar value, bool after,
                   uint64_t *out) {
    const real wanted = real_of(value);
    const int least = after ? 1 : 0; /* what comparing an element with the value must give */
    uint64_t low = 0, high = rule->most;
    if (compare(element_at(rule, dtype, high), wanted) < least) return false;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (compare(element_at(rule, dtype, middle), wanted) < least)
            low = middle + 1;
        else
            high = middle;
    }
    *out = low;
    return true;
}
