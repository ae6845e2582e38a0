/* The bodies for the instruction set `avx512`. */
#define KEY_SCANNER of__key_scanner_avx512
#include "sort/key_scan_cpu.inc"
