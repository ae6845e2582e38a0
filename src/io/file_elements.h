/* The elements of a .npy or raw file, whole or in pieces. */
#ifndef ONEFOLD_IO_FILE_ELEMENTS_H
#define ONEFOLD_IO_FILE_ELEMENTS_H

#include "io/file_layout.h"

typedef struct of__elements {
    of__source *source; /* stands at the first element when reading begins */
    of__file_layout layout;
    of_device *device; /* whose memory the host sees */
    of_array *mapped;  /* the whole file in its shape; NULL when it can only be read */
    of_array *row;     /* the same elements as one dimension; NULL when they do not lie so */
    int64_t next;      /* the element that comes next */
    char *buffer;      /* holds a piece that was read; made with the first one */
} of__elements;

/* Checks the layout against what is known of the file's size, and maps the file where possible.
 * Takes no ownership of the source, which must stay. OF_ERR_FORMAT, OF_ERR_MEMORY. */
of_status of__elements_begin(of__elements *elements, of__source *source,
                             const of__file_layout *layout, of_device *device, of_error *err);

/* As of_reader_all, before any of__elements_next. */
of_status of__elements_all(of__elements *elements, of_array **out, of_error *err);

/* As of_reader_next. */
of_status of__elements_next(of__elements *elements, int64_t most, of_array **out, of_error *err);

void of__elements_end(of__elements *elements);

/* Begin, all and end: the elements as an array of a device (NULL: the default one). */
of_status of__elements_load(of__source *source, const of__file_layout *layout, of_device *device,
                            of_array **out, of_error *err);

#endif
