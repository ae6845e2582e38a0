/* Conversion loops for the instruction set `baseline`. */
#define CONVERT_ROWS of__convert_rows_baseline
#include "array/convert_rows_cpu.inc"
