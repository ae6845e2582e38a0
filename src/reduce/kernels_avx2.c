/* The bodies for the instruction set `avx2`. */
#define KERNELS of__kernels_avx2
#include "reduce/kernels_cpu.inc"
