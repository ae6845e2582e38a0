"""Making, filling and copying arrays."""

import math
import operator

import numpy

from onefold import _core
from onefold._core import Array, DType
from onefold._dtypes import f32, i32, i64, u64

I32 = numpy.iinfo(numpy.int32)


def _is_array_like(values):
    """Whether values know the type of their elements, unlike Python's numbers and lists of them."""
    return hasattr(values, "dtype") or hasattr(values, "__dlpack__") or isinstance(values, memoryview)


def _leaves(values):
    """The numbers in nested lists."""
    if isinstance(values, (list, tuple)):
        for value in values:
            yield from _leaves(value)
    else:
        yield values


def _inferred(values, dtype):
    """Numbers and nested lists as an array of numpy's: Python floats are f32, ints i32, or i64 when one needs it.

    With a dtype, that of numpy's is left to it, so that every value is rounded once, to dtype.
    """
    host = numpy.asarray(values)
    if any(_is_array_like(leaf) for leaf in _leaves(values)):
        return host
    if host.dtype == object:
        if not all(isinstance(leaf, (bool, int, float)) for leaf in _leaves(values)):
            raise TypeError(f"values of type {type(values).__name__} are no numbers")
        if dtype is not None and dtype.kind == "f":
            return numpy.asarray(values, numpy.float64)
        raise ValueError("values holds an integer that does not fit 64 bits")
    if dtype is None and host.dtype == numpy.float64:
        return host.astype(numpy.float32)
    if dtype is None and host.dtype == numpy.int64:
        if not host.size or (I32.min <= host.min() and host.max() <= I32.max):
            return host.astype(numpy.int32)
    return host


def _element(dtype):
    """A dtype, or what numpy takes for one, as an element type; None stays None."""
    if dtype is None or isinstance(dtype, DType):
        return dtype
    return _core.empty((), dtype, "aos", None).dtype


def _source(values, dtype):
    """What _core takes: an Array, what lends its memory, or numbers and lists as an array of numpy's."""
    if isinstance(values, Array) or hasattr(values, "__dlpack__") and not isinstance(values, numpy.ndarray):
        return values
    if isinstance(values, numpy.ndarray) or _is_array_like(values):
        host = numpy.asarray(values)
        return host if host.dtype.isnative else host.astype(host.dtype.newbyteorder("="))
    return _inferred(values, dtype)


def array(values, dtype=None, *, layout=None, device=None):
    """A new array with a copy of values.

    values   an Array, an array of numpy's or of another library, a number, or nested lists of them.
    dtype    what an element is to be. None: as values have it; Python floats give f32, ints i32, or i64 when one needs
             it, bools bool. A vector or matrix takes up the last dimensions of values, which must be its own. Values
             are converted by the contract's rules: floats round once, floats to integers truncate and saturate,
             integers keep the low bits.
    layout   "aos": the components of an element lie together. "soa": each component has an array of its own. None: as
             values have it, else "aos".
    device   the name of the device to hold it; None: the default one.

    ValueError: the last sizes of values are not those of the dtype; nested lists of unequal lengths; layout.
    TypeError: values are no numbers, or of a type that Onefold does not have. MemoryError.
    """
    dtype = _element(dtype)
    if device is not None:
        _core.device_find(device)
    if layout is None:
        layout = values.layout if isinstance(values, Array) else "aos"
    return _core.convert(_source(values, dtype), dtype, layout)


def tensor(values, dtype=None, *, layout=None, device=None):
    """The same as array."""
    return array(values, dtype, layout=layout, device=device)


def asarray(values, dtype=None, *, layout=None, device=None):
    """Values as an array: an Array of the dtype and layout asked for is returned as it is, anything else copied.

    Arguments and errors as for array.
    """
    if isinstance(values, Array) and layout in (None, values.layout):
        if dtype is None or _element(dtype) is values.dtype:
            return values
    return array(values, dtype, layout=layout, device=device)


def empty(shape, dtype=f32, *, layout="aos", device=None):
    """A new array whose elements are unspecified until they are written.

    shape    an int or a tuple of up to 8 sizes, those of an element included; () for a single element.
    dtype    what an element is: f32, vec3(f64), ..., or what numpy takes for a dtype.
    layout   "aos", or "soa" for vectors and matrices with an array for each component.
    device   the name of the device to hold it; None: the default one.

    ValueError: a negative size, too many dimensions, layout. TypeError: shape or dtype is none. MemoryError.
    """
    return _core.empty(shape, f32 if dtype is None else dtype, layout, device)


def zeros(shape, dtype=f32, *, layout="aos", device=None):
    """A new array of zeros; arguments and errors as for empty."""
    return _filled(empty(shape, dtype, layout=layout, device=device), 0)


