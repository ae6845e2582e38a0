#include "group/float_bits.h"

#include "core/convert.h"

uint64_t of__float_bits(double value, of_dtype dtype) {
    switch (dtype) {
    case OF_F64: return of__f64_bits(of__f64_from_f64(value));
    case OF_F32: return of__f32_bits(of__f32_from_f64(value));
    case OF_F16: return of__f16_from_f64(value);
    default: return of__bf16_from_f64(value);
    }
}
