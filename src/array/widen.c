#include "array/widen.h"

#include <string.h>

#include "array/convert_rows.h"

const int64_t *of__widen(of_dtype dtype, const void *from, int64_t n, int64_t *buffer) {
    bool is_wide = of_dtype_size(dtype) == sizeof *buffer;
    if (is_wide && (uintptr_t)from % sizeof *buffer == 0) return from;
    if (is_wide)
        memcpy(buffer, from, (size_t)n * sizeof *buffer);
    else
        of__convert_row_for(OF_I64, dtype)((char *)buffer, from, n);
    return buffer;
}
