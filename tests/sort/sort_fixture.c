#include "sort/sort_fixture.h"

of_array *array_over(of_dtype dtype, int ndim, const int64_t *shape, const void *data) {
    of_array *array = NULL;
    ASSERT_OK(
        of_array_wrap(NULL, dtype, ndim, shape, NULL, (void *)data, 0, NULL, NULL, &array, &err));
    return array;
}

of_array *line_over(of_dtype dtype, int64_t n, const void *data) {
    return array_over(dtype, 1, &n, data);
}

void assert_holds(of_array *array, of_dtype dtype, int64_t n, const void *expected) {
    assert_int_equal(of_array_dtype(array), dtype);
    assert_int_equal(of_array_size(array), n);
    assert_true(of_array_is_contiguous(array));
    if (n > 0)
        assert_memory_equal(of_array_data(array), expected, (size_t)n * of_dtype_size(dtype));
    of_array_release(array);
}
