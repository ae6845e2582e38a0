#include "group/group_extreme.h"

#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "group/group_order.h"
#include "reduce/kernels.h"

#define GLUE_(a, b) a##b
#define GLUE(a, b)  GLUE_(a, b)
#define NAME        i8
#define TYPE        int8_t
#include "group/keep_best.inc"
#define NAME i16
#define TYPE int16_t
#include "group/keep_best.inc"
#define NAME i32
#define TYPE int32_t
#include "group/keep_best.inc"
#define NAME i64
#define TYPE int64_t
#include "group/keep_best.inc"
#define NAME u8
#define TYPE uint8_t
#include "group/keep_best.inc"
#define NAME u16
#define TYPE uint16_t
#include "group/keep_best.inc"
#define NAME u32
#define TYPE uint32_t
#include "group/keep_best.inc"
#define NAME u64
#define TYPE uint64_t
#include "group/keep_best.inc"

typedef void keep(bool largest, const int64_t *group, int64_t n, int64_t groups, const void *keys,
                  void *best);

/* Keys are signed integers of an element's size, but those of unsigned elements unsigned. */
static keep *const keeps[OF_DTYPE_END] = {
    [OF_BOOL] = keep_u8, [OF_I8] = keep_i8,   [OF_I16] = keep_i16,  [OF_I32] = keep_i32,
    [OF_I64] = keep_i64, [OF_U8] = keep_u8,   [OF_U16] = keep_u16,  [OF_U32] = keep_u32,
    [OF_U64] = keep_u64, [OF_F16] = keep_i16, [OF_BF16] = keep_i16, [OF_F32] = keep_i32,
    [OF_F64] = keep_i64,
};

typedef struct extremes {
    const of__grouped *source;
    const of__extreme_kernels *kernels;
    keep *keep;
    bool largest;
    int64_t sums, size; /* of a key */
    uint64_t worst;     /* the key that every other beats */
    of_scalar empty;
    const int64_t *count; /* of rows in each group; NULL where the worst key tells */
    int workers;
    char **best; /* one table a worker */
    char *out;
    of__group_pieces pieces;
    atomic_llong next;
    atomic_bool has_failed;
} extremes;

/* The order of signed keys starts in the middle of that of their bits. No float has the worst key:
 * NaNs, which alone lie beyond the infinities, are put on the side that wins. */
static uint64_t worst_key(of_dtype dtype, bool largest) {
    uint64_t ones = UINT64_MAX >> (64 - 8 * of_dtype_size(dtype));
    bool is_signed = of_dtype_is_signed(dtype) || of_dtype_is_float(dtype);
    if (dtype == OF_BOOL) return !largest;
    if (is_signed) return largest ? ones - (ones >> 1) : ones >> 1;
    return largest ? 0 : ones;
}

static void fill(char *keys, int64_t n, int64_t size, uint64_t key) {
    for (int64_t i = 0; i < n; i++) memcpy(keys + i * size, &key, (size_t)size);
}

static void add_block(const extremes *e, const of__group_block *block, char *best) {
    int64_t width = e->source->width, groups = e->source->groups;
    const char *x = block->values;
    uint8_t flags[OF__GROUP_BLOCK];
    if (e->source->dtype == OF_BOOL) {
        for (int64_t i = 0; i < block->rows * block->columns; i++) flags[i] = x[i] != 0;
        x = (const char *)flags;
    }
    if (width == 1) {
        uint64_t keys[OF__GROUP_BLOCK];
        e->kernels->columns(&x, 1, block->rows, true, keys);
        e->keep(e->largest, block->group, block->rows, groups, keys, best);
        return;
    }
    for (int64_t i = 0; i < block->rows; i++, x += block->columns * e->size)
        if ((uint64_t)block->group[i] < (uint64_t)groups)
            e->kernels->columns(&x, 1, block->columns, false,
                                best + (block->group[i] * width + block->column) * e->size);
}

static void take_rows(void *context, int worker) {
    extremes *e = context;
    of__group_reader reader;
    of__group_block block;
    e->best[worker] = of__alloc((size_t)(e->sums + 1) * (size_t)e->size);
    if (!e->best[worker]) {
        atomic_store(&e->has_failed, true);
        return;
    }
    fill(e->best[worker], e->sums + 1, e->size, e->worst);
    while (of__group_next_piece(&e->pieces, true, &reader))
        while (of__group_next(&reader, &block)) add_block(e, &block, e->best[worker]);
}

#ifdef ONEFOLD_TEST_SMALL
enum { SUMS_TOGETHER = 7 };
#else
enum { SUMS_TOGETHER = 4096 };
#endif

static bool is_empty(const extremes *e, int64_t sum) {
    if (e->count) return !e->count[sum / e->source->width];
    uint64_t key = 0;
    memcpy(&key, e->best[0] + sum * e->size, (size_t)e->size);
    return key == e->worst;
}

static void finish_some(void *context, int worker) {
    (void)worker;
    extremes *e = context;
    for (;;) {
        int64_t start = atomic_fetch_add(&e->next, SUMS_TOGETHER);
        if (start >= e->sums) return;
        int64_t n = e->sums - start < SUMS_TOGETHER ? e->sums - start : SUMS_TOGETHER;
        char *best = e->best[0] + start * e->size, *out = e->out + start * e->size;
        for (int w = 1; w < e->workers; w++)
            e->kernels->merge(best, e->best[w] + start * e->size, n);
        e->kernels->elements(best, n, out);
        for (int64_t i = 0; i < n; i++)
            if (is_empty(e, start + i)) of_scalar_store(e->empty, out + i * e->size);
    }
}

of_status of__group_extremes(const of__grouped *source, bool largest, of_scalar empty, void *out,
                             of_error *err) {
    of_dtype dtype = source->dtype, known = dtype == OF_BOOL ? OF_U8 : dtype;
    extremes e = {.source = source,
                  .kernels = &of__kernels_current()->extreme[largest][known],
                  .keep = keeps[dtype],
                  .largest = largest,
                  .sums = source->groups * source->width,
                  .size = (int64_t)of_dtype_size(dtype),
                  .worst = worst_key(dtype, largest),
                  .empty = empty,
                  .out = out,
                  .pieces = {.source = source}};
    e.workers = of__grouped_workers(source, e.sums);
    /* Integers may be the worst there is. */
    bool counts = !of_dtype_is_float(dtype) && empty.as.bits != e.worst;
    int64_t *count = counts ? of__alloc((size_t)source->groups * sizeof *count) : NULL;
    e.best = of__alloc_zeroed((size_t)e.workers * sizeof *e.best);
    of_status status = OF_OK;
    if (!e.best || (counts && !count))
        status = of__fail(err, OF_ERR_MEMORY, "no memory for extremes of %lld groups",
                          (long long)source->groups);
    else if (counts)
        status = of__group_count(source, count, err);
    e.count = count;
    if (status == OF_OK) of__parallel(e.workers, take_rows, &e);
    if (status == OF_OK && atomic_load(&e.has_failed))
        status =
            of__fail(err, OF_ERR_MEMORY, "no memory for extremes of %lld sums", (long long)e.sums);
    if (status == OF_OK) of__parallel(e.workers, finish_some, &e);
    for (int w = 0; e.best && w < e.workers; w++) of__free(e.best[w]);
    of__free(e.best);
    of__free(count);
    return status;
}
