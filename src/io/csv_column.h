/* One column of a CSV file as numbers. */
#ifndef ONEFOLD_IO_CSV_COLUMN_H
#define ONEFOLD_IO_CSV_COLUMN_H

#include <onefold/dtype.h>

#include "io/csv_cells.h"

typedef struct of__csv_column {
    of__csv_cells cells;
    of_dtype dtype;
    bool skip_missing;
    int64_t number; /* of the column, from 0 */
    char title[64]; /* the column for messages: "column 'price'", or "column 2" without a header */
    bool has_first; /* the first line was data: its value waits in `first` */
    of_scalar first;
} of__csv_column;

/* Starts at the beginning of a source, which must stay: finds the column and passes over a header.
 * Arguments as in of_reader_opts, but `dtype` is a type. OF_ERR_VALUE: the column is not there.
 * OF_ERR_FORMAT: there is no line. */
of_status of__csv_column_begin(of__csv_column *column, of__source *source, of_dtype dtype,
                               const char *name, char delimiter, bool skip_missing, of_error *err);

/* The next values, at most `most`; *got is 0 only at the end. OF_ERR_FORMAT. */
of_status of__csv_column_read(of__csv_column *column, int64_t most, void *values, int64_t *got,
                              of_error *err);

/* Starts as of__csv_column_begin, for a column of text: the first line is a header when the column
 * has a name, else a row. */
of_status of__csv_column_begin_text(of__csv_column *column, of__source *source, const char *name,
                                    char delimiter, bool skip_missing, of_error *err);

/* Takes one cell: `length` bytes, none of them zero. */
typedef of_status (*of__cell_taker)(void *context, const char *text, int64_t length, of_error *err);

/* Hands over the cell of every row, until one is not taken. OF_ERR_FORMAT: it is empty, or is no
 * text. */
of_status of__csv_column_read_text(of__csv_column *column, of__cell_taker take, void *context,
                                   of_error *err);

void of__csv_column_end(of__csv_column *column);

#endif
