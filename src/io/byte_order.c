#include "io/byte_order.h"

#include <string.h>

/* The size is a constant where this is inlined. The machine is little-endian: the bytes are the low
 * ones. */
static inline __attribute__((always_inline)) void swap_run(char *bytes, int64_t count,
                                                           size_t size) {
    for (int64_t i = 0; i < count; i++) {
        uint64_t value = 0;
        memcpy(&value, bytes + i * (int64_t)size, size);
        value = __builtin_bswap64(value) >> (64 - 8 * size);
        memcpy(bytes + i * (int64_t)size, &value, size);
    }
}

void of__bytes_swap(void *elements, int64_t count, size_t element_size) {
    switch (element_size) {
    case 2: swap_run(elements, count, 2); break;
    case 4: swap_run(elements, count, 4); break;
    case 8: swap_run(elements, count, 8); break;
    default: break;
    }
}
