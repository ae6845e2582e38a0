/* Python's buffers, as arrays of numpy's offer them: taken without a copy. */
#ifndef ONEFOLD_PYTHON_BUFFER_H
#define ONEFOLD_PYTHON_BUFFER_H

#include "python/extension.h"

/*
 * A handle over an object's buffer, which keeps it until the last view of the handle goes.
 *
 * writable it will be written to: a read-only one is a ValueError. dtype what to take the elements
 * as, where their bytes are the same; OF_DTYPE_NONE: as the buffer says.
 *
 * TypeError: elements that Onefold does not have, or in the other byte order.
 */
of_array *buffer_borrow(PyObject *object, const char *argument, bool writable, of_dtype dtype);

/* Releases a buffer that malloc made room for. NULL is allowed. */
void buffer_free(Py_buffer *view);

/* The same as the deleter of a handle, whose context it is. */
void buffer_give_back(void *data, void *view);

#endif
