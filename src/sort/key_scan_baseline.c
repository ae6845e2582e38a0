/* The bodies for the instruction set `baseline`. */
#define KEY_SCANNER of__key_scanner_baseline
#include "sort/key_scan_cpu.inc"
