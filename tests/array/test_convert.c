/* Conversion of elements: every pair of types against a slow reference, and every layout against
 * the single value. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "array/slow_convert.h"
#include "core/bytes.h"
#include "random_bits.h"

enum { MOST_VALUES = 0x10000 };

/* ---- Values of each type ---- */

/* Where float to integer and float to float decide: around powers of two and the ends of every
 * type. */
static double edge_double(int64_t i) {
    static const double ends[] = {0,
                                  0.5,
                                  1,
                                  1.5,
                                  127.5,
                                  128,
                                  255.5,
                                  256,
                                  32767.5,
                                  32768,
                                  65504,
                                  65519,
                                  65520,
                                  65535.5,
                                  65536,
                                  2147483647.5,
                                  4294967295.5,
                                  0x1p31,
                                  0x1p32,
                                  0x1p63,
                                  0x1p64,
                                  0x1.fffffep127,
                                  0x1.fep127,
                                  0x1.ffp127,
                                  0x1.ffffffp127,
                                  0x1p-14,
                                  0x1p-24,
                                  0x1p-25,
                                  0x1p-126,
                                  0x1p-133,
                                  0x1p-134,
                                  0x1p-149,
                                  0x1p-150,
                                  5e-324,
                                  0x1.fffffffffffffp1023,
                                  INFINITY,
                                  NAN};
    enum { ENDS = sizeof ends / sizeof *ends };
    double value;
    if (i < 3 * ENDS) { /* each and its neighbours */
        value = ends[i / 3];
        if (i % 3 == 1) value = nextafter(value, INFINITY);
        if (i % 3 == 2) value = nextafter(value, 0);
    } else if (i & 1) { /* a short significand around a midpoint of f16, bf16 or f32 */
        int cut = (int[]){11, 8, 24}[i % 3];
        double unit = ldexp((double)(1 + random_below(3)), -cut);
        double tiny = ldexp((double)(random_below(3) - 1), -52 + (int)random_below(3));
        int span = (int)random_below(340) - 190;
        value = ldexp(1 + ldexp((double)random_below(256), -8) + unit + tiny, span);
    } else {
        value = of__f64_from_bits(random_bits());
    }
    return random_bits() & 1 ? -value : value;
}

static of_scalar edge_value(of_dtype dtype, int64_t i) {
    of_scalar value = {.dtype = dtype};
    size_t size = of_dtype_size(dtype);
    uint64_t bits = (uint64_t)i;
    if (size > 2 && !of_dtype_is_float(dtype))
        bits = random_bits() & 1 ? nasty_bits() : -nasty_bits();
    if (dtype == OF_F64) bits = of__f64_bits(edge_double(i));
    if (dtype == OF_F32) bits = i & 2 ? random_bits() : of__f32_bits((float)edge_double(i));
    memcpy(&value.as, &bits, size);
    return value;
}

/* All values of the small types, many of the others. */
static int64_t value_count(of_dtype dtype) {
    static const int64_t counts[] = {[1] = 0x100, [2] = 0x10000, [4] = 20000, [8] = 20000};
    return counts[of_dtype_size(dtype)];
}

static of_array *edge_values(of_dtype dtype) {
    of_array *array = NULL;
    int64_t count = value_count(dtype);
    assert_int_equal(of_array_create(NULL, dtype, 1, &count, &array, NULL), OF_OK);
    char *data = of_array_mutable_data(array);
    for (int64_t i = 0; i < count; i++)
        of_scalar_store(edge_value(dtype, i), data + i * (int64_t)of_dtype_size(dtype));
    return array;
}

static of_array *converted(const of_array *src, of_dtype dtype) {
    of_array *result = NULL;
    assert_int_equal(of_array_convert(src, dtype, &result, NULL), OF_OK);
    assert_int_equal(of_array_dtype(result), dtype);
    assert_true(of_array_is_contiguous(result));
    return result;
}

static void assert_same(of_scalar value, of_scalar result, of_scalar expected) {
    if (result.as.bits != expected.as.bits || result.dtype != expected.dtype)
        fail_msg("%s %#llx to %s: %#llx, not %#llx", of_dtype_name(value.dtype),
                 (unsigned long long)value.as.bits, of_dtype_name(expected.dtype),
                 (unsigned long long)result.as.bits, (unsigned long long)expected.as.bits);
}

static void check_every_pair(void) {
    for (of_dtype from = OF_BOOL; from < OF_DTYPE_END; from++) {
        of_array *src = edge_values(from);
        const char *data = of_array_data(src);
        for (of_dtype to = OF_BOOL; to < OF_DTYPE_END; to++) {
            of_array *result = converted(src, to);
            const char *results = of_array_data(result);
            for (int64_t i = 0; i < of_array_size(src); i++) {
                of_scalar value = of_scalar_load(from, data + i * (int64_t)of_dtype_size(from));
                of_scalar expected = slow_convert(value, to);
                assert_same(value, of_scalar_convert(value, to), expected);
                assert_same(value, of_scalar_load(to, results + i * (int64_t)of_dtype_size(to)),
                            expected);
            }
            of_array_release(result);
        }
        of_array_release(src);
    }
}

