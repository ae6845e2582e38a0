#include "sort/sort_checks.h"

#include <stdlib.h>

#include "core/fail.h"
#include "core/threads.h"

of_status of__check_n(const int64_t *n, const of_array *array, const char *name, int64_t *out,
                      of_error *err) {
    *out = n == NULL ? array->size : *n;
    if (*out < 0) return of__fail(err, OF_ERR_VALUE, "n is %lld, which is negative", (long long)*n);
    if (*out > array->size)
        return of__fail(err, OF_ERR_VALUE, "n is %lld, but %s has %lld elements", (long long)*n,
                        name, (long long)array->size);
    return OF_OK;
}

of_status of__check_array(const of_array *array, const char *name, const of_array *first,
                          of_error *err) {
    if (array == NULL) return of__fail(err, OF_ERR_VALUE, "%s is NULL", name);
    if (first != NULL && array->storage->device != first->storage->device)
        return of__fail(err, OF_ERR_VALUE, "%s is on device %s, but the first argument on %s", name,
                        of_device_name(array->storage->device),
                        of_device_name(first->storage->device));
    return OF_OK;
}

of_status of__check_index_dtype(of_dtype wanted, int64_t count, of_dtype *out, of_error *err) {
    bool is_short = count <= INT32_MAX;
    if (wanted == OF_DTYPE_NONE) {
        *out = is_short ? OF_I32 : OF_I64;
        return OF_OK;
    }
    if (wanted != OF_I32 && wanted != OF_I64)
        return of_dtype_size(wanted) == 0
                   ? of__fail(err, OF_ERR_TYPE, "index_dtype is %d, which is no element type",
                              (int)wanted)
                   : of__fail(err, OF_ERR_TYPE, "index_dtype is %s; indices are i32 or i64",
                              of_dtype_name(wanted));
    if (wanted == OF_I32 && !is_short)
        return of__fail(err, OF_ERR_VALUE,
                        "index_dtype is i32, which cannot number %lld elements; it must be i64",
                        (long long)count);
    *out = wanted;
    return OF_OK;
}

/* Whether strides are nested, as those of all views are: a step is never shorter than all that is
 * reached by the smaller steps. */
static bool shares_with_itself(const of_array *array) {
    int64_t reach = (int64_t)of_dtype_size(array->dtype);
    bool done[OF_MAX_DIMS] = {false};
    if (array->size == 0) return false;
    for (int taken = 0; taken < array->ndim; taken++) {
        int least = -1;
        for (int i = 0; i < array->ndim; i++)
            if (!done[i] && (least < 0 || llabs(array->strides[i]) < llabs(array->strides[least])))
                least = i;
        done[least] = true;
        if (array->shape[least] == 1) continue;
        if (llabs(array->strides[least]) < reach) return true;
        reach += (array->shape[least] - 1) * llabs(array->strides[least]);
    }
    return false;
}

of_status of__check_writable(const of_array *array, const char *name, const of_array *other,
                             const char *other_name, of_error *err) {
    if (array->read_only) return of__fail(err, OF_ERR_VALUE, "%s is read-only", name);
    if (shares_with_itself(array))
        return of__fail(err, OF_ERR_VALUE, "%s has elements that share memory", name);
    if (of__arrays_overlap(array, other))
        return of__fail(err, OF_ERR_VALUE, "%s overlaps %s", name, other_name);
    return OF_OK;
}

int of__workers_for_elements(int64_t n, int64_t size) {
    return of__workers_for(n > INT64_MAX / (size + 1) ? INT64_MAX : n * size);
}
