#include <string.h>
#include <strings.h>

#include <onefold/io.h>

#include "array/array_internal.h"
#include "core/alloc.h"
#include "core/fail.h"
#include "io/csv.h"
#include "io/file_elements.h"
#include "io/npy.h"
#include "io/raw.h"

typedef enum progress {
    UNREAD,
    IN_PIECES,
    FINISHED,
    FAILED /* what was read and not delivered is lost */
} progress;

struct of_reader {
    of__source source;
    progress progress;
    bool is_csv;
    union {
        of__elements elements;
        of__csv csv;
    };
    int64_t unknown; /* the shape of a CSV file: {-1} */
};

static bool has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), size = strlen(suffix);
    return length > size && strcasecmp(path + length - size, suffix) == 0;
}

/* Whether the first bytes are text, as far as can be seen: no control characters but tabs and line
 * ends. */
static of_status looks_like_text(of__source *source, bool *is_text, of_error *err) {
    const char *bytes;
    int count;
    OF_TRY(of__source_peek(source, OF__PEEK_SIZE, &bytes, &count, err));
    *is_text = true;
    for (int i = 0; i < count; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte < ' ' && byte != '\t' && byte != '\r' && byte != '\n') *is_text = false;
    }
    return OF_OK;
}

/* Works out the format of a file that was opened, as OF_FORMAT_AUTO says. */
static of_status find_format(of__source *source, const char *path, const of_reader_opts *opts,
                             of_format *format, of_error *err) {
    *format = opts->format;
    if (opts->format != OF_FORMAT_AUTO) return OF_OK;
    bool is_npy;
    OF_TRY(of__npy_detect(source, &is_npy, err));
    bool is_csv = has_suffix(path, ".csv") || has_suffix(path, ".tsv") || has_suffix(path, ".txt");
    if (strcmp(path, "-") == 0 && opts->dtype == OF_DTYPE_NONE)
        OF_TRY(looks_like_text(source, &is_csv, err));
    if (is_npy) {
        *format = OF_FORMAT_NPY;
    } else if (is_csv) {
        *format = OF_FORMAT_CSV;
    } else if (opts->dtype != OF_DTYPE_NONE) {
        *format = OF_FORMAT_RAW;
    } else {
        return of__source_fail(
            source, err, OF_ERR_FORMAT,
            "neither .npy by content nor CSV by name (.csv, .tsv, .txt); raw data needs a dtype");
    }
    return OF_OK;
}

static of_status begin_npy(of_reader *reader, const of_reader_opts *opts, of_error *err) {
    of__file_layout layout;
    OF_TRY(of__npy_begin(&reader->source, opts->dtype, &layout, err));
    return of__elements_begin(&reader->elements, &reader->source, &layout, of_device_at(0), err);
}

static of_status begin_raw(of_reader *reader, const of_reader_opts *opts, of_error *err) {
    of__file_layout layout;
    if (opts->dtype == OF_DTYPE_NONE)
        return of__fail(err, OF_ERR_TYPE, "dtype must be given for a raw file");
    OF_TRY(of__raw_layout(opts->dtype, opts->ndim, opts->ndim == 0 ? NULL : opts->shape, &layout,
                          err));
    return of__elements_begin(&reader->elements, &reader->source, &layout, of_device_at(0), err);
}

static of_status begin_csv(of_reader *reader, const of_reader_opts *opts, of_error *err) {
    of_dtype dtype = opts->dtype == OF_DTYPE_NONE ? OF_F64 : opts->dtype;
    reader->is_csv = true;
    reader->unknown = -1;
    return of__csv_begin(&reader->csv, &reader->source, dtype, opts->column, opts->delimiter,
                         opts->skip_missing, err);
}

static of_status begin(of_reader *reader, const char *path, const of_reader_opts *opts,
                       of_error *err) {
    of_format format;
    OF_TRY(find_format(&reader->source, path, opts, &format, err));
    switch (format) {
    case OF_FORMAT_NPY: return begin_npy(reader, opts, err);
    case OF_FORMAT_RAW: return begin_raw(reader, opts, err);
    case OF_FORMAT_CSV: return begin_csv(reader, opts, err);
    default: return of__fail(err, OF_ERR_VALUE, "format %d is not a format", (int)format);
    }
}

of_status of_reader_open(const char *path, const of_reader_opts *opts, of_reader **out,
                         of_error *err) {
    static const of_reader_opts defaults = {0};
    if (opts == NULL) opts = &defaults;
    if (opts->dtype != OF_DTYPE_NONE) OF_TRY(of__check_dtype(opts->dtype, err));
    of_reader *reader = of__alloc_zeroed(sizeof *reader);
    if (reader == NULL) return of__fail(err, OF_ERR_MEMORY, "a reader could not be allocated");
    of_status status = of__source_open(path, &reader->source, err);
    if (status == OF_OK) {
        status = begin(reader, path, opts, err);
        if (status != OF_OK) of__source_close(&reader->source);
    }
    if (status != OF_OK) {
        of__free(reader);
        return status;
    }
    *out = reader;
    return OF_OK;
}

of_dtype of_reader_dtype(const of_reader *reader) {
    return reader->is_csv ? reader->csv.column.dtype : reader->elements.layout.dtype;
}

int of_reader_ndim(const of_reader *reader) {
    return reader->is_csv ? 1 : reader->elements.layout.ndim;
}

const int64_t *of_reader_shape(const of_reader *reader) {
    return reader->is_csv ? &reader->unknown : reader->elements.layout.shape;
}

int64_t of_reader_size(const of_reader *reader) {
    return reader->is_csv ? -1 : reader->elements.layout.size;
}

of_status of_reader_all(of_reader *reader, of_array **out, of_error *err) {
    if (reader->progress != UNREAD) {
        return of__source_fail(&reader->source, err, OF_ERR_VALUE,
                               "reading has begun; the whole cannot be had any more");
    }
    of_status status = reader->is_csv ? of__csv_all(&reader->csv, out, err)
                                      : of__elements_all(&reader->elements, out, err);
    reader->progress = status == OF_OK ? FINISHED : FAILED;
    return status;
}

of_status of_reader_next(of_reader *reader, int64_t most, of_array **out, of_error *err) {
    if (most < 1)
        return of__fail(err, OF_ERR_VALUE, "most is %lld, not 1 or more", (long long)most);
    if (reader->progress == FAILED) {
        return of__source_fail(&reader->source, err, OF_ERR_IO,
                               "reading failed before; open the file again");
    }
    of_array *piece = NULL;
    of_status status = OF_OK;
    if (reader->progress != FINISHED) {
        status = reader->is_csv ? of__csv_next(&reader->csv, most, &piece, err)
                                : of__elements_next(&reader->elements, most, &piece, err);
        if (status == OF_ERR_UNSUPPORTED) return status; /* nothing was read */
        reader->progress = status != OF_OK ? FAILED : piece == NULL ? FINISHED : IN_PIECES;
    }
    if (status == OF_OK) *out = piece;
    return status;
}

void of_reader_close(of_reader *reader) {
    if (reader == NULL) return;
    if (reader->is_csv) {
        of__csv_end(&reader->csv);
    } else {
        of__elements_end(&reader->elements);
    }
    of__source_close(&reader->source);
    of__free(reader);
}
