#include "runs/run_checks.h"

#include "core/fail.h"

of_status of__check_limit(const int64_t *n, const char *name, int64_t size, int64_t *out,
                          of_error *err) {
    int64_t limit = n ? *n : size;
    if (limit < 0)
        return of__fail(err, OF_ERR_VALUE, "n is %lld, which is negative", (long long)limit);
    if (limit > size)
        return of__fail(err, OF_ERR_VALUE, "n is %lld, but %s has %lld", (long long)limit, name,
                        (long long)size);
    *out = limit;
    return OF_OK;
}

of_status of__index_type(of_dtype wanted, int64_t n, of_dtype *out, of_error *err) {
    if (wanted != OF_DTYPE_NONE && wanted != OF_I32 && wanted != OF_I64)
        return of_dtype_size(wanted)
                   ? of__fail(err, OF_ERR_TYPE, "index_dtype is %s; indices are i32 or i64",
                              of_dtype_name(wanted))
                   : of__fail(err, OF_ERR_TYPE, "index_dtype is %d, which is no element type",
                              (int)wanted);
    if (wanted == OF_I32 && n > INT32_MAX)
        return of__fail(err, OF_ERR_VALUE,
                        "index_dtype is i32, which is too small for %lld elements", (long long)n);
    *out = wanted != OF_DTYPE_NONE ? wanted : n > INT32_MAX ? OF_I64 : OF_I32;
    return OF_OK;
}

of_status of__check_given(const of_array *array, const char *name, of_error *err) {
    return array ? OF_OK : of__fail(err, OF_ERR_VALUE, "%s is NULL", name);
}

of_status of__check_same_device(const of_array *a, const char *a_name, const of_array *b,
                                const char *b_name, of_error *err) {
    if (a->storage->device == b->storage->device) return OF_OK;
    return of__fail(err, OF_ERR_VALUE, "%s is on device %s, but %s is on %s", b_name,
                    of_device_name(b->storage->device), a_name, of_device_name(a->storage->device));
}

of_status of__create_list(const of_array *like, of_dtype dtype, int64_t size, of_array **out,
                          of_error *err) {
    return of_array_create(like->storage->device, dtype, 1, &size, out, err);
}
