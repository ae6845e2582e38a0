#include "runs/pick.h"

#include <string.h>

void of__pick(char *out, const char *x, const uint16_t *at, int64_t count, int64_t size) {
    switch (size) { /* constant sizes make each copy a load and a store */
    case 1:
        for (int64_t k = 0; k < count; k++) out[k] = x[at[k]];
        break;
    case 2:
        for (int64_t k = 0; k < count; k++) memcpy(out + 2 * k, x + 2 * (int64_t)at[k], 2);
        break;
    case 4:
        for (int64_t k = 0; k < count; k++) memcpy(out + 4 * k, x + 4 * (int64_t)at[k], 4);
        break;
    default:
        for (int64_t k = 0; k < count; k++) memcpy(out + 8 * k, x + 8 * (int64_t)at[k], 8);
        break;
    }
}

void of__pick_indices(char *out, int64_t value, const uint16_t *at, int64_t count, bool wide) {
    if (wide) {
        int64_t *index = (int64_t *)(void *)out;
        for (int64_t k = 0; k < count; k++) index[k] = value + at[k];
    } else {
        int32_t *index = (int32_t *)(void *)out;
        for (int64_t k = 0; k < count; k++) index[k] = (int32_t)value + at[k];
    }
}
