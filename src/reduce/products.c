/*
 * Sums of exact products, of any two types: squares, dot, sums with weights.
 *
 * Floats and short integers multiply as f64, integers as 128-bit integers, and a 64-bit integer
 * with a float as large integers.
 */
#include "reduce/load.h"
#include "reduce/partial.h"

/* Elements converted at once. */
#ifdef ONEFOLD_TEST_SMALL
enum { BLOCK = 40 };
#else
enum { BLOCK = 4096 };
#endif

static bool is_64_bit_integer(of_dtype dtype) {
    return dtype == OF_I64 || dtype == OF_U64;
}

static of_scalar element(of_dtype dtype, const char *x, int64_t i) {
    return of_scalar_load(dtype, x + i * (int64_t)of_dtype_size(dtype));
}

/* ---- Integers ---- */

/* The sum of products of 64 bits each, in words of 64 bits that do not overflow. */
static void add_integers(of_exact *sum, of_dtype x_type, const char *x, of_dtype y_type,
                         const char *y, int64_t n) {
    uint64_t a[BLOCK], b[BLOCK];
    of__load_u64s(x_type, x, n, a);
    of__load_u64s(y_type, y, n, b);
    unsigned __int128 low = 0;
    __int128 high = 0;
    bool a_signed = of_dtype_is_signed(x_type), b_signed = of_dtype_is_signed(y_type);
    for (int64_t i = 0; i < n; i++) {
        unsigned __int128 product = (unsigned __int128)a[i] * b[i];
        uint64_t upper = (uint64_t)(product >> 64);
        low += (uint64_t)product;
        high += upper;
        /* a negative factor was taken 2^64 too large */
        if (a_signed && a[i] >> 63) high -= b[i];
        if (b_signed && b[i] >> 63) high -= a[i];
        if (a_signed && b_signed && (a[i] & b[i]) >> 63) high += (__int128)1 << 64;
    }
    of__exact_deposit_wide(sum, (__int128)low, 0);
    of__exact_deposit_wide(sum, high, 64);
}

/* Integers of up to 32 bits that i32 holds. */
static bool fits_i32(of_dtype dtype) {
    return of_dtype_size(dtype) < 4 || dtype == OF_I32;
}

static void add_short_integers(of_exact *sum, const of__kernels *kernels, of_dtype x_type,
                               const char *x, of_dtype y_type, const char *y, int64_t n) {
    int32_t a[BLOCK], b[BLOCK];
    of__load_i32s(x_type, x, n, a);
    if (x != y || x_type != y_type) of__load_i32s(y_type, y, n, b);
    const int32_t *second = x != y || x_type != y_type ? b : a;
    if (of_dtype_size(x_type) < 4 && of_dtype_size(y_type) < 4)
        of__exact_deposit(sum, kernels->dot_short(a, second, n), 0);
    else
        kernels->dot_int(a, second, n, sum);
}

/* ---- Floats ---- */

/* Those that f32 holds, in which they multiply faster. */
static bool fits_f32(of_dtype dtype) {
    return of_dtype_is_float(dtype) && dtype != OF_F64;
}

static const void *as_f32s(const of__kernels *kernels, of_dtype dtype, const char *x, int64_t n,
                           float *buffer) {
    if (dtype == OF_F32) return x;
    kernels->widen[dtype](x, n, buffer);
    return buffer;
}

static const void *as_f64s(of_dtype dtype, const char *x, int64_t n, double *buffer) {
    if (dtype == OF_F64) return x;
    of__load_f64s(dtype, x, n, buffer);
    return buffer;
}

static void add_floats(of_exact *sum, const of__kernels *kernels, of_dtype x_type, const char *x,
                       of_dtype y_type, const char *y, int64_t n) {
    bool same = x == y && x_type == y_type;
    if (fits_f32(x_type) && fits_f32(y_type)) {
        float a[BLOCK], b[BLOCK];
        const void *first = as_f32s(kernels, x_type, x, n, a);
        kernels->dot[OF_F32](first, same ? first : as_f32s(kernels, y_type, y, n, b), n, sum);
        return;
    }
    double a[BLOCK], b[BLOCK];
    const void *first = as_f64s(x_type, x, n, a);
    kernels->dot[OF_F64](first, same ? first : as_f64s(y_type, y, n, b), n, sum);
}

/* ---- A float and a 64-bit integer ---- */

