#include "group/group_fold.h"

#include <stdatomic.h>

#include "core/fail.h"
#include "core/threads.h"
#include "group/group_order.h"
#include "reduce/reduction.h"

typedef struct folding {
    const of__grouped *source;
    const of__reduction *reduction;
    const of__group_order *order;
    of_scalar empty;
    char *out;
    int64_t share; /* groups taken at once */
    atomic_llong next;
} folding;

static void fold_group(const folding *f, int64_t group) {
    int64_t width = f->source->width, first = f->order->first[group];
    int64_t rows = f->order->first[group + 1] - first;
    int64_t size = (int64_t)of_dtype_size(f->source->dtype);
    int64_t out_size = (int64_t)of_dtype_size(f->empty.dtype);
    char *out = f->out + group * width * out_size;
    of__terms terms = {.x = of__layout_begin(size)};
    if (rows) of__layout_append(&terms.x, rows, width * size);
    for (int64_t c = 0; c < width; c++, out += out_size) {
        of_scalar answer = f->empty;
        if (rows) {
            terms.x.data = f->order->values + (first * width + c) * size;
            answer = of__reduction_answer(f->reduction, &terms, 1, NULL, &f->reduction->finish);
        }
        of_scalar_store(answer, out);
    }
}

static void fold_share(void *context, int worker) {
    (void)worker;
    folding *f = context;
    for (;;) {
        int64_t start = atomic_fetch_add(&f->next, f->share), groups = f->source->groups;
        if (start >= groups) return;
        int64_t stop = groups - start < f->share ? groups : start + f->share;
        for (int64_t g = start; g < stop; g++) fold_group(f, g);
    }
}

of_status of__group_fold(const of__grouped *source, of_operation operation, of_scalar empty,
                         void *out, of_error *err) {
    static const of_reduce_opts defaults;
    of__reduction reduction;
    OF_TRY(of__reduction_resolve(source->dtype, OF_DTYPE_NONE, operation, &defaults, true,
                                 &reduction, err));
    reduction.finish.result = empty.dtype;
    of__group_order order;
    OF_TRY(of__group_order_make(source, &order, err));
    folding f = {source, &reduction, &order, empty, out, 0, 0};
    int workers = of__workers_for(of__grouped_bytes(source));
    f.share = source->groups / (16 * (int64_t)workers) + 1;
    of__parallel(workers, fold_share, &f);
    of__group_order_free(&order);
    return OF_OK;
}
