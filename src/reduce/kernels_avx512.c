/* The bodies for the instruction set `avx512`. */
#define KERNELS of__kernels_avx512
#include "reduce/kernels_cpu.inc"
