/*
 * Columns side by side: a strip of them is walked down the rows, eight rows at a time, its sums or
 * extremes staying in cache.
 *
 * A matrix with few columns is seen as one with fewer, longer rows, whose columns are put together
 * in the end. With fewer strips than threads, threads share a strip's rows, each with a strip of
 * its own.
 *
 * Where eight rows are not exact, they are added again by fewer columns at a time; a single column
 * that is not exact goes to an accumulator, of which a strip has a few; when these do not suffice,
 * its outputs are computed the general way.
 */
#include <stdatomic.h>
#include <string.h>

#include "core/threads.h"
#include "reduce/dims.h"

#ifdef ONEFOLD_TEST_SMALL
enum { STRIP_BYTES = 256, STRIP = STRIP_BYTES / 4, FOLDED = 24, SPILLS = 4, PIECE_BYTES = 1 << 9 };
#else
enum {
    STRIP_BYTES = 1 << 15,
    STRIP = STRIP_BYTES / 4,
    FOLDED = 1024,
    SPILLS = 256,
    PIECE_BYTES = 1 << 20
};
#endif

/* Rows added at once: eight, or more of narrow strips; strips with few rows in all are narrow, to
 * stay in the nearest cache. */
enum {
    ROWS = 8,
    MOST_ROWS = 64,
    ELEMENTS_AT_ONCE = 4096,
    FEW_ROWS = 16,
    NARROW_STRIP = 1024,
    MOST_ROWS_ELEMENTS = ROWS * NARROW_STRIP
};
_Static_assert(ELEMENTS_AT_ONCE <= MOST_ROWS_ELEMENTS && (int)FOLDED <= (int)NARROW_STRIP,
               "narrow strips fit");

typedef struct strip {
    int64_t rows; /* taken in so far */
    int current;  /* which pair of arrays holds the sums */
    bool gave_up;
    int spills;
    int16_t spill_of[STRIP]; /* by column: its accumulator, or -1; set when the first is spilled */
    union {
        double pairs[2][2][STRIP]; /* [which][high, low] */
        uint64_t integers[STRIP];
        char keys[8 * STRIP];
        struct {
            char keys[8 * STRIP];
            int64_t index[STRIP];
        } args;
    } as;
    of_exact spill[SPILLS];
    float wide[MOST_ROWS_ELEMENTS]; /* rows of 16-bit floats, widened */
} strip;

typedef struct columns {
    const of__call *call;
    const of__answers *answers;
    of__short_form form;
    of__layout outer;  /* the kept dimensions but the innermost */
    int64_t inner;     /* columns in the innermost */
    int64_t fold;      /* rows seen as one; 1 unless there are few columns */
    int64_t width;     /* columns of a strip, without folding */
    int64_t strips;    /* in a row of the innermost dimension */
    strip *strip;      /* one a worker */
    const char *data;  /* of the strip whose rows are shared */
    atomic_llong next; /* the next strip, or piece of the shared one, to be taken */
} columns;

static void strip_begin(strip *s, of__short_form form, int64_t width) {
    s->rows = 0;
    s->current = 0;
    s->gave_up = false;
    s->spills = 0;
    if (form == OF__FORM_INTEGERS)
        memset(s->as.integers, 0, (size_t)width * sizeof *s->as.integers);
}

/* A column's sum so far: the exact high - low. */
static void read_pair(const strip *s, of_dtype type, int64_t j, double *high, double *low) {
    *high = s->rows ? s->as.pairs[s->current][0][j] : -0.0;
    *low = s->rows && type == OF_F64 ? s->as.pairs[s->current][1][j] : 0;
}

/* A column and its new elements go to an accumulator, and the column starts anew. */
static void spill(strip *s, of_dtype type, const char *const *row, int rows, int64_t j) {
    if (!s->spills) memset(s->spill_of, 0xff, sizeof s->spill_of);
    if (s->spill_of[j] < 0) {
        if (s->spills == SPILLS) {
            s->gave_up = true;
            return;
        }
        s->spill_of[j] = (int16_t)s->spills++;
        of_exact_clear(&s->spill[s->spill_of[j]]);
    }
    of_exact *exact = &s->spill[s->spill_of[j]];
    int64_t size = (int64_t)of_dtype_size(type);
    double high, low;
    read_pair(s, type, j, &high, &low);
    of__exact_add(exact, of_scalar_f64(high));
    of__exact_deposit_f64(exact, -low);
    for (int i = 0; i < rows; i++) of__exact_add(exact, of_scalar_load(type, row[i] + j * size));
    s->as.pairs[!s->current][0][j] = -0.0;
    s->as.pairs[!s->current][1][j] = 0;
}

