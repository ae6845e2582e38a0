/* The scan bodies for the instruction set `baseline`. */
#define KERNELS of__scan_kernels_baseline
#include "scan/scan_kernels_cpu.inc"
