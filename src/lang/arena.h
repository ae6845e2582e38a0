/* Memory for what lives as long as one kernel's text does: handed out in order, freed together, and
 * bounded, so that no text takes more than its share. */
#ifndef ONEFOLD_LANG_ARENA_H
#define ONEFOLD_LANG_ARENA_H

#include <stddef.h>

typedef struct of__arena {
    struct of__arena_block *last;
    size_t left;        /* bytes that may still be taken from of__alloc */
    size_t next;        /* bytes of the next block */
    _Bool is_exhausted; /* the bound was reached, rather than the machine's memory */
} of__arena;

/* An arena that takes at most `limit` bytes. Takes none before it is asked for some. */
of__arena of__arena_make(size_t limit);

/* Zeroed memory for any object; NULL when there is none, or the bound is reached. */
void *of__arena_take(of__arena *arena, size_t size);

/* Frees all that was taken. */
void of__arena_free(of__arena *arena);

#endif
