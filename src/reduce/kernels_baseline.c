/* The bodies for the instruction set `baseline`. */
#define KERNELS of__kernels_baseline
#include "reduce/kernels_cpu.inc"
