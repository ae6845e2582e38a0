/* of_merge: each worker fills a share of the result, whose place in both sources it finds by
 * halving. */
#include "array/checks.h"
#include "core/fail.h"
#include "core/threads.h"
#include "sort/key_rule.h"
#include "sort/rows.h"
#include "sort/shares.h"

#include <onefold/sort.h>

typedef struct merge_job {
    of__key_rule rule;
    const char *a, *b;
    int64_t a_count, b_count;
    char *out;
    int workers;
} merge_job;

OF__INLINE uint64_t key_at(const of__key_rule *rule, int bits, const char *elements, int64_t i) {
    return of__key_of(rule, bits, of__bits_at(bits, elements, i));
}

/* How many of the first `place` elements of the result come from a. */
static int64_t taken_from_a(const merge_job *job, int64_t place) {
    const int bits = job->rule.bits;
    int64_t low = place > job->b_count ? place - job->b_count : 0;
    int64_t high = place < job->a_count ? place : job->a_count;
    while (low < high) {
        int64_t i = low + (high - low) / 2; /* is a[i] taken before b[place - 1 - i]? */
        if (key_at(&job->rule, bits, job->a, i) <= key_at(&job->rule, bits, job->b, place - 1 - i))
            low = i + 1;
        else
            high = i;
    }
    return low;
}

/* The result from one place to another. Of sources that are not sorted the places are anything, but
 * no more is written. */
OF__INLINE void merge(const merge_job *job, int bits, int64_t start, int64_t stop) {
    const of__key_rule rule = job->rule;
    int64_t i = taken_from_a(job, start), j = start - i, at = start;
    const int64_t a_stop = taken_from_a(job, stop), b_stop = stop - a_stop;
    if (i < a_stop && j < b_stop) {
        uint64_t a = of__bits_at(bits, job->a, i), b = of__bits_at(bits, job->b, j);
        for (;;) {
            bool takes_a = of__key_of(&rule, bits, a) <= of__key_of(&rule, bits, b);
            of__put_bits(bits, job->out, at++, takes_a ? a : b);
            i += takes_a;
            j += !takes_a;
            if (i == a_stop || j == b_stop) break;
            a = of__bits_at(bits, job->a, i);
            b = of__bits_at(bits, job->b, j);
        }
    }
    for (; i < a_stop && at < stop; i++)
        of__put_bits(bits, job->out, at++, of__bits_at(bits, job->a, i));
    for (; j < b_stop && at < stop; j++)
        of__put_bits(bits, job->out, at++, of__bits_at(bits, job->b, j));
}

static void merge_share(void *context, int worker) {
    const merge_job *job = context;
    int64_t n = job->a_count + job->b_count;
    int64_t start = of__share_start(n, job->workers, worker);
    int64_t stop = of__share_start(n, job->workers, worker + 1);
    switch (job->rule.bits) {
    case 8: merge(job, 8, start, stop); break;
    case 16: merge(job, 16, start, stop); break;
    case 32: merge(job, 32, start, stop); break;
    default: merge(job, 64, start, stop); break;
    }
}

of_status of_merge(const of_array *a, const of_array *b, const of_merge_opts *opts, of_array **out,
                   of_error *err) {
    int64_t n;
    OF_TRY(of__check_given(a, "a", err));
    OF_TRY(of__check_given(b, "b", err));
    OF_TRY(of__check_same_device(a, "a", b, "b", err));
    if (a->dtype != b->dtype)
        return of__fail(err, OF_ERR_TYPE, "b has type %s, but a has %s", of_dtype_name(b->dtype),
                        of_dtype_name(a->dtype));
    if (__builtin_add_overflow(a->size, b->size, &n))
        return of__fail(err, OF_ERR_VALUE, "a and b together have more than 2^63 - 1 elements");

    merge_job job = {.rule = of__key_rule_for(a->dtype, opts != NULL && opts->descending),
                     .a_count = a->size,
                     .b_count = b->size,
                     .workers = of__workers_for_elements(n, 16)};
    of_array *merged = NULL, *first = NULL, *second = NULL;
    of_status status = of_array_create(a->storage->device, a->dtype, 1, &n, &merged, err);
    if (status == OF_OK) status = of__take_contiguous(a, a->size, &first, err);
    if (status == OF_OK) status = of__take_contiguous(b, b->size, &second, err);
    if (status == OF_OK) {
        job.a = first->data;
        job.b = second->data;
        job.out = merged->data;
        of__parallel(job.workers, merge_share, &job);
    }
    of_array_release(first);
    of_array_release(second);
    if (status == OF_OK)
        *out = merged;
    else
        of_array_release(merged);
    return status;
}
