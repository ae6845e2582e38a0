/* Any DLPack struct: it is taken as it says or refused as a whole; what was taken, and lies in memory
 * that there is, can be read, and is lent on as the same. */
#include <stdlib.h>
#include <string.h>

#include <onefold/onefold.h>

#include "array/array_internal.h"
#include "array/dlpack_abi.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* What an input holds, in this order and without gaps; what it lacks is zero. */
struct input {
    uint32_t major, flags;
    int32_t device, ndim;
    of__dl_type type;
    uint32_t has; /* bits: data, shape, strides */
    uint64_t offset;
    int64_t shape[OF_MAX_DIMS + 1], strides[OF_MAX_DIMS + 1];
};

enum { HAS_DATA = 1, HAS_SHAPE = 2, HAS_STRIDES = 4, MEMORY = 4096 };

static int deleted;

static void count_deleted(struct DLManagedTensorVersioned *self) {
    (void)self;
    deleted++;
}

/* Reads every element, when all are in memory that there is and so few that it takes no time. */
static void read_all(of_array *array, const char *memory) {
    const char *low, *high;
    of_array *copy = NULL;
    of__array_extent(array, &low, &high);
    if (of_array_size(array) > MEMORY) return;
    if (low != NULL && (low < memory || high > memory + MEMORY || high < low)) return;
    REQUIRE(of_array_copy(array, &copy, NULL) == OF_OK);
    REQUIRE(of_array_nbytes(copy) == of_array_nbytes(array));
    of_array_release(copy);
}

/* Lends the array on: the struct says the same, but for what is never stepped over. */
static void lend_on(of_array *array, const struct input *input) {
    struct DLManagedTensorVersioned *lent = NULL;
    REQUIRE(of_dlpack_export(array, 0, &lent, NULL) == OF_OK);
    const of__dl_tensor *tensor = &lent->dl_tensor;
    REQUIRE((lent->flags & OF__DL_READ_ONLY) == (input->flags & OF__DL_READ_ONLY));
    REQUIRE(memcmp(&tensor->type, &input->type, sizeof input->type) == 0);
    REQUIRE(tensor->ndim == input->ndim);
    for (int i = 0; i < tensor->ndim; i++) {
        REQUIRE(tensor->shape[i] == input->shape[i]);
        if ((input->has & HAS_STRIDES) != 0 && of_array_size(array) > 0 && tensor->shape[i] > 1)
            REQUIRE(tensor->strides[i] == input->strides[i]);
    }
    of_dlpack_release(lent);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static char memory[MEMORY];
    struct input input = {0};
    memcpy(&input, bytes, size < sizeof input ? size : sizeof input);
    struct input given = input;
    struct DLManagedTensorVersioned tensor = {
        .version = {input.major, 0},
        .deleter = count_deleted,
        .flags = input.flags,
        .dl_tensor =
            {
                .data = (input.has & HAS_DATA) != 0 ? memory + MEMORY / 2 : NULL,
                .device = {input.device, 0},
                .ndim = input.ndim,
                .type = input.type,
                .shape = (input.has & HAS_SHAPE) != 0 ? input.shape : NULL,
                .strides = (input.has & HAS_STRIDES) != 0 ? input.strides : NULL,
                .byte_offset = input.offset,
            },
    };
    deleted = 0;
    of_array *array = NULL;
    of_error err = {0};
    of_status status = of_dlpack_import(&tensor, 0, &array, &err);
    REQUIRE(memcmp(&given, &input, sizeof input) == 0);
    REQUIRE(deleted == 0);
    if (status != OF_OK) {
        REQUIRE(array == NULL && err.code == status && err.message[0] != '\0');
        return 0;
    }
    read_all(array, memory);
    lend_on(array, &input);
    REQUIRE(deleted == 0);
    of_array_release(array);
    REQUIRE(deleted == 1);
    return 0;
}
