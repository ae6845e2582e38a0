/* The bodies for the instruction set `baseline`. */
#define RUN_KERNELS of__run_kernels_baseline
#include "runs/run_kernels_cpu.inc"
