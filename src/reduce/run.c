/* Reducing all terms of a slice or an array: in blocks, and in pieces among threads. */
#include <stdatomic.h>

#include "core/threads.h"
#include "reduce/reduction.h"

void of__reduction_feed(const of__reduction *r, const of__terms *terms, int64_t start, int64_t n,
                        of__partial *partial) {
    if (r->map == OF_MAP_NONE && of__layout_is_contiguous(&terms->x)) {
        of__partial_add(partial, r->kernels, terms->x.data + start * terms->x.element_size, n,
                        start);
        return;
    }
    bool sums_products =
        r->map >= OF_MAP_SQUARE && r->term == OF_F64 &&
        (r->operation == OF_SUM || r->operation == OF_MEAN || r->operation == OF_WEIGHTED_MEAN);
    bool contiguous = of__layout_is_contiguous(&terms->x) &&
                      (r->map != OF_MAP_PRODUCT || of__layout_is_contiguous(&terms->y));
    if (sums_products && contiguous) {
        const char *y =
            r->map == OF_MAP_PRODUCT ? terms->y.data + start * terms->y.element_size : NULL;
        of__map_add(r, terms->x.data + start * terms->x.element_size, y, n, start, partial);
        return;
    }
    uint64_t x_buffer[OF__FETCH], y_buffer[OF__FETCH];
    for (int64_t i = start, m; i < start + n; i += m) {
        m = start + n - i < OF__FETCH ? start + n - i : OF__FETCH;
        const void *x = of__layout_fetch(&terms->x, i, m, x_buffer);
        const void *y =
            r->map == OF_MAP_PRODUCT ? of__layout_fetch(&terms->y, i, m, y_buffer) : NULL;
        if (r->map == OF_MAP_NONE)
            of__partial_add(partial, r->kernels, x, m, i);
        else
            of__map_add(r, x, y, m, i, partial);
    }
}

/* Work is handed out in pieces, so that a thread held up elsewhere delays nobody. */
#ifdef ONEFOLD_TEST_SMALL
enum { PIECE_BYTES = 1 << 9, PIECES_A_WORKER = 3 };
#else
enum { PIECE_BYTES = 1 << 20, PIECES_A_WORKER = 16 };
#endif

typedef struct split {
    const of__reduction *reduction;
    const of__terms *terms;
    int64_t size, piece, pieces;
    of__partial *partials; /* one a worker; for products one a piece */
    atomic_llong next;
} split;

static int64_t bytes_of(const of__reduction *r, int64_t size) {
    int64_t bytes = (int64_t)(of_dtype_size(r->source) + of_dtype_size(r->second));
    return size > INT64_MAX / bytes ? INT64_MAX : size * bytes;
}

/* Products depend on the order: each piece is one tree of the fold, and the trees are put together
 * in order. */
static split plan_split(const of__reduction *r, int64_t size, int workers) {
    split s = {.reduction = r, .size = size};
    if (r->in_floats) {
        s.piece = OF__PRODUCT_BLOCK;
        while (size / s.piece > (int64_t)workers * PIECES_A_WORKER) s.piece *= 2;
    } else {
        s.piece = PIECE_BYTES / (int64_t)of_dtype_size(r->source);
    }
    s.pieces = (size + s.piece - 1) / s.piece;
    return s;
}

static void begin(const of__reduction *r, of__partial *partial) {
    of__partial_begin(partial, r->operation, r->term, r->in_floats);
}

static void work(void *context, int worker) {
    split *s = context;
    of__partial *own = &s->partials[worker];
    if (!s->reduction->in_floats) begin(s->reduction, own);
    for (;;) {
        int64_t piece = atomic_fetch_add(&s->next, 1);
        if (piece >= s->pieces) return;
        int64_t start = piece * s->piece, rest = s->size - start;
        if (s->reduction->in_floats) {
            own = &s->partials[piece];
            begin(s->reduction, own);
        }
        of__reduction_feed(s->reduction, s->terms, start, rest < s->piece ? rest : s->piece, own);
    }
}

int of__reduction_workers(const of__reduction *r, int64_t size) {
    return of__workers_for(bytes_of(r, size));
}

int64_t of__reduction_scratch(const of__reduction *r, int64_t size, int workers) {
    if (workers == 1) return 0;
    int64_t partials = r->in_floats ? plan_split(r, size, workers).pieces : workers;
    return partials * (int64_t)sizeof(of__partial);
}

void of__reduction_run(const of__reduction *r, const of__terms *terms, int workers, void *scratch,
                       of__partial *partial) {
    begin(r, partial);
    if (workers == 1) {
        of__reduction_feed(r, terms, 0, terms->x.size, partial);
        return;
    }
    split s = plan_split(r, terms->x.size, workers);
    s.terms = terms;
    s.partials = scratch;
    of__parallel(workers, work, &s);
    int64_t partials = r->in_floats ? s.pieces : workers;
    for (int64_t i = 0; i < partials; i++) of__partial_merge(partial, &s.partials[i]);
}

/* Of n floats. */
static bool reduce_few_floats(const of__reduction *r, const void *x, int64_t n, of_dtype result,
                              of_scalar *out) {
    double high, low;
    int64_t unsure;
    if (!r->kernels->small_sum[r->source](x, n, &high, &low)) return false;
    if (r->operation == OF_MEAN) {
        if (result != OF_F64 && result != OF_F32) return false;
        *out = (of_scalar){.dtype = result};
        return r->kernels->round_means(&high, &low, 1, n, result == OF_F32, &out->as, &unsure) == 0;
    }
    if (result == OF_F64) {
        *out = of_scalar_f64(high - low);
        return true;
    }
    *out = of_scalar_f32((float)high);
    return result == OF_F32 && low == 0; /* else it would round twice */
}

/* Of n integers. Those of 32 bits or fewer have a sum that f64 holds. */
static bool reduce_few_integers(const of__reduction *r, const void *x, int64_t n, of_dtype result,
                                of_scalar *out) {
    bool is_mean = r->operation == OF_MEAN, to_float = of_dtype_is_float(result);
    if (to_float && (result != OF_F64 || of_dtype_size(r->source) > 4)) return false;
    uint64_t sum = 0;
    r->kernels->add_rows[r->source](x, 1, n, &sum);
    if (to_float)
        *out = of_scalar_f64((double)(int64_t)sum / (is_mean ? (double)n : 1.0));
    else
        *out = of_scalar_convert(of_scalar_u64(sum), result);
    return true;
}

/* A sum or mean of few elements, without an accumulator. False when it needs one. */
static bool reduce_few(const of__reduction *r, const of__terms *terms, const of__finish *finish,
                       of_scalar *out) {
    int64_t n = terms->x.size;
    if ((r->operation != OF_SUM && r->operation != OF_MEAN) || r->map != OF_MAP_NONE ||
        finish->init || n < 1 || n > OF__SMALL_SUM || !of__layout_is_contiguous(&terms->x))
        return false;
    if (r->kernels->small_sum[r->source])
        return reduce_few_floats(r, terms->x.data, n, finish->result, out);
    return r->kernels->add_rows[r->source] &&
           reduce_few_integers(r, terms->x.data, n, finish->result, out);
}

of_scalar of__reduction_answer(const of__reduction *r, const of__terms *terms, int workers,
                               void *scratch, const of__finish *finish) {
    of_scalar small;
    if (workers == 1 && reduce_few(r, terms, finish, &small)) return small;
    of__partial partial;
    of__reduction_run(r, terms, workers, scratch, &partial);
    return of__partial_finish(&partial, finish);
}
