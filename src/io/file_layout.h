/* How the elements of a .npy or raw file lie: one type, one after another. */
#ifndef ONEFOLD_IO_FILE_LAYOUT_H
#define ONEFOLD_IO_FILE_LAYOUT_H

#include <onefold/array.h>

#include "io/source.h"

typedef struct of__file_layout {
    of_dtype dtype;
    int ndim;
    int64_t shape[OF_MAX_DIMS]; /* one size may be -1: what the length of the data makes it */
    int64_t size;               /* elements; -1 together with a size of -1 */
    bool fortran; /* the first index runs fastest; only where that makes a difference */
    bool swapped; /* the other byte order */
    bool exact;   /* nothing may follow the elements */
} of__file_layout;

/* Sets layout->size from the shape. False when that many bytes cannot be; a size of 0 does not
 * excuse the others. */
bool of__file_layout_measure(of__file_layout *layout);

/* Bytes of all elements; -1 when unknown. */
int64_t of__file_layout_bytes(const of__file_layout *layout);

/* Fits a layout to data of `bytes` bytes: works out the size of -1, and checks that there is enough
 * data and, if exact, no more. OF_ERR_FORMAT, the layout unchanged. */
of_status of__file_layout_fit(of__file_layout *layout, int64_t bytes, const of__source *source,
                              of_error *err);

/* The strides in bytes that the layout gives its shape, all sizes known. */
void of__file_layout_strides(const of__file_layout *layout, int64_t *strides);

#endif
