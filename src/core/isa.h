/* Instruction sets: bodies are compiled once for each, and chosen when a call starts. */
#ifndef ONEFOLD_CORE_ISA_H
#define ONEFOLD_CORE_ISA_H

typedef enum of__isa {
    OF__ISA_BASELINE, /* what every processor of the architecture has: SSE2, NEON */
    OF__ISA_AVX2,     /* with FMA and F16C */
    OF__ISA_AVX512,   /* F, BW, DQ, VL */
    OF__ISA_COUNT
} of__isa;

/* The instruction set to use now: forced by of_isa_set or ONEFOLD_ISA, else the best of this
 * machine. */
of__isa of__isa_current(void);

#endif
