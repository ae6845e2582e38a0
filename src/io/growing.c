#include "io/growing.h"

#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"

/* What the first step takes; also what a promise is trusted with before anything has arrived. */
#ifdef ONEFOLD_TEST_SMALL
#define FIRST_CAPACITY 64
#else
#define FIRST_CAPACITY (INT64_C(1) << 20)
#endif

of_status of__growing_extend(of__growing *bytes, int64_t total, of_error *err) {
    if (bytes->used < bytes->capacity) return OF_OK;
    int64_t capacity = bytes->capacity == 0 ? FIRST_CAPACITY : bytes->capacity;
    if (bytes->capacity > 0 && __builtin_mul_overflow(capacity, 2, &capacity)) capacity = INT64_MAX;
    if (total >= 0 && capacity > total) capacity = total;
    char *data = of__alloc((size_t)capacity);
    if (data == NULL) {
        return of__fail(err, OF_ERR_MEMORY, "%lld bytes for a file's data could not be allocated",
                        (long long)capacity);
    }
    if (bytes->used > 0) memcpy(data, bytes->data, (size_t)bytes->used);
    of__free(bytes->data);
    bytes->data = data;
    bytes->capacity = capacity;
    return OF_OK;
}

void of__growing_free(of__growing *bytes) {
    of__free(bytes->data);
    *bytes = (of__growing){0};
}

static void free_data(void *data, void *context) {
    (void)context;
    of__free(data);
}

of_status of__growing_to_array(of__growing *bytes, const of__file_layout *layout, of_device *device,
                               of_array **out, of_error *err) {
    int64_t strides[OF_MAX_DIMS];
    of__file_layout_strides(layout, strides);
    OF_TRY(of_array_wrap(device, layout->dtype, layout->ndim, layout->shape, strides, bytes->data,
                         OF_WRAP_READ_ONLY, free_data, NULL, out, err));
    *bytes = (of__growing){0};
    return OF_OK;
}
