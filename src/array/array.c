/* Arrays: making them, sharing their memory, and what they tell of themselves. */
#include <string.h>

#include "array/array_internal.h"
#include "core/alloc.h"
#include "core/fail.h"
#include "device/backend.h"

/* ---- Making ---- */

of_status of__check_dtype(of_dtype dtype, of_error *err) {
    if (of_dtype_size(dtype) == 0)
        return of__fail(err, OF_ERR_TYPE, "dtype %d is not a type", (int)dtype);
    return OF_OK;
}

static of_status check_shape(int ndim, const int64_t *shape, of_error *err) {
    if (ndim < 0 || ndim > OF_MAX_DIMS)
        return of__fail(err, OF_ERR_VALUE, "ndim %d is not from 0 to %d", ndim, OF_MAX_DIMS);
    if (ndim > 0 && shape == NULL) return of__fail(err, OF_ERR_VALUE, "shape is missing");
    for (int i = 0; i < ndim; i++)
        if (shape[i] < 0)
            return of__fail(err, OF_ERR_VALUE, "size %lld of dimension %d is negative",
                            (long long)shape[i], i);
    return OF_OK;
}

/* Everything about a new row-major array but its memory. */
static of_status describe(of_dtype dtype, int ndim, const int64_t *shape, of_array *out,
                          of_error *err) {
    OF_TRY(of__check_dtype(dtype, err));
    OF_TRY(check_shape(ndim, shape, err));
    *out = (of_array){.owners = 1, .dtype = dtype, .ndim = ndim};
    if (ndim > 0) memcpy(out->shape, shape, (size_t)ndim * sizeof *shape);
    if (!of__shape_size(ndim, shape, &out->size) ||
        !of__row_major_strides(ndim, shape, of_dtype_size(dtype), out->strides)) {
        char text[OF__SHAPE_TEXT_SIZE];
        return of__fail(err, OF_ERR_VALUE, "shape %s of type %s takes more than 2^63 - 1 bytes",
                        of__shape_text(ndim, shape, text), of_dtype_name(dtype));
    }
    return OF_OK;
}

static of_status allocate_handle(of_array **out, of_error *err) {
    *out = of__alloc_record(sizeof **out);
    return *out != NULL ? OF_OK : of__fail(err, OF_ERR_MEMORY, "no memory for an array's handle");
}

/* A handle as described, with a storage of its own that holds no memory yet. */
static of_status create_empty(of_device *device, const of_array *description, of_array **out,
                              of_error *err) {
    of_array *array;
    OF_TRY(allocate_handle(&array, err));
    of__storage *storage = of__alloc_record(sizeof *storage);
    if (storage == NULL) {
        of__free(array);
        return of__fail(err, OF_ERR_MEMORY, "no memory for an array's storage");
    }
    *storage = (of__storage){.owners = 1, .device = device};
    *array = *description;
    array->storage = storage;
    *out = array;
    return OF_OK;
}

of_status of_array_create(of_device *device, of_dtype dtype, int ndim, const int64_t *shape,
                          of_array **out, of_error *err) {
    of_array description, *array;
    OF_TRY(describe(dtype, ndim, shape, &description, err));
    OF_TRY(of__device_or_default(device, &device, err));
    OF_TRY(create_empty(device, &description, &array, err));
    size_t bytes = (size_t)of_array_nbytes(array);
    of_status status = device->backend->alloc(device, bytes, &array->storage->memory, err);
    if (status != OF_OK) {
        of_array_release(array);
        return status;
    }
    array->data = array->storage->memory;
    *out = array;
    return OF_OK;
}

of_status of__create_list(const of_array *like, of_dtype dtype, int64_t size, of_array **out,
                          of_error *err) {
    return of_array_create(like->storage->device, dtype, 1, &size, out, err);
}

of_status of_array_zeros(of_device *device, of_dtype dtype, int ndim, const int64_t *shape,
                         of_array **out, of_error *err) {
    of_array *array;
    OF_TRY(of_array_create(device, dtype, ndim, shape, &array, err));
    of_status status = of_array_fill(array, (of_scalar){.dtype = dtype}, err);
    if (status == OF_OK)
        *out = array;
    else
        of_array_release(array);
    return status;
}

