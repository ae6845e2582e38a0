/* Arrays for tests: hard data in every layout, and their elements packed again, slice by slice. */
#ifndef ONEFOLD_TESTS_ARRAYS_H
#define ONEFOLD_TESTS_ARRAYS_H

#include <onefold/array.h>

#include "reduce/data.h"

typedef enum layout {
#define LAYOUT(name) LAYOUT_##name,
#include "reduce/layouts.def"
#undef LAYOUT
    LAYOUT_COUNT
} layout;

const char *layout_name(layout how);

/* An array whose elements in row-major order are those of data_fill, unless the layout repeats
 * some. The memory between elements is filled with ones, which are NaNs. */
of_array *array_make(of_dtype dtype, data_kind kind, uint64_t seed, layout how, int ndim,
                     const int64_t *shape);

/* A contiguous one-dimensional array holding a copy of packed elements. */
of_array *array_from(of_dtype dtype, int64_t count, const void *elements);

/* A set of dimensions as bits: bit d stands for dimension d. */
typedef unsigned dim_set;

/* How many elements a slice over some dimensions has. */
int64_t array_slice_size(const of_array *array, dim_set dims);

/* Copies the slice over `dims` that belongs to position `outer`, counted in row-major order, of the
 * other dimensions; its elements in row-major order. */
void array_gather(const of_array *array, dim_set dims, int64_t outer, void *elements);

#endif
