/* Moving the elements at a list of offsets together. */
#ifndef ONEFOLD_RUNS_PICK_H
#define ONEFOLD_RUNS_PICK_H

#include <stdbool.h>
#include <stdint.h>

/*
 *     for (k = 0; k < count; k++) out[k] = x[at[k]];
 *
 * Elements of `size` bytes, 1, 2, 4 or 8; any alignment.
 */
void of__pick(char *out, const char *x, const uint16_t *at, int64_t count, int64_t size);

/* Writes value + at[k] as i64 when `wide`, else as i32. */
void of__pick_indices(char *out, int64_t value, const uint16_t *at, int64_t count, bool wide);

#endif
