/* Memory that grows with what arrives: a promise in a file costs nothing until it is kept. */
#ifndef ONEFOLD_IO_GROWING_H
#define ONEFOLD_IO_GROWING_H

#include "io/file_layout.h"

typedef struct of__growing {
    char *data;
    int64_t used, capacity; /* bytes */
} of__growing;

/* Makes room for more bytes: at least one, at most `total` bytes in all when that is known (else
 * -1). */
of_status of__growing_extend(of__growing *bytes, int64_t total, of_error *err);

void of__growing_free(of__growing *bytes);

/* Makes the bytes, which the layout fits, a read-only array. They belong to it afterwards; on
 * failure still to the caller. */
of_status of__growing_to_array(of__growing *bytes, const of__file_layout *layout, of_device *device,
                               of_array **out, of_error *err);

#endif
