#include "scan/scan_columns.h"

#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

enum { LARGEST_ELEMENT = 8, ROWS_AHEAD = 4, CACHE_LINE = 64 };

/* Bytes that lie in a cache until they are looked at. */
#ifdef ONEFOLD_TEST_SMALL
enum { CACHED = 1 << 10 };
#else
enum { CACHED = 1 << 23 };
#endif

static bool has_float_columns(const of__scan *scan) {
    return scan->operation == OF_SUM && (scan->dtype == OF_F32 || scan->dtype == OF_F64);
}

bool of__scan_has_columns(const of__scan *scan) {
    return scan->convert == NULL &&
           (has_float_columns(scan) || of__scan_row_for(scan->operation, scan->dtype) != NULL);
}

static void prefetch_row(const char *row, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i += CACHE_LINE) __builtin_prefetch(row + i);
}

/* Where rows are far apart no line of theirs is needed again soon: then whole lines go past the
 * caches, and are not read first. */
static void write_row(char *to, const char *out, size_t bytes, bool far) {
#if defined(__x86_64__)
    if (far) {
        size_t head = (size_t)(-(uintptr_t)to % CACHE_LINE);
        if (head > bytes) head = bytes;
        memcpy(to, out, head);
        for (; head + CACHE_LINE <= bytes; head += CACHE_LINE)
            for (size_t part = 0; part < CACHE_LINE; part += sizeof(__m128i)) {
                const void *from = out + head + part;
                _mm_stream_si128((__m128i *)(void *)(to + head + part), _mm_loadu_si128(from));
            }
        to += head;
        out += head;
        bytes -= head;
    }
#endif
    (void)far;
    memcpy(to, out, bytes);
}

static bool is_far(int64_t step, int64_t rows) {
    return (step < 0 ? -step : step) > CACHED / rows;
}

/* Orders what write_row wrote before whatever tells others that it is there. */
static void finish_rows(bool far) {
#if defined(__x86_64__)
    if (far) _mm_sfence();
#endif
    (void)far;
}

/* ---- Integers and extremes ---- */

static int64_t scan_plain_columns(const of__scan *scan, const char *from, int64_t from_step,
                                  char *to, int64_t to_step, int64_t rows, int64_t n) {
    char state[OF__SCAN_COLUMNS * LARGEST_ELEMENT] __attribute__((aligned(64)));
    char out[OF__SCAN_COLUMNS * LARGEST_ELEMENT] __attribute__((aligned(64)));
    const size_t bytes = (size_t)n * scan->size;
    of__scan_row *step = of__scan_row_for(scan->operation, scan->dtype);
    of__prefix start;
    of__prefix_begin(scan, &start);
    of__scan_row_begin(scan->operation, scan->dtype, start.as.bits, n, state);
    const bool far = is_far(to_step, rows);
    for (int64_t row = 0; row < rows; row++) {
        if (row + ROWS_AHEAD < rows) prefetch_row(from + ROWS_AHEAD * from_step, (int64_t)bytes);
        step(from, n, scan->exclusive, state, out);
        write_row(to, out, bytes, far);
        from += from_step;
        to += to_step;
    }
    finish_rows(far);
    return rows;
}

/* ---- Sums of floats ---- */

/* A sum is -0.0 only as long as every element is; what starts with another term needs no look at
 * the signs of zeros. */
static bool starts_plainly(const of__scan *scan, const of__prefix *start, const char *row,
                           int64_t n) {
    const of__prefix_sum *sum = &start->as.sum;
    if (sum->nan || sum->plus_infinity || sum->minus_infinity || sum->is_wide) return false;
    if (sum->not_negative_zeros) return true;
    if (sum->any) return false;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        memcpy(&bits, row + i * (int64_t)scan->size, scan->size);
        if (bits == UINT64_C(1) << (8 * scan->size - 1)) return false;
    }
    return true;
}

int64_t of__scan_columns(const of__scan *scan, const char *from, int64_t from_step, char *to,
                         int64_t to_step, int64_t rows, int64_t n, double *high, double *low) {
    if (!has_float_columns(scan))
        return scan_plain_columns(scan, from, from_step, to, to_step, rows, n);
    double sums[2][OF__SCAN_COLUMNS] __attribute__((aligned(64)));
    char out[OF__SCAN_COLUMNS * LARGEST_ELEMENT] __attribute__((aligned(64)));
    of__prefix start;
    of__prefix_begin(scan, &start);
    for (int64_t i = 0; i < OF__SCAN_COLUMNS; i++) {
        high[i] = i < n ? start.as.sum.high : 0;
        low[i] = 0;
    }
    if (!starts_plainly(scan, &start, from, n)) return 0;
    of__columns old = {high, low}, next = {sums[0], sums[1]};
    const bool far = is_far(to_step, rows);
    int64_t row = 0;
    for (; row < rows; row++) {
        if (row + ROWS_AHEAD < rows)
            prefetch_row(from + ROWS_AHEAD * from_step, n * (int64_t)scan->size);
        bool exact =
            scan->dtype == OF_F32
                ? scan->scan_kernels->columns_f32(from, n, scan->exclusive, &old, &next, out)
                : scan->scan_kernels->columns_f64(from, n, scan->exclusive, &old, &next, out);
        if (!exact) break;
        write_row(to, out, (size_t)n * scan->size, far);
        of__columns swapped = old;
        old = next;
        next = swapped;
        from += from_step;
        to += to_step;
    }
    finish_rows(far);
    if (old.high != high) {
        memcpy(high, old.high, sizeof sums[0]);
        memcpy(low, old.low, sizeof sums[0]);
    }
    return row;
}

void of__columns_prefix(const of__scan *scan, double high, double low, bool any,
                        of__prefix *prefix) {
    of__prefix_begin(scan, prefix);
    if (!any) return; /* nothing but init */
    prefix->as.sum.high = high;
    prefix->as.sum.low = low;
    prefix->as.sum.any = prefix->as.sum.not_negative_zeros = true;
}
