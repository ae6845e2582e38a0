/* Blocks that double in size, so that small kernels take one and large ones few. */
#include "lang/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/alloc.h"

#ifdef ONEFOLD_TEST_SMALL
enum { FIRST_BLOCK = 256 };
#else
enum { FIRST_BLOCK = 16 << 10 };
#endif

static const size_t unit = _Alignof(max_align_t);

typedef struct of__arena_block {
    struct of__arena_block *before;
    size_t used, size; /* of bytes, this header included */
} block;

of__arena of__arena_make(size_t limit) {
    return (of__arena){.left = limit, .next = FIRST_BLOCK};
}

/* A block that holds at least `size` bytes beside its header. */
static bool add_block(of__arena *arena, size_t size) {
    const size_t header = (sizeof(block) + unit - 1) / unit * unit;
    size_t wanted = size + header > arena->next ? size + header : arena->next;
    if (wanted > arena->left) wanted = size + header;
    if (wanted > arena->left) {
        arena->is_exhausted = true;
        return false;
    }
    block *added = of__alloc(wanted);
    if (added == NULL) return false;
    *added = (block){.before = arena->last, .used = header, .size = wanted};
    arena->last = added;
    arena->left -= wanted;
    if (arena->next < arena->left) arena->next *= 2;
    return true;
}

void *of__arena_take(of__arena *arena, size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    size = (size + unit - 1) / unit * unit;
    if (arena->last == NULL || arena->last->size - arena->last->used < size)
        if (!add_block(arena, size)) return NULL;
    void *memory = (char *)arena->last + arena->last->used;
    arena->last->used += size;
    return memset(memory, 0, size);
}

void of__arena_free(of__arena *arena) {
    while (arena->last != NULL) {
        block *before = arena->last->before;
        of__free(arena->last);
        arena->last = before;
    }
}
