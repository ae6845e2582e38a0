#include "sort/merge_few.h"

/* Runs of so many are sorted by insertion. */
#ifdef ONEFOLD_TEST_SMALL
enum { INSERTED = 3 };
#else
enum { INSERTED = 16 };
#endif

#define RECORD         uint64_t
#define IS_BELOW(a, b) ((a) < (b))
#define NAME           sort_words
#include "sort/merge_few_record.inc"

/* Where key and index do not fit into one word. */
typedef struct wide_record {
    uint64_t key, index;
} wide_record;

#define RECORD         wide_record
#define IS_BELOW(a, b) ((a).key < (b).key)
#define NAME           sort_wide
#include "sort/merge_few_record.inc"

static void write_result(const of__sort_request *request, int bits, int at, int64_t index) {
    if (request->sorted != NULL)
        of__put_bits(bits, request->sorted, at, of__bits_at(bits, request->keys, index));
    if (request->order != NULL && request->index_dtype == OF_I32)
        of__put_bits(32, request->order, at, (uint64_t)index);
    else if (request->order != NULL)
        of__put_bits(64, request->order, at, (uint64_t)index);
}

static uint64_t key_at(const of__sort_plan *plan, int i) {
    uint64_t x = of__bits_at(plan->rule.bits, plan->request.keys, i);
    return of__key_of(&plan->rule, plan->rule.bits, x) - plan->base;
}

void of__merge_few(const of__sort_plan *plan) {
    const of__sort_request *request = &plan->request;
    const int n = (int)request->n, bits = plan->rule.bits;
    const int index_bits = 64 - __builtin_clzll((uint64_t)n - 1);
    if (plan->low + plan->key_bits + index_bits <= 64) {
        uint64_t words[2][OF__MERGE_FEW];
        for (int i = 0; i < n; i++) words[0][i] = key_at(plan, i) << index_bits | (uint64_t)i;
        const uint64_t *sorted = sort_words(words[0], words[1], n);
        const uint64_t mask = ~(UINT64_MAX << index_bits);
        for (int i = 0; i < n; i++) write_result(request, bits, i, (int64_t)(sorted[i] & mask));
    } else {
        wide_record wide[2][OF__MERGE_FEW];
        for (int i = 0; i < n; i++) wide[0][i] = (wide_record){key_at(plan, i), (uint64_t)i};
        const wide_record *sorted = sort_wide(wide[0], wide[1], n);
        for (int i = 0; i < n; i++) write_result(request, bits, i, (int64_t)sorted[i].index);
    }
}
