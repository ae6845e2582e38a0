/* DLPack: arrays lent to other libraries, and theirs taken as arrays. */
#include <stdio.h>

#include "array/array_internal.h"
#include "array/checks.h"
#include "array/dlpack_abi.h"
#include "core/alloc.h"
#include "core/fail.h"
#include "device/backend.h"

/* ---- Element types ---- */

static of__dl_type type_of(of_dtype dtype) {
    int kind = dtype == OF_BOOL            ? OF__DL_BOOL
               : dtype == OF_BF16          ? OF__DL_BFLOAT
               : of_dtype_is_float(dtype)  ? OF__DL_FLOAT
               : of_dtype_is_signed(dtype) ? OF__DL_INT
                                           : OF__DL_UINT;
    return (of__dl_type){(uint8_t)kind, (uint8_t)(8 * of_dtype_size(dtype)), 1};
}

/* The name that DLPack has for a kind of elements, or its number. */
static const char *kind_text(int kind, char text[16]) {
    switch (kind) {
    case OF__DL_INT: return "int";
    case OF__DL_UINT: return "uint";
    case OF__DL_FLOAT: return "float";
    case 3: return "handle";
    case OF__DL_BFLOAT: return "bfloat";
    case 5: return "complex";
    case OF__DL_BOOL: return "bool";
    default: snprintf(text, 16, "code %d", kind); return text;
    }
}

static of_status dtype_of(of__dl_type type, of_dtype *out, of_error *err) {
    char text[16];
    if (type.lanes != 1)
        return of__fail(err, OF_ERR_TYPE, "tensor has elements of %d lanes, not of 1", type.lanes);
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++) {
        of__dl_type known = type_of(dtype);
        if (known.kind == type.kind && known.bits == type.bits) {
            *out = dtype;
            return OF_OK;
        }
    }
    return of__fail(err, OF_ERR_TYPE,
                    "tensor has elements of %d bits of type %s, which no array has", type.bits,
                    kind_text(type.kind, text));
}

/* ---- Lending ---- */

/* What an exported tensor lives in. The first member is what travels, so that its address is also
 * that of the whole. */
typedef struct lent {
    union {
        struct DLManagedTensor unversioned;
        struct DLManagedTensorVersioned versioned;
    } tensor;
    of_array *array;
    int64_t shape[OF_MAX_DIMS], strides[OF_MAX_DIMS];
} lent;

static void take_back(lent *lent) {
    of_array_release(lent->array);
    of__free(lent);
}

static void delete_unversioned(struct DLManagedTensor *self) {
    take_back(self->manager_ctx);
}

static void delete_versioned(struct DLManagedTensorVersioned *self) {
    take_back(self->manager_ctx);
}

/* Strides in elements. Those that are never stepped over may be anything, and receivers that do not
 * know better expect them row-major. */
static of_status strides_in_elements(const of_array *array, int64_t *strides, of_error *err) {
    int64_t size = (int64_t)of_dtype_size(array->dtype);
    of__row_major_strides(array->ndim, array->shape, 1, strides); /* fits: bytes did */
    for (int i = 0; i < array->ndim; i++) {
        if (array->size == 0 || array->shape[i] == 1) continue;
        if (array->strides[i] % size != 0)
            return of__fail(err, OF_ERR_VALUE,
                            "array has a stride of %lld bytes along dimension %d, which is no "
                            "multiple of the %lld of an element",
                            (long long)array->strides[i], i, (long long)size);
        strides[i] = array->strides[i] / size;
    }
    return OF_OK;
}