/* Adds rows to columns j to j + n, in smaller parts where the whole is not exact. */
static void sum_part(strip *s, const of__kernels *kernels, of_dtype type, const char *const *row,
                     int rows, int64_t j, int64_t n) {
    double(*in)[STRIP] = s->as.pairs[s->current], (*out)[STRIP] = s->as.pairs[!s->current];
    const char *part[MOST_ROWS];
    int64_t size = (int64_t)of_dtype_size(type);
    for (int i = 0; i < rows; i++) part[i] = row[i] + j * size;
    if (kernels->sum_columns[type](part, rows, n, s->rows ? in[0] + j : NULL, in[1] + j, out[0] + j,
                                   out[1] + j))
        return;
    if (n == 1) {
        spill(s, type, row, rows, j);
        return;
    }
    int64_t step = n > 64 ? 64 : n > 8 ? 8 : 1;
    for (int64_t k = 0; k < n && !s->gave_up; k += step)
        sum_part(s, kernels, type, row, rows, j + k, n - k < step ? n - k : step);
}

static void widen_rows(strip *s, const of__reduction *r, const char *const *row, int rows,
                       int64_t width, const char **wide_row) {
    for (int i = 0; i < rows; i++) {
        r->kernels->widen[r->source](row[i], width, s->wide + i * width);
        wide_row[i] = (const char *)(s->wide + i * width);
    }
}

static void strip_add(strip *s, const columns *c, const char *const *row, int rows, int64_t width) {
    const of__reduction *r = &c->call->reduction;
    const char *wide_row[MOST_ROWS];
    if (s->gave_up) return;
    switch (c->form) {
    case OF__FORM_PAIRS:
        if (r->kernels->widen[r->source]) widen_rows(s, r, row, rows, width, wide_row);
        sum_part(s, r->kernels, of__summed_type(r), r->kernels->widen[r->source] ? wide_row : row,
                 rows, 0, width);
        s->current = !s->current;
        break;
    case OF__FORM_INTEGERS:
        r->kernels->add_columns[r->source](row, rows, width, s->as.integers);
        break;
    case OF__FORM_INDICES:
        r->kernels->extreme[r->operation == OF_ARGMAX][r->source].arg_columns(
            row, rows, width, s->rows, s->as.args.keys, s->as.args.index);
        break;
    default:
        r->kernels->extreme[r->operation == OF_MAX][r->source].columns(row, rows, width,
                                                                       s->rows == 0, s->as.keys);
    }
    s->rows += rows;
}

/* Takes in folded rows start to stop of the columns at `data`. */
static void strip_walk(strip *s, const columns *c, const char *data, int64_t width, int64_t start,
                       int64_t stop) {
    const of__layout *slice = &c->call->slice.x;
    int64_t index[OF_MAX_DIMS], position = start * c->fold;
    const char *at = data + of__layout_offset(slice, position);
    for (int i = slice->ndim - 1; i >= 0; i--) {
        index[i] = position % slice->shape[i];
        position /= slice->shape[i];
    }
    int last = slice->ndim - 1;
    int at_once = (int)(ELEMENTS_AT_ONCE / width / ROWS * ROWS);
    at_once = at_once < ROWS ? ROWS : at_once > MOST_ROWS ? MOST_ROWS : at_once;
    while (start < stop) {
        const char *row[MOST_ROWS];
        int rows = 0;
        for (; rows < at_once && start < stop; rows++, start++) {
            row[rows] = at;
            at += c->fold * slice->strides[last]; /* folded rows lie in one dimension */
            index[last] += c->fold;
            for (int i = last; i > 0 && index[i] == slice->shape[i]; i--) {
                at += slice->strides[i - 1] - slice->shape[i] * slice->strides[i];
                index[i] = 0;
                index[i - 1]++;
            }
        }
        strip_add(s, c, row, rows, width);
    }
}

/* Takes in the rows left over when they are folded; the strip has others. */
static void strip_walk_rest(strip *s, const columns *c, const char *data) {
    const of__layout *slice = &c->call->slice.x;
    for (int64_t i = slice->size / c->fold * c->fold; i < slice->size; i++) {
        const char *row = data + i * slice->strides[0];
        if (c->form ==
            OF__FORM_PAIRS) /* the columns that the row does not reach stay as they are */
            memcpy(s->as.pairs[!s->current], s->as.pairs[s->current], sizeof s->as.pairs[0]);
        strip_add(s, c, &row, 1, c->inner);
    }
}

