/* What functions take from Python: arrays of any kind as handles, numbers as values, options. */
#ifndef ONEFOLD_PYTHON_OPERAND_H
#define ONEFOLD_PYTHON_OPERAND_H

#include "python/array_object.h"

/*
 * A handle, owned by the caller, for what stands where an Array may: an Array, whatever offers a
 * buffer (numpy's arrays), an array of numpy's with bfloat16, what offers DLPack (tensors of
 * PyTorch), what numpy makes an array of by itself (columns of pandas), a number, a list. Nothing
 * is copied but numbers, lists and arrays of parts that lie apart.
 *
 * argument   its name in messages.
 * element    receives the type of an element, as a new reference; NULL: only scalars will do, and
 *            others are a TypeError.
 */
of_array *operand_source(PyObject *object, const char *argument, dtype_object **element);

/* The same for what a function writes to: an Array, a writable buffer, or what lends its memory by
 * DLPack. Read-only ones are a ValueError, others a TypeError. */
of_array *operand_target(PyObject *object, const char *argument, dtype_object **element);

/* A number: a bool, an int of 64 bits, a float, one of numpy's, or an array of one element. */
bool operand_scalar(PyObject *object, const char *argument, of_scalar *out);

/* None (given: false) or an int. */
bool operand_optional_int(PyObject *object, const char *argument, bool *given, int64_t *out);
bool operand_int(PyObject *object, const char *argument, int64_t *out);

/* None, an int, or a sequence of ints, which names dimensions of an array of `ndim`. */
bool operand_dims(PyObject *object, const char *argument, int ndim, of_dims *out);

/* An int, or a sequence of ints: the sizes of an array. */
bool operand_shape(PyObject *object, const char *argument, int *ndim, int64_t *shape);

/* A device's name or None: the default. */
bool operand_device(PyObject *object, of_device **out);

#endif
