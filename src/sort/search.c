/* of_searchsorted: values become keys, keys are found by halving, several at a time. */
#include "array/checks.h"
#include "core/fail.h"
#include "core/threads.h"
#include "sort/key_rule.h"
#include "sort/rows.h"
#include "sort/shares.h"
#include "sort/threshold.h"

#include <onefold/sort.h>

/* Searches that go on side by side, so that the wait for memory is shared. */
enum { TOGETHER = 16 };

typedef struct search {
    of__key_rule rule; /* ascending */
    of_dtype dtype, value_dtype, index_dtype;
    const char *sorted, *values;
    int64_t n, count;
    bool descending, after; /* after: what is sought is the first key behind the value */
    void *out;
    int workers;
} search;

/* How many of n elements come before each threshold: those with a lower key, or for falling
 * elements those whose key is not lower. */
OF__INLINE void find(const search *s, int bits, bool falls, const uint64_t *threshold,
                     int64_t *found) {
    const of__key_rule rule = s->rule;
    for (int k = 0; k < TOGETHER; k++) found[k] = 0;
    int64_t length = s->n;
    for (; length > 1; length -= length / 2)
        for (int k = 0; k < TOGETHER; k++) {
            uint64_t key =
                of__key_of(&rule, bits, of__bits_at(bits, s->sorted, found[k] + length / 2 - 1));
            found[k] += (key < threshold[k]) != falls ? length / 2 : 0;
        }
    for (int k = 0; k < TOGETHER && length == 1; k++) {
        uint64_t key = of__key_of(&rule, bits, of__bits_at(bits, s->sorted, found[k]));
        found[k] += (key < threshold[k]) != falls;
    }
}

static void find_any(const search *s, const uint64_t *threshold, int64_t *found) {
    switch (s->rule.bits) {
    case 8: find(s, 8, s->descending, threshold, found); break;
    case 16: find(s, 16, s->descending, threshold, found); break;
    case 32: find(s, 32, s->descending, threshold, found); break;
    default: find(s, 64, s->descending, threshold, found); break;
    }
}

/* False when all elements come before the value in ascending order. */
static bool threshold_of(const search *s, int64_t i, uint64_t *out) {
    int64_t size = (int64_t)of_dtype_size(s->value_dtype);
    if (s->value_dtype != s->dtype)
        return of__threshold(&s->rule, s->dtype,
                             of_scalar_load(s->value_dtype, s->values + i * size), s->after, out);
    uint64_t key = of__key_of(&s->rule, s->rule.bits, of__bits_at(s->rule.bits, s->values, i));
    *out = key + s->after;
    return !s->after || key < s->rule.most;
}

static void search_share(void *context, int worker) {
    const search *s = context;
    int64_t stop = of__share_start(s->count, s->workers, worker + 1);
    const int index_bits = 8 * (int)of_dtype_size(s->index_dtype);
    for (int64_t i = of__share_start(s->count, s->workers, worker); i < stop; i += TOGETHER) {
        int m = stop - i < TOGETHER ? (int)(stop - i) : TOGETHER;
        uint64_t threshold[TOGETHER] = {0};
        bool inside[TOGETHER] = {false};
        int64_t found[TOGETHER];
        for (int k = 0; k < m; k++) inside[k] = threshold_of(s, i + k, &threshold[k]);
        find_any(s, threshold, found);
        for (int k = 0; k < m; k++) {
            int64_t beyond = s->descending ? 0 : s->n;
            of__put_bits(index_bits, s->out, i + k, (uint64_t)(inside[k] ? found[k] : beyond));
        }
    }
}

of_status of_searchsorted(const of_array *sorted, const of_array *values,
                          const of_search_opts *opts, of_array **out, of_error *err) {
    static const of_search_opts defaults = {0};
    if (opts == NULL) opts = &defaults;
    OF_TRY(of__check_given(sorted, "sorted", err));
    OF_TRY(of__check_given(values, "values", err));
    OF_TRY(of__check_same_device(sorted, "sorted", values, "values", err));
    search s = {.rule = of__key_rule_for(sorted->dtype, false),
                .dtype = sorted->dtype,
                .value_dtype = values->dtype,
                .count = values->size,
                .descending = opts->descending,
                .after = opts->right != opts->descending};
    OF_TRY(of__check_limit(opts->n, sorted->size, "sorted", &s.n, err));
    OF_TRY(of__check_index_dtype(opts->index_dtype, s.n, &s.index_dtype, err));

    of_array *found = NULL, *keys = NULL, *wanted = NULL;
    of_status status = of_array_create(sorted->storage->device, s.index_dtype, values->ndim,
                                       values->shape, &found, err);
    if (status == OF_OK) status = of__take_contiguous(sorted, s.n, &keys, err);
    if (status == OF_OK) status = of__take_contiguous(values, values->size, &wanted, err);
    if (status == OF_OK) {
        s.sorted = keys->data;
        s.values = wanted->data;
        s.out = found->data;
        s.workers = of__workers_for_elements(s.count, 64); /* a search is worth several reads */
        of__parallel(s.workers, search_share, &s);
    }
    of_array_release(keys);
    of_array_release(wanted);
    if (status == OF_OK)
        *out = found;
    else
        of_array_release(found);
    return status;
}