/* ---- Ending a strip ---- */

/* A column's parts, of all strips and folded rows, in an accumulator. False when one is not finite.
 */
static bool gather_column(const columns *c, const strip *strips, int count, int64_t n, int64_t j,
                          of_exact *sum) {
    of_exact_clear(sum);
    for (const strip *s = strips; s < strips + count; s++)
        for (int64_t k = j; k < c->fold * n; k += n) {
            double high, low;
            read_pair(s, of__summed_type(&c->call->reduction), k, &high, &low);
            if (high - high != 0 || low - low != 0) return false;
            of__exact_add(sum, of_scalar_f64(high));
            of__exact_deposit_f64(sum, -low);
            if (s->spills && s->spill_of[k] >= 0) of_exact_merge(sum, &s->spill[s->spill_of[k]]);
        }
    return true;
}

static void finish_gathered(const columns *c, const strip *strips, int count, int64_t first,
                            int64_t n) {
    of_dtype dtype = c->answers->dtype;
    int64_t size = (int64_t)of_dtype_size(dtype);
    bool mean = c->call->reduction.operation == OF_MEAN;
    for (int64_t j = 0; j < n; j++) {
        of_exact sum;
        if (!gather_column(c, strips, count, n, j, &sum)) {
            of__call_compute_some(c->call, c->answers, first + j, 1);
            continue;
        }
        uint64_t bits =
            of__exact_round_bits(&sum, mean ? (uint64_t)c->call->slice.x.size : 1, dtype);
        memcpy(c->answers->data + (first + j) * size, &bits, (size_t)size);
    }
}

static void finish_pairs(const columns *c, const strip *strips, int count, int64_t first,
                         int64_t n) {
    bool gave_up = false, spilled = false;
    for (int w = 0; w < count; w++) {
        gave_up |= strips[w].gave_up;
        spilled |= strips[w].spills > 0;
    }
    if (gave_up)
        of__call_compute_some(c->call, c->answers, first, n);
    else if (count == 1 && c->fold == 1 && !spilled)
        of__finish_pairs(c->call, c->answers, first, n, strips->as.pairs[strips->current][0],
                         strips->as.pairs[strips->current][1]);
    else
        finish_gathered(c, strips, count, first, n);
}

/* Puts the strips' integers together in the first, and folded columns in its first n. */
static void finish_integers(const columns *c, strip *strips, int count, int64_t first, int64_t n) {
    uint64_t *sum = strips[0].as.integers;
    for (int w = 1; w < count; w++)
        for (int64_t j = 0; j < c->fold * n; j++) sum[j] += strips[w].as.integers[j];
    for (int64_t j = n; j < c->fold * n; j++) sum[j % n] += sum[j];
    of__finish_integers(c->answers, first, n, sum);
}

static void finish_keys(const columns *c, strip *strips, int count, int64_t first, int64_t n) {
    const of__reduction *r = &c->call->reduction;
    const of__extreme_kernels *kernels = &r->kernels->extreme[r->operation == OF_MAX][r->source];
    int64_t size = (int64_t)of_dtype_size(r->source);
    char *keys = strips[0].as.keys;
    for (int w = 1; w < count; w++)
        if (strips[w].rows) kernels->merge(keys, strips[w].as.keys, c->fold * n);
    for (int64_t k = 1; k < c->fold; k++) kernels->merge(keys, keys + k * n * size, n);
    kernels->elements(keys, n, c->answers->data + first * size);
}

static void finish(const columns *c, strip *strips, int count, int64_t first, int64_t n) {
    switch (c->form) {
    case OF__FORM_PAIRS: finish_pairs(c, strips, count, first, n); break;
    case OF__FORM_INTEGERS: finish_integers(c, strips, count, first, n); break;
    case OF__FORM_INDICES:
        memcpy(c->answers->data + first * (int64_t)sizeof(int64_t), strips->as.args.index,
               (size_t)n * sizeof(int64_t));
        break;
    default: finish_keys(c, strips, count, first, n);
    }
}

/* ---- Strips among threads ---- */

static int64_t strips_of(const columns *c) {
    return c->outer.size * c->strips;
}

