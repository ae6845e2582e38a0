/* Aligned memory, with a countdown that tests use to make one allocation fail. */
#include "core/alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static _Atomic int64_t allocations_left = -1;

static bool is_to_fail(void) {
    if (atomic_load_explicit(&allocations_left, memory_order_relaxed) < 0) return false;
    return atomic_fetch_sub(&allocations_left, 1) == 0;
}

void *of__alloc(size_t size) {
    if (is_to_fail() || size > SIZE_MAX - OF__ALIGNMENT) return NULL;
    size_t lines = size == 0 ? 1 : (size + OF__ALIGNMENT - 1) / OF__ALIGNMENT;
    return aligned_alloc(OF__ALIGNMENT, lines * OF__ALIGNMENT);
}

void *of__alloc_zeroed(size_t size) {
    void *memory = of__alloc(size);
    return memory == NULL ? NULL : memset(memory, 0, size);
}

void of__free(void *memory) {
    free(memory);
}

void of__alloc_fail_after(int64_t countdown) {
    atomic_store(&allocations_left, countdown);
}
