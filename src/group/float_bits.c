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

#define STORE(name, type)                                                                          \
    for (int64_t i = 0; i < n; i++) {                                                              \
        type element = of__##name##_from_f64(values[i]);                                           \
        memcpy((char *)elements + i * (int64_t)sizeof element, &element, sizeof element);          \
    }                                                                                              \
    return

void of__store_floats(of_dtype dtype, const double *values, int64_t n, void *elements) {
    switch (dtype) {
    case OF_F64: STORE(f64, double);
    case OF_F32: STORE(f32, float);
    case OF_F16: STORE(f16, uint16_t);
    default: STORE(bf16, uint16_t);
    }
}

#define LOAD(name, type)                                                                           \
    for (int64_t i = 0; i < n; i++) {                                                              \
        type element;                                                                              \
        memcpy(&element, (const char *)elements + i * (int64_t)sizeof element, sizeof element);    \
        values[i] = (double)of__load_##name(element);                                              \
    }                                                                                              \
    return

void of__load_floats(of_dtype dtype, const void *elements, int64_t n, double *values) {
    switch (dtype) {
    case OF_BOOL: LOAD(bool, uint8_t);
    case OF_I8: LOAD(i8, int8_t);
    case OF_I16: LOAD(i16, int16_t);
    case OF_I32: LOAD(i32, int32_t);
    case OF_I64: LOAD(i64, int64_t);
    case OF_U8: LOAD(u8, uint8_t);
    case OF_U16: LOAD(u16, uint16_t);
    case OF_U32: LOAD(u32, uint32_t);
    case OF_U64: LOAD(u64, uint64_t);
    case OF_F16: LOAD(f16, uint16_t);
    case OF_BF16: LOAD(bf16, uint16_t);
    case OF_F32: LOAD(f32, float);
    default: LOAD(f64, double);
    }
}
