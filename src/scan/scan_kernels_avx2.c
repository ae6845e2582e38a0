/* The scan bodies for the instruction set `avx2`. */
#define KERNELS of__scan_kernels_avx2
#include "scan/scan_kernels_cpu.inc"
