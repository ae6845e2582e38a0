#include "io/csv_cells.h"

#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* Slides the window over more of the file; false at its end and when that fails. */
static bool refill(of__csv_cells *cells) {
    if (cells->at_end || cells->failure.code != OF_OK) return false;
    char *first = cells->keep != NULL ? cells->keep : cells->next;
    int64_t kept = cells->end - first;
    if (kept == cells->capacity) {
        of__source_fail(cells->source, &cells->failure, OF_ERR_FORMAT,
                        "line %lld: a cell is longer than %lld bytes", (long long)cells->line,
                        (long long)cells->capacity);
        return false;
    }
    memmove(cells->window, first, (size_t)kept);
    int64_t moved = first - cells->window, got = 0;
    if (cells->keep != NULL) cells->keep -= moved;
    cells->next -= moved;
    cells->end -= moved;
    of__source_read_some(cells->source, cells->end, cells->capacity - kept, &got, &cells->failure);
    cells->at_end = got == 0;
    cells->end += got;
    return got > 0;
}

/* Whether there is a next byte. */
static inline bool more(of__csv_cells *cells) {
    return cells->next < cells->end || refill(cells);
}

static of_status status_of(const of__csv_cells *cells, of_error *err) {
    if (cells->failure.code != OF_OK && err != NULL) *err = cells->failure;
    return cells->failure.code;
}

/* Passes over the rest of a cell up to the byte that ends it. */
static void pass_plain(of__csv_cells *cells) {
    while (more(cells)) {
        const char *end = cells->end;
        char *next = cells->next;
        while (next < end && !cells->ends_plain[(unsigned char)*next]) next++;
        cells->next = next;
        if (next < end) return;
    }
}

/* Passes over a cell in quotes, `next` being past the first; *doubled tells of quotes inside. */
static void pass_quoted(of__csv_cells *cells, bool *doubled) {
    int64_t start = cells->line;
    *doubled = false;
    while (more(cells)) {
        char c = *cells->next++;
        cells->line += c == '\n';
        if (c != '"') continue;
        if (!more(cells) || *cells->next != '"') return;
        cells->next++;
        *doubled = true;
    }
    if (cells->failure.code != OF_OK) return;
    of__source_fail(cells->source, &cells->failure, OF_ERR_FORMAT,
                    "line %lld: a quote is never closed", (long long)start);
}

