/* Running a call: its outputs among threads, or each output's terms. */
#include <stdatomic.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "reduce/call.h"
#include "reduce/workspace.h"

/* With too few outputs to go round, threads share each output's terms. */
static bool shares_terms(const of__call *call) {
    return call->workers > 1 && call->outputs < 2 * (int64_t)call->workers;
}

int64_t of__call_scratch(const of__call *call) {
    return shares_terms(call) ? of__reduction_scratch(&call->reduction, call->slice.x.size, call->workers) : 0;
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

/* A sum or mean of few floats, without an accumulator. False when it needs one. */
static bool reduce_small(const of__reduction *r, const of__terms *terms, const of__finish *finish, of_scalar *out) {
    int64_t n = terms->x.size;
    double high, low;
    if ((r->operation != OF_SUM && r->operation != OF_MEAN) || r->map != OF_MAP_NONE || finish->init) return false;
    if (n < 1 || n > OF__SMALL_SUM || !r->kernels->small_sum[r->source]) return false;
    if (!of__layout_is_contiguous(&terms->x) || !r->kernels->small_sum[r->source](terms->x.data, n, &high, &low))
        return false;
    bool to_f64 = finish->result == OF_F64, one_number = low == 0;
    if (r->operation == OF_MEAN) {
        if (!to_f64 || !one_number) return false; /* a second rounding */
        *out = of_scalar_f64(high / (double)n);
    } else if (to_f64) {
        *out = of_scalar_f64(high - low);
    } else {
        if (finish->result != OF_F32 || !one_number) return false;
        *out = of_scalar_f32((float)high);
    }
    return true;
}

of_scalar of__call_reduce(const of__call *call, const of__terms *terms, int workers, void *scratch,
                          const of__finish *finish) {
    of_scalar small;
    if (workers == 1 && reduce_small(&call->reduction, terms, finish, &small)) return small;
    of__partial partial;
    of__reduction_run(&call->reduction, terms, workers, scratch, &partial);
    return of__partial_finish(&partial, finish);
}

static void compute(const of__call *call, const of__answers *answers, int64_t output, int workers, void *scratch) {
    const of__reduction *r = &call->reduction;
    of__finish finish = r->finish;
    char *element = answers->data + of__layout_offset(&answers->layout, output);
    of_scalar old;
    if (answers->fold) {
        old = of_scalar_load(answers->dtype, element);
        finish.init = &old;
    }
    of__terms terms = of__call_slice(call, output);
    of_scalar answer = of__call_reduce(call, &terms, workers, scratch, &finish);
    of_scalar_store(of_scalar_convert(answer, answers->dtype), element);
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
        for (int64_t i = start; i < stop; i++) compute(all->call, all->answers, i, 1, NULL);
    }
}

void of__call_run(const of__call *call, const of__answers *answers, void *scratch) {
    if (shares_terms(call)) {
        for (int64_t i = 0; i < call->outputs; i++) compute(call, answers, i, call->workers, scratch);
        return;
    }
    outputs all = {.call = call, .answers = answers};
    all.group = call->outputs / (16 * (int64_t)call->workers) + 1;
    of__parallel(call->workers, compute_outputs, &all);
}
