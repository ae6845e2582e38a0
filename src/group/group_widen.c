#include "group/group_widen.h"

#include <string.h>

#define WIDEN(type, value)                                                                         \
    for (int64_t i = 0; i < n; i++) {                                                              \
        type x;                                                                                    \
        memcpy(&x, p + i * (int64_t)sizeof x, sizeof x);                                           \
        buffer[i] = (int64_t)(value);                                                              \
    }                                                                                              \
    return buffer

const int64_t *of__group_widen(of_dtype dtype, const void *from, int64_t n, int64_t *buffer) {
    const char *p = from;
    switch (dtype) {
    case OF_BOOL: WIDEN(uint8_t, x != 0);
    case OF_I8: WIDEN(int8_t, x);
    case OF_I16: WIDEN(int16_t, x);
    case OF_I32: WIDEN(int32_t, x);
    case OF_U8: WIDEN(uint8_t, x);
    case OF_U16: WIDEN(uint16_t, x);
    case OF_U32: WIDEN(uint32_t, x);
    default: break;
    }
    if ((uintptr_t)from % sizeof *buffer == 0) return from;
    memcpy(buffer, from, (size_t)n * sizeof *buffer);
    return buffer;
}
