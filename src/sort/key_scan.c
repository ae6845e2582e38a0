#include "sort/key_scan.h"

#include "core/isa.h"
#include "core/threads.h"
#include "sort/shares.h"

enum { MOST_SCANNERS = 64 };

typedef struct scan_job {
    const of__key_rule *rule;
    const char *elements;
    int64_t n;
    int workers;
    of__key_scanner *scanner;
    of__key_scan found[MOST_SCANNERS];
} scan_job;

static of__key_scanner *scanner_current(void) {
    switch (of__isa_current()) {
#if defined(__x86_64__)
    case OF__ISA_AVX512: return of__key_scanner_avx512;
    case OF__ISA_AVX2: return of__key_scanner_avx2;
#endif
    default: return of__key_scanner_baseline;
    }
}

static void scan_share(void *context, int worker) {
    scan_job *job = context;
    int64_t start = of__share_start(job->n, job->workers, worker);
    int64_t stop = of__share_start(job->n, job->workers, worker + 1);
    job->found[worker] = job->scanner(job->rule, job->elements + start * (job->rule->bits / 8),
                                      stop - start, stop < job->n);
}

of__key_scan of__scan_keys(const of__key_rule *rule, const void *elements, int64_t n, int workers) {
    scan_job job = {.rule = rule, .elements = elements, .n = n, .scanner = scanner_current()};
    if (workers == 1) return job.scanner(rule, elements, n, false);
    job.workers = workers < MOST_SCANNERS ? workers : MOST_SCANNERS;
    if (job.workers > n) job.workers = (int)n;
    of__parallel(job.workers, scan_share, &job);
    of__key_scan all = job.found[0];
    for (int i = 1; i < job.workers; i++) {
        const of__key_scan *one = &job.found[i];
        all.varying |= one->varying | (all.least ^ one->least);
        if (one->least < all.least) all.least = one->least;
        if (one->most > all.most) all.most = one->most;
        all.rises = all.rises && one->rises;
        all.falls = all.falls && one->falls;
    }
    return all;
}
