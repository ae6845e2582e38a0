/* Reading elements of any type as f64. */
#ifndef ONEFOLD_REDUCE_LOAD_H
#define ONEFOLD_REDUCE_LOAD_H

#include <onefold/dtype.h>

#include "core/half.h"

/* An element of any alignment, exact but for 64-bit integers, which round once. */
OF__INLINE double of__load_f64(of_dtype dtype, const char *x) {
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

/* n contiguous elements, as of__load_f64. The types that the compiler vectorises have loops of their
 * own. */
OF__INLINE void of__load_f64s(of_dtype dtype, const void *elements, int64_t n, double *out) {
    const char *x = elements;
    int64_t size = (int64_t)of_dtype_size(dtype);
    if (dtype == OF_F64)
        memcpy(out, x, (size_t)n * 8);
    else if (dtype == OF_F32)
        for (int64_t i = 0; i < n; i++) out[i] = of__load_f64(OF_F32, x + 4 * i);
    else
        for (int64_t i = 0; i < n; i++) out[i] = of__load_f64(dtype, x + i * size);
}

#endif
