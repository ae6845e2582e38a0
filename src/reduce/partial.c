#include "reduce/partial.h"

#include <string.h>

#include "core/round.h"
#include "reduce/load.h"

static bool is_arg(of_operation operation) {
    return operation == OF_ARGMIN || operation == OF_ARGMAX;
}

static bool wants_largest(of_operation operation) {
    return operation == OF_MAX || operation == OF_ARGMAX;
}

bool of__has_empty_value(of_operation operation) {
    return operation != OF_MIN && operation != OF_MAX && !is_arg(operation);
}

void of__partial_begin(of__partial *partial, of_operation operation, of_dtype dtype,
                       bool in_floats) {
    partial->operation = operation;
    partial->dtype = dtype;
    partial->in_floats = in_floats;
    partial->count = 0;
    switch (operation) {
    case OF_SUM:
    case OF_MEAN: of_exact_clear(&partial->as.sum); break;
    case OF_VAR:
    case OF_WEIGHTED_MEAN:
        of_exact_clear(&partial->as.two.first);
        of_exact_clear(&partial->as.two.products);
        break;
    case OF_PROD:
        if (in_floats)
            of__product_begin(&partial->as.product);
        else
            partial->as.integer_product = 1;
        break;
    case OF_COUNT_NONZERO:
    case OF_ANY:
    case OF_ALL: partial->as.nonzero = 0; break;
    default: partial->as.best.bits = 0; partial->as.best.nan = partial->as.best.is_product = false;
    }
}

uint64_t of__order_key(of_dtype dtype, uint64_t bits) {
    int width = 8 * (int)of_dtype_size(dtype);
    uint64_t sign = UINT64_C(1) << (width - 1), all = sign | (sign - 1);
    if (of_dtype_is_float(dtype)) return bits & sign ? ~bits & all : bits | sign;
    return of_dtype_is_signed(dtype) ? bits ^ sign : bits;
}

/* Ties are by ==, so that the zeros are one. */
static uint64_t without_zero_sign(of_dtype dtype, uint64_t bits) {
    bool negative_zero = of_dtype_is_float(dtype) && bits == of__zero_bits(dtype, true);
    return negative_zero ? 0 : bits;
}

/* ---- Adding a block ---- */

/* Sums must know whether every term is -0.0; in practice the first element tells. */
static void note_signs(of_exact *sum, of_dtype dtype, const char *x, int64_t n) {
    if (sum->not_negative_zeros) return;
    int64_t size = (int64_t)of_dtype_size(dtype);
    uint64_t negative_zero = of__zero_bits(dtype, true);
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        memcpy(&bits, x + i * size, (size_t)size);
        if (bits != negative_zero) {
            sum->not_negative_zeros = 1;
            return;
        }
    }
}

/* So few floats are deposited one by one before the kernels have set up their tables. */
enum { SHORT_SUM = 128 };

static void add_short_sum(of_exact *sum, const of__kernels *kernels, of_dtype dtype, const char *x,
                          int64_t n) {
    double high, low;
    if (kernels->small_sum[dtype] && kernels->small_sum[dtype](x, n, &high, &low)) {
        of__exact_deposit_f64(sum, high);
        of__exact_deposit_f64(sum, -low);
        return;
    }
    int64_t size = (int64_t)of_dtype_size(dtype);
    for (int64_t i = 0; i < n; i++)
        of__exact_deposit_f64(sum, of__element_f64(dtype, x + i * size));
}

void of__elements_add(of_exact *sum, const of__kernels *kernels, of_dtype dtype, const void *x,
                      int64_t n) {
    sum->count += n;
    if (of_dtype_is_float(dtype)) {
        sum->floats = 1;
        note_signs(sum, dtype, x, n);
    } else {
        sum->not_negative_zeros = 1;
    }
    int64_t size = (int64_t)of_dtype_size(dtype);
    if (n <= SHORT_SUM && of_dtype_is_float(dtype)) {
        add_short_sum(sum, kernels, dtype, x, n);
        return;
    }
    for (int64_t i = 0, m; i < n; i += m) {
        m = n - i < OF__LONGEST_RUN ? n - i : OF__LONGEST_RUN;
        kernels->sum[dtype]((const char *)x + i * size, m, sum);
    }
}

