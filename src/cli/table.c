#include "cli/table.h"

#include <stdio.h>
#include <string.h>

/* The elements of a row-major array, front to back. */
struct cursor {
    of_dtype dtype;
    const char *element;
};

static const char *next_text(struct cursor *cursor, char *text) {
    of_scalar value = of_scalar_load(cursor->dtype, cursor->element);
    cursor->element += of_dtype_size(cursor->dtype);
    return of_scalar_format(value, text);
}

static int widest_text(struct cursor cursor, int64_t count) {
    char text[OF_SCALAR_TEXT_SIZE];
    int widest = 0;
    for (int64_t i = 0; i < count; i++) {
        int width = (int)strlen(next_text(&cursor, text));
        if (width > widest) widest = width;
    }
    return widest;
}

static void print_matrix(struct cursor *cursor, int64_t rows, int64_t columns, int width) {
    char text[OF_SCALAR_TEXT_SIZE];
    for (int64_t row = 0; row < rows && !ferror(stdout); row++) {
        for (int64_t column = 0; column < columns; column++)
            printf("%s%*s", column > 0 ? "  " : "", width, next_text(cursor, text));
        putchar('\n');
    }
}

/* Prints which matrix comes: the number-th, counted over all but the last two dimensions. */
static void print_matrix_title(const of_array *array, int64_t number) {
    int outer = of_array_ndim(array) - 2;
    int64_t index[OF_MAX_DIMS];
    for (int dim = outer - 1; dim >= 0; dim--) {
        index[dim] = number % of_array_shape(array)[dim];
        number /= of_array_shape(array)[dim];
    }
    putchar('[');
    for (int dim = 0; dim < outer; dim++) printf("%lld, ", (long long)index[dim]);
    fputs(":, :]\n", stdout);
}

void table_print(const of_array *array) {
    int ndim = of_array_ndim(array);
    const int64_t *shape = of_array_shape(array);
    int64_t size = of_array_size(array);
    struct cursor cursor = {of_array_dtype(array), of_array_data(array)};
    if (size == 0) return;
    int width = widest_text(cursor, size);
    int64_t columns = ndim >= 2 ? shape[ndim - 1] : 1;
    int64_t rows = ndim >= 2 ? shape[ndim - 2] : size;
    int64_t matrices = size / (rows * columns);
    for (int64_t i = 0; i < matrices && !ferror(stdout); i++) {
        if (i > 0) putchar('\n');
        if (ndim > 2) print_matrix_title(array, i);
        print_matrix(&cursor, rows, columns, width);
    }
}

/* ---- Columns ---- */

/* How many characters a UTF-8 text has. */
static int text_width(const char *text) {
    int width = 0;
    for (; *text != '\0'; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static const char *cell_text(const struct column *column, int64_t row, char *text) {
    of_dtype dtype = of_array_dtype(column->array);
    const char *first = of_array_data(column->array);
    of_scalar value = of_scalar_load(dtype, first + (size_t)row * of_dtype_size(dtype));
    if (column->names != NULL) return of_names_at(column->names, value.as.i64);
    return of_scalar_format(value, text);
}

static int column_width(const struct column *column, int64_t rows) {
    char text[OF_SCALAR_TEXT_SIZE];
    int widest = column->title == NULL ? 0 : text_width(column->title);
    for (int64_t row = 0; row < rows; row++) {
        int width = text_width(cell_text(column, row, text));
        if (width > widest) widest = width;
    }
    return widest;
}

/* Names stand to the left, and the last one of a line needs nothing after it. */
static void print_cell(const struct column *column, const char *text, int width, bool is_last) {
    int gap = width - text_width(text);
    if (column->names == NULL) printf("%*s", gap, "");
    fputs(text, stdout);
    if (column->names != NULL && !is_last) printf("%*s", gap, "");
    fputs(is_last ? "\n" : "  ", stdout);
}

void table_print_columns(const struct column *columns, int count) {
    int widths[MOST_COLUMNS];
    int64_t rows = of_array_size(columns[0].array);
    for (int i = 0; i < count; i++) widths[i] = column_width(&columns[i], rows);
    for (int i = 0; i < count && columns[i].title != NULL; i++)
        print_cell(&columns[i], columns[i].title, widths[i], i == count - 1);
    for (int64_t row = 0; row < rows && !ferror(stdout); row++) {
        char text[OF_SCALAR_TEXT_SIZE];
        for (int i = 0; i < count; i++)
            print_cell(&columns[i], cell_text(&columns[i], row, text), widths[i], i == count - 1);
    }
}
