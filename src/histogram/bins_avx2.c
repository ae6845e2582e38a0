/* Slots for the instruction set `avx2`. */
#define BINS_KERNELS of__bins_kernels_avx2
#include "histogram/bins_cpu.inc"