/* Multiplies a block where there is a kernel that takes it. 16-bit floats go as f32. */
static bool multiply_block(const of__kernels *kernels, of_dtype dtype, const char *x,
                           of__factor *out) {
    if (dtype != OF_F16 && dtype != OF_BF16) {
        of__product_block *kernel = kernels->product_block[dtype];
        return kernel && kernel(x, out);
    }
    uint16_t bits[OF__PRODUCT_BLOCK];
    float wide[OF__PRODUCT_BLOCK];
    memcpy(bits, x, sizeof bits);
    for (int i = 0; i < OF__PRODUCT_BLOCK; i++)
        wide[i] = dtype == OF_F16 ? of__f16_to_f32(bits[i]) : of__bf16_to_f32(bits[i]);
    return kernels->product_block[OF_F32](wide, out);
}

/* Adds n elements, run by run where they are ordinary. */
static void add_product_runs(of__product *product, of_dtype dtype, const char *x, int64_t n) {
    double wide[OF__RUNS_TOGETHER * OF__RUN] = {0};
    int64_t size = (int64_t)of_dtype_size(dtype);
    for (int64_t i = 0, m; i < n; i += m) {
        int64_t to_run = (OF__RUN - product->count % OF__RUN) % OF__RUN;
        m = n - i < OF__RUNS_TOGETHER * OF__RUN ? n - i : OF__RUNS_TOGETHER * OF__RUN;
        if (to_run) m = m < to_run ? m : to_run;
        if (m > OF__RUN) m -= m % OF__RUN;
        of__load_f64s(dtype, x + i * size, m, wide);
        if (m % OF__RUN || !of__product_add_runs(product, wide, (int)(m / OF__RUN)))
            for (int64_t k = 0; k < m; k++) of__product_add(product, wide[k]);
    }
}

static void add_product(of__partial *partial, const of__kernels *kernels, const char *x,
                        int64_t n) {
    int64_t size = (int64_t)of_dtype_size(partial->dtype);
    of__product *product = &partial->as.product;
    for (int64_t i = 0; i < n;) {
        of__factor factor;
        bool whole = n - i >= OF__PRODUCT_BLOCK && of__product_at_block(product);
        if (whole && multiply_block(kernels, partial->dtype, x + i * size, &factor)) {
            of__product_add_block(product, factor);
            i += OF__PRODUCT_BLOCK;
            continue;
        }
        /* a block with special elements, or less than one: run by run */
        int64_t stop = whole ? i + OF__PRODUCT_BLOCK : n;
        if (!whole && !of__product_at_block(product)) {
            int64_t to_block = OF__PRODUCT_BLOCK - product->count % OF__PRODUCT_BLOCK;
            stop = stop - i < to_block ? stop : i + to_block;
        }
        add_product_runs(product, partial->dtype, x + i * size, stop - i);
        i = stop;
    }
}

static void take_best(of__partial *partial, uint64_t bits) {
    if (partial->count == 0) {
        partial->as.best.bits = bits;
        return;
    }
    uint64_t key = of__order_key(partial->dtype, bits);
    uint64_t best = of__order_key(partial->dtype, partial->as.best.bits);
    if (partial->operation == OF_MAX ? key > best : key < best) partial->as.best.bits = bits;
}

static uint64_t block_extreme(const of__partial *partial, const of__kernels *kernels, const void *x,
                              int64_t n, bool *nan) {
    return (wants_largest(partial->operation) ? kernels->max : kernels->min)[partial->dtype](x, n,
                                                                                             nan);
}

/* The index in a block of its first NaN, or else of the first element that is its extreme, `best`.
 */
static int64_t find_in_block(const of__partial *partial, const of__kernels *kernels, const char *x,
                             int64_t n, uint64_t best) {
    int64_t index = 0;
    if (partial->dtype == OF_BOOL)
        while ((x[index] != 0) != best) index++;
    else
        kernels->extreme[wants_largest(partial->operation)][partial->dtype].arg_rows(x, 1, n,
                                                                                     &index);
    return index;
}

/* Elements that argmin and argmax look at together: still in the nearest cache when the index is
 * sought. */
enum { ARG_BLOCK = 2048, SHORT_ARG = 128 };

