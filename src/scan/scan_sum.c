/*
 * Exact scans of floats, tile by tile: by the bodies of scan_kernels.h, whose doubts are settled one
 * by one; a tile that they refuse in short pieces, and a piece that they refuse element by element.
 */
#include <string.h>

#include "array/convert_rows.h"
#include "core/round.h"
#include "reduce/kernels.h"
#include "reduce/load.h"
#include "scan/prefix_sum.h"

#ifdef ONEFOLD_TEST_SMALL
enum { TILE = OF__SCAN_TILE, PIECE = 8 };
#else
enum { TILE = OF__SCAN_TILE, PIECE = 64 };
#endif

typedef struct sum_scan {
    of__prefix_sum *sum;
    const of__scan_kernels *kernels;
    of_dtype dtype;
    int64_t size;
    bool exclusive;
} sum_scan;

static void store(char *out, int64_t size, uint64_t bits) {
    memcpy(out, &bits, (size_t)size); /* little-endian, as every supported machine */
}

/* ---- Element by element ---- */

static void scan_each(const sum_scan *s, const char *x, char *out, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        double term = of__element_f64(s->dtype, x + i * s->size);
        uint64_t before = s->exclusive ? of__prefix_sum_bits(s->sum, s->dtype) : 0;
        of__prefix_sum_add(s->sum, term);
        store(out + i * s->size, s->size,
              s->exclusive ? before : of__prefix_sum_bits(s->sum, s->dtype));
    }
}

/* As long as every element is -0.0 so are the sums. Returns how many elements that took. */
static int64_t scan_negative_zeros(const sum_scan *s, const char *x, char *out, int64_t n) {
    int64_t i = 0;
    for (; i < n && !s->sum->not_negative_zeros; i++)
        scan_each(s, x + i * s->size, out + i * s->size, 1);
    return i;
}

static bool is_special(const of__prefix_sum *sum) {
    return sum->nan || sum->plus_infinity || sum->minus_infinity;
}

/* Nothing comes after a NaN but NaNs. */
static void fill_nan(const sum_scan *s, char *out, int64_t n) {
    uint64_t bits = of__nan_bits(s->dtype);
    for (int64_t i = 0; i < n; i++) store(out + i * s->size, s->size, bits);
}

/* ---- f32, and the 16-bit floats by way of it ---- */

/* Tiles to wait before trying again whether a tile's sums fit together with what is before. */
enum { PAUSE = 16 };

static bool may_join(of__prefix_sum *sum) {
    if (sum->apart == 0) return true;
    sum->apart--;
    return false;
}

static void narrow(const sum_scan *s, const double *sum, char *out, int64_t n) {
    if (s->dtype == OF_F32)
        s->kernels->narrow_f32(sum, n, out);
    else
        of__convert_row_for(s->dtype, OF_F64)(out, (const char *)sum, n);
}

/* sum[i] is that of the first i elements, so that sum + 1 serves inclusive scans. */
static bool round_f32(const sum_scan *s, of__carry carry, const double *sum, char *out, int64_t n) {
    if (s->dtype != OF_F32) {
        double odd[TILE];
        if (carry.low != 0) return false; /* hardly ever: they have few bits */
        s->kernels->round_odd(carry.high, sum, n, odd);
        narrow(s, odd, out, n);
    } else if (carry.low == 0) {
        s->kernels->round_f32(carry.high, sum, n, out);
    } else if (s->kernels->round_f32_after(carry.high, sum, n, out)) {
        for (int64_t i = 0; i < n; i++)
            if (s->kernels->f32_in_doubt(carry.high, sum[i]))
                store(out + 4 * i, 4, of__prefix_sum_bits_with(s->sum, sum[i], 0, OF_F32));
    }
    return true;
}

static bool scan_tile_f32(const sum_scan *s, of__carry carry, const char *x, char *out, int64_t n) {
    double sum[TILE + 1];
    float wide[TILE];
    const void *elements = x;
    if (s->dtype != OF_F32) {
        of__kernels_current()->widen[s->dtype](x, n, wide);
        elements = wide;
    }
    const double *before = s->exclusive ? sum : sum + 1;
    if (carry.low == 0 && may_join(s->sum)) {
        sum[0] = carry.high;
        if (s->kernels->prefixes_f32(elements, n, carry.high, sum + 1)) {
            narrow(s, before, out, n);
            of__prefix_sum_become(s->sum, sum[n], 0);
            return true;
        }
        s->sum->apart = PAUSE;
    }
    sum[0] = 0;
    if (!s->kernels->prefixes_f32(elements, n, 0, sum + 1)) return false;
    if (!round_f32(s, carry, before, out, n)) return false;
    of__prefix_sum_add(s->sum, sum[n]);
    return true;
}