/* Whether all elements have an address, of those that strides lead to from `data`. */
static of_status check_reach(const of_array *array, const void *data, of_error *err) {
    int64_t low, high;
    uintptr_t address = (uintptr_t)data;
    if (!of__strides_reach(array->ndim, array->shape, array->strides, of_dtype_size(array->dtype),
                           &low, &high))
        return of__fail(err, OF_ERR_VALUE, "strides reach further than 2^63 - 1 bytes");
    if (address < -(uintptr_t)low || address + (uintptr_t)high < address)
        return of__fail(err, OF_ERR_VALUE, "strides lead from data at %#llx out of all memory",
                        (unsigned long long)address);
    return OF_OK;
}

of_status of_array_wrap(of_device *device, of_dtype dtype, int ndim, const int64_t *shape,
                        const int64_t *strides, void *data, unsigned flags, of_deleter deleter,
                        void *context, of_array **out, of_error *err) {
    of_array description, *array;
    OF_TRY(describe(dtype, ndim, shape, &description, err));
    if ((flags & ~(unsigned)OF_WRAP_READ_ONLY) != 0)
        return of__fail(err, OF_ERR_VALUE, "flags %#x has unknown bits", flags);
    if (data == NULL && description.size > 0)
        return of__fail(err, OF_ERR_VALUE, "data is missing for an array of %lld elements",
                        (long long)description.size);
    if (strides != NULL && ndim > 0)
        memcpy(description.strides, strides, (size_t)ndim * sizeof *strides);
    if (description.size > 0) OF_TRY(check_reach(&description, data, err));
    OF_TRY(of__device_or_default(device, &device, err));
    OF_TRY(create_empty(device, &description, &array, err));
    array->data = data;
    array->read_only = flags & OF_WRAP_READ_ONLY;
    array->storage->deleter = deleter;
    array->storage->deleter_data = data;
    array->storage->deleter_context = context;
    *out = array;
    return OF_OK;
}

of_status of__array_view(const of_array *src, of_array **out, of_error *err) {
    of_array *view;
    OF_TRY(allocate_handle(&view, err));
    *view = *src;
    atomic_init(&view->owners, 1);
    atomic_fetch_add_explicit(&view->storage->owners, 1, memory_order_relaxed);
    *out = view;
    return OF_OK;
}

/* ---- Owning ---- */

of_array *of_array_retain(of_array *array) {
    if (array != NULL) atomic_fetch_add_explicit(&array->owners, 1, memory_order_relaxed);
    return array;
}

static void release_storage(of__storage *storage) {
    if (atomic_fetch_sub(&storage->owners, 1) != 1) return;
    if (storage->memory != NULL) storage->device->backend->free(storage->device, storage->memory);
    if (storage->deleter != NULL) storage->deleter(storage->deleter_data, storage->deleter_context);
    of__free(storage);
}

void of_array_release(of_array *array) {
    if (array == NULL || atomic_fetch_sub(&array->owners, 1) != 1) return;
    release_storage(array->storage);
    of__free(array);
}

/* ---- Telling ---- */

of_device *of_array_device(const of_array *array) {
    return array->storage->device;
}

of_dtype of_array_dtype(const of_array *array) {
    return array->dtype;
}

int of_array_ndim(const of_array *array) {
    return array->ndim;
}

const int64_t *of_array_shape(const of_array *array) {
    return array->shape;
}

const int64_t *of_array_strides(const of_array *array) {
    return array->strides;
}

int64_t of_array_size(const of_array *array) {
    return array->size;
}

int64_t of_array_nbytes(const of_array *array) {
    return array->size * (int64_t)of_dtype_size(array->dtype);
}

bool of_array_is_read_only(const of_array *array) {
    return array->read_only;
}

bool of_array_is_contiguous(const of_array *array) {
    if (array->size <= 1) return true;
    int64_t expected = (int64_t)of_dtype_size(array->dtype);
    for (int i = array->ndim - 1; i >= 0; i--) {
        if (array->shape[i] == 1) continue; /* never stepped over */
        if (array->strides[i] != expected) return false;
        expected *= array->shape[i];
    }
    return true;
}

const void *of_array_data(const of_array *array) {
    return array->size == 0 ? NULL : array->data;
}

void *of_array_mutable_data(of_array *array) {
    return array->size == 0 || array->read_only ? NULL : array->data;
}