void of__deposit_mixed_product(of_exact *sum, of_scalar a, of_scalar b) {
    if (is_64_bit_integer(b.dtype)) {
        of_scalar swap = a;
        a = b;
        b = swap;
    }
    if (!is_64_bit_integer(a.dtype)) {
        of__exact_deposit_product(sum, of_scalar_to_f64(a), of_scalar_to_f64(b));
        return;
    }
    bool negative = a.dtype == OF_I64 && a.as.i64 < 0;
    uint64_t magnitude = negative ? 0 - a.as.u64 : a.as.u64;
    if (is_64_bit_integer(b.dtype)) {
        bool b_negative = b.dtype == OF_I64 && b.as.i64 < 0;
        of__exact_deposit_integers(sum, negative != b_negative, magnitude,
                                   b_negative ? 0 - b.as.u64 : b.as.u64, 0);
        return;
    }
    double wide = of_scalar_to_f64(b);
    if (wide - wide != 0) { /* infinity or NaN times an integer of this sign */
        of__exact_deposit_product(sum, wide, magnitude ? (negative ? -1.0 : 1.0) : 0.0);
        return;
    }
    /* in halves that f64 holds exactly */
    double high = (double)(magnitude >> 32) * 0x1p32, low = (double)(magnitude & 0xffffffff);
    of__exact_deposit_product(sum, negative ? -high : high, wide);
    of__exact_deposit_product(sum, negative ? -low : low, wide);
}

/* ---- All ---- */

/* Sums must know whether every term is -0.0; in practice the first pair tells. */
static void note_signs(of_exact *sum, of_dtype x_type, const char *x, of_dtype y_type,
                       const char *y, int64_t n) {
    for (int64_t i = 0; i < n && !sum->not_negative_zeros; i++) {
        double a, b;
        of__load_f64s(x_type, x + i * (int64_t)of_dtype_size(x_type), 1, &a);
        of__load_f64s(y_type, y + i * (int64_t)of_dtype_size(y_type), 1, &b);
        bool zero = a == 0 || b == 0, finite = a - a == 0 && b - b == 0;
        bool negative = __builtin_signbit(a) != __builtin_signbit(b);
        if (!zero || !negative || !finite) sum->not_negative_zeros = 1;
    }
}

void of__products_add(of_exact *sum, const of__kernels *kernels, of_dtype x_type, const void *x,
                      of_dtype y_type, const void *y, int64_t n) {
    bool x_float = of_dtype_is_float(x_type), y_float = of_dtype_is_float(y_type);
    bool mixed = is_64_bit_integer(x_type) || is_64_bit_integer(y_type);
    const char *a = x, *b = y;
    sum->count += n;
    if (x_float || y_float) {
        sum->floats = 1;
        note_signs(sum, x_type, x, y_type, y, n);
    } else {
        sum->not_negative_zeros = 1;
    }
    if (x_type == y_type && kernels->dot[x_type]) {
        kernels->dot[x_type](x, y, n, sum);
        return;
    }
    for (int64_t i = 0, m; i < n; i += m) {
        m = n - i < BLOCK ? n - i : BLOCK;
        if (!x_float && !y_float && fits_i32(x_type) && fits_i32(y_type)) {
            add_short_integers(sum, kernels, x_type, a, y_type, b, m);
        } else if (!x_float && !y_float) {
            add_integers(sum, x_type, a, y_type, b, m);
        } else if (!mixed) {
            add_floats(sum, kernels, x_type, a, y_type, b, m);
        } else {
            for (int64_t j = 0; j < m; j++)
                of__deposit_mixed_product(sum, element(x_type, a, j), element(y_type, b, j));
        }
        a += m * (int64_t)of_dtype_size(x_type);
        b += m * (int64_t)of_dtype_size(y_type);
    }
}

/* So many elements stay in the nearest cache for the second pass. */
void of__moments_add(of_exact *sum, of_exact *squares, const of__kernels *kernels, of_dtype dtype,
                     const void *x, int64_t n) {
    if (kernels->moments[dtype]) {
        kernels->moments[dtype](x, n, sum, squares);
        return;
    }
    int64_t size = (int64_t)of_dtype_size(dtype);
    for (int64_t i = 0, m; i < n; i += m) {
        m = n - i < BLOCK ? n - i : BLOCK;
        const char *block = (const char *)x + i * size;
        of__elements_add(sum, kernels, dtype, block, m);
        of__products_add(squares, kernels, dtype, block, dtype, block, m);
    }
}
