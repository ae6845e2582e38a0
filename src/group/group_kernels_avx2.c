/* Sums by group for the instruction set `avx2`. */
#define KERNELS of__group_kernels_avx2
#include "group/group_kernels_cpu.inc"
