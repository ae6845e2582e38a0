/* The runs of equal keys, listed. */
#include <onefold/runs.h>

#include "array/checks.h"
#include "core/fail.h"
#include "runs/run_lists.h"

static void list_tile(void *lists, const of__tile_view *view) {
    of__list_tile(lists, view);
}

enum { KEYS, COUNTS, FIRST_INDEX, INVERSE, LISTS };

of_status of_unique(const of_array *keys, const of_runs_opts *opts, of_array **unique_keys,
                    of_array **counts, of_array **first_index, of_array **inverse, of_error *err) {
    static const of_runs_opts defaults;
    of_array **wanted[LISTS] = {unique_keys, counts, first_index, inverse}, *made[LISTS] = {NULL};
    if (!opts) opts = &defaults;
    int64_t n;
    of_dtype index;
    OF_TRY(of__check_given(keys, "keys", err));
    OF_TRY(of__check_limit(opts->n, keys->size, "keys", &n, err));
    OF_TRY(of__check_index_dtype(opts->index_dtype, n, &index, err));
    of__run_tiles runs;
    OF_TRY(of__run_tiles_find(keys, n, (int64_t)of_dtype_size(keys->dtype), &runs, err));
    of_status status = OF_OK;
    for (int i = 0; i < LISTS && status == OF_OK; i++)
        if (wanted[i])
            status = of__create_list(keys, i == KEYS ? keys->dtype : index,
                                     i == INVERSE ? n : runs.runs, &made[i], err);
    if (status == OF_OK) {
        of__run_lists lists = {
            .kernels = runs.kernels, .key_size = runs.keys.element_size, .wide = index == OF_I64};
        char **data[LISTS] = {&lists.keys, &lists.counts, &lists.first_index, &lists.inverse};
        for (int i = 0; i < LISTS; i++)
            if (made[i]) *data[i] = made[i]->data;
        of__run_tiles_visit(&runs, list_tile, &lists);
    }
    of__run_tiles_free(&runs);
    for (int i = 0; i < LISTS; i++)
        if (status != OF_OK)
            of_array_release(made[i]);
        else if (wanted[i])
            *wanted[i] = made[i];
    return status;
}