static void add_arg(of__partial *partial, const of__kernels *kernels, const char *x, int64_t n,
                    int64_t index) {
    of_dtype dtype = partial->dtype;
    int64_t size = (int64_t)of_dtype_size(dtype), best_start = -1;
    bool largest = wants_largest(partial->operation), any = partial->count > 0;
    if (any && partial->as.best.nan && partial->as.best.index < index) return;
    if (!any && n <= SHORT_ARG && dtype != OF_BOOL) { /* one look tells all */
        int64_t found = find_in_block(partial, kernels, x, n, 0);
        of_scalar best = of_scalar_load(dtype, x + found * size);
        double value = of_dtype_is_float(dtype) ? of__element_f64(dtype, x + found * size) : 0;
        partial->as.best.nan = value != value;
        partial->as.best.bits = without_zero_sign(dtype, best.as.bits);
        partial->as.best.index = index + found;
        return;
    }
    for (int64_t i = 0; i < n; i += ARG_BLOCK) {
        bool nan;
        int64_t m = n - i < ARG_BLOCK ? n - i : ARG_BLOCK;
        uint64_t bits = block_extreme(partial, kernels, x + i * size, m, &nan);
        if (nan) {
            partial->as.best.nan = true;
            partial->as.best.index =
                index + i + find_in_block(partial, kernels, x + i * size, m, 0);
            return;
        }
        bits = without_zero_sign(dtype, bits);
        uint64_t key = of__order_key(dtype, bits),
                 best = of__order_key(dtype, partial->as.best.bits);
        if (any && !(largest ? key > best : key < best)) continue;
        partial->as.best.bits = bits;
        best_start = i;
        any = true;
    }
    if (best_start < 0) return;
    int64_t m = n - best_start < ARG_BLOCK ? n - best_start : ARG_BLOCK;
    int64_t found =
        find_in_block(partial, kernels, x + best_start * size, m, partial->as.best.bits);
    partial->as.best.index = index + best_start + found;
}

void of__partial_add(of__partial *partial, const of__kernels *kernels, const void *x, int64_t n,
                     int64_t index) {
    if (n <= 0) return;
    switch (partial->operation) {
    case OF_SUM:
    case OF_MEAN: of__elements_add(&partial->as.sum, kernels, partial->dtype, x, n); break;
    case OF_VAR:
        of__moments_add(&partial->as.two.first, &partial->as.two.products, kernels, partial->dtype,
                        x, n);
        break;
    case OF_PROD:
        if (partial->in_floats)
            add_product(partial, kernels, x, n);
        else
            partial->as.integer_product *= kernels->integer_product[partial->dtype](x, n);
        break;
    case OF_MIN:
    case OF_MAX:
        if (!partial->as.best.nan) {
            bool nan;
            uint64_t bits = block_extreme(partial, kernels, x, n, &nan);
            partial->as.best.nan = nan;
            if (!nan) take_best(partial, bits);
        }
        break;
    case OF_ARGMIN:
    case OF_ARGMAX: add_arg(partial, kernels, x, n, index); break;
    case OF_ABSMAX: {
        uint64_t magnitude = kernels->absmax[partial->dtype](x, n);
        if (magnitude > partial->as.best.bits) partial->as.best.bits = magnitude;
        break;
    }
    default: partial->as.nonzero += kernels->count_nonzero[partial->dtype](x, n);
    }
    partial->count += n;
}

/* How the best of one compares with that of another: more than 0 when it is larger. */
static int compare_best(const of__partial *a, const of__partial *b) {
    if (a->as.best.is_product)
        return of__product_value_compare(&a->as.best.product, &b->as.best.product);
    uint64_t x = of__order_key(a->dtype, a->as.best.bits);
    uint64_t y = of__order_key(b->dtype, b->as.best.bits);
    return (x > y) - (x < y);
}

void of__partial_merge(of__partial *into, const of__partial *from) {
    if (from->count == 0) return;
    switch (into->operation) {
    case OF_SUM:
    case OF_MEAN: of_exact_merge(&into->as.sum, &from->as.sum); break;
    case OF_VAR:
    case OF_WEIGHTED_MEAN:
        of_exact_merge(&into->as.two.first, &from->as.two.first);
        of_exact_merge(&into->as.two.products, &from->as.two.products);
        break;
    case OF_PROD:
        if (into->in_floats)
            of__product_append(&into->as.product, &from->as.product);
        else
            into->as.integer_product *= from->as.integer_product;
        break;
    case OF_MIN:
    case OF_MAX:
        into->as.best.nan |= from->as.best.nan;
        if (!into->as.best.nan) take_best(into, from->as.best.bits);
        break;
    case OF_ARGMIN:
    case OF_ARGMAX: {
        if (into->count == 0) {
            into->as.best = from->as.best;
            break;
        }
        bool earlier = from->as.best.index < into->as.best.index, better;
        if (into->as.best.nan || from->as.best.nan) {
            better = from->as.best.nan && (!into->as.best.nan || earlier);
        } else {
            int order = compare_best(from, into);
            better = order == 0 ? earlier : (order > 0) == wants_largest(into->operation);
        }
        if (better) into->as.best = from->as.best;
        break;
    }
    case OF_ABSMAX:
        if (from->as.best.bits > into->as.best.bits) into->as.best.bits = from->as.best.bits;
        break;
    default: into->as.nonzero += from->as.nonzero;
    }
    into->count += from->count;
}
