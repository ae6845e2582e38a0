#include "array/checks.h"

#include "array/flat.h"
#include "core/fail.h"

of_status of__check_given(const of_array *array, const char *name, of_error *err) {
    return array ? OF_OK : of__fail(err, OF_ERR_VALUE, "%s is NULL", name);
}

of_status of__check_same_device(const of_array *a, const char *a_name, const of_array *b,
                                const char *b_name, of_error *err) {
    if (a->storage->device == b->storage->device) return OF_OK;
    return of__fail(err, OF_ERR_VALUE, "%s is on device %s, but %s is on %s", b_name,
                    of_device_name(b->storage->device), a_name, of_device_name(a->storage->device));
}

of_status of__check_limit(const int64_t *n, int64_t size, const char *name, int64_t *out,
                          of_error *err) {
    int64_t limit = n ? *n : size;
    if (limit < 0)
        return of__fail(err, OF_ERR_VALUE, "n is %lld, which is negative", (long long)limit);
    if (limit > size)
        return of__fail(err, OF_ERR_VALUE, "n is %lld, but the size of %s is %lld",
                        (long long)limit, name, (long long)size);
    *out = limit;
    return OF_OK;
}

of_status of__check_index_dtype(of_dtype wanted, int64_t count, of_dtype *out, of_error *err) {
    bool is_short = count <= INT32_MAX;
    if (wanted != OF_DTYPE_NONE && of_dtype_size(wanted) == 0)
        return of__fail(err, OF_ERR_TYPE, "index_dtype is %d, which is no element type",
                        (int)wanted);
    if (wanted != OF_DTYPE_NONE && wanted != OF_I32 && wanted != OF_I64)
        return of__fail(err, OF_ERR_TYPE, "index_dtype is %s; indices are i32 or i64",
                        of_dtype_name(wanted));
    if (wanted == OF_I32 && !is_short)
        return of__fail(err, OF_ERR_VALUE,
                        "index_dtype is i32, which is too small for %lld elements",
                        (long long)count);
    *out = wanted != OF_DTYPE_NONE ? wanted : is_short ? OF_I32 : OF_I64;
    return OF_OK;
}

of_status of__check_integers(const of_array *array, const char *name, of_error *err) {
    if (of_dtype_is_integer(array->dtype)) return OF_OK;
    return of__fail(err, OF_ERR_TYPE, "%s has type %s; it takes integers", name,
                    of_dtype_name(array->dtype));
}

of_status of__check_writable(const of_array *array, const char *name, of_error *err) {
    if (array->read_only) return of__fail(err, OF_ERR_VALUE, "%s is read-only", name);
    if (of__array_may_repeat(array))
        return of__fail(err, OF_ERR_VALUE, "%s has strides that lead to one element twice", name);
    return OF_OK;
}

of_status of__check_apart(const of_array *written, const char *name, const of_array *other,
                          const char *other_name, of_error *err) {
    if (!of__arrays_overlap(written, other)) return OF_OK;
    return of__fail(err, OF_ERR_VALUE, "%s overlaps %s", name, other_name);
}