/* Where a strip lies, which output is its first, and how many it has. */
static const char *locate(const columns *c, int64_t strip_number, int64_t *first, int64_t *n) {
    int64_t outer = strip_number / c->strips, column = strip_number % c->strips * c->width;
    *first = outer * c->inner + column;
    *n = c->inner - column < c->width ? c->inner - column : c->width;
    return c->call->x_kept.data + of__layout_offset(&c->outer, outer) +
           column * c->outer.element_size;
}

static void whole_strips(void *context, int worker) {
    columns *c = context;
    strip *s = &c->strip[worker];
    for (;;) {
        int64_t first, n, strip_number = atomic_fetch_add(&c->next, 1);
        if (strip_number >= strips_of(c)) return; /* a strip is work enough to take one at a time */
        const char *data = locate(c, strip_number, &first, &n);
        strip_begin(s, c->form, c->fold * n);
        strip_walk(s, c, data, c->fold * n, 0, c->call->slice.x.size / c->fold);
        strip_walk_rest(s, c, data);
        finish(c, s, 1, first, n);
    }
}

static void shared_strip(void *context, int worker) {
    columns *c = context;
    strip *s = &c->strip[worker];
    int64_t columns_here = c->fold * c->width;
    int64_t rows = c->call->slice.x.size / c->fold;
    int64_t piece = PIECE_BYTES / (columns_here * c->outer.element_size) / ROWS * ROWS + ROWS;
    for (;;) {
        int64_t start = atomic_fetch_add(&c->next, piece), stop = start + piece;
        if (start >= rows) return;
        strip_walk(s, c, c->data, columns_here, start, stop < rows ? stop : rows);
    }
}

/* The first strip always has rows, for the ends of it that assume some. */
static void share_strip(columns *c, int64_t strip_number) {
    int64_t first, n, width = c->width;
    c->data = locate(c, strip_number, &first, &n);
    c->width = n;
    for (int w = 0; w < c->call->workers; w++) strip_begin(&c->strip[w], c->form, c->fold * n);
    int64_t rows = c->call->slice.x.size / c->fold, begun = rows < ROWS ? rows : ROWS;
    strip_walk(&c->strip[0], c, c->data, c->fold * n, 0, begun);
    strip_walk_rest(&c->strip[0], c, c->data);
    atomic_store(&c->next, begun);
    of__parallel(c->call->workers, shared_strip, c);
    finish(c, c->strip, c->call->workers, first, n);
    c->width = width;
}

int64_t of__columns_scratch(const of__call *call) {
    return call->workers * (int64_t)sizeof(strip);
}

/* Few columns are folded, if the rows are dense, into at most FOLDED; not so many rows at once that
 * putting their sums together costs more than adding them. */
static int64_t fold_of(const of__call *call, int64_t inner) {
    const of__layout *slice = &call->slice.x;
    if (of__reduction_form(&call->reduction) == OF__FORM_INDICES) return 1;
    if (slice->ndim > 1 || slice->strides[0] != inner * slice->element_size) return 1;
    int64_t fold = FOLDED / inner, most = slice->size / ROWS / (call->x_kept.ndim > 1 ? ROWS : 1);
    if (fold > most) fold = most;
    return fold < 1 ? 1 : fold;
}

void of__run_columns(const of__call *call, const of__answers *answers, void *scratch) {
    const of__layout *kept = &call->x_kept;
    columns c = {.call = call,
                 .answers = answers,
                 .form = of__reduction_form(&call->reduction),
                 .strip = scratch};
    c.inner = kept->shape[kept->ndim - 1];
    c.outer = *kept;
    c.outer.ndim--;
    c.outer.size = kept->size / c.inner;
    c.fold = fold_of(call, c.inner);
    int64_t most =
        STRIP_BYTES / kept->element_size < STRIP ? STRIP_BYTES / kept->element_size : STRIP;
    bool narrow =
        call->slice.x.size <= FEW_ROWS || call->reduction.kernels->widen[call->reduction.source];
    if (narrow && most > NARROW_STRIP) most = NARROW_STRIP;
    c.strips = (c.inner + most - 1) / most;
    c.width = (c.inner + c.strips - 1) / c.strips;
    bool shares_rows = c.form != OF__FORM_INDICES && call->workers > 1;
    if (shares_rows && strips_of(&c) < 2 * (int64_t)call->workers)
        for (int64_t i = 0; i < strips_of(&c); i++) share_strip(&c, i);
    else
        of__parallel(call->workers, whole_strips, &c);
}
