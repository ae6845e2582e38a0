/* The mean of floats whose sum is known as two doubles, without an accumulator. */
#ifndef ONEFOLD_REDUCE_ROUND_MEAN_H
#define ONEFOLD_REDUCE_ROUND_MEAN_H

#include <stdbool.h>

#include "core/bytes.h"

/*
 * (high - low) / length, rounded once to f64 or f32; false where that is in doubt. A quotient is
 * corrected by its remainder, and is sure when a correction 2^-40 larger or smaller gives the same.
 * To f32 it is sure when it is exact, or not near the middle of two f32.
 */
OF__INLINE bool round_mean(double high, double low, int64_t length, bool to_f32, char *out) {
    double n = (double)length;
    double sum = high - low, taken = sum - high, rest = (high - (sum - taken)) - (low + taken);
    double quotient = sum / n, size = __builtin_fabs(quotient);
    double correction = (__builtin_fma(-quotient, n, sum) + rest) / n;
    double up = quotient + correction * (1 + 0x1p-40), down = quotient + correction * (1 - 0x1p-40);
    uint64_t dropped = of__f64_bits(up) & 0x1fffffff;
    bool in_range = to_f32 ? size > 0x1p-120 && size < 0x1p120 : size > 0x1p-900 && size < 0x1p1000;
    bool scaled = (length & (length - 1)) == 0 &&
                  !to_f32; /* by a power of two: the quotient of a rounded sum */
    if (scaled) up = down = quotient;
    bool sure =
        up == down && (!to_f32 || correction == 0 || dropped < 0xffffff0 || dropped > 0x10000010);
    if (!(in_range && sure) && !(sum == 0 && rest == 0)) return false;
    if (to_f32) {
        float value = sum == 0 ? (float)sum : (float)up;
        memcpy(out, &value, 4);
    } else {
        double value = sum == 0 ? sum : up;
        memcpy(out, &value, 8);
    }
    return true;
}

#endif
