#include "runs/run_lists.h"

#include <string.h>

#include "runs/pick.h"

static void write_index(char *out, int64_t position, int64_t value, bool wide) {
    if (wide)
        ((int64_t *)(void *)out)[position] = value;
    else
        ((int32_t *)(void *)out)[position] = (int32_t)value;
}

/* Where so many keys or fewer go to a run, vectors of keys are squeezed; else each is picked. */
enum { DENSE = 5 };

static void write_keys(const of__run_lists *l, const of__tile_view *view) {
    int64_t size = l->key_size, written = 0;
    char *out = l->keys + view->first_run * size;
    if (view->packed) {
        memcpy(out, view->keys, (size_t)(view->count * size));
        return;
    }
    if (view->count * DENSE > view->n)
        written =
            l->kernels->squeeze_flagged(view->keys, view->flag, view->n, view->count, size, out);
    of__pick(out + written * size, view->keys, view->at + written, view->count - written, size);
}

static void write_counts(const of__run_lists *l, const of__tile_view *view) {
    const uint16_t *at = view->at;
    int64_t last = view->count - 1;
    if (l->wide) {
        int64_t *count = (int64_t *)(void *)l->counts + view->first_run;
        for (int64_t k = 0; k < last; k++) count[k] = at[k + 1] - at[k];
    } else {
        int32_t *count = (int32_t *)(void *)l->counts + view->first_run;
        for (int64_t k = 0; k < last; k++) count[k] = at[k + 1] - at[k];
    }
    write_index(l->counts, view->first_run + last, view->end - view->start - at[last], l->wide);
}

/* Elements before the tile's first run belong to the last one before. */
static void write_inverse(const of__run_lists *l, const of__tile_view *view) {
    int64_t size = l->wide ? 8 : 4;
    char *out = l->inverse + view->start * size;
    for (int64_t k = 0, i = 0; k <= view->count; k++) {
        int64_t stop = k < view->count ? view->at[k] : view->n, run = view->first_run + k - 1;
        for (; i < stop; i++) write_index(out, i, run, l->wide);
    }
}

void of__list_tile(const of__run_lists *l, const of__tile_view *view) {
    int64_t size = l->wide ? 8 : 4;
    if (l->inverse) write_inverse(l, view);
    if (view->count == 0) return;
    if (l->keys) write_keys(l, view);
    if (l->counts) write_counts(l, view);
    if (l->first_index)
        of__pick_indices(l->first_index + view->first_run * size, view->start, view->at,
                         view->count, l->wide);
}