/* ---- f64 ---- */

/* The exponent of the first power of two above all of n elements; 1025 for an infinity or NaN. */
static int exponent_above(const char *x, int64_t n) {
    uint64_t largest = 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, x + 8 * i, 8);
        bits &= INT64_MAX;
        largest = bits > largest ? bits : largest;
    }
    return (int)(largest >> 52) - 1022;
}

static bool fits_cut(int cut) {
    return cut >= OF__LOWEST_CUT && cut <= OF__HIGHEST_CUT;
}

/* Sums together with what is before. upper and lower have one element before the first. */
static bool join_tile(const sum_scan *s, of__carry carry, const char *x, int64_t n, double *upper,
                      double *lower) {
    int cut = exponent_above((const char *)&carry.high, 1);
    if (cut < s->sum->cut) cut = s->sum->cut;
    if (fits_cut(cut) && s->kernels->cut_carry(carry, cut, upper - 1, lower - 1) &&
        s->kernels->prefixes_f64(x, n, cut, upper, lower))
        return true;
    s->sum->apart = PAUSE;
    return false;
}

/* Sums apart: tries the last cut, and then the one that the elements need. */
static bool cut_tile(const sum_scan *s, const char *x, int64_t n, double *upper, double *lower) {
    upper[-1] = lower[-1] = 0;
    if (s->kernels->prefixes_f64(x, n, s->sum->cut, upper, lower)) return true;
    int cut = exponent_above(x, n) + OF__SCAN_TILE_BITS;
    if (cut < OF__LOWEST_CUT) cut = OF__LOWEST_CUT;
    if (!fits_cut(cut) || cut == s->sum->cut) return false;
    s->sum->cut = cut;
    s->sum->apart = 0;
    return s->kernels->prefixes_f64(x, n, cut, upper, lower);
}

static bool scan_tile_f64(const sum_scan *s, of__carry carry, const char *x, char *out, int64_t n) {
    double upper[TILE + 1], lower[TILE + 1];
    const double *u = s->exclusive ? upper : upper + 1, *l = s->exclusive ? lower : lower + 1;
    if (!s->sum->is_wide && may_join(s->sum) && join_tile(s, carry, x, n, upper + 1, lower + 1)) {
        s->kernels->join_f64(u, l, n, out);
        of__prefix_sum_become(s->sum, upper[n], lower[n]);
        return true;
    }
    if (!cut_tile(s, x, n, upper + 1, lower + 1)) return false;
    if (s->kernels->round_f64(carry, s->sum->cut, u, l, n, out))
        for (int64_t i = 0; i < n; i++)
            if (s->kernels->f64_in_doubt(carry, s->sum->cut, u[i], l[i]))
                store(out + 8 * i, 8, of__prefix_sum_bits_with(s->sum, u[i], l[i], OF_F64));
    of__prefix_sum_add(s->sum, upper[n]);
    of__prefix_sum_add(s->sum, lower[n]);
    return true;
}

/* ---- Tiles ---- */

static bool scan_tile(const sum_scan *s, const char *x, char *out, int64_t n) {
    of__carry carry;
    if (!of__prefix_sum_carry(s->sum, &carry)) return false;
    return s->dtype == OF_F64 ? scan_tile_f64(s, carry, x, out, n)
                              : scan_tile_f32(s, carry, x, out, n);
}

/* Special elements are for scan_each; nothing has been written where a tile is refused. */
static void scan_pieces(const sum_scan *s, const char *x, char *out, int64_t n) {
    for (int64_t i = 0, m; i < n; i += m) {
        m = n - i < PIECE ? n - i : PIECE;
        const char *piece = x + i * s->size;
        if (is_special(s->sum) || !scan_tile(s, piece, out + i * s->size, m))
            scan_each(s, piece, out + i * s->size, m);
    }
}

void of__prefix_sum_scan(of__prefix_sum *sum, const of__scan_kernels *kernels, of_dtype dtype,
                         bool exclusive, const char *x, char *out, int64_t n) {
    const sum_scan s = {sum, kernels, dtype, (int64_t)of_dtype_size(dtype), exclusive};
    for (int64_t i = scan_negative_zeros(&s, x, out, n), m; i < n; i += m) {
        m = n - i < TILE ? n - i : TILE;
        const char *tile = x + i * s.size;
        char *to = out + i * s.size;
        if (sum->nan)
            fill_nan(&s, to, m);
        else if (is_special(sum) || !scan_tile(&s, tile, to, m))
            scan_pieces(&s, tile, to, m);
    }
}
