/* Sums by group for the instruction set `avx512`. */
#define KERNELS of__group_kernels_avx512
#include "group/group_kernels_cpu.inc"
