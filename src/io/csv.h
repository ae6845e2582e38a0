/* The numbers of a CSV column, whole or in pieces. */
#ifndef ONEFOLD_IO_CSV_H
#define ONEFOLD_IO_CSV_H

#include <onefold/array.h>

#include "io/csv_column.h"

typedef struct of__csv {
    of__csv_column column;
    char *buffer; /* holds a piece; made with the first one */
} of__csv;

/* As of__csv_column_begin. */
of_status of__csv_begin(of__csv *csv, of__source *source, of_dtype dtype, const char *name,
                        char delimiter, bool skip_missing, of_error *err);

/* As of_reader_all, before any of__csv_next. */
of_status of__csv_all(of__csv *csv, of_array **out, of_error *err);

/* As of_reader_next. */
of_status of__csv_next(of__csv *csv, int64_t most, of_array **out, of_error *err);

void of__csv_end(of__csv *csv);

#endif
