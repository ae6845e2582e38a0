#include "reduce/data.h"

#include <math.h>
#include <string.h>

#include "reference/reference.h"

/* The element to make. */
typedef struct element {
    of_dtype dtype;
    int64_t index, count;
    uint64_t seed;
    /* Of float types: bits of fraction, and the exponents of the smallest normal and the largest
     * number. */
    int fraction_bits, lowest, highest;
    /* Of integers and bool: the ends of the range. */
    bool is_signed;
    uint64_t smallest, largest;
} element;

uint64_t data_random(uint64_t seed, uint64_t position) {
    uint64_t z =
        seed * UINT64_C(0xd1342543de82ef95) + (position + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void data_shuffle(int64_t *order, int64_t count, uint64_t seed) {
    for (int64_t i = 0; i < count; i++) {
        int64_t j = (int64_t)(data_random(seed, (uint64_t)i) % (uint64_t)(i + 1));
        order[i] = order[j];
        order[j] = i;
    }
}

/* A draw for this element; `which` numbers the draws. */
static uint64_t draw(const element *e, int which) {
    return data_random(e->seed + (uint64_t)which * 1000003, (uint64_t)e->index);
}

/* The place of the only one of something: the same for all elements. */
static int64_t chosen(const element *e, int which) {
    return (int64_t)(data_random(e->seed + 77, (uint64_t)which) % (uint64_t)e->count);
}

static double unit_interval(uint64_t random) {
    return (double)(random >> 11) * 0x1p-53;
}

/* ---- floats, as bits ---- */

static uint64_t sign_bit(const element *e) {
    return UINT64_C(1) << (8 * ref_size(e->dtype) - 1);
}

static uint64_t unit_of(const element *e) {
    return UINT64_C(1) << e->fraction_bits;
}

/* A number of exponent `exponent`, kept within the normal range, with random or given upper bits of
 * fraction. */
static uint64_t normal_number(const element *e, bool negative, int exponent, uint64_t fraction) {
    if (exponent < e->lowest) exponent = e->lowest;
    if (exponent > e->highest) exponent = e->highest;
    uint64_t field = (uint64_t)(exponent - e->lowest + 1) << e->fraction_bits;
    return (negative ? sign_bit(e) : 0) | field | fraction >> (64 - e->fraction_bits);
}

/* A double with its lower bits cut. */
static uint64_t from_double(const element *e, double value) {
    if (value == 0) return signbit(value) ? sign_bit(e) : 0;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return normal_number(e, signbit(value), ilogb(value), bits << 12);
}

static uint64_t one(const element *e) {
    return normal_number(e, false, 0, 0);
}

static uint64_t random_number(const element *e, int lowest, int highest) {
    uint64_t random = draw(e, 1);
    int exponent = lowest + (int)(random % (uint64_t)(highest - lowest + 1));
    return normal_number(e, random >> 63, exponent, draw(e, 2));
}

static uint64_t largest_float(const element *e) {
    return normal_number(e, false, e->highest, UINT64_MAX);
}

static uint64_t infinity_of(const element *e) {
    return largest_float(e) + 1;
}

static uint64_t fill_uniform(const element *e) {
    return from_double(e, unit_interval(draw(e, 0)));
}

static uint64_t normal_float(const element *e) {
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += unit_interval(draw(e, i));
    return from_double(e, sum - 3);
}

static uint64_t fill_constant(const element *e) {
    return from_double(e, 0.1);
}
static uint64_t fill_binades_20(const element *e) {
    return random_number(e, -20, 20);
}
static uint64_t fill_binades_58(const element *e) {
    return random_number(e, -29, 29);
}
static uint64_t fill_binades_174(const element *e) {
    return random_number(e, -87, 87);
}

static uint64_t raw_float(const element *e) {
    uint64_t bits = draw(e, 3) & (sign_bit(e) | (sign_bit(e) - 1));
    bool finite = (bits & (sign_bit(e) - 1)) < infinity_of(e);
    return finite ? bits : bits & sign_bit(e) ? sign_bit(e) : one(e);
}

static uint64_t fill_powers_of_two(const element *e) {
    uint64_t random = draw(e, 1);
    return normal_number(e, random >> 63, (int)(random % 91) - 45, 0);
}

/* Element i + count/2 is the negative of element i; an odd one at the end is 0. */
static uint64_t fill_cancelling(const element *e) {
    element first = *e;
    int64_t half = e->count / 2;
    if (e->index >= 2 * half) return 0;
    first.index = e->index % half;
    return raw_float(&first) ^ (e->index >= half ? sign_bit(e) : 0);
}

static uint64_t fill_cancelling_pairs(const element *e) {
    element first = *e;
    first.index = e->index / 2;
    return raw_float(&first) ^ (e->index % 2 ? sign_bit(e) : 0);
}

static uint64_t fill_cancelling_but_tiny(const element *e) {
    int64_t place = chosen(e, 0), half = e->count / 2;
    if (e->index == place) return normal_number(e, false, e->lowest, 0);
    if (half && e->index % half == place % half) return 0; /* its partner */
    return fill_cancelling(e);
}

static uint64_t fill_subnormal(const element *e) {
    return draw(e, 0) % (unit_of(e) < 1000 ? unit_of(e) : 1000);
}

static uint64_t fill_negative_subnormal(const element *e) {
    return sign_bit(e) | draw(e, 0) % unit_of(e);
}

static uint64_t fill_largest_halves(const element *e) {
    if (e->index == 0) return one(e);
    return largest_float(e) ^ (e->index > e->count / 2 ? sign_bit(e) : 0);
}

static uint64_t fill_negative_zero(const element *e) {
    return sign_bit(e);
}
static uint64_t fill_mixed_zero(const element *e) {
    return draw(e, 0) % 2 ? sign_bit(e) : 0;
}

static uint64_t fill_infinity(const element *e) {
    return e->index == chosen(e, 0) ? infinity_of(e) | sign_bit(e) : normal_float(e);
}

static uint64_t fill_infinities(const element *e) {
    return e->index == chosen(e, 1) ? infinity_of(e) : fill_infinity(e);
}

static uint64_t fill_nan(const element *e) {
    return e->index == chosen(e, 2) ? infinity_of(e) | sign_bit(e) | 5 : normal_float(e);
}

static uint64_t fill_quiet_nan(const element *e) {
    return e->index == chosen(e, 2) ? infinity_of(e) | unit_of(e) >> 1 | 5 : normal_float(e);
}

static uint64_t fill_nan_and_infinities(const element *e) {
    return e->index == chosen(e, 2) ? infinity_of(e) | 3 : fill_infinities(e);
}

static uint64_t half_unit(const element *e) {
    return normal_number(e, false, -e->fraction_bits - 1, 0);
}

static uint64_t fill_tie(const element *e) {
    return e->index == 0 ? one(e) : e->index == 1 ? half_unit(e) : 0;
}

static uint64_t fill_tie_above(const element *e) {
    return e->index > 1 && e->index == e->count - 1 ? 1 : fill_tie(e);
}

static uint64_t fill_tie_below(const element *e) {
    return e->index > 1 && e->index == e->count - 1 ? sign_bit(e) | 1 : fill_tie(e);
}

static uint64_t fill_tie_odd(const element *e) {
    return fill_tie(e) + (e->index == 0);
}

static uint64_t fill_half_units(const element *e) {
    return e->index % 64 ? half_unit(e) : normal_number(e, false, 10, 0);
}

/* Sums against a constant some bits above the largest term leave rests of at most half its last
 * bit. All these are just that, and a far lower bit keeps simpler ways out. */
static uint64_t fill_window_halves(const element *e) {
    if (e->index % 1024 == 0) return normal_number(e, false, 10, 0);
    if (e->index % 1021 == 7) return normal_number(e, false, -70, 0);
    return normal_number(e, false, -35, 0);
}

static uint64_t fill_window_halves_down(const element *e) {
    uint64_t bits = fill_window_halves(e);
    return e->index % 1024 == 0 ? bits : bits | sign_bit(e);
}

static uint64_t fill_crowded(const element *e) {
    return e->index % 16 ? normal_number(e, false, 0, UINT64_MAX) : random_number(e, e->lowest, -1);
}

static uint64_t fill_outlier(const element *e) {
    return e->index == chosen(e, 3) ? normal_number(e, false, e->highest - 2, UINT64_MAX)
                                    : normal_float(e);
}

static uint64_t fill_tiny_inside(const element *e) {
    return e->index == chosen(e, 3) ? normal_number(e, false, e->lowest, 1) + 1 : normal_float(e);
}

static uint64_t fill_late_bit(const element *e) {
    if (e->index == e->count - 1) return normal_number(e, true, -e->fraction_bits, 0);
    return from_double(e, (double)(draw(e, 0) % 1000));
}

static uint64_t fill_exponent_jump(const element *e) {
    return e->index < e->count / 2 ? random_number(e, 0, 2)
                                   : random_number(e, e->highest - 20, e->highest);
}

static uint64_t fill_exponent_drop(const element *e) {
    return e->index < e->count / 2 ? random_number(e, 0, 2)
                                   : random_number(e, e->lowest, e->lowest + 2);
}

static uint64_t fill_far_below_one(const element *e) {
    return random_number(e, -1022, -945);
}

static uint64_t fill_patches(const element *e) {
    switch (data_random(e->seed, (uint64_t)(e->index / 700)) % 5) {
    case 0: return raw_float(e);
    case 1: return from_double(e, (double)(draw(e, 0) % 1000));
    case 2: return 0;
    case 3: return random_number(e, e->lowest, e->lowest + 5);
    default: return random_number(e, e->highest - 5, e->highest);
    }
}

/* ---- integers and bool ---- */

static uint64_t fill_smallest(const element *e) {
    return e->smallest;
}
static uint64_t fill_odd(const element *e) {
    return draw(e, 0) | 1;
}

/* ---- all types ---- */

static uint64_t fill_normal(const element *e) {
    if (ref_is_float(e->dtype)) return normal_float(e);
    if (e->dtype == OF_BOOL) return draw(e, 0) % 2;
    return draw(e, 0) % (e->is_signed ? 19 : 10) - (e->is_signed ? 9 : 0);
}

static uint64_t fill_counting(const element *e) {
    if (!ref_is_float(e->dtype)) return (uint64_t)e->index;
    int64_t most = INT64_C(2) << (e->fraction_bits < 40 ? e->fraction_bits : 40);
    return from_double(e, (double)(e->index % most));
}

static uint64_t fill_raw(const element *e) {
    return ref_is_float(e->dtype) ? raw_float(e) : draw(e, 0);
}

static uint64_t fill_largest(const element *e) {
    return ref_is_float(e->dtype) ? largest_float(e) : e->largest;
}

static uint64_t fill_largest_alternating(const element *e) {
    if (e->index % 2 == 0) return fill_largest(e);
    return ref_is_float(e->dtype) ? largest_float(e) | sign_bit(e) : e->smallest;
}

static uint64_t fill_zero(const element *e) {
    (void)e;
    return 0;
}

static uint64_t fill_one_nonzero(const element *e) {
    if (e->index != chosen(e, 0)) return 0;
    return ref_is_float(e->dtype) ? one(e) : 1 + draw(e, 0) % 100;
}

static uint64_t fill_one_zero(const element *e) {
    if (e->index == chosen(e, 0)) return 0;
    return ref_is_float(e->dtype) ? one(e) : 1;
}

enum { FLOATS = 1, INTEGERS = 2, ALL = 3 };

static const struct {
    const char *name;
    int families;
    uint64_t (*fill)(const element *);
} kinds[] = {
#define KIND(name, families) {#name, families, fill_##name},
#include "reduce/kinds.def"
#undef KIND
};

const char *data_kind_name(data_kind kind) {
    return kinds[kind].name;
}

bool data_kind_has(data_kind kind, of_dtype dtype) {
    return kinds[kind].families & (ref_is_float(dtype) ? FLOATS : INTEGERS);
}

static element describe(of_dtype dtype, int64_t count, uint64_t seed) {
    element e = {.dtype = dtype, .count = count, .seed = seed, .is_signed = ref_is_signed(dtype)};
    switch (dtype) {
    case OF_F16: e.fraction_bits = 10, e.lowest = -14, e.highest = 15; break;
    case OF_BF16: e.fraction_bits = 7, e.lowest = -126, e.highest = 127; break;
    case OF_F32: e.fraction_bits = 23, e.lowest = -126, e.highest = 127; break;
    default: e.fraction_bits = 52, e.lowest = -1022, e.highest = 1023; break;
    }
    int bits = 8 * ref_size(dtype);
    e.largest = dtype == OF_BOOL ? 1 : UINT64_MAX >> (64 - bits + e.is_signed);
    e.smallest = e.is_signed ? ~e.largest : 0;
    return e;
}

void data_fill(void *elements, of_dtype dtype, data_kind kind, int64_t count, uint64_t seed) {
    element e = describe(dtype, count, seed);
    size_t size = (size_t)ref_size(dtype);
    for (e.index = 0; e.index < count; e.index++) {
        uint64_t bits = kinds[kind].fill(&e);
        memcpy((char *)elements + (size_t)e.index * size, &bits, size);
    }
}
