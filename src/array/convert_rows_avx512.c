/* Conversion loops for the instruction set `avx512`. */
#define CONVERT_ROWS of__convert_rows_avx512
#include "array/convert_rows_cpu.inc"
