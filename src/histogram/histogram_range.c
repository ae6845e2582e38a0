/* The range of the data: its extremes, in one pass over memory. */
#include <math.h>
#include <stdatomic.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "histogram/histogram_internal.h"
#include "reduce/partial.h"

typedef struct extremes {
    of__partial min, max;
} extremes;

typedef struct pass {
    const of__sample *sample;
    const of__kernels *kernels;
    extremes *workers;
    atomic_llong next;
} pass;

static void work(void *context, int worker) {
    pass *p = context;
    extremes *own = &p->workers[worker];
    uint64_t buffer[OF__FETCH];
    of__partial_begin(&own->min, OF_MIN, p->sample->dtype, false);
    of__partial_begin(&own->max, OF_MAX, p->sample->dtype, false);
    for (;;) {
        int64_t start = atomic_fetch_add(&p->next, OF__FETCH), rest = p->sample->size - start;
        if (rest <= 0) return;
        int64_t n = rest < OF__FETCH ? rest : OF__FETCH;
        const void *x = of__layout_fetch(&p->sample->layout, start, n, buffer);
        of__partial_add(&own->min, p->kernels, x, n, start);
        of__partial_add(&own->max, p->kernels, x, n, start);
    }
}

/* The f64 next to an element that is not above it. */
static double rounded_down(of_scalar x) {
    double nearest = of_scalar_to_f64(x);
    bool above = (x.dtype == OF_I64 && !of__i64_reaches(x.as.i64, nearest)) ||
                 (x.dtype == OF_U64 && !of__u64_reaches(x.as.u64, nearest));
    return above ? nextafter(nearest, -INFINITY) : nearest;
}

/* The f64 next to an element that is not below it. */
static double rounded_up(of_scalar x) {
    double nearest = of_scalar_to_f64(x);
    bool below = (x.dtype == OF_I64 && of__i64_exceeds(x.as.i64, nearest)) ||
                 (x.dtype == OF_U64 && of__u64_exceeds(x.as.u64, nearest));
    return below ? nextafter(nearest, INFINITY) : nearest;
}

of_status of__histogram_range(const of__sample *sample, double *lo, double *hi, of_error *err) {
    if (sample->size == 0)
        return of__fail(err, OF_ERR_VALUE,
                        "range is not given, and x has no element to take it from");
    int workers = of__workers_for(sample->size * sample->layout.element_size);
    pass p = {.sample = sample, .kernels = of__kernels_current()};
    p.workers = of__alloc((size_t)workers * sizeof *p.workers);
    if (!p.workers)
        return of__fail(err, OF_ERR_MEMORY, "no memory for the partial results of %d threads",
                        workers);
    of__parallel(workers, work, &p);
    extremes all = p.workers[0];
    for (int i = 1; i < workers; i++) {
        of__partial_merge(&all.min, &p.workers[i].min);
        of__partial_merge(&all.max, &p.workers[i].max);
    }
    of__free(p.workers);
    const of__finish finish = {.result = sample->dtype};
    *lo = rounded_down(of__partial_finish(&all.min, &finish));
    *hi = rounded_up(of__partial_finish(&all.max, &finish)) + 0.0; /* never -0.0 */
    if (isfinite(*lo) && isfinite(*hi)) return OF_OK;
    char text[OF_SCALAR_TEXT_SIZE];
    return of__fail(err, OF_ERR_VALUE, "range is not given, and x holds %s",
                    of_scalar_format(of_scalar_f64(isfinite(*lo) ? *hi : *lo), text));
}