static void every_pair_follows_the_contract(void **state) {
    (void)state;
    for (int i = 0; of_isa_at(i) != NULL; i++) {
        assert_int_equal(of_isa_set(of_isa_at(i), NULL), OF_OK);
        check_every_pair();
    }
    assert_int_equal(of_isa_set(NULL, NULL), OF_OK);
}

/* ---- Layouts ---- */

/* An array over `memory` with random strides, at any alignment. Elements do not overlap when
 * `distinct`. */
static of_array *random_layout(of_dtype dtype, int ndim, const int64_t *shape, char *memory,
                               int64_t bytes, bool distinct) {
    int order[OF_MAX_DIMS] = {0};
    int64_t strides[OF_MAX_DIMS], reach = (int64_t)of_dtype_size(dtype), low = 0;
    for (int d = 0; d < ndim; d++) {
        int64_t other = random_below(d + 1);
        order[d] = order[other];
        order[other] = d;
    }
    for (int i = 0; i < ndim; i++) {
        int d = order[i];
        int64_t gap = random_bits() & 1 ? 0 : random_below(4);
        strides[d] = !distinct && random_below(5) == 0 ? 0 : reach + gap;
        reach += (shape[d] - 1) * strides[d];
        if (random_bits() & 1) {
            strides[d] = -strides[d];
            low += (shape[d] - 1) * strides[d];
        }
    }
    assert_true(reach <= bytes);
    of_array *array = NULL;
    char *first = memory + random_below(bytes - reach + 1) - low;
    assert_int_equal(
        of_array_wrap(NULL, dtype, ndim, shape, strides, first, 0, NULL, NULL, &array, NULL),
        OF_OK);
    return array;
}

/* Advances to the next index in row-major order. */
static void step_index(int64_t *index, int ndim, const int64_t *shape) {
    for (int d = ndim - 1; d >= 0 && ++index[d] == shape[d]; d--) index[d] = 0;
}

static int random_shape(int64_t most, int64_t *shape) {
    int ndim = (int)random_below(OF_MAX_DIMS + 1);
    for (int d = 0; d < ndim; d++) {
        shape[d] = random_below(4) == 0 ? 1 : 1 + random_below(most < 40 ? most : 40);
        most /= shape[d];
    }
    return ndim;
}

static void any_layout_gives_the_same_elements(void **state) {
    (void)state;
    enum { BYTES = 1 << 18 };
    char *memory = malloc(BYTES);
    for (int64_t i = 0; i < BYTES; i += 8) memcpy(memory + i, &(uint64_t){random_bits()}, 8);
    for (int trial = 0; trial < 3000; trial++) {
        if (trial % 1000 == 0) assert_int_equal(of_threads_set(1 + trial / 1000, NULL), OF_OK);
        of_dtype from = OF_BOOL + (of_dtype)random_below(13),
                 to = OF_BOOL + (of_dtype)random_below(13);
        int64_t shape[OF_MAX_DIMS], index[OF_MAX_DIMS] = {0};
        int ndim = random_shape(3000, shape);
        of_array *src = random_layout(from, ndim, shape, memory, BYTES, false);
        of_array *result = converted(src, to);
        const char *data = of_array_data(result);
        for (int64_t i = 0; i < of_array_size(src); i++) {
            of_scalar value;
            assert_int_equal(of_array_get(src, index, &value, NULL), OF_OK);
            assert_same(value, of_scalar_load(to, data + i * (int64_t)of_dtype_size(to)),
                        of_scalar_convert(value, to));
            step_index(index, ndim, shape);
        }
        of_array_release(result);
        of_array_release(src);
    }
    free(memory);
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
}

static void fill_writes_any_layout(void **state) {
    (void)state;
    enum { BYTES = 1 << 17 };
    unsigned char *memory = malloc(BYTES), *expected = malloc(BYTES);
    for (int trial = 0; trial < 500; trial++) {
        memset(memory, 0xa5, BYTES);
        memset(expected, 0xa5, BYTES);
        of_dtype dtype = OF_BOOL + (of_dtype)random_below(13);
        int64_t shape[OF_MAX_DIMS], index[OF_MAX_DIMS] = {0};
        int ndim = random_shape(1000, shape);
        of_array *array = random_layout(dtype, ndim, shape, (char *)memory, BYTES, true);
        of_scalar value = of_scalar_f64((double)random_below(1000) - 500.5);
        assert_int_equal(of_array_fill(array, value, NULL), OF_OK);
        for (int64_t i = 0; i < of_array_size(array); i++) {
            int64_t offset = (const unsigned char *)of_array_data(array) - memory;
            for (int d = 0; d < ndim; d++) offset += index[d] * of_array_strides(array)[d];
            of_scalar_store(slow_convert(value, dtype), expected + offset);
            step_index(index, ndim, shape);
        }
        assert_memory_equal(memory, expected, BYTES);
        of_array_release(array);
    }
    free(memory);
    free(expected);
}

