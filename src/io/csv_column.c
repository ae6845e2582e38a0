#include "io/csv_column.h"

#include <stdio.h>
#include <string.h>

#include "core/fail.h"
#include "io/decimal.h"
#include "io/excerpt.h"

/* The longest cell that is looked at; also how much is read at once. */
#ifdef ONEFOLD_TEST_SMALL
#define WINDOW_BYTES 128
#else
#define WINDOW_BYTES (1 << 18)
#endif

/* Whether a cell is a number of type `dtype`, and which. OF_ERR_VALUE: an integer that the type
 * cannot hold. */
static of_status parse_cell(const of__csv_cell *cell, of_dtype dtype, of_scalar *out) {
    if (cell->malformed) return OF_ERR_FORMAT;
    if (of__decimal_parse(cell->text, cell->length, dtype, out)) return OF_OK;
    if (memchr(cell->text, 0, (size_t)cell->length) != NULL) return OF_ERR_FORMAT;
    return of_scalar_parse(cell->text, dtype, out, NULL);
}

/* Says why a cell was refused. */
static of_status fail_cell(const of__csv_column *column, const of__csv_cell *cell, of_status reason,
                           of_error *err) {
    const of__source *source = column->cells.source;
    const char *title = column->title;
    long long line = cell->line;
    char shown[48];
    of__text_excerpt(cell->text, cell->length, shown, sizeof shown);
    if (cell->malformed) {
        return of__source_fail(source, err, OF_ERR_FORMAT,
                               "line %lld, %s: something follows the closing quote of '%s'", line,
                               title, shown);
    }
    if (cell->length == 0) {
        return of__source_fail(source, err, OF_ERR_FORMAT, "line %lld, %s: the cell is empty", line,
                               title);
    }
    return of__source_fail(source, err, OF_ERR_FORMAT, "line %lld, %s: '%s' %s %s", line, title,
                           shown, reason == OF_ERR_VALUE ? "does not fit" : "is no",
                           of_dtype_name(column->dtype));
}

static void set_title(of__csv_column *column, const of__csv_cell *header) {
    char name[40];
    if (header == NULL || header->length == 0) {
        snprintf(column->title, sizeof column->title, "column %lld", (long long)column->number);
    } else {
        snprintf(column->title, sizeof column->title, "column '%s'",
                 of__text_excerpt(header->text, header->length, name, sizeof name));
    }
}

/* Whether a column is given by number. One that no file can have counts as a name. */
static bool parse_number(const char *name, int64_t *out) {
    int64_t number = 0;
    const char *next = name;
    for (; *next >= '0' && *next <= '9'; next++) {
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, *next - '0', &number)) {
            return false;
        }
    }
    *out = number;
    return next > name && *next == 0;
}

/* Finds the column with a name in the first line, which is the header. */
static of_status find_named(of__csv_column *column, const char *name, of_error *err) {
    char names[200] = "";
    int64_t matches = 0, count = 0;
    of__csv_cell cell = {0};
    for (; !cell.last; count++) {
        OF_TRY(of__csv_cell_read(&column->cells, &cell, err));
        size_t used = strlen(names);
        if (used < sizeof names - 1) {
            char shown[40];
            snprintf(names + used, sizeof names - used, "%s%s", count > 0 ? ", " : "",
                     of__text_excerpt(cell.text, cell.length, shown, sizeof shown));
        }
        size_t length = (size_t)cell.length;
        bool is_match = strlen(name) == length && memcmp(cell.text, name, length) == 0;
        if (is_match && matches++ == 0) {
            column->number = count;
            set_title(column, &cell);
        }
    }
    if (matches == 1) return OF_OK;
    if (matches == 0) {
        return of__source_fail(column->cells.source, err, OF_ERR_VALUE,
                               "there is no column '%.80s'; the first line has %s", name, names);
    }
    return of__source_fail(column->cells.source, err, OF_ERR_VALUE,
                           "%lld columns have the name '%.80s'; give a number", (long long)matches,
                           name);
}

/* Takes the chosen cell of the next row. *found is false at the end of the file.
 *
 * code   what a row without such a cell is. */
static of_status read_chosen(of__csv_column *column, of__csv_cell *cell, bool *found,
                             of_status code, of_error *err) {
    OF_TRY(of__csv_row_find(&column->cells, found, err));
    if (!*found) return OF_OK;
    int64_t line = column->cells.line, passed;
    bool last;
    OF_TRY(of__csv_cells_skip(&column->cells, column->number, &passed, &last, err));
    if (last) {
        return of__source_fail(column->cells.source, err, code,
                               "line %lld has %lld cell%s, none for %s", (long long)line,
                               (long long)passed, passed == 1 ? "" : "s", column->title);
    }
    return of__csv_cell_read(&column->cells, cell, err);
}

