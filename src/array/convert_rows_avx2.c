/* Conversion loops for the instruction set `avx2`. */
#define CONVERT_ROWS of__convert_rows_avx2
#include "array/convert_rows_cpu.inc"
