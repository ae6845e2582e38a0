/* What stands before the data of a .npy file. */
#ifndef ONEFOLD_IO_NPY_H
#define ONEFOLD_IO_NPY_H

#include "io/file_layout.h"

/* Whether the source, which stands at its beginning, starts with the magic bytes of .npy. Takes
 * nothing. */
of_status of__npy_detect(of__source *source, bool *is_npy, of_error *err);

/* Reads up to the first element. `dtype` as for of_npy_load. */
of_status of__npy_begin(of__source *source, of_dtype dtype, of__file_layout *layout, of_error *err);

#endif