def ones(shape, dtype=f32, *, layout="aos", device=None):
    """A new array of ones, in every component; arguments and errors as for empty."""
    return _filled(empty(shape, dtype, layout=layout, device=device), 1)


def full(shape, value, dtype=None, *, layout="aos", device=None):
    """A new array of one value.

    value    a number, for every component, or the components of one element.
    dtype    None: f32 for a Python float, i32 or i64 for an int, bool for a bool, else as value has it.

    Other arguments and errors as for empty. ValueError: value has another shape than an element.
    """
    if dtype is None:
        dtype = array(value).dtype
    return _filled(empty(shape, dtype, layout=layout, device=device), value)


def _filled(made, value):
    made.fill(value)
    return made


def arange(start, stop=None, step=1, dtype=None, *, device=None):
    """The numbers start, start + step, ..., before stop, in one dimension; arange(n) those of 0 to n - 1.

    dtype    None: i32, or i64 where a number needs it; f32 when an argument is a float.

    ValueError: step is 0. TypeError: an argument is no number.
    """
    if stop is None:
        start, stop = 0, start
    numbers = (start, stop, step)
    if step == 0:
        raise ValueError("step 0 leads nowhere")
    if all(hasattr(number, "__index__") for number in numbers):
        start, stop, step = map(operator.index, numbers)
        host = numpy.arange(start, stop, step)
        if dtype is None:
            ends = (start, start + (len(host) - 1) * step) if len(host) else ()
            fits = all(I32.min <= end <= I32.max for end in ends)
            dtype = i32 if fits else i64 if host.dtype == numpy.int64 else u64
    else:
        count = max(0, math.ceil((stop - start) / step))
        host = start + numpy.arange(count) * float(step)
        dtype = f32 if dtype is None else dtype
    return array(host, dtype, device=device)


def _like(prototype, dtype, layout, device):
    """The shape, type, layout and device of an array like another, as arguments of empty."""
    if isinstance(prototype, Array):
        asked = _element(dtype)
        if asked is None:
            asked = prototype.dtype
        elif asked.shape == () and prototype.dtype.shape != ():
            asked = _core.dtype(asked, prototype.dtype.shape)
        if layout is None:
            layout = prototype.layout if asked.shape else "aos"
        return prototype.shape, asked, layout, prototype.device if device is None else device
    host = prototype if isinstance(prototype, numpy.ndarray) else numpy.asarray(prototype)
    return host.shape, host.dtype if dtype is None else dtype, layout or "aos", device


def empty_like(prototype, dtype=None, *, layout=None, device=None):
    """A new array of the shape, type, layout and device of another, which is not read; elements are unspecified.

    prototype   an Array or an array of numpy's.
    dtype       a type of scalars changes the components, one of vectors or matrices the elements; None: the same.
    layout      None: the prototype's.
    device      None: an Array's own, else the default one.

    Errors as for empty.
    """
    shape, dtype, layout, device = _like(prototype, dtype, layout, device)
    return _core.empty(shape, dtype, layout, device)


def zeros_like(prototype, dtype=None, *, layout=None, device=None):
    """As empty_like, with zeros."""
    return _filled(empty_like(prototype, dtype, layout=layout, device=device), 0)


def ones_like(prototype, dtype=None, *, layout=None, device=None):
    """As empty_like, with ones in every component."""
    return _filled(empty_like(prototype, dtype, layout=layout, device=device), 1)


def full_like(prototype, value, dtype=None, *, layout=None, device=None):
    """As empty_like, with one value: a number, or the components of one element."""
    return _filled(empty_like(prototype, dtype, layout=layout, device=device), value)


def copyto(dst, src):
    """Copies values into an array, converted to its type by the contract's rules.

    dst   an Array; its values have the shape of dst.numpy().
    src   values of that shape, or of one that broadcasts to it: an Array, an array of numpy's, a number, a list.

    ValueError: dst is read-only, src has another shape. TypeError: dst is no Array (between arrays of numpy's, use
    numpy.copyto). Nothing is written then.
    """
    if not isinstance(src, Array):
        src = _source(src, dst.dtype if isinstance(dst, Array) else None)
    _core.copyto(dst, src)


def concat(arrays):
    """A new array of the elements of one-dimensional arrays, one after another.

    ValueError: there is no array, or one has not one dimension. TypeError: their dtypes differ.
    """
    return _core.concat(tuple(arrays))


def soa(*components):
    """An array of vectors over 2 to 4 arrays that hold their components; it shares their memory.

    components   Arrays of scalars of one type and shape.

    ValueError: another number of them, unequal shapes. TypeError: types differ, or one is no Array.
    """
    return _core.soa(components)
