/* What is done to the elements of an array: copied, converted, read, filled. */
#include "array/array_internal.h"
#include "core/fail.h"
#include "device/backend.h"

of_status of_array_convert(const of_array *src, of_dtype dtype, of_array **out, of_error *err) {
    of_array *made;
    OF_TRY(of_array_create(src->storage->device, dtype, src->ndim, src->shape, &made, err));
    of__copy_elements(made, src);
    *out = made;
    return OF_OK;
}

of_status of_array_copy(const of_array *src, of_array **out, of_error *err) {
    return of_array_convert(src, src->dtype, out, err);
}

of_status of_array_get(const of_array *array, const int64_t *index, of_scalar *out, of_error *err) {
    if (index == NULL && array->ndim > 0) return of__fail(err, OF_ERR_INDEX, "index is missing");
    const char *element = array->data;
    for (int i = 0; i < array->ndim; i++) {
        int64_t size = array->shape[i];
        if (index[i] < -size || index[i] >= size)
            return of__fail(err, OF_ERR_INDEX,
                            "index %lld is out of range for dimension %d of size %lld",
                            (long long)index[i], i, (long long)size);
        element += (index[i] < 0 ? index[i] + size : index[i]) * array->strides[i];
    }
    of_device *device = array->storage->device;
    of_scalar value = {.dtype = array->dtype};
    OF_TRY(device->backend->download(device, &value.as, element, of_dtype_size(array->dtype), err));
    *out = value;
    return OF_OK;
}

of_status of_array_fill(of_array *array, of_scalar value, of_error *err) {
    if (array->read_only) return of__fail(err, OF_ERR_VALUE, "the array is read-only");
    OF_TRY(of__check_dtype(value.dtype, err));
    of_scalar converted = of_scalar_convert(value, array->dtype);
    of_array everywhere = *array; /* the value at every index: no stride leads away from it */
    everywhere.data = (char *)&converted.as;
    for (int i = 0; i < array->ndim; i++) everywhere.strides[i] = 0;
    of__copy_elements(array, &everywhere);
    return OF_OK;
}
