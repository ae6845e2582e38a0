/* A kernel's text, places in it, and messages about them. */
#ifndef ONEFOLD_LANG_KERNEL_TEXT_H
#define ONEFOLD_LANG_KERNEL_TEXT_H

#include <stdint.h>

#include <onefold/error.h>

#include "lang/arena.h"

typedef struct of__kernel_text {
    const char *name;   /* what messages call it: a file's name, say */
    const char *text;   /* UTF-8, with any ends of lines; no zero has to follow */
    int64_t size;       /* bytes, at most OF__TEXT_MOST */
    int64_t first_line; /* the number of its first line, where it is a part of a file; else 1 */
} of__kernel_text;

/* Places are 32-bit offsets in bytes. */
#define OF__TEXT_MOST INT32_MAX

typedef struct of__place {
    int64_t line, column; /* from first_line and from 1; columns are characters */
} of__place;

/* One walk through the text before the place. */
of__place of__text_place(const of__kernel_text *source, int32_t offset);

/*
 * Fails as of__fail does, with a message about a place:
 *
 *     NAME:LINE:COLUMN: MESSAGE
 *     the line, cut around the place where it is long
 *             ^
 */
of_status of__text_fail(const of__kernel_text *source, int32_t offset, of_error *err,
                        of_status code, const char *format, ...) OF_PRINTF(5, 6);

/* Fails after of__arena_take gave nothing: OF_ERR_VALUE for a text that wants more than its share,
 * else OF_ERR_MEMORY. */
of_status of__text_fail_memory(const of__kernel_text *source, int32_t offset,
                               const of__arena *arena, of_error *err);

/* The bytes that the character at `text` takes, and its code; 1 and -1 where it is not UTF-8. */
int of__utf8_read(const char *text, const char *end, int32_t *code);

#endif
