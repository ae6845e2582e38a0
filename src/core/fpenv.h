/*
 * The floating-point control word. Results may not depend on the caller's rounding mode,
 * flush-to-zero or unmasked traps, and the caller must find its control word and flags as it left
 * them. Every task enters and leaves.
 */
#ifndef ONEFOLD_CORE_FPENV_H
#define ONEFOLD_CORE_FPENV_H

#include <stdint.h>

#if defined(__x86_64__)

typedef uint32_t of__fpenv;

/* All exceptions masked, round to nearest, no flushing, flags clear. */
#define OF__MXCSR_DEFAULT 0x1f80u

static inline of__fpenv of__fpenv_enter(void) {
    of__fpenv saved, wanted = OF__MXCSR_DEFAULT;
    __asm__ volatile("stmxcsr %0" : "=m"(saved)::"memory");
    __asm__ volatile("ldmxcsr %0" ::"m"(wanted) : "memory");
    return saved;
}

static inline void of__fpenv_leave(of__fpenv saved) {
    __asm__ volatile("ldmxcsr %0" ::"m"(saved) : "memory");
}

#elif defined(__aarch64__)

typedef struct of__fpenv {
    uint64_t control, status;
} of__fpenv;

static inline of__fpenv of__fpenv_enter(void) {
    of__fpenv saved;
    uint64_t wanted = 0;
    __asm__ volatile("mrs %0, fpcr" : "=r"(saved.control)::"memory");
    __asm__ volatile("mrs %0, fpsr" : "=r"(saved.status)::"memory");
    __asm__ volatile("msr fpcr, %0" ::"r"(wanted) : "memory");
    return saved;
}

static inline void of__fpenv_leave(of__fpenv saved) {
    __asm__ volatile("msr fpcr, %0" ::"r"(saved.control) : "memory");
    __asm__ volatile("msr fpsr, %0" ::"r"(saved.status) : "memory");
}

#else
#error                                                                                             \
    "Onefold knows the floating-point control word of x86-64 and aarch64 only; add this processor's here"
#endif

#endif
