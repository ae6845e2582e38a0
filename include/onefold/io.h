/*
 * Files of numbers: NumPy's .npy (versions 1 to 3), raw binary and CSV.
 */
#ifndef ONEFOLD_IO_H
#define ONEFOLD_IO_H

#include <onefold/array.h>

OF_BEGIN_C

/**
 * Opens a .npy file as an array. A file in this machine's byte order is mapped into memory, not
 * read: nothing is loaded until it is used, and a file larger than memory works; it must not be cut
 * short while the array lives. The other byte order is read and swapped, a pipe is read. Fortran
 * order keeps its shape, through strides.
 *
 * path     the file, or "-" for standard input.
 * device   NULL: the default device.
 * dtype    OF_DTYPE_NONE: as the file says. Otherwise the type to take the elements as when the
 *          file holds raw bytes of that size (NumPy writes bfloat16 as 'V2'); a file of another
 *          type is an error.
 * out      receives the array, read-only; the caller releases it.
 *
 * OF_ERR_IO: the file cannot be opened or read; the message gives the system's reason.
 * OF_ERR_FORMAT: it is not .npy, or its header is malformed or promises more than the file holds.
 * OF_ERR_TYPE: an element type that Onefold does not have (complex, strings, records, objects).
 * OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_npy_load(const char *path, of_device *device, of_dtype dtype,
                                         of_array **out, of_error *err);

/**
 * Writes an array as a .npy file, version 1.0, row-major, this machine's byte order; bf16 as '<V2'.
 * The file appears under its name only when it is complete; a failure leaves the file that was
 * there. A path that is a pipe or device is written to.
 *
 * OF_ERR_IO: the message gives the system's reason. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_npy_save(const char *path, const of_array *array, of_error *err);

/**
 * Opens a file of raw elements as an array, mapped like of_npy_load.
 *
 * shape   ndim sizes; one may be -1: inferred from the file's size. ndim 0 with shape NULL: one
 *         dimension, as many as the file holds.
 *
 * OF_ERR_FORMAT: the file's size is not that of the shape, or no multiple of the element's.
 * OF_ERR_VALUE: shape. OF_ERR_TYPE: dtype. OF_ERR_IO, OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_raw_load(const char *path, of_device *device, of_dtype dtype,
                                         int ndim, const int64_t *shape, of_array **out,
                                         of_error *err);

/* ---- Reading in pieces ---- */

/* What a file holds. */
typedef enum of_format {
    /* .npy by its magic bytes, CSV by the names .csv .tsv .txt, raw when dtype is given; standard
     * input without a dtype is CSV when it begins like text. */
    OF_FORMAT_AUTO = 0,
    OF_FORMAT_NPY,
    OF_FORMAT_RAW,
    OF_FORMAT_CSV
} of_format;

/* How a reader takes its file. Zero means the default. */
typedef struct of_reader_opts {
    of_format format;
    of_dtype dtype; /* raw: required; .npy: as for of_npy_load; CSV: f64 unless given */
    int ndim;       /* raw: the shape, as for of_raw_load */
    int64_t shape[OF_MAX_DIMS];
    const char *column; /* CSV: a header name or a number from 0; NULL: column 0 */
    char delimiter;     /* CSV: 0 finds it among , ; tab and | in the first line */
    bool skip_missing;  /* CSV: leave out empty cells instead of refusing them */
} of_reader_opts;

/* A file that is being read. */
typedef struct of_reader of_reader;

/**
 * Opens a file, or standard input for "-", for reading in pieces, front to back.
 *
 * CSV: quoted fields with doubled quotes, LF or CRLF ends, a byte order mark; a header is there
 * when the cell of the first line in the chosen column is no number, or when `column` is a name.
 * Blank lines are passed over; any other must have the chosen column. Values are read as
 * of_scalar_parse does, each rounded once. Errors as of_npy_load and of_raw_load; OF_ERR_VALUE: a
 * CSV column that is not there, or has its name twice.
 */
OF_API OF_MUST_USE of_status of_reader_open(const char *path, const of_reader_opts *opts,
                                            of_reader **out, of_error *err);

/** The type of the elements. */
OF_API of_dtype of_reader_dtype(const of_reader *reader);

/** The number of dimensions, and the sizes where they are known before the end (else -1). CSV, and
 * raw data from a pipe without a shape, have one dimension of unknown size. */
OF_API int of_reader_ndim(const of_reader *reader);
OF_API const int64_t *of_reader_shape(const of_reader *reader);

/** The number of elements, or -1 when it is not known before the end. */
OF_API int64_t of_reader_size(const of_reader *reader);

/**
 * The whole file as an array in its shape: mapped where possible, else read into memory. To be
 * called before any of_reader_next; the reader is then at its end.
 */
OF_API OF_MUST_USE of_status of_reader_all(of_reader *reader, of_array **out, of_error *err);

/**
 * The next piece in row-major order: a one-dimensional array of 1 to `most` elements, valid until
 * the next call on this reader; the caller releases it before that. At the end of the data *out is
 * NULL and the status OF_OK.
 *
 * OF_ERR_FORMAT: the data ends early, or a CSV cell is no number of the type (the message gives
 * line and column). OF_ERR_VALUE: most is below 1. After a failure there is no more to be had from
 * the reader. OF_ERR_UNSUPPORTED: a Fortran-ordered .npy of two or more dimensions from a pipe (use
 * of_reader_all).
 */
OF_API OF_MUST_USE of_status of_reader_next(of_reader *reader, int64_t most, of_array **out,
                                            of_error *err);

/** Closes the file. NULL is allowed. Arrays from of_reader_all stay valid. */
OF_API void of_reader_close(of_reader *reader);

OF_END_C

#endif
