/*
 * The text in front of a .npy file's data: a Python dictionary with the keys 'descr',
 * 'fortran_order' and 'shape', after the magic bytes, a version and its own length.
 */
#ifndef ONEFOLD_IO_NPY_HEADER_H
#define ONEFOLD_IO_NPY_HEADER_H

#include "io/file_layout.h"

#define OF__NPY_MAGIC      "\x93NUMPY"
#define OF__NPY_MAGIC_SIZE 6
/* Magic, two bytes of version, and the shorter of the two lengths. */
#define OF__NPY_PREFIX_SIZE 10

/* Reads the dictionary in text[0 .. length), which came from `source`, into the layout.
 *
 * dtype   OF_DTYPE_NONE, or the type to take raw bytes of its size as; the file may have it
 * already.
 *
 * OF_ERR_FORMAT: what is wrong and at which byte of the text. OF_ERR_TYPE: no type of ours; the
 * message has the descr. */
of_status of__npy_header_parse(const char *text, int64_t length, of_dtype dtype,
                               const of__source *source, of__file_layout *layout, of_error *err);

/* Room for every header that of__npy_header_write makes. */
#define OF__NPY_HEADER_ROOM 512

/* Writes all that stands before the data of a row-major array, as NumPy does: version 1.0, padded
 * so that the data starts at a multiple of 64. Returns the bytes written. */
int64_t of__npy_header_write(const of_array *array, char *text);

#endif
