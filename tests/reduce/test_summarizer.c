/* One pass, many answers: each is that of the reduction of its name, however the data is cut. */
#include "reduce/harness.h"

static int64_t count_kind(const of_array *array, int kind) {
    of_dtype dtype = of_array_dtype(array);
    int64_t found = 0;
    for (int64_t i = 0; i < of_array_size(array); i++)
        found += (int)ref_load(dtype, of_array_data(array), i).kind == kind;
    return found;
}

static of_scalar expected_of(const of_array *array, of_operation operation) {
    of_scalar value = {.dtype = OF_DTYPE_NONE};
    if (!expected_of_slice(array, WHOLE, 0, operation, NULL, OF_DTYPE_NONE, &value))
        return (of_scalar){0};
    return value;
}

static void check_value(of_scalar got, const of_array *array, of_operation operation,
                        const char *about) {
    of_scalar expected = expected_of(array, operation);
    if (expected.dtype == OF_DTYPE_NONE)
        check(got.dtype == OF_DTYPE_NONE, "%s: %s of nothing", about, operation_names[operation]);
    else
        check_scalar(got, expected, "%s: %s of %s n=%lld", about, operation_names[operation],
                     of_dtype_name(of_array_dtype(array)), (long long)of_array_size(array));
}

static void check_place(int64_t got, const of_array *array, of_operation operation,
                        const char *about) {
    of_scalar expected = expected_of(array, operation);
    int64_t place = expected.dtype == OF_DTYPE_NONE ? -1 : expected.as.i64;
    check(got == place, "%s: %s of %s n=%lld is %lld, not %lld", about, operation_names[operation],
          of_dtype_name(of_array_dtype(array)), (long long)of_array_size(array), (long long)place,
          (long long)got);
}

static void check_summary(const of_array *array, const of_summary *got, const char *about) {
    int64_t size = of_array_size(array);
    check(got->count == size, "%s: count %lld of %lld", about, (long long)got->count,
          (long long)size);
    check_value(got->sum, array, OF_SUM, about);
    check_value(got->mean, array, OF_MEAN, about);
    check_value(got->min, array, OF_MIN, about);
    check_value(got->max, array, OF_MAX, about);
    check_place(got->argmin, array, OF_ARGMIN, about);
    check_place(got->argmax, array, OF_ARGMAX, about);
    int64_t zeros = size - expected_of(array, OF_COUNT_NONZERO).as.i64;
    check(got->zeros == zeros, "%s: zeros %lld, not %lld", about, (long long)zeros,
          (long long)got->zeros);
    int64_t nans = count_kind(array, REF_NAN), infinities = count_kind(array, REF_INFINITE);
    check(got->nans == nans, "%s: NaNs %lld, not %lld", about, (long long)nans,
          (long long)got->nans);
    check(got->infinities == infinities, "%s: infinities %lld, not %lld", about,
          (long long)infinities, (long long)got->infinities);
}

/* Pieces of up to `longest` elements. */
static void summarize(of_array *array, int64_t longest, const char *about) {
    of_summarizer *summarizer = NULL;
    assert_int_equal(of_summarizer_create(of_array_dtype(array), &summarizer, NULL), OF_OK);
    int64_t size = of_array_size(array), length;
    for (int64_t from = 0; from < size; from += length) {
        length = (int64_t)(data_random((uint64_t)longest, (uint64_t)from) % (uint64_t)longest) + 1;
        if (length > size - from) length = size - from;
        of_array *piece = NULL;
        assert_int_equal(of_array_slice(array, 0, from, length, 1, &piece, NULL), OF_OK);
        assert_int_equal(of_summarizer_update(summarizer, piece, NULL), OF_OK);
        of_array_release(piece);
    }
    of_summary summary;
    of_summarizer_result(summarizer, &summary);
    check_summary(array, &summary, about);
    of_summarizer_free(summarizer);
}

static void summarize_everything(void *context) {
    (void)context;
    static const int64_t sizes[] = {0, 1, 2, 100, 3001};
    static const int64_t longest[] = {1, 7, 900, 5000};
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (data_kind kind = 0; kind < DATA_KIND_COUNT; kind++)
            for (int i = 0; i < 5 && data_kind_has(kind, dtype); i++) {
                if (sizes[i] > 1000 && (kind + dtype) % 5) continue;
                of_array *array = array_make(dtype, kind, 8, LAYOUT_contiguous, 1, &sizes[i]);
                summarize(array, longest[(kind + i) % 4], data_kind_name(kind));
                of_array_release(array);
            }
}

static void test_summaries(void **state) {
    (void)state;
    each_configuration(summarize_everything, NULL);
    checks_finish();
}

static void test_large_piece(void **state) {
    (void)state;
    int64_t size = 400003;
    static const data_kind kinds[] = {DATA_raw, DATA_nan_and_infinities, DATA_mixed_zero};
    for (int i = 0; i < 3; i++) {
        of_array *array = array_make(OF_F32, kinds[i], 8, LAYOUT_contiguous, 1, &size);
        summarize(array, size, data_kind_name(kinds[i]));
        summarize(array, 65536, data_kind_name(kinds[i]));
        of_array_release(array);
    }
    checks_finish();
}

static void test_strided_pieces(void **state) {
    (void)state;
    static const int64_t shape[] = {30, 41};
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (layout how = 0; how < LAYOUT_COUNT; how++) {
            of_array *array = array_make(dtype, DATA_raw, 8, how, 2, shape), *packed = NULL;
            of_summarizer *summarizer = NULL;
            of_summary summary;
            assert_int_equal(of_summarizer_create(dtype, &summarizer, NULL), OF_OK);
            assert_int_equal(of_summarizer_update(summarizer, array, NULL), OF_OK);
            of_summarizer_result(summarizer, &summary);
            double elements[30 * 41];
            array_gather(array, WHOLE, 0, elements);
            packed = array_from(dtype, 30 * 41, elements);
            check_summary(packed, &summary, layout_name(how));
            of_summarizer_free(summarizer);
            of_array_release(packed);
            of_array_release(array);
        }
    checks_finish();
}

static void test_refusals(void **state) {
    (void)state;
    of_summarizer *summarizer = NULL;
    of_error err = {0};
    int64_t count = 3;
    of_array *array = array_make(OF_F32, DATA_normal, 1, LAYOUT_contiguous, 1, &count);
    check_failure(of_summarizer_create(OF_DTYPE_NONE, &summarizer, &err), OF_ERR_TYPE, &err,
                  "dtype", "no type");
    check(!summarizer, "a summarizer of no type");
    assert_int_equal(of_summarizer_create(OF_F64, &summarizer, NULL), OF_OK);
    check_failure(of_summarizer_update(summarizer, array, &err), OF_ERR_TYPE, &err, "f32",
                  "a piece of another type");
    of_summary summary;
    of_summarizer_result(summarizer, &summary);
    check(summary.count == 0, "a refused piece was counted");
    of_summarizer_free(summarizer);
    of_summarizer_free(NULL);
    of_array_release(array);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summaries),
        cmocka_unit_test(test_large_piece),
        cmocka_unit_test(test_strided_pieces),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
