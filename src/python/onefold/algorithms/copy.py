"""Copying and filling the first elements of arrays that are there."""

import numpy

from onefold import _core
from onefold._core import Array


def copy(src, dst, n=None):
    """Copies the first n elements of one array to the first n of another, in flat order.

    src   any array; only read.
    dst   an Array or a writable array of numpy's, of any shape and type; elements from n on are left alone. It may be
          src, or overlap it where both are contiguous and of one type.
    n     how many; None: all of src.

    Values are converted to dst's type: to a float they round once, to nearest even; floats become integers by
    truncation, saturated, NaN 0; integers keep their low bits. Within one type bits move unchanged. Returns None.

    Bits: contract 1.

    ValueError: n is negative or larger than an array; dst is read-only, or overlaps src in another way. TypeError: one
    holds scalars and the other vectors or matrices. NotImplementedError: dst is made of separate arrays by soa; copy
    to its components. Nothing is written then.
    """
    _core.copy(src, dst, 0, n)


def copy_with_offset(src, dst, dst_offset, n=None):
    """Copies the first n elements of src to dst[dst_offset], dst[dst_offset + 1], ..., in flat order.

    ValueError too when dst_offset is negative, or dst_offset + n larger than dst. Otherwise as copy.
    """
    _core.copy(src, dst, dst_offset, n)


def fill_value(dst, value, n=None):
    """Sets the first n elements, in flat order, to one value.

    dst     an Array or a writable array of numpy's, of any shape and type.
    value   a number, for every component; or the components of one element, where dst holds vectors or matrices. It is
            converted to dst's type once, as by copy: 2.5 fills integers with 2, and 300 fills u8 with 44.
    n       how many; None: all.

    Returns None. Bits: contract 1.

    ValueError: n is negative or larger than dst; dst is read-only; value has another shape than an element. TypeError:
    value is no number. Nothing is written then.
    """
    shape = dst.dtype.shape if isinstance(dst, Array) else ()
    if shape:
        _fill_components(dst, shape, value, n)
    else:
        _core.fill_value(dst, value, n)


def _fill_components(dst, shape, value, n):
    values = value.numpy() if isinstance(value, Array) else numpy.asarray(value)
    if values.dtype.kind not in "biuf":
        raise TypeError(f"value {value!r} is neither a number nor one element of {dst.dtype}")
    if values.shape not in ((), shape):
        raise ValueError(f"value is neither a number nor one element of {dst.dtype}")
    if not dst.writable:
        raise ValueError("dst is read-only")
    for component, number in zip(dst.components, numpy.broadcast_to(values, shape).flat):
        _core.fill_value(component, number, n)
