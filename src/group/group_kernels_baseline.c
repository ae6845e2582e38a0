/* Sums by group for the instruction set `baseline`. */
#define KERNELS of__group_kernels_baseline
#include "group/group_kernels_cpu.inc"
