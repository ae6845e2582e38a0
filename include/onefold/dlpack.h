/*
 * Exchanging arrays with other libraries through DLPack, without a copy: NumPy, PyTorch, JAX and
 * many more give and take its structs. https://dmlc.github.io/dlpack/latest/c_api.html
 *
 * The structs are only named here, so that a program may include the dlpack.h of its choice before
 * or after; one that needs to look into them does.
 */
#ifndef ONEFOLD_DLPACK_H
#define ONEFOLD_DLPACK_H

#include <onefold/array.h>

OF_BEGIN_C

struct DLManagedTensor;          /* of DLPack up to 0.8 */
struct DLManagedTensorVersioned; /* of DLPack 1 */

/* What an export says of the array beyond its elements; OR them together. */
enum { OF_DLPACK_COPIED = 1 }; /* the array was copied for the receiver, who may write it */

/**
 * Lends an array's memory to another library.
 *
 *     out->dl_tensor[i, ...] is array[i, ...];
 *
 * array   any type, shape and strides on the CPU. A read-only array is marked so.
 * flags   OF_DLPACK_COPIED: sets DLPack's flag of that meaning.
 * out     receives a tensor of version 1.0 that owns the array too. Its receiver calls its deleter
 *         (or of_dlpack_release), once, from any thread; of_dlpack_import takes that over.
 *
 * Strides are given always; those of dimensions that are never stepped over are row-major. A tensor
 * without elements has no data. Cost: one small allocation.
 * OF_ERR_VALUE: flags has unknown bits; a stride is no multiple of the element size.
 * OF_ERR_DEVICE: the array is not on the CPU. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_dlpack_export(of_array *array, unsigned flags,
                                              struct DLManagedTensorVersioned **out, of_error *err);

/**
 * As of_dlpack_export, for receivers that know DLPack up to 0.8 only, which has no flags.
 * OF_ERR_VALUE also: the array is read-only, which the struct cannot say.
 */
OF_API OF_MUST_USE of_status of_dlpack_export_unversioned(of_array *array,
                                                          struct DLManagedTensor **out,
                                                          of_error *err);

/**
 * Makes an array over the memory that another library lends.
 *
 *     out[i, ...] is tensor->dl_tensor[i, ...];
 *
 * tensor   on success belongs to the array: its deleter, which may be NULL, is called once, when
 *          the last view goes, on the thread that releases it. On failure nothing of it was called
 *          or changed, and it still belongs to the caller.
 * flags    OF_WRAP_READ_ONLY: writing calls refuse the array.
 * out      receives an array on the CPU, read-only too where the tensor says so; the caller
 *          releases it.
 *
 * Taken are bool, integers of 8 to 64 bits, floats of 16 to 64 and bfloat of 16, in one lane, in
 * the CPU's memory or in memory pinned for CUDA. Strides may be missing (row-major), negative or
 * zero, and the address of any alignment. No element is looked at: that they are there is the
 * lender's word. Cost: two small allocations.
 * OF_ERR_UNSUPPORTED: the tensor's major version is not 1. OF_ERR_DEVICE: its memory is elsewhere.
 * OF_ERR_TYPE: its elements have another type. OF_ERR_VALUE: tensor is NULL; flags has unknown bits;
 * more than OF_MAX_DIMS dimensions or fewer than 0; a negative size; sizes, strides or an offset
 * past 2^63 - 1 bytes; no data for elements. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_dlpack_import(struct DLManagedTensorVersioned *tensor,
                                              unsigned flags, of_array **out, of_error *err);

/** As of_dlpack_import, for a tensor of DLPack up to 0.8, which has no version and cannot say that
 * it is read-only: the caller may know. */
OF_API OF_MUST_USE of_status of_dlpack_import_unversioned(struct DLManagedTensor *tensor,
                                                          unsigned flags, of_array **out,
                                                          of_error *err);

/** Gives back a tensor that was not imported: calls its deleter. NULL is allowed. */
OF_API void of_dlpack_release(struct DLManagedTensorVersioned *tensor);

/** As of_dlpack_release, for a tensor of DLPack up to 0.8. */
OF_API void of_dlpack_release_unversioned(struct DLManagedTensor *tensor);

OF_END_C

#endif
