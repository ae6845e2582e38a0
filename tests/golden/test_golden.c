/* Every line of golden.txt, recomputed by the library under every configuration. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden/golden.h"
#include "reduce/harness.h"

typedef struct line {
    of_operation operation;
    of_dtype dtype;
    data_kind kind;
    uint64_t hash;
} line;

enum { MOST_LINES = 800 };
static line lines[MOST_LINES];
static int line_count;

static data_kind kind_named(const char *name) {
    data_kind kind = 0;
    while (kind < DATA_KIND_COUNT && strcmp(data_kind_name(kind), name) != 0) kind++;
    assert_true(kind < DATA_KIND_COUNT);
    return kind;
}

static int read_lines(void **state) {
    (void)state;
    char path[4096], operation[32], dtype[32], kind[64];
    const char *source = getenv("ONEFOLD_SOURCE");
    assert_non_null(source);
    snprintf(path, sizeof path, "%s/tests/golden/golden.txt", source);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    line *l = lines;
    while (l < lines + MOST_LINES &&
           fscanf(file, "%31s %31s %63s %" SCNx64, operation, dtype, kind, &l->hash) == 4) {
        assert_int_equal(of_operation_parse(operation, &l->operation, NULL), OF_OK);
        assert_int_equal(of_dtype_parse(dtype, &l->dtype, NULL), OF_OK);
        l->kind = kind_named(kind);
        l++;
    }
    assert_true(feof(file));
    fclose(file);
    line_count = (int)(l - lines);
    return 0;
}

/* Operations of two arrays take the same one twice. */
static const of_array *second_of(of_operation operation, const of_array *array) {
    return operation < FIRST_OF_TWO ? NULL : array;
}

static uint64_t add_rows_and_columns(uint64_t hash, const of_array *array, of_operation operation) {
    int64_t rows = of_array_size(array) / GOLDEN_COLUMNS;
    const int64_t shape[] = {rows, GOLDEN_COLUMNS};
    if (rows == 0) return hash;
    of_array *head = NULL, *matrix = NULL;
    assert_int_equal(of_array_slice((of_array *)array, 0, 0, rows * GOLDEN_COLUMNS, 1, &head, NULL),
                     OF_OK);
    assert_int_equal(of_array_reshape(head, 2, shape, &matrix, NULL), OF_OK);
    for (int dim = 0; dim < 2; dim++) {
        of_array *results = NULL;
        of_error err = {0};
        of_reduce_opts opts = {.dims = OF_DIMS(dim), .second = second_of(operation, matrix)};
        of_status status = of_reduce(matrix, operation, &opts, &results, &err);
        check(status == OF_OK, "%s: %s", operation_names[operation], err.message);
        if (status == OF_OK)
            hash = golden_hash(hash, of_array_data(results), of_array_nbytes(results));
        of_array_release(results);
    }
    of_array_release(matrix);
    of_array_release(head);
    return hash;
}

static uint64_t add_size(uint64_t hash, const line *l, int64_t size) {
    of_array *array = array_make(l->dtype, l->kind, GOLDEN_SEED, LAYOUT_contiguous, 1, &size);
    of_scalar result = {0};
    of_error err = {0};
    of_reduce_opts opts = {.second = second_of(l->operation, array)};
    of_status status = of_reduce_scalar(array, l->operation, &opts, &result, &err);
    check(status == OF_OK, "%s: %s", operation_names[l->operation], err.message);
    if (status == OF_OK) hash = golden_hash(hash, &result.as.bits, ref_size(result.dtype));
    hash = add_rows_and_columns(hash, array, l->operation);
    of_array_release(array);
    return hash;
}

static void check_lines(void *context) {
    (void)context;
    for (const line *l = lines; l < lines + line_count; l++) {
        uint64_t hash = GOLDEN_HASH_START;
        for (int i = 0; i < GOLDEN_SIZES; i++) hash = add_size(hash, l, golden_sizes[i]);
        check(hash == l->hash, "%s %s %s: hash %016" PRIx64 ", pinned %016" PRIx64,
              operation_names[l->operation], of_dtype_name(l->dtype), data_kind_name(l->kind), hash,
              l->hash);
    }
}

static void test_hashes(void **state) {
    (void)state;
    each_configuration(check_lines, NULL);
    checks_finish();
}

int main(void) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_hashes)};
    return cmocka_run_group_tests(tests, read_lines, NULL);
}
