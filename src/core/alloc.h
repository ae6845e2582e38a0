/* All memory of the library comes from here, so that tests can make any allocation fail. */
#ifndef ONEFOLD_CORE_ALLOC_H
#define ONEFOLD_CORE_ALLOC_H

#include <stddef.h>
#include <stdint.h>

/* Cache lines and the widest vectors; what of__alloc gives is aligned to it. */
#define OF__ALIGNMENT 64

/* NULL when there is no memory; size 0 gives a valid pointer. Freed with of__free. */
void *of__alloc(size_t size);
void *of__alloc_zeroed(size_t size);
/* For a few numbers that are kept beside elements, aligned as malloc does: five times as fast. */
void *of__alloc_record(size_t size);
void of__free(void *memory);

/* For tests: after `countdown` more allocations, one fails; negative (the default) never. Counts
 * across threads. */
void of__alloc_fail_after(int64_t countdown);

#endif
