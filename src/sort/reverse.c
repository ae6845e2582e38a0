/* of_reverse: a copy of a view that is walked backwards. */
#include "array/checks.h"
#include "core/fail.h"
#include "sort/lanes.h"
#include "sort/rows.h"

static void walk_backwards(of_array *view, int dim) {
    if (view->size == 0) return;
    view->data += (view->shape[dim] - 1) * view->strides[dim];
    view->strides[dim] = -view->strides[dim];
}

of_status of_reverse(const of_array *src, const of_reverse_opts *opts, of_array **out,
                     of_error *err) {
    static const of_reverse_opts defaults = {0};
    if (opts == NULL) opts = &defaults;
    of__lanes lanes;
    OF_TRY(of__check_given(src, "src", err));
    OF_TRY(of__lanes_of(src, "src", opts->n, opts->dim, &lanes, err));
    if (lanes.dim >= 0) {
        of_array view = *src;
        walk_backwards(&view, lanes.dim);
        return of_array_copy(&view, out, err);
    }
    of_array *taken;
    OF_TRY(of__take_contiguous(src, lanes.length, &taken, err));
    of_array line = *taken;
    line.ndim = 1;
    line.size = line.shape[0] = lanes.length;
    line.strides[0] = (int64_t)of_dtype_size(src->dtype);
    walk_backwards(&line, 0);
    of_status status = of_array_copy(&line, out, err);
    of_array_release(taken);
    return status;
}
