/*
 * Rows and cells of comma-separated values, through a window that slides over the file:
 *
 *     file   = [byte order mark] {row line_end} [row]
 *     row    = cell {delimiter cell}
 *     cell   = plain | quoted
 *     plain  = {any byte but delimiter and LF}
 *     quoted = '"' {any byte but '"' | '""'} '"' {blank}
 *
 * A line end is LF; a CR before it is a blank. Lines of blanks alone are no rows.
 */
#ifndef ONEFOLD_IO_CSV_CELLS_H
#define ONEFOLD_IO_CSV_CELLS_H

#include "io/source.h"

typedef struct of__csv_cells {
    of__source *source;
    char delimiter;
    bool ends_plain[256]; /* the bytes that end a plain cell: delimiter and LF */
    char *window;
    int64_t capacity;
    char *next, *end; /* what the window holds and nobody has taken */
    char *keep;       /* what must not slide out; NULL: nothing before `next` */
    int64_t line;     /* of `next`, from 1 */
    bool at_end;      /* the source has nothing more */
    of_error failure; /* why reading stopped early */
} of__csv_cells;

typedef struct of__csv_cell {
    char *text; /* without blanks around it, ended by a zero; until the next call on the cells */
    int64_t length;
    int64_t line;   /* where it starts, from 1 */
    bool last;      /* of its row */
    bool malformed; /* something follows its closing quote */
} of__csv_cell;

/* Starts at the beginning of a source, which must stay.
 *
 * delimiter   0: the one of , ; tab and | that stands most often in the first line.
 * capacity    bytes of the window; no cell that is looked at may be longer.
 *
 * OF_ERR_VALUE: delimiter. OF_ERR_IO, OF_ERR_MEMORY. */
of_status of__csv_cells_begin(of__csv_cells *cells, of__source *source, char delimiter,
                              int64_t capacity, of_error *err);

void of__csv_cells_end(of__csv_cells *cells);

/* Passes over lines without a row. *found is false at the end of the file. */
of_status of__csv_row_find(of__csv_cells *cells, bool *found, of_error *err);

/* Takes the next cell of the row. OF_ERR_FORMAT: a quote is never closed, or the cell is longer
 * than the window. */
of_status of__csv_cell_read(of__csv_cells *cells, of__csv_cell *cell, of_error *err);

/* Passes over `count` cells of the row, or fewer when it ends: *passed says how many, *last whether
 * it did. */
of_status of__csv_cells_skip(of__csv_cells *cells, int64_t count, int64_t *passed, bool *last,
                             of_error *err);

#endif
