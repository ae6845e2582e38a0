/* Raw binary: elements and nothing else. */
#ifndef ONEFOLD_IO_RAW_H
#define ONEFOLD_IO_RAW_H

#include "io/file_layout.h"

/* The layout for arguments of of_raw_load, a size of -1 still open. OF_ERR_TYPE, OF_ERR_VALUE. */
of_status of__raw_layout(of_dtype dtype, int ndim, const int64_t *shape, of__file_layout *layout,
                         of_error *err);

#endif
