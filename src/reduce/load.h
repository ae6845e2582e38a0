/* Reading elements of any type and alignment as f64, or as integers. */
#ifndef ONEFOLD_REDUCE_LOAD_H
#define ONEFOLD_REDUCE_LOAD_H

#include <onefold/dtype.h>

#include "core/half.h"

/* An element as f64: exact but for 64-bit integers, which round once. */
OF__INLINE double of__element_f64(of_dtype dtype, const char *x) {
    double f64;
    float f32;
    uint16_t bits;
    switch (dtype) {
    case OF_F64: memcpy(&f64, x, 8); return f64;
    case OF_F32: memcpy(&f32, x, 4); return f32;
    case OF_F16: memcpy(&bits, x, 2); return of__f16_to_f32(bits);
    case OF_BF16: memcpy(&bits, x, 2); return of__bf16_to_f32(bits);
    default: return of_scalar_to_f64(of_scalar_load(dtype, x));
    }
}

/* n contiguous elements, as of__element_f64. */
void of__load_f64s(of_dtype dtype, const void *x, int64_t n, double *out);

/* n contiguous integers: modulo 2^64, or those of at most 32 bits that i32 holds. */
void of__load_u64s(of_dtype dtype, const void *x, int64_t n, uint64_t *out);
void of__load_i32s(of_dtype dtype, const void *x, int64_t n, int32_t *out);

#endif
