/*
 * Sums of floats of wildly different sizes: significands are added as integers in tables indexed by
 * exponent, and the tables deposited now and then. The loops that fill them are in
 * scatter_f32_cpu.inc and scatter_f64_cpu.inc. Nothing rounds, so no data is too wide; 0.4 to 0.8
 * ns an element.
 *
 * There are four tables of each kind, taken in turn: with one, equal exponents would wait for each
 * other's store.
 */
#ifndef ONEFOLD_EXACT_SCATTER_H
#define ONEFOLD_EXACT_SCATTER_H

#include "exact/accumulator.h"

typedef struct of__scatter {
    of_exact *into;
    int32_t f32_count,
        f64_count; /* elements in the tables; a table is cleared by its first element */
    /* One word by sign and exponent: significands in the low 43 bits, their number above. */
    uint64_t f32_table[4][512];
    /* By sign and upper exponent bits: the sums of the lower and upper 32 bits of significand <<
     * lower exponent bits. */
    int64_t f64_table[4][256][2] __attribute__((aligned(16)));
} of__scatter;

void of__scatter_begin(of__scatter *scatter, of_exact *into);

/* Makes room for elements in a table, depositing a full one and clearing an empty one. Returns for
 * how many; the caller adds those it puts there to the count. */
int32_t of__scatter_room_f32(of__scatter *scatter);
int32_t of__scatter_room_f64(of__scatter *scatter);

/* Deposits what the tables hold. */
void of__scatter_end(of__scatter *scatter);

#endif
