/* Running a call: its outputs among threads, or each output's terms. */
#include <stdatomic.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "reduce/dims.h"
#include "reduce/workspace.h"

/* With too few outputs to go round, threads share each output's terms. */
static bool shares_terms(const of__call *call) {
    return call->workers > 1 && call->outputs < 2 * (int64_t)call->workers;
}

int64_t of__call_scratch(const of__call *call) {
    switch (call->plain_answers ? of__call_path(call) : OF__PATH_ANY) {
    case OF__PATH_ROWS: return 0;
    case OF__PATH_COLUMNS: return of__columns_scratch(call);
    default: break;
    }
    return shares_terms(call)
               ? of__reduction_scratch(&call->reduction, call->slice.x.size, call->workers)
               : 0;
}

of_status of__call_acquire(const of__call *call, void **scratch, of_error *err) {
    int64_t size = of__call_scratch(call);
    *scratch = NULL;
    if (size == 0) return OF_OK;
    *scratch = call->workspace ? of__workspace_memory(call->workspace) : of__alloc((size_t)size);
    if (!*scratch)
        return of__fail(err, OF_ERR_MEMORY, "no memory for %lld bytes of scratch", (long long)size);
    return OF_OK;
}

void of__call_release(const of__call *call, void *scratch) {
    if (!call->workspace) of__free(scratch);
}

/* An answer's place, and how to finish it. */
static char *place(const of__call *call, const of__answers *answers, int64_t output, of_scalar *old,
                   of__finish *finish) {
    char *element = answers->data + of__layout_offset(&answers->layout, output);
    *finish = call->reduction.finish;
    if (answers->fold) {
        *old = of_scalar_load(answers->dtype, element);
        finish->init = old;
    }
    return element;
}

static void compute(const of__call *call, const of__answers *answers, int64_t output, int workers,
                    void *scratch) {
    of__finish finish;
    of_scalar old;
    char *element = place(call, answers, output, &old, &finish);
    of__terms terms = of__call_slice(call, output);
    of_scalar answer = of__reduction_answer(&call->reduction, &terms, workers, scratch, &finish);
    of_scalar_store(of_scalar_convert(answer, answers->dtype), element);
}

/* Outputs whose elements lie side by side are walked together, so that each cache line is fetched
 * once. */
enum { SIDE_BY_SIDE = 16, ELEMENTS_TOGETHER = 256 * SIDE_BY_SIDE };

static void compute_group(const of__call *call, const of__answers *answers, int64_t first,
                          int64_t n) {
    const of__reduction *r = &call->reduction;
    of__partial partial[SIDE_BY_SIDE];
    of__terms terms[SIDE_BY_SIDE];
    int64_t size = call->slice.x.size;
    int64_t rows = n > 1 ? ELEMENTS_TOGETHER / n : OF__FETCH;
    for (int64_t k = 0; k < n; k++) {
        terms[k] = of__call_slice(call, first + k);
        of__partial_begin(&partial[k], r->operation, r->term, r->in_floats);
    }
    for (int64_t start = 0; start < size; start += rows)
        for (int64_t k = 0; k < n; k++)
            of__reduction_feed(r, &terms[k], start, size - start < rows ? size - start : rows,
                               &partial[k]);
    for (int64_t k = 0; k < n; k++) {
        of__finish finish;
        of_scalar old;
        char *element = place(call, answers, first + k, &old, &finish);
        of_scalar_store(of_scalar_convert(of__partial_finish(&partial[k], &finish), answers->dtype),
                        element);
    }
}

void of__call_compute_some(const of__call *call, const of__answers *answers, int64_t first,
                           int64_t n) {
    const of__layout *kept = &call->x_kept;
    bool side_by_side = kept->ndim > 0 && kept->strides[kept->ndim - 1] == kept->element_size &&
                        call->slice.x.size > SIDE_BY_SIDE;
    if (!side_by_side) {
        for (int64_t i = 0; i < n; i++) compute(call, answers, first + i, 1, NULL);
        return;
    }
    for (int64_t i = 0; i < n; i += SIDE_BY_SIDE)
        compute_group(call, answers, first + i, n - i < SIDE_BY_SIDE ? n - i : SIDE_BY_SIDE);
}

typedef struct outputs {
    const of__call *call;
    const of__answers *answers;
    int64_t group; /* outputs taken at once */
    atomic_llong next;
} outputs;

static void compute_outputs(void *context, int worker) {
    (void)worker;
    outputs *all = context;
    for (;;) {
        int64_t start = atomic_fetch_add(&all->next, all->group), stop = start + all->group;
        if (start >= all->call->outputs) return;
        if (stop > all->call->outputs) stop = all->call->outputs;
        of__call_compute_some(all->call, all->answers, start, stop - start);
    }
}

void of__call_run(const of__call *call, const of__answers *answers, void *scratch) {
    switch (call->plain_answers ? of__call_path(call) : OF__PATH_ANY) {
    case OF__PATH_ROWS: of__run_rows(call, answers); return;
    case OF__PATH_COLUMNS: of__run_columns(call, answers, scratch); return;
    default: break;
    }
    if (shares_terms(call)) {
        for (int64_t i = 0; i < call->outputs; i++)
            compute(call, answers, i, call->workers, scratch);
        return;
    }
    outputs all = {.call = call, .answers = answers};
    all.group = call->outputs / (16 * (int64_t)call->workers) + 1;
    of__parallel(call->workers, compute_outputs, &all);
}
