"""Arrays over memory of others, without a copy."""

import sys

from onefold import _core


def _is_immutable(x):
    """Whether x is an array of JAX, which does not tell DLPack that it must not be written."""
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(x, jax.Array)


def from_dlpack(x, /, *, device=None, copy=None):
    """An Array over the memory of another library's array, without a copy.

    x        anything with __dlpack__ (an array of NumPy, PyTorch, JAX, ...), or a capsule that it gave, which can be
             taken once. Its memory is kept until the last Array over it is gone. The elements are scalars.
    device   None: x must be in memory of the CPU. "cpu": its library copies it there if need be.
    copy     True: a new array, which can be written. False: never a copy. None: as x's library likes.

    The Array is read-only where x says so, and where x is of JAX, whose arrays never change.

    TypeError: x is neither, or has elements that Onefold does not have. ValueError: x is a capsule that was taken
    already, or has more than 8 dimensions. RuntimeError: x is in the memory of another device. NotImplementedError: x
    is of a version of DLPack past 1. BufferError: x's library cannot lend it, as PyTorch cannot where a gradient is
    needed.
    """
    return _core.from_dlpack(x, device, copy, _is_immutable(x))


def array_from_ptr(ptr, shape, dtype, *, writable=False):
    """An Array over memory that somebody else owns and frees, without a copy.

    ptr        the address of the first element as an integer, whose owner must keep the memory as long as the Array
               is used; or a NumPy array (or another buffer) in row-major order, which is kept alive and whose bytes are
               taken as elements of dtype.
    shape      an int or a tuple of them.
    dtype      what an element is; the components of a vector or matrix lie together.
    writable   False: functions refuse to write to the Array.

    ValueError: an address of 0 or none; an array that is read-only with writable=True, is not in row-major order, or
    has fewer bytes than the elements take; a negative size. TypeError: ptr, shape or dtype is none.
    """
    return _core.array_from_ptr(ptr, shape, dtype, writable)