/* Everything but what differs between the two structs. */
static of_status lend(of_array *array, lent **out, of__dl_tensor *tensor, of_error *err) {
    int64_t strides[OF_MAX_DIMS];
    OF_TRY(of__check_given(array, "array", err));
    if (array->storage->device->backend != &of__cpu_backend)
        return of__fail(err, OF_ERR_DEVICE, "array is on device %s, not on the CPU",
                        of_device_name(array->storage->device));
    OF_TRY(strides_in_elements(array, strides, err));
    lent *new = of__alloc(sizeof *new);
    if (new == NULL) return of__fail(err, OF_ERR_MEMORY, "no memory for a tensor's handle");
    new->array = of_array_retain(array);
    for (int i = 0; i < array->ndim; i++) {
        new->shape[i] = array->shape[i];
        new->strides[i] = strides[i];
    }
    *tensor = (of__dl_tensor){
        .data = array->size == 0 ? NULL : array->data,
        .device = {.kind = OF__DL_CPU},
        .ndim = array->ndim,
        .type = type_of(array->dtype),
        .shape = new->shape,
        .strides = new->strides,
    };
    *out = new;
    return OF_OK;
}

of_status of_dlpack_export(of_array *array, unsigned flags, struct DLManagedTensorVersioned **out,
                           of_error *err) {
    lent *lent;
    of__dl_tensor tensor;
    if ((flags & ~(unsigned)OF_DLPACK_COPIED) != 0)
        return of__fail(err, OF_ERR_VALUE, "flags %#x has unknown bits", flags);
    OF_TRY(lend(array, &lent, &tensor, err));
    lent->tensor.versioned = (struct DLManagedTensorVersioned){
        .version = {OF__DL_MAJOR, OF__DL_MINOR},
        .manager_ctx = lent,
        .deleter = delete_versioned,
        .flags = (array->read_only ? OF__DL_READ_ONLY : 0) |
                 ((flags & OF_DLPACK_COPIED) != 0 ? OF__DL_COPIED : 0),
        .dl_tensor = tensor,
    };
    *out = &lent->tensor.versioned;
    return OF_OK;
}

of_status of_dlpack_export_unversioned(of_array *array, struct DLManagedTensor **out,
                                       of_error *err) {
    lent *lent;
    of__dl_tensor tensor;
    OF_TRY(of__check_given(array, "array", err));
    if (array->read_only)
        return of__fail(err, OF_ERR_VALUE,
                        "array is read-only, which DLPack can say from version 1 on only");
    OF_TRY(lend(array, &lent, &tensor, err));
    lent->tensor.unversioned = (struct DLManagedTensor){
        .dl_tensor = tensor, .manager_ctx = lent, .deleter = delete_unversioned};
    *out = &lent->tensor.unversioned;
    return OF_OK;
}

/* ---- Taking ---- */

/* The name that DLPack has for a kind of devices, or its number. */
static const char *device_text(int kind, char text[16]) {
    static const char *const names[] = {
        [2] = "CUDA",  [4] = "OpenCL",       [7] = "Vulkan", [8] = "Metal",
        [10] = "ROCm", [13] = "CUDAManaged", [14] = "oneAPI"};
    bool is_known = kind >= 0 && kind < (int)(sizeof names / sizeof *names) && names[kind] != NULL;
    if (!is_known) snprintf(text, 16, "%d", kind);
    return is_known ? names[kind] : text;
}

static of_status check_tensor(const of__dl_tensor *tensor, of_dtype *dtype, of_error *err) {
    char text[16];
    if (tensor->device.kind != OF__DL_CPU && tensor->device.kind != OF__DL_CUDA_HOST)
        return of__fail(err, OF_ERR_DEVICE,
                        "tensor is on a device of kind %s, not in memory of the CPU",
                        device_text(tensor->device.kind, text));
    OF_TRY(dtype_of(tensor->type, dtype, err));
    if (tensor->ndim < 0 || tensor->ndim > OF_MAX_DIMS)
        return of__fail(err, OF_ERR_VALUE, "tensor has %d dimensions, not 0 to %d",
                        (int)tensor->ndim, OF_MAX_DIMS);
    if (tensor->ndim > 0 && tensor->shape == NULL)
        return of__fail(err, OF_ERR_VALUE, "tensor has %d dimensions but no shape",
                        (int)tensor->ndim);
    return OF_OK;
}

/* Strides in bytes; NULL in *out for row-major ones. A stride that is never stepped over may be
 * anything. */
