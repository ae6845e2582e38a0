/* Aligned memory, in huge pages where that pays, with a countdown that tests use to make one
 * allocation fail. */
#define _GNU_SOURCE /* madvise */
#include "core/alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static _Atomic int64_t allocations_left = -1;

static bool is_to_fail(void) {
    if (atomic_load_explicit(&allocations_left, memory_order_relaxed) < 0) return false;
    return atomic_fetch_sub(&allocations_left, 1) == 0;
}

/* Faulting in fresh memory by small pages takes several times as long as filling it. */
static const size_t huge_page = (size_t)2 << 20, huge_from = (size_t)8 << 20;

void *of__alloc(size_t size) {
    const size_t alignment = size < huge_from ? OF__ALIGNMENT : huge_page;
    if (is_to_fail() || size > SIZE_MAX - alignment) return NULL;
    size_t units = size == 0 ? 1 : (size + alignment - 1) / alignment;
    void *memory = aligned_alloc(alignment, units * alignment);
#ifdef MADV_HUGEPAGE
    if (memory != NULL && size >= huge_from) madvise(memory, units * alignment, MADV_HUGEPAGE);
#endif
    return memory;
}

void *of__alloc_record(size_t size) {
    return is_to_fail() ? NULL : malloc(size);
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
