/* The bodies for the instruction set `avx2`. */
#define RUN_KERNELS of__run_kernels_avx2
#include "runs/run_kernels_cpu.inc"
