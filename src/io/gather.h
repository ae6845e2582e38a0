/* Elements of a strided array, laid one after another. */
#ifndef ONEFOLD_IO_GATHER_H
#define ONEFOLD_IO_GATHER_H

#include <onefold/array.h>

/* Copies `count` elements of an array in host memory, in row-major order from number `first` on. */
void of__array_gather(const of_array *array, int64_t first, int64_t count, void *to);

#endif
