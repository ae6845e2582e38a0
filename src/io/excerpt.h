/* Text from files in messages. */
#ifndef ONEFOLD_IO_EXCERPT_H
#define ONEFOLD_IO_EXCERPT_H

#include <stdint.h>

/* Copies as much of a text as fits into `size` bytes, at least 4: "..." for the rest, '?' for each
 * byte that is not part of a printable character in UTF-8. Returns `excerpt`. */
char *of__text_excerpt(const char *text, int64_t length, char *excerpt, int64_t size);

#endif
