#include "exact/scatter.h"

#include <string.h>

/* A significand below 2^23 so often fits 43 bits, and the count the 21 above. */
#define F32_MOST (1 << 20)
/* A half significand below 2^32, shifted by up to 15, so often fits 64 bits. */
#define F64_MOST (1 << 16)

typedef struct __attribute__((packed, may_alias)) unaligned_u32 {
    uint32_t bits;
} unaligned_u32;
typedef struct __attribute__((packed, may_alias)) unaligned_u64 {
    uint64_t bits;
} unaligned_u64;

void of__scatter_begin(of__scatter *scatter, of_exact *into) {
    scatter->into = into;
    scatter->f32_count = scatter->f64_count = 0;
}

static void deposit_f32_table(of__scatter *scatter) {
    const uint64_t fraction_mask = (UINT64_C(1) << 43) - 1;
    for (int slot = 0; slot < 512; slot++) {
        uint64_t fractions = 0, count = 0;
        for (int t = 0; t < 4; t++) {
            fractions += scatter->f32_table[t][slot] & fraction_mask;
            count += scatter->f32_table[t][slot] >> 43;
        }
        if (!count) continue;
        int exponent = slot & 255;
        bool negative = slot & 256;
        if (exponent == 255) { /* with a fraction NaN, else infinity */
            if (fractions)
                scatter->into->nans++;
            else if (negative)
                scatter->into->negative_infinities++;
            else
                scatter->into->positive_infinities++;
            continue;
        }
        int64_t sum = (int64_t)(fractions + (exponent ? count << 23 : 0));
        of__exact_deposit(scatter->into, negative ? -sum : sum, (exponent ? exponent : 1) - 150);
    }
    scatter->f32_count = 0;
}

static void deposit_f64_table(of__scatter *scatter) {
    for (int slot = 0; slot < 256; slot++) {
        int exponent = 16 * (slot & 127) - 1075;
        for (int half = 0; half < 2; half++) {
            unsigned __int128 sum = 0;
            for (int t = 0; t < 4; t++) sum += scatter->f64_table[t][slot][half];
            if (sum)
                of__exact_deposit_wide(scatter->into, slot & 128 ? -(__int128)sum : (__int128)sum,
                                       exponent + 32 * half);
        }
    }
    scatter->f64_count = 0;
}

void of__scatter_f32(of__scatter *scatter, const void *x, int64_t n) {
    const unaligned_u32 *element = x;
    while (n > 0) {
        if (scatter->f32_count >= F32_MOST) deposit_f32_table(scatter);
        if (!scatter->f32_count) memset(scatter->f32_table, 0, sizeof scatter->f32_table);
        int64_t most = F32_MOST - scatter->f32_count, m = n < most ? n : most, i = 0;
        const uint64_t one = UINT64_C(1) << 43;
        for (; i + 4 <= m; i += 4)
            for (int t = 0; t < 4; t++) {
                uint32_t bits = element[i + t].bits;
                scatter->f32_table[t][bits >> 23] += (bits & 0x7fffff) | one;
            }
        for (; i < m; i++)
            scatter->f32_table[0][element[i].bits >> 23] += (element[i].bits & 0x7fffff) | one;
        scatter->f32_count += (int32_t)m;
        element += m;
        n -= m;
    }
}

/* Neither subnormal nor special: the implicit bit is there. */
static inline bool is_normal(uint64_t bits) {
    return (((bits >> 52) + 1) & 0x7ff) > 1;
}

typedef uint64_t pair __attribute__((vector_size(16)));

static inline void scatter_normal(uint64_t (*table)[2], uint64_t bits) {
    uint64_t significand = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    uint64_t shift = bits >> 52 & 15;
    pair halves = {significand & 0xffffffff, significand >> 32};
    pair *slot = (pair *)table[bits >> 56];
    *slot += halves << (pair){shift, shift};
}

static void scatter_f64_group(of__scatter *scatter, const unaligned_u64 *element, int n) {
    bool all_normal = true;
    for (int i = 0; i < n; i++) all_normal &= is_normal(element[i].bits);
    if (all_normal && n % 4 == 0) {
        for (int i = 0; i < n; i += 4)
            for (int t = 0; t < 4; t++) scatter_normal(scatter->f64_table[t], element[i + t].bits);
        return;
    }
    for (int i = 0; i < n; i++) {
        if (is_normal(element[i].bits))
            scatter_normal(scatter->f64_table[i & 3], element[i].bits);
        else
            of__exact_deposit_f64(scatter->into, of__f64_from_bits(element[i].bits));
    }
}

void of__scatter_f64(of__scatter *scatter, const void *x, int64_t n) {
    const unaligned_u64 *element = x;
    for (int64_t i = 0; i < n; i += 64) {
        int m = n - i < 64 ? (int)(n - i) : 64;
        if (scatter->f64_count > F64_MOST - 64) deposit_f64_table(scatter);
        if (!scatter->f64_count) memset(scatter->f64_table, 0, sizeof scatter->f64_table);
        scatter_f64_group(scatter, element + i, m);
        scatter->f64_count += m;
    }
}

void of__scatter_end(of__scatter *scatter) {
    if (scatter->f32_count) deposit_f32_table(scatter);
    if (scatter->f64_count) deposit_f64_table(scatter);
}
