/*
 * The hardware's inexact flag as a proof: it is cleared, a block is added, and if it is still clear
 * then every add was exact.
 *
 * Sound only by data flow. Compilers move floating-point arithmetic freely across fenv calls,
 * intrinsics for the control word and "memory" clobbers, so the instruction that clears the flag
 * must seem to write every accumulator and the one that reads it must seem to rewrite every result.
 */
#ifndef ONEFOLD_REDUCE_WITNESS_H
#define ONEFOLD_REDUCE_WITNESS_H

#include "core/fpenv.h"
#include "reduce/simd.h"

#if defined(__x86_64__)

/* Clears the flags before eight accumulators are used. */
OF__INLINE void witness_clear(vf64 a[8]) {
    uint32_t control = OF__MXCSR_DEFAULT;
    __asm__ volatile("ldmxcsr %8"
                     : OF__IN_REGISTER(a[0]), OF__IN_REGISTER(a[1]), OF__IN_REGISTER(a[2]),
                       OF__IN_REGISTER(a[3]), OF__IN_REGISTER(a[4]), OF__IN_REGISTER(a[5]),
                       OF__IN_REGISTER(a[6]), OF__IN_REGISTER(a[7])
                     : "m"(control));
}

/* Whether everything that led to the eight accumulators since witness_clear was exact. */
OF__INLINE bool witness_exact(vf64 a[8]) {
    uint32_t control;
    __asm__ volatile("stmxcsr %0"
                     : "=m"(control), OF__IN_REGISTER(a[0]), OF__IN_REGISTER(a[1]),
                       OF__IN_REGISTER(a[2]), OF__IN_REGISTER(a[3]), OF__IN_REGISTER(a[4]),
                       OF__IN_REGISTER(a[5]), OF__IN_REGISTER(a[6]), OF__IN_REGISTER(a[7]));
    return !(control & 0x20);
}

#else /* aarch64: the cumulative inexact flag is bit 4 of FPSR */

OF__INLINE void witness_clear(vf64 a[8]) {
    uint64_t clear = 0;
    __asm__ volatile("msr fpsr, %8"
                     : OF__IN_REGISTER(a[0]), OF__IN_REGISTER(a[1]), OF__IN_REGISTER(a[2]),
                       OF__IN_REGISTER(a[3]), OF__IN_REGISTER(a[4]), OF__IN_REGISTER(a[5]),
                       OF__IN_REGISTER(a[6]), OF__IN_REGISTER(a[7])
                     : "r"(clear));
}

OF__INLINE bool witness_exact(vf64 a[8]) {
    uint64_t status;
    __asm__ volatile("mrs %0, fpsr"
                     : "=r"(status), OF__IN_REGISTER(a[0]), OF__IN_REGISTER(a[1]),
                       OF__IN_REGISTER(a[2]), OF__IN_REGISTER(a[3]), OF__IN_REGISTER(a[4]),
                       OF__IN_REGISTER(a[5]), OF__IN_REGISTER(a[6]), OF__IN_REGISTER(a[7]));
    return !(status & 0x10);
}

#endif

/* Clears the flags before anything is computed from what x and y point to. */
OF__INLINE void witness_clear_before(const char **x, const char **y) {
#if defined(__x86_64__)
    uint32_t control = OF__MXCSR_DEFAULT;
    __asm__ volatile("ldmxcsr %2" : "+r"(*x), "+r"(*y) : "m"(control));
#else
    uint64_t clear = 0;
    __asm__ volatile("msr fpsr, %2" : "+r"(*x), "+r"(*y) : "r"(clear));
#endif
}

/* Whether nothing that led to the six accumulators since then underflowed, overflowed or was
 * invalid. */
OF__INLINE bool witness_in_range(vf64 a[6]) {
#if defined(__x86_64__)
    uint32_t status;
    __asm__ volatile("stmxcsr %0"
                     : "=m"(status), OF__IN_REGISTER(a[0]), OF__IN_REGISTER(a[1]),
                       OF__IN_REGISTER(a[2]), OF__IN_REGISTER(a[3]), OF__IN_REGISTER(a[4]),
                       OF__IN_REGISTER(a[5]));
    return !(status & 0x19);
#else
    uint64_t status;
    __asm__ volatile("mrs %0, fpsr"
                     : "=r"(status), OF__IN_REGISTER(a[0]), OF__IN_REGISTER(a[1]),
                       OF__IN_REGISTER(a[2]), OF__IN_REGISTER(a[3]), OF__IN_REGISTER(a[4]),
                       OF__IN_REGISTER(a[5]));
    return !(status & 0xd);
#endif
}

/* Keeps arithmetic that does not depend on an accumulator from being moved before witness_clear. */
OF__INLINE void witness_anchor(vu32 *value, vf64 *accumulator) {
    __asm__ volatile("" : OF__IN_REGISTER(*value), OF__IN_REGISTER(*accumulator));
}

/* Whether no lane of the eight is infinite or NaN. */
OF__INLINE bool all_finite(const vf64 a[8]) {
    vf64 zero = {0};
    for (int k = 0; k < 8; k++) zero += a[k] - a[k]; /* 0, or NaN */
    return or_lanes((vi64)zero) == 0;
}

/* ---- Where the sums are in memory: the flag is tied to what loops read and write ---- */

/* Clears the flags: everything read through the pointer returned comes after that. */
OF__INLINE const void *witness_clear_reads(const void *x) {
#if defined(__x86_64__)
    uint32_t control = OF__MXCSR_DEFAULT;
    __asm__ volatile("ldmxcsr %1" : "+r"(x) : "m"(control) : "memory");
#else
    uint64_t clear = 0;
    __asm__ volatile("msr fpsr, %1" : "+r"(x) : "r"(clear) : "memory");
#endif
    return x;
}

/* Whether all arithmetic whose results are in memory was exact since witness_clear_reads. */
OF__INLINE bool witness_exact_writes(const double *high, const double *low) {
#if defined(__x86_64__)
    uint32_t control;
    __asm__ volatile("stmxcsr %0" : "=m"(control) : "r"(high), "r"(low) : "memory");
    return !(control & 0x20);
#else
    uint64_t status;
    __asm__ volatile("mrs %0, fpsr" : "=r"(status) : "r"(high), "r"(low) : "memory");
    return !(status & 0x10);
#endif
}

/* Whether nothing since witness_clear_reads was invalid, subnormal, too large or too small; for
 * products, which may be inexact. */
OF__INLINE bool witness_normal_writes(const double *product) {
#if defined(__x86_64__)
    uint32_t control;
    __asm__ volatile("stmxcsr %0" : "=m"(control) : "r"(product) : "memory");
    return !(control & 0x1b);
#else
    uint64_t status;
    __asm__ volatile("mrs %0, fpsr" : "=r"(status) : "r"(product) : "memory");
    return !(status & 0x0d);
#endif
}

#endif
