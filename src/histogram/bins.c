/* How the bin of an element is found, and the slow way that always works. */
#include "histogram/bins.h"

#include <math.h>

#include "array/convert_rows.h"
#include "core/isa.h"

/*
 * How far a computed position is from the place of the nearest edge that it is compared with, in
 * bins, u being the guess's unit roundoff. Let d = hi - lo, m the larger of |lo| and |hi|, w the
 * width.
 *   - The edges lie within 2^-53 (d + m) / w of lo + i w, and the last one too, within twice that.
 *   - An element of 64 bits that is rounded moves by 2^-53 m.
 *   - low is lo rounded; the subtraction, the inverse, the product and adding 1 each err by u of a
 *     position of at most count + 2.
 * Elements far outside err by more, but each step keeps the order, so that they come out outside.
 */
static double guess_error(double unit, double lo, double hi, double low, double width,
                          int64_t count) {
    double distance = hi - lo, magnitude = fmax(fabs(lo), fabs(hi));
    return 0x1p-50 * (distance / width + magnitude / width) + 2 * fabs(lo - low) / width +
           8 * unit * ((double)count + 2);
}

of__bins of__bins_plan(of_dtype dtype, int64_t count, const double *edges, double width) {
    of__bins bins = {.count = count, .edges = edges, .guess = OF__GUESS_NONE};
    double lo = edges[0], hi = edges[count], low32 = (float)lo;
    bool narrow = of_dtype_size(dtype) < 4 || dtype == OF_F32; /* an f32 holds the elements */
    if (narrow && width > 0x1p-100 && width < 0x1p100 && fabs(low32) < 0x1p100) {
        double doubt = guess_error(0x1p-24, lo, hi, low32, width, count);
        if (doubt < 0x1p-6) { /* else the other guess is in doubt less often */
            bins.guess = OF__GUESS_F32;
            bins.low = low32;
            bins.inverse = 1 / width;
            bins.doubt = doubt;
            return bins;
        }
    }
    if (width > 0x1p-900 && width < 0x1p900) {
        double doubt = guess_error(0x1p-53, lo, hi, lo, width, count);
        if (doubt < 0x1p-2) {
            bins.guess = OF__GUESS_F64;
            bins.low = lo;
            bins.inverse = 1 / width;
            bins.doubt = doubt;
        }
    }
    return bins;
}

static bool is_past(const of__bins *bins, of_scalar x, int32_t edge_number) {
    double edge = bins->edges[edge_number];
    bool last = edge_number == bins->count;
    if (x.dtype == OF_I64)
        return last ? of__i64_exceeds(x.as.i64, edge) : of__i64_reaches(x.as.i64, edge);
    if (x.dtype == OF_U64)
        return last ? of__u64_exceeds(x.as.u64, edge) : of__u64_reaches(x.as.u64, edge);
    double f64 = of_scalar_to_f64(x);
    return last ? of__f64_exceeds(f64, edge) : of__f64_reaches(f64, edge);
}

/* How many edges an element is past. */
static int32_t search(const of__bins *bins, of_scalar x) {
    int32_t first = 0, last = (int32_t)bins->count + 1;
    while (first < last) {
        int32_t middle = first + (last - first) / 2;
        if (is_past(bins, x, middle))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static void search_each(const of__bins *bins, of_dtype dtype, const char *x, int64_t n,
                        int32_t *slot) {
    size_t size = of_dtype_size(dtype);
    for (int64_t i = 0; i < n; i++, x += size) {
        of_scalar value = of_scalar_load(dtype, x);
        double f64 = of_scalar_to_f64(value);
        slot[i] = f64 != f64 ? (int32_t)bins->count + 2 : search(bins, value);
    }
}

static const of__bins_kernels *kernels(void) {
    switch (of__isa_current()) {
#if defined(__x86_64__)
    case OF__ISA_AVX512: /* counting takes most of the time */
    case OF__ISA_AVX2: return &of__bins_kernels_avx2;
#endif
    default: return &of__bins_kernels_baseline;
    }
}

void of__bins_slots(const of__bins *bins, of_dtype dtype, const void *x, int64_t n, int32_t *slot) {
    if (bins->guess == OF__GUESS_NONE) {
        search_each(bins, dtype, x, n, slot);
        return;
    }
    const of__bins_kernels *k = kernels();
    switch (dtype) {
    case OF_F64: k->f64(bins, x, n, slot); return;
    case OF_I32: k->i32(bins, x, n, slot); return;
    case OF_U32: k->u32(bins, x, n, slot); return;
    case OF_I64: k->i64(bins, x, n, slot); return;
    case OF_U64: k->u64(bins, x, n, slot); return;
    default: break;
    }
    float wide[OF__MOST_SLOTS];
    if (dtype != OF_F32) {
        of__convert_row_for(OF_F32, dtype)((char *)wide, x, n);
        x = wide;
    }
    (bins->guess == OF__GUESS_F32 ? k->f32 : k->f32_wide)(bins, x, n, slot);
}

bool of__values_plan(const of__bins *bins, of_dtype dtype, of__values *values) {
    if (of_dtype_is_float(dtype)) return false;
    int bits = 8 * (int)of_dtype_size(dtype);
    bool is_signed = of_dtype_is_signed(dtype);
    double lowest = is_signed ? -ldexp(1, bits - 1) : 0;
    double highest = dtype == OF_BOOL ? 1 : ldexp(1, is_signed ? bits - 1 : bits) - 1;
    double first = fmax(ceil(bins->edges[0]), lowest);
    double last = fmin(floor(bins->edges[bins->count]), highest);
    if (first > highest || last < lowest || fabs(first) > 0x1p52 || fabs(last) > 0x1p52)
        return false;
    if (last - first >= OF__MOST_VALUES) return false;
    values->first = (int64_t)first;
    values->last = (int64_t)fmax(last, first - 1); /* none: what is not below is above */
    values->count = (int32_t)(values->last - values->first + 1);
    return true;
}

void of__values_slots(const of__values *values, of_dtype dtype, const void *x, int64_t n,
                      int32_t *slot) {
    kernels()->values[dtype](values, x, n, slot);
}
