/*
 * Keeps what lies above a bound in a grid of 32-bit numbers, and remembers where it was.
 *
 *     stream_compaction GRID.npy BOUND [KEPT.npy]
 *
 * How much is kept of each row is not known before. Counts, their exclusive scan, and its total say
 * how large the result is and where each row's part of it begins.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <onefold/onefold.h>

/* What is kept of a grid: of row r the elements kept[offsets[r]] up to kept[offsets[r + 1]]. */
typedef struct selection {
    of_array *kept;
    of_array *where;   /* their places in the grid, counted row by row */
    of_array *counts;  /* for each row, how many */
    of_array *offsets; /* one more than there are rows: the last is the total */
} selection;

static of_status flag_above(const of_array *grid, float bound, of_array **out, of_error *err) {
    of_status status = of_array_create(NULL, OF_BOOL, 2, of_array_shape(grid), out, err);
    if (status != OF_OK) return status;
    const char *bytes = of_array_data(grid); /* those of a file may lie at any address */
    bool *flag = of_array_mutable_data(*out);
    for (int64_t i = 0; i < of_array_size(grid); i++) {
        float height;
        memcpy(&height, bytes + i * (int64_t)sizeof height, sizeof height);
        flag[i] = height > bound;
    }
    return OF_OK;
}

/* Where each row's part begins, and at the end where all ends. */
static of_status make_offsets(const of_array *counts, of_array **out, of_error *err) {
    int64_t rows = of_array_size(counts), ends = rows + 1;
    of_scalar total;
    of_status status = of_array_create(NULL, OF_I64, 1, &ends, out, err);
    if (status == OF_OK) status = of_exclusive_scan(counts, *out, NULL, &total, err);
    if (status == OF_OK) of_scalar_store(total, (int64_t *)of_array_mutable_data(*out) + rows);
    return status;
}

static of_status select_above(const of_array *grid, float bound, selection *out, of_error *err) {
    of_array *flags = NULL;
    of_reduce_opts each_row = {.dims = OF_DIMS(1)};
    of_compact_opts long_indices = {.index_dtype = OF_I64};
    of_status status = flag_above(grid, bound, &flags, err);
    if (status == OF_OK) status = of_compact(grid, flags, NULL, &out->kept, err);
    if (status == OF_OK) status = of_nonzero(flags, &long_indices, &out->where, err);
    if (status == OF_OK) status = of_reduce(flags, OF_COUNT_NONZERO, &each_row, &out->counts, err);
    if (status == OF_OK) status = make_offsets(out->counts, &out->offsets, err);
    of_array_release(flags);
    return status;
}

static int64_t integer_at(const of_array *array, int64_t index) {
    return ((const int64_t *)of_array_data(array))[index];
}

static of_status print_selection(const of_array *grid, float bound, const selection *selection,
                                 of_error *err) {
    int64_t kept = of_array_size(selection->kept), columns = of_array_shape(grid)[1];
    printf("%" PRId64 " of %" PRId64 " elements are above %g\n", kept, of_array_size(grid), bound);
    if (kept == 0) return OF_OK;

    of_scalar mean, highest, fullest;
    of_status status = of_mean(selection->kept, NULL, &mean, err);
    if (status == OF_OK) status = of_argmax(selection->kept, NULL, &highest, err);
    if (status == OF_OK) status = of_argmax(selection->counts, NULL, &fullest, err);
    if (status != OF_OK) return status;

    int64_t peak, row;
    of_scalar_store(highest, &peak);
    of_scalar_store(fullest, &row);
    int64_t place = integer_at(selection->where, peak);
    printf("their mean is %g\n", of_scalar_to_f64(mean));
    printf("the highest is %g, at row %" PRId64 ", column %" PRId64 "\n",
           ((const float *)of_array_data(selection->kept))[peak], place / columns, place % columns);
    printf("most are in row %" PRId64 ": numbers %" PRId64 " to %" PRId64 " of what is kept\n", row,
           integer_at(selection->offsets, row), integer_at(selection->offsets, row + 1) - 1);
    return OF_OK;
}

/* A file of another kind is refused. */
static of_status load_grid(const char *path, of_array **out, of_error *err) {
    of_status status = of_npy_load(path, NULL, OF_DTYPE_NONE, out, err);
    if (status != OF_OK) return status;
    if (of_array_dtype(*out) == OF_F32 && of_array_ndim(*out) == 2 && of_array_is_contiguous(*out))
        return OF_OK;
    snprintf(err->message, sizeof err->message, "\"%s\" holds no rows of 32-bit floats", path);
    return OF_ERR_TYPE;
}

static of_status run(const char *path, float bound, const char *kept_path, of_error *err) {
    of_array *grid = NULL;
    selection selection = {0};
    of_status status = load_grid(path, &grid, err);
    if (status == OF_OK) status = select_above(grid, bound, &selection, err);
    if (status == OF_OK) status = print_selection(grid, bound, &selection, err);
    if (status == OF_OK && kept_path != NULL) status = of_npy_save(kept_path, selection.kept, err);

    of_array_release(selection.offsets);
    of_array_release(selection.counts);
    of_array_release(selection.where);
    of_array_release(selection.kept);
    of_array_release(grid);
    return status;
}

int main(int argc, char **argv) {
    if (argc != 3 && argc != 4) {
        fputs("usage: stream_compaction GRID.npy BOUND [KEPT.npy]\n", stderr);
        return 2;
    }
    of_error err = {0};
    if (run(argv[1], strtof(argv[2], NULL), argv[3], &err) != OF_OK) {
        fprintf(stderr, "stream_compaction: %s\n", err.message);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
