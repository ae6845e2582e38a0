#include "scan/scan_kernels.h"

#include "core/isa.h"

const of__scan_kernels *of__scan_kernels_current(void) {
#if defined(__x86_64__)
    if (of__isa_current() != OF__ISA_BASELINE) return &of__scan_kernels_avx2;
#endif
    return &of__scan_kernels_baseline;
}