static of_status skip_rest(of__csv_column *column, const of__csv_cell *cell, of_error *err) {
    int64_t passed;
    bool last;
    if (cell->last) return OF_OK;
    return of__csv_cells_skip(&column->cells, INT64_MAX, &passed, &last, err);
}

static of_status fail_empty(const of__csv_column *column, of_error *err) {
    const of__source *source = column->cells.source;
    return of__source_fail(source, err, OF_ERR_FORMAT,
                           source->position == 0 ? "the file is empty"
                                                 : "the file has blank lines only");
}

/* The first line where the column has a number: a header, unless the cell is one too. */
static of_status begin_numbered(of__csv_column *column, of_error *err) {
    of__csv_cell cell;
    bool found;
    set_title(column, NULL);
    OF_TRY(read_chosen(column, &cell, &found, OF_ERR_VALUE, err));
    if (!found) return fail_empty(column, err);
    of_status reason = parse_cell(&cell, column->dtype, &column->first);
    column->has_first = reason == OF_OK;
    of_scalar number;
    if (reason != OF_OK && parse_cell(&cell, OF_F64, &number) == OF_OK)
        return fail_cell(column, &cell, reason, err);
    if (reason != OF_OK) set_title(column, &cell);
    return skip_rest(column, &cell, err);
}

static of_status begin_named(of__csv_column *column, const char *name, of_error *err) {
    bool found;
    OF_TRY(of__csv_row_find(&column->cells, &found, err));
    return found ? find_named(column, name, err) : fail_empty(column, err);
}

of_status of__csv_column_begin(of__csv_column *column, of__source *source, of_dtype dtype,
                               const char *name, char delimiter, bool skip_missing, of_error *err) {
    *column = (of__csv_column){.dtype = dtype, .skip_missing = skip_missing};
    OF_TRY(of__csv_cells_begin(&column->cells, source, delimiter, WINDOW_BYTES, err));
    bool numbered = name == NULL || parse_number(name, &column->number);
    of_status status = numbered ? begin_numbered(column, err) : begin_named(column, name, err);
    if (status != OF_OK) of__csv_column_end(column);
    return status;
}

of_status of__csv_column_begin_text(of__csv_column *column, of__source *source, const char *name,
                                    char delimiter, bool skip_missing, of_error *err) {
    *column = (of__csv_column){.skip_missing = skip_missing};
    OF_TRY(of__csv_cells_begin(&column->cells, source, delimiter, WINDOW_BYTES, err));
    bool numbered = name == NULL || parse_number(name, &column->number), found;
    set_title(column, NULL);
    of_status status =
        numbered ? of__csv_row_find(&column->cells, &found, err) : begin_named(column, name, err);
    if (status == OF_OK && numbered && !found) status = fail_empty(column, err);
    if (status != OF_OK) of__csv_column_end(column);
    return status;
}

void of__csv_column_end(of__csv_column *column) {
    of__csv_cells_end(&column->cells);
}

of_status of__csv_column_read(of__csv_column *column, int64_t most, void *values, int64_t *got,
                              of_error *err) {
    char *next = values;
    *got = 0;
    if (column->has_first && most > 0) {
        of_scalar_store(column->first, next);
        next += of_dtype_size(column->dtype);
        column->has_first = false;
        ++*got;
    }
    while (*got < most) {
        of__csv_cell cell;
        bool found;
        OF_TRY(read_chosen(column, &cell, &found, OF_ERR_FORMAT, err));
        if (!found) break;
        if (cell.length > 0 || cell.malformed || !column->skip_missing) {
            of_scalar value;
            of_status reason = parse_cell(&cell, column->dtype, &value);
            if (reason != OF_OK) return fail_cell(column, &cell, reason, err);
            of_scalar_store(value, next);
            next += of_dtype_size(column->dtype);
            ++*got;
        }
        OF_TRY(skip_rest(column, &cell, err));
    }
    return OF_OK;
}

/* Whether a cell can be taken as text. */
static of_status check_text(const of__csv_column *column, const of__csv_cell *cell, of_error *err) {
    if (cell->malformed || cell->length == 0) return fail_cell(column, cell, OF_ERR_FORMAT, err);
    if (memchr(cell->text, 0, (size_t)cell->length) == NULL) return OF_OK;
    return of__source_fail(column->cells.source, err, OF_ERR_FORMAT,
                           "line %lld, %s: the cell holds a zero byte", (long long)cell->line,
                           column->title);
}

of_status of__csv_column_read_text(of__csv_column *column, of__cell_taker take, void *context,
                                   of_error *err) {
    for (;;) {
        of__csv_cell cell;
        bool found;
        OF_TRY(read_chosen(column, &cell, &found, OF_ERR_FORMAT, err));
        if (!found) return OF_OK;
        if (cell.length > 0 || cell.malformed || !column->skip_missing) {
            OF_TRY(check_text(column, &cell, err));
            OF_TRY(take(context, cell.text, cell.length, err));
        }
        OF_TRY(skip_rest(column, &cell, err));
    }
}
