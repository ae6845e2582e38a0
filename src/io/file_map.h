/* A file's bytes as memory: nothing is read until it is used. */
#ifndef ONEFOLD_IO_FILE_MAP_H
#define ONEFOLD_IO_FILE_MAP_H

#include "io/file_layout.h"

/* Maps the elements that start where `source` stands as a read-only array in the layout's shape,
 * which the file is known to hold. *out is NULL, without an error, when the file is one that cannot
 * be mapped. The file may be closed afterwards. OF_ERR_MEMORY: no address space. */
of_status of__file_map(const of__source *source, const of__file_layout *layout, of_device *device,
                       of_array **out, of_error *err);

#endif
