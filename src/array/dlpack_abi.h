/*
 * The memory layout of DLPack's structs, written from its specification, which fixes it for all
 * libraries: https://dmlc.github.io/dlpack/latest/c_api.html. The two structs that travel have the
 * names of the specification; the others are this library's own.
 */
#ifndef ONEFOLD_ARRAY_DLPACK_ABI_H
#define ONEFOLD_ARRAY_DLPACK_ABI_H

#include <stddef.h>
#include <stdint.h>

#include <onefold/dlpack.h>

/* The kinds of memory that the host can read. */
enum { OF__DL_CPU = 1, OF__DL_CUDA_HOST = 3 };

/* Kinds of elements. */
enum { OF__DL_INT = 0, OF__DL_UINT = 1, OF__DL_FLOAT = 2, OF__DL_BFLOAT = 4, OF__DL_BOOL = 6 };

/* Bits of `flags`. */
#define OF__DL_READ_ONLY (UINT64_C(1) << 0)
#define OF__DL_COPIED    (UINT64_C(1) << 1)

/* The version of what is exported: the lowest that says all there is to say. */
enum { OF__DL_MAJOR = 1, OF__DL_MINOR = 0 };

typedef struct of__dl_device {
    int32_t kind, number;
} of__dl_device;

typedef struct of__dl_type {
    uint8_t kind, bits;
    uint16_t lanes;
} of__dl_type;

typedef struct of__dl_tensor {
    void *data;
    of__dl_device device;
    int32_t ndim;
    of__dl_type type;
    int64_t *shape;
    int64_t *strides;     /* in elements; NULL: row-major */
    uint64_t byte_offset; /* from `data` to the element at index (0, ..., 0) */
} of__dl_tensor;

struct DLManagedTensor {
    of__dl_tensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self);
};

/* Up to `flags` the layout is the same in every version to come. */
struct DLManagedTensorVersioned {
    struct {
        uint32_t major, minor;
    } version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    of__dl_tensor dl_tensor;
};

_Static_assert(sizeof(void *) != 8 ||
                   (sizeof(of__dl_tensor) == 48 && offsetof(of__dl_tensor, byte_offset) == 40 &&
                    sizeof(struct DLManagedTensor) == 64 &&
                    offsetof(struct DLManagedTensorVersioned, dl_tensor) == 32),
               "the layout is that of the specification");

#endif
