/* Elements in the other byte order. */
#ifndef ONEFOLD_IO_BYTE_ORDER_H
#define ONEFOLD_IO_BYTE_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Reverses the bytes of each of `count` elements of 1, 2, 4 or 8 bytes. */
void of__bytes_swap(void *elements, int64_t count, size_t element_size);

#endif
