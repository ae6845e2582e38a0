/* How .npy files spell element types: '<f4', '|b1', ... */
#ifndef ONEFOLD_IO_NPY_DESCR_H
#define ONEFOLD_IO_NPY_DESCR_H

#include "io/file_layout.h"

/* Sets the layout's type and byte order from a descr.
 *
 * dtype   as for of__npy_header_parse.
 *
 * OF_ERR_TYPE: no type of ours, or not `dtype`. */
of_status of__npy_descr_parse(const char *descr, int64_t length, of_dtype dtype,
                              const of__source *source, of__file_layout *layout, of_error *err);

/* The descr that files of a type are written with. */
const char *of__npy_descr(of_dtype dtype);

#endif
