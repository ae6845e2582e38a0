#include "io/csv.h"

#include "core/alloc.h"
#include "core/fail.h"
#include "io/growing.h"

/* A piece that stays in the cache until it is used. */
#ifdef ONEFOLD_TEST_SMALL
#define PIECE_VALUES 4
#else
#define PIECE_VALUES (INT64_C(1) << 16)
#endif

static int64_t value_size(const of__csv *csv) {
    return (int64_t)of_dtype_size(csv->column.dtype);
}

of_status of__csv_begin(of__csv *csv, of__source *source, of_dtype dtype, const char *name,
                        char delimiter, bool skip_missing, of_error *err) {
    csv->buffer = NULL;
    return of__csv_column_begin(&csv->column, source, dtype, name, delimiter, skip_missing, err);
}

void of__csv_end(of__csv *csv) {
    of__csv_column_end(&csv->column);
    of__free(csv->buffer);
    csv->buffer = NULL;
}

static of_status read_values(of__csv *csv, of__growing *values, of_error *err) {
    int64_t got, size = value_size(csv);
    do {
        OF_TRY(of__growing_extend(values, -1, err));
        int64_t room = (values->capacity - values->used) / size;
        OF_TRY(of__csv_column_read(&csv->column, room, values->data + values->used, &got, err));
        values->used += got * size;
    } while (got > 0);
    return OF_OK;
}

of_status of__csv_all(of__csv *csv, of_array **out, of_error *err) {
    of__growing values = {0};
    of_status status = read_values(csv, &values, err);
    if (status == OF_OK) {
        int64_t count = values.used / value_size(csv);
        of__file_layout layout = {
            .dtype = csv->column.dtype, .ndim = 1, .shape = {count}, .size = count};
        status = of__growing_to_array(&values, &layout, of_device_at(0), out, err);
    }
    of__growing_free(&values);
    return status;
}

of_status of__csv_next(of__csv *csv, int64_t most, of_array **out, of_error *err) {
    *out = NULL;
    if (csv->buffer == NULL) {
        int64_t bytes = PIECE_VALUES * value_size(csv);
        csv->buffer = of__alloc((size_t)bytes);
        if (csv->buffer == NULL) {
            return of__fail(err, OF_ERR_MEMORY,
                            "%lld bytes for a piece of a file could not be allocated",
                            (long long)bytes);
        }
    }
    int64_t got;
    OF_TRY(of__csv_column_read(&csv->column, most < PIECE_VALUES ? most : PIECE_VALUES, csv->buffer,
                               &got, err));
    if (got == 0) return OF_OK;
    return of_array_wrap(of_device_at(0), csv->column.dtype, 1, &got, NULL, csv->buffer,
                         OF_WRAP_READ_ONLY, NULL, NULL, out, err);
}
