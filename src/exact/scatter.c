#include "exact/scatter.h"

#include <string.h>

/* A significand below 2^23 so often fits 43 bits, and the count the 21 above. */
#define F32_MOST (1 << 20)
/* A half significand below 2^32, shifted by up to 15, so often fits 63 bits. */
#define F64_MOST (1 << 16)

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
            __int128 sum = 0;
            for (int t = 0; t < 4; t++) sum += scatter->f64_table[t][slot][half];
            if (sum)
                of__exact_deposit_wide(scatter->into, slot & 128 ? -sum : sum,
                                       exponent + 32 * half);
        }
    }
    scatter->f64_count = 0;
}

int32_t of__scatter_room_f32(of__scatter *scatter) {
    if (scatter->f32_count >= F32_MOST) deposit_f32_table(scatter);
    if (!scatter->f32_count) memset(scatter->f32_table, 0, sizeof scatter->f32_table);
    return F32_MOST - scatter->f32_count;
}

int32_t of__scatter_room_f64(of__scatter *scatter) {
    if (scatter->f64_count >= F64_MOST) deposit_f64_table(scatter);
    if (!scatter->f64_count) memset(scatter->f64_table, 0, sizeof scatter->f64_table);
    return F64_MOST - scatter->f64_count;
}

void of__scatter_end(of__scatter *scatter) {
    if (scatter->f32_count) deposit_f32_table(scatter);
    if (scatter->f64_count) deposit_f64_table(scatter);
}