static of_status strides_in_bytes(const of__dl_tensor *tensor, size_t element_size,
                                  int64_t strides[OF_MAX_DIMS], const int64_t **out,
                                  of_error *err) {
    *out = NULL;
    if (tensor->strides == NULL) return OF_OK;
    bool is_empty = false;
    for (int i = 0; i < tensor->ndim; i++) is_empty |= tensor->shape[i] == 0;
    if (is_empty) return OF_OK;
    for (int i = 0; i < tensor->ndim; i++) {
        int64_t elements = tensor->shape[i] == 1 ? 1 : tensor->strides[i];
        if (__builtin_mul_overflow(elements, (int64_t)element_size, &strides[i]))
            return of__fail(err, OF_ERR_VALUE,
                            "tensor has a stride of %lld elements along dimension %d, more than "
                            "2^63 - 1 bytes",
                            (long long)elements, i);
    }
    *out = strides;
    return OF_OK;
}

static of_status first_element(const of__dl_tensor *tensor, void **out, of_error *err) {
    uintptr_t address;
    *out = NULL;
    if (tensor->data == NULL) return OF_OK; /* wrapping checks that there are no elements */
    if (tensor->byte_offset > INT64_MAX ||
        __builtin_add_overflow((uintptr_t)tensor->data, tensor->byte_offset, &address))
        return of__fail(err, OF_ERR_VALUE, "tensor has an offset of %llu bytes, past all memory",
                        (unsigned long long)tensor->byte_offset);
    *out = (char *)tensor->data + tensor->byte_offset;
    return OF_OK;
}

static of_status take(const of__dl_tensor *tensor, unsigned flags, of_deleter deleter, void *owner,
                      of_array **out, of_error *err) {
    of_dtype dtype = OF_DTYPE_NONE;
    int64_t buffer[OF_MAX_DIMS];
    const int64_t *strides;
    void *data;
    of_device *cpu;
    OF_TRY(check_tensor(tensor, &dtype, err));
    OF_TRY(strides_in_bytes(tensor, of_dtype_size(dtype), buffer, &strides, err));
    OF_TRY(first_element(tensor, &data, err));
    OF_TRY(of_device_find("cpu", &cpu, err));
    return of_array_wrap(cpu, dtype, tensor->ndim, tensor->shape, strides, data, flags, deleter,
                         owner, out, err);
}

static void give_back_versioned(void *data, void *owner) {
    (void)data;
    of_dlpack_release(owner);
}

static void give_back_unversioned(void *data, void *owner) {
    (void)data;
    of_dlpack_release_unversioned(owner);
}

of_status of_dlpack_import(struct DLManagedTensorVersioned *tensor, unsigned flags, of_array **out,
                           of_error *err) {
    if (tensor == NULL) return of__fail(err, OF_ERR_VALUE, "tensor is NULL");
    if (tensor->version.major != OF__DL_MAJOR)
        return of__fail(err, OF_ERR_UNSUPPORTED, "tensor is of DLPack's version %u.%u, not 1",
                        (unsigned)tensor->version.major, (unsigned)tensor->version.minor);
    if ((tensor->flags & OF__DL_READ_ONLY) != 0) flags |= OF_WRAP_READ_ONLY;
    return take(&tensor->dl_tensor, flags, give_back_versioned, tensor, out, err);
}

of_status of_dlpack_import_unversioned(struct DLManagedTensor *tensor, unsigned flags,
                                       of_array **out, of_error *err) {
    if (tensor == NULL) return of__fail(err, OF_ERR_VALUE, "tensor is NULL");
    return take(&tensor->dl_tensor, flags, give_back_unversioned, tensor, out, err);
}

void of_dlpack_release(struct DLManagedTensorVersioned *tensor) {
    if (tensor != NULL && tensor->deleter != NULL) tensor->deleter(tensor);
}

void of_dlpack_release_unversioned(struct DLManagedTensor *tensor) {
    if (tensor != NULL && tensor->deleter != NULL) tensor->deleter(tensor);
}
