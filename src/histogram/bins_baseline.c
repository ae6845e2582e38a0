/* Slots for the instruction set `baseline`. */
#define BINS_KERNELS of__bins_kernels_baseline
#include "histogram/bins_cpu.inc"
