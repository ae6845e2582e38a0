/* The bodies of the instruction set in use. */
#include "runs/run_kernels.h"

#include "core/isa.h"

extern const of__run_kernels of__run_kernels_baseline;
#if defined(__x86_64__)
extern const of__run_kernels of__run_kernels_avx2;
#endif

const of__run_kernels *of__run_kernels_current(void) {
    switch (of__isa_current()) {
#if defined(__x86_64__)
    case OF__ISA_AVX512: /* work on flags is on bytes in caches: wider vectors have nothing to add
                          */
    case OF__ISA_AVX2: return &of__run_kernels_avx2;
#endif
    default: return &of__run_kernels_baseline;
    }
}
