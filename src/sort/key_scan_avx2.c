/* The bodies for the instruction set `avx2`. */
#define KEY_SCANNER of__key_scanner_avx2
#include "sort/key_scan_cpu.inc"