/* Large enough for several threads and for whole blocks, across and along memory. */
static void large_arrays_are_copied_whole(void **state) {
    (void)state;
    const int64_t rows = 1500, columns = 1100;
    of_array *array = NULL, *across = NULL;
    assert_int_equal(of_array_create(NULL, OF_U32, 2, (int64_t[]){rows, columns}, &array, NULL),
                     OF_OK);
    uint32_t *data = of_array_mutable_data(array);
    for (int64_t i = 0; i < rows * columns; i++) data[i] = (uint32_t)i;
    assert_int_equal(of_array_transpose(array, NULL, &across, NULL), OF_OK);
    for (int threads = 1; threads <= 7; threads += 2) {
        assert_int_equal(of_threads_set(threads, NULL), OF_OK);
        of_array *copy = converted(array, OF_U32), *wide = converted(across, OF_F64);
        of_array *turned = converted(across, OF_U32);
        assert_memory_equal(of_array_data(copy), data, of_array_nbytes(array));
        const double *doubles = of_array_data(wide);
        const uint32_t *integers = of_array_data(turned);
        int64_t wrong = 0;
        for (int64_t c = 0; c < columns; c++)
            for (int64_t r = 0; r < rows; r++) {
                int64_t at = c * rows + r, value = r * columns + c;
                wrong += doubles[at] != (double)value || integers[at] != value;
            }
        assert_int_equal(wrong, 0);
        of_array_release(copy);
        of_array_release(wide);
        of_array_release(turned);
    }
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
    of_array_release(array);
    of_array_release(across);
}

static void payloads_of_nan_move_with_a_copy(void **state) {
    (void)state;
    uint64_t bits[3] = {0x7ff0000000000001, 0xfff8000000000abc, 0x7fffffffffffffff};
    of_array *array = NULL, *copy = NULL;
    assert_int_equal(of_array_wrap(NULL, OF_F64, 1, (int64_t[]){3}, (int64_t[]){-8}, bits + 2, 0,
                                   NULL, NULL, &array, NULL),
                     OF_OK);
    assert_int_equal(of_array_copy(array, &copy, NULL), OF_OK);
    assert_memory_equal(of_array_data(copy), ((uint64_t[]){bits[2], bits[1], bits[0]}),
                        sizeof bits);
    of_array_release(copy);
    of_array_release(array);
}

static void the_rounding_mode_does_not_matter(void **state) {
    (void)state;
    double values[4] = {0.1, -0.1, 1e-310, 0x1p-140};
    of_array *array = NULL;
    assert_int_equal(
        of_array_wrap(NULL, OF_F64, 1, (int64_t[]){4}, NULL, values, 0, NULL, NULL, &array, NULL),
        OF_OK);
    for (of_dtype to = OF_F16; to <= OF_F32; to++) {
        fesetround(FE_UPWARD);
        feclearexcept(FE_ALL_EXCEPT);
        of_array *result = NULL;
        of_status status = of_array_convert(array, to, &result, NULL);
        int mode = fegetround(), raised = fetestexcept(FE_ALL_EXCEPT);
        fesetround(FE_TONEAREST);
        assert_int_equal(status, OF_OK);
        assert_int_equal(mode, FE_UPWARD);
        assert_int_equal(raised, 0);
        const char *data = of_array_data(result);
        for (int i = 0; i < 4; i++)
            assert_same(of_scalar_f64(values[i]),
                        of_scalar_load(to, data + i * (int64_t)of_dtype_size(to)),
                        slow_convert(of_scalar_f64(values[i]), to));
        of_array_release(result);
    }
    of_array_release(array);
}

static void strange_types_are_refused(void **state) {
    (void)state;
    of_array *array = NULL, *result = NULL;
    of_error err = {0};
    assert_int_equal(of_array_zeros(NULL, OF_I8, 1, (int64_t[]){3}, &array, NULL), OF_OK);
    assert_int_equal(of_array_convert(array, OF_DTYPE_NONE, &result, &err), OF_ERR_TYPE);
    assert_int_equal(of_array_convert(array, OF_DTYPE_END, &result, &err), OF_ERR_TYPE);
    assert_null(result);
    of_array_release(array);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_follows_the_contract),
        cmocka_unit_test(any_layout_gives_the_same_elements),
        cmocka_unit_test(fill_writes_any_layout),
        cmocka_unit_test(large_arrays_are_copied_whole),
        cmocka_unit_test(payloads_of_nan_move_with_a_copy),
        cmocka_unit_test(the_rounding_mode_does_not_matter),
        cmocka_unit_test(strange_types_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