/* Takes the byte that ends a cell; true when the row ends with it. */
static bool take_end(of__csv_cells *cells) {
    if (!more(cells)) return true;
    bool ends_row = *cells->next++ == '\n';
    cells->line += ends_row;
    return ends_row;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* Makes each doubled quote one. Returns the new length. */
static int64_t unite_quotes(char *text, int64_t length) {
    int64_t kept = 0;
    for (int64_t i = 0; i < length; i++) {
        text[kept++] = text[i];
        if (text[i] == '"') i++;
    }
    return kept;
}

static void trim(of__csv_cell *cell) {
    while (cell->length > 0 && is_blank(cell->text[cell->length - 1])) cell->length--;
    while (cell->length > 0 && is_blank(*cell->text)) {
        cell->text++;
        cell->length--;
    }
}

/* Takes a cell that starts and ends with a quote, up to the byte that ends it. */
static void read_quoted(of__csv_cells *cells, of__csv_cell *cell) {
    bool doubled;
    cells->next++;
    pass_quoted(cells, &doubled);
    int64_t closed = cells->next - cells->keep;
    pass_plain(cells);
    if (cells->failure.code != OF_OK) return;
    cell->text = cells->keep + 1;
    cell->length = closed - 2;
    for (const char *rest = cells->keep + closed; rest < cells->next; rest++) {
        if (!is_blank(*rest)) cell->malformed = true;
    }
    if (doubled) cell->length = unite_quotes(cell->text, cell->length);
}

static void read_plain(of__csv_cells *cells, of__csv_cell *cell) {
    pass_plain(cells);
    cell->text = cells->keep;
    cell->length = cells->next - cells->keep;
}

of_status of__csv_cell_read(of__csv_cells *cells, of__csv_cell *cell, of_error *err) {
    *cell = (of__csv_cell){.line = cells->line};
    cells->keep = cells->next;
    if (more(cells) && *cells->next == '"') {
        read_quoted(cells, cell);
    } else {
        read_plain(cells, cell);
    }
    cells->keep = NULL;
    OF_TRY(status_of(cells, err));
    /* The byte that ended the cell is in the window or there is none: this slides nothing. */
    cell->last = take_end(cells);
    trim(cell);
    cell->text[cell->length] = 0;
    return OF_OK;
}

of_status of__csv_cells_skip(of__csv_cells *cells, int64_t count, int64_t *passed, bool *last,
                             of_error *err) {
    *last = false;
    for (*passed = 0; *passed < count && !*last; ++*passed) {
        if (more(cells) && *cells->next == '"') {
            bool doubled;
            cells->next++;
            pass_quoted(cells, &doubled);
        }
        pass_plain(cells);
        *last = take_end(cells);
    }
    return status_of(cells, err);
}

of_status of__csv_row_find(of__csv_cells *cells, bool *found, of_error *err) {
    *found = false;
    while (!*found && more(cells)) {
        cells->keep = cells->next;
        while (more(cells) && is_blank(*cells->next) && *cells->next != cells->delimiter)
            cells->next++;
        if (!more(cells) || *cells->next == '\n') {
            take_end(cells);
        } else {
            cells->next = cells->keep;
            *found = true;
        }
        cells->keep = NULL;
    }
    return status_of(cells, err);
}

/* The delimiter that stands most often in the first line, as much of it as the window holds. */
static char find_delimiter(of__csv_cells *cells) {
    static const char candidates[] = ",;\t|";
    int64_t counts[sizeof candidates - 1] = {0};
    bool in_quotes = false, has_begun = false;
    cells->keep = cells->next;
    while (cells->next - cells->keep < cells->capacity && more(cells)) {
        char c = *cells->next++;
        if (c == '"') in_quotes = !in_quotes;
        if (c == '\n' && has_begun && !in_quotes) break;
        has_begun |= c != '\n' && c != '\r' && c != ' ';
        const char *candidate =
            in_quotes ? NULL : memchr(candidates, c, sizeof counts / sizeof counts[0]);
        if (candidate != NULL) counts[candidate - candidates]++;
    }
    cells->next = cells->keep;
    cells->keep = NULL;

    size_t best = 0;
    for (size_t i = 1; i < sizeof counts / sizeof counts[0]; i++) {
        if (counts[i] > counts[best]) best = i;
    }
    return candidates[best];
}

/* Takes the mark that some programs put in front of UTF-8. */
static of_status skip_byte_order_mark(of__source *source, of_error *err) {
    const int size = sizeof BYTE_ORDER_MARK - 1;
    const char *bytes;
    int got;
    OF_TRY(of__source_peek(source, size, &bytes, &got, err));
    if (got < size || memcmp(bytes, BYTE_ORDER_MARK, (size_t)size) != 0) return OF_OK;
    char mark[sizeof BYTE_ORDER_MARK];
    int64_t taken;
    return of__source_read(source, mark, size, &taken, err);
}

of_status of__csv_cells_begin(of__csv_cells *cells, of__source *source, char delimiter,
                              int64_t capacity, of_error *err) {
    if (delimiter == '"' || delimiter == '\n' || delimiter == '\r') {
        return of__fail(err, OF_ERR_VALUE, "delimiter 0x%02x is a quote or ends lines",
                        (unsigned)delimiter);
    }
    OF_TRY(skip_byte_order_mark(source, err));
    /* One more byte, for the zero after a cell at the end. */
    char *window = of__alloc((size_t)capacity + 1);
    if (window == NULL) {
        return of__fail(err, OF_ERR_MEMORY, "%lld bytes for reading CSV could not be allocated",
                        (long long)capacity + 1);
    }
    *cells = (of__csv_cells){.source = source, .window = window, .capacity = capacity, .line = 1};
    cells->next = cells->end = window;
    cells->delimiter = delimiter != 0 ? delimiter : find_delimiter(cells);
    cells->ends_plain[(unsigned char)cells->delimiter] = cells->ends_plain['\n'] = true;
    of_status status = status_of(cells, err);
    if (status != OF_OK) of__csv_cells_end(cells);
    return status;
}

void of__csv_cells_end(of__csv_cells *cells) {
    of__free(cells->window);
    cells->window = NULL;
}
