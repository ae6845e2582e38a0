/* Scans that fold whole elements, by operation and type. */
#include "core/bytes.h"
#include "core/round.h"
#include "scan/prefix.h"

#if defined(__x86_64__)
#include <emmintrin.h> /* every processor of the architecture has it */

/* The last element of a vector, everywhere. */
OF__INLINE __m128i splat_last(__m128i v, size_t size) {
    switch (size) {
    case 1: v = _mm_unpackhi_epi8(v, v); __attribute__((fallthrough));
    case 2: return _mm_shuffle_epi32(_mm_shufflehi_epi16(v, 0xff), 0xff);
    case 4: return _mm_shuffle_epi32(v, 0xff);
    default: return _mm_unpackhi_epi64(v, v);
    }
}
#endif

#define BODY "scan/scan_type.inc"
#include "reduce/each_type_cpu.inc"

/* True for any byte but 0, as everywhere. */
static void scan_min_bool(const void *from, void *to, int64_t n, bool exclusive, uint64_t *fold) {
    const uint8_t *x = from;
    uint8_t *out = to;
    for (int64_t i = 0; i < n; i++) {
        uint64_t next = *fold & (x[i] != 0);
        out[i] = (uint8_t)(exclusive ? *fold : next);
        *fold = next;
    }
}

static void scan_max_bool(const void *from, void *to, int64_t n, bool exclusive, uint64_t *fold) {
    const uint8_t *x = from;
    uint8_t *out = to;
    for (int64_t i = 0; i < n; i++) {
        uint64_t next = *fold | (x[i] != 0);
        out[i] = (uint8_t)(exclusive ? *fold : next);
        *fold = next;
    }
}

#define INTEGER(SYMBOL, name)                                                                      \
    [OF_SUM][OF_##SYMBOL] = scan_sum_##name, [OF_PROD][OF_##SYMBOL] = scan_prod_##name,
static of__scan_step *const steps[OF_OPERATION_END][OF_DTYPE_END] = {
    INTEGER(I8, i8) INTEGER(I16, i16) INTEGER(I32, i32) INTEGER(I64, i64) INTEGER(U8, u8)
        INTEGER(U16, u16) INTEGER(U32, u32) INTEGER(U64, u64)
#define OF_DTYPE(SYMBOL, name, storage, member, kind, bytes)                                       \
    [OF_MIN][OF_##SYMBOL] = scan_min_##name, [OF_MAX][OF_##SYMBOL] = scan_max_##name,
#include <onefold/dtypes.def>
#undef OF_DTYPE
};

of__scan_step *of__scan_step_for(of_operation operation, of_dtype dtype) {
    return steps[operation][dtype];
}

#define ROWS(SYMBOL, name)                                                                         \
    [OF_MIN][OF_##SYMBOL] = columns_min_##name, [OF_MAX][OF_##SYMBOL] = columns_max_##name,
#define INTEGER_ROWS(SYMBOL, name) [OF_SUM][OF_##SYMBOL] = columns_sum_##name, ROWS(SYMBOL, name)
static of__scan_row *const rows[OF_OPERATION_END][OF_DTYPE_END] = {
    INTEGER_ROWS(I8, i8) INTEGER_ROWS(I16, i16) INTEGER_ROWS(I32, i32) INTEGER_ROWS(I64, i64)
        INTEGER_ROWS(U8, u8) INTEGER_ROWS(U16, u16) INTEGER_ROWS(U32, u32) INTEGER_ROWS(U64, u64)
            ROWS(F16, f16) ROWS(BF16, bf16) ROWS(F32, f32) ROWS(F64, f64)};

of__scan_row *of__scan_row_for(of_operation operation, of_dtype dtype) {
    return rows[operation][dtype];
}

#define columns_begin_bool columns_begin_u8 /* there are no rows of bool */
void of__scan_row_begin(of_operation operation, of_dtype dtype, uint64_t bits, int64_t n,
                        void *state) {
    switch (dtype) {
#define OF_DTYPE(SYMBOL, name, storage, member, kind, bytes)                                       \
    case OF_##SYMBOL:                                                                              \
        columns_begin_##name(operation, bits, n, state);                                           \
        return;
#include <onefold/dtypes.def>
#undef OF_DTYPE
    default: return;
    }
}

uint64_t of__scan_empty(of_operation operation, of_dtype dtype) {
    const int width = 8 * (int)of_dtype_size(dtype);
    const uint64_t all = UINT64_MAX >> (64 - width), sign = UINT64_C(1) << (width - 1);
    const bool largest = operation == OF_MIN; /* of the values of the type */
    if (operation == OF_SUM) return 0;
    if (operation == OF_PROD) return 1;
    if (dtype == OF_BOOL) return largest;
    if (of_dtype_is_float(dtype)) return of__infinity_bits(dtype, !largest);
    if (of_dtype_is_signed(dtype)) return largest ? all ^ sign : sign;
    return largest ? all : 0;
}
