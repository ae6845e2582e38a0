"""Segments: rows that carry the number of the segment they belong to, reduced segment by segment.

In every function x has shape (N, ...), a row being what one index of the first dimension picks, and segment_ids shape
(N,), of any integer type and in any order. Rows whose id is negative, or num_segments or more, are left out. Arrays
are Arrays, whose elements may be vectors or matrices, or arrays of numpy's.

`sorted` is a hint that the ids ascend; a wrong one never changes the answer. With check_sorted=True, or the
environment variable ONEFOLD_DEBUG=1, it is a ValueError that names the first row out of order.
"""

import os

import numpy

from onefold import _core
from onefold.algorithms.rows import index_add
from onefold.algorithms.rows import repeat as _repeat

__all__ = [
    "empty_segment_identity",
    "ids_to_lengths",
    "ids_to_offsets",
    "index_add",
    "lengths_to_offsets",
    "offsets_to_ids",
    "offsets_to_lengths",
    "partition_ids",
    "repeat",
    "segment_count",
    "segment_max",
    "segment_max_or_constant",
    "segment_mean",
    "segment_min",
    "segment_min_or_constant",
    "segment_normalize",
    "segment_prod",
    "segment_softmax",
    "segment_sum",
    "segment_variance",
]


def _checked(check_sorted):
    return os.environ.get("ONEFOLD_DEBUG") == "1" if check_sorted is None else check_sorted


def _reduce(name, x, segment_ids, num_segments, sorted, check_sorted, constant=None):
    check = sorted and _checked(check_sorted)
    return _core.segment_reduce(x, segment_ids, num_segments, sorted, check, name, constant)


def segment_sum(x, segment_ids, num_segments, *, sorted=False, check_sorted=None):
    """The sum of each segment; 0 where it is empty.

    x              any array of shape (N, ...).
    segment_ids    integers, of shape (N,).
    num_segments   how many segments there are, 0 or more: an int, or an array of one integer. It is never inferred.
    sorted         a hint that the ids ascend.
    check_sorted   whether a wrong hint is an error; None: when ONEFOLD_DEBUG is 1.

    Returns a new Array of shape (num_segments, ...) and of x's type, i64 for bools. Sums of floats are exact and
    rounded once; integers wrap at their width. Bits: contract 10.

    TypeError: num_segments is None; segment_ids are no integers. ValueError: num_segments is negative; segment_ids has
    another shape; x has no dimension; check_sorted.
    """
    return _reduce("sum", x, segment_ids, num_segments, sorted, check_sorted)


def segment_min(x, segment_ids, num_segments, *, sorted=False, check_sorted=None):
    """The smallest value of each segment, NaN if there is one; inf, or the largest integer, where it is empty.

    The result has x's type. Arguments and errors as for segment_sum.
    """
    return _reduce("min", x, segment_ids, num_segments, sorted, check_sorted)


def segment_max(x, segment_ids, num_segments, *, sorted=False, check_sorted=None):
    """The largest value of each segment, NaN if there is one; -inf, or the smallest integer, where it is empty.

    The result has x's type. Arguments and errors as for segment_sum.
    """
    return _reduce("max", x, segment_ids, num_segments, sorted, check_sorted)


def segment_mean(x, segment_ids, num_segments, *, sorted=False, check_sorted=None):
    """The exact mean of each segment, rounded once to x's float type, f64 for integers; 0 where it is empty.

    Arguments and errors as for segment_sum.
    """
    return _reduce("mean", x, segment_ids, num_segments, sorted, check_sorted)


def segment_count(x, segment_ids, num_segments, *, sorted=False, check_sorted=None):
    """How many rows each segment has, in the shape of segment_sum, i64. Arguments and errors as for segment_sum."""
    return _reduce("count", x, segment_ids, num_segments, sorted, check_sorted)


def segment_prod(x, segment_ids, num_segments, *, sorted=False, check_sorted=None):
    """The product of each segment; 1 where it is empty.

    The result has x's type, i64 for bools. Products of floats are folded in the order of the rows, without overflow on
    the way; integers wrap. Arguments and errors as for segment_sum.
    """
    return _reduce("prod", x, segment_ids, num_segments, sorted, check_sorted)


def segment_variance(x, segment_ids, num_segments, *, sorted=False, check_sorted=None):
    """The exact population variance of each segment, rounded once to x's float type, f64 for integers; 0 where it is
    empty.

    Arguments and errors as for segment_sum.
    """
    return _reduce("variance", x, segment_ids, num_segments, sorted, check_sorted)


def segment_min_or_constant(
    x, segment_ids, num_segments, constant, *, sorted=False, check_sorted=None
):
    """The smallest value of each segment; `constant`, converted to x's type, where it is empty.

    Whether a segment is empty is decided by its count: one that has rows gets their minimum, be it an infinity or NaN.
    Other arguments and errors as for segment_sum. TypeError: constant is no number.
    """
    return _or_constant("min", x, segment_ids, num_segments, sorted, check_sorted, constant)


def segment_max_or_constant(
    x, segment_ids, num_segments, constant, *, sorted=False, check_sorted=None
):
    """The largest value of each segment; `constant`, converted to x's type, where it is empty.

    All else as for segment_min_or_constant.
    """
    return _or_constant("max", x, segment_ids, num_segments, sorted, check_sorted, constant)


def _or_constant(name, x, segment_ids, num_segments, sorted, check_sorted, constant):
    if constant is None:
        raise TypeError("constant None is no number")
    return _reduce(name, x, segment_ids, num_segments, sorted, check_sorted, constant)


def segment_softmax(x, segment_ids, num_segments, *, sorted=False, check_sorted=None):
    """The softmax of each segment: exp(x - m) over its sum, m being the largest value of the segment.

    Returns a new Array of x's shape and float type, f64 for integers; rows that are left out get 0. The exponential is
    correctly rounded to f64, the sum exact, the quotient rounded once. A NaN or inf makes its segment NaN, as do -inf
    alone. Bits: contract 10.

    Arguments and errors as for segment_sum.
    """
    check = sorted and _checked(check_sorted)
    return _core.segment_softmax(x, segment_ids, num_segments, sorted, check)


def segment_normalize(x, segment_ids, num_segments, *, sorted=False, check_sorted=None):
    """Each row over the sum of its segment; 0 where that is 0.

    Returns a new Array of x's shape and float type, f64 for integers; rows that are left out get 0. The sum is exact
    and rounded once, and so is the quotient. Arguments and errors as for segment_sum.
    """
    check = sorted and _checked(check_sorted)
    return _core.segment_normalize(x, segment_ids, num_segments, sorted, check)


# ---- What an empty segment gets ----


def empty_segment_identity(dtype, reduction, *, xp):
    """What an empty segment gets: 0 for "sum"; inf or the largest integer for "min"; -inf or the smallest for "max".

    dtype       a type of numpy's, of the namespace's, or Onefold's.
    reduction   "sum", "min" or "max"; of bools True and False.
    xp          the namespace that gives inf, and iinfo for integers: numpy, or another of the array API's manner.

    ValueError: another reduction.
    """
    if reduction == "sum":
        return 0
    if reduction not in ("min", "max"):
        raise ValueError(f"reduction type {reduction} not supported")
    is_min = reduction == "min"
    kind = _kind(getattr(dtype, "as_numpy_dtype", dtype), xp)
    if kind == "f":
        return xp.inf if is_min else -xp.inf
    if kind == "b":
        return is_min
    if isinstance(dtype, _core.DType):
        dtype = getattr(xp, numpy.dtype(dtype.scalar).name)
    info = xp.iinfo(dtype)
    return info.max if is_min else info.min


def _kind(dtype, xp):
    """The letter of numpy's for a type: "f" for floats, "b" for bools."""
    if isinstance(dtype, _core.DType):
        return dtype.kind
    try:
        host = numpy.dtype(dtype)
    except TypeError:  # none of numpy's
        if dtype == getattr(xp, "bool", None):
            return "b"
    else:
        if host.kind != "V":
            return host.kind
        if host.name == "bfloat16":  # which numpy only carries
            return "f"
    try:
        xp.finfo(dtype)
    except (AttributeError, TypeError, ValueError):
        return "i"
    return "f"


# ---- Lengths, offsets, ids ----


def partition_ids(lengths, total_length):
    """The ids of rows that lie segment by segment: each segment's number, lengths[i] times; i64.

    lengths        integers, of shape (number of segments,).
    total_length   the size of the result: what is longer is cut off, what is shorter filled up with the last number.

    ValueError: a negative length, or another shape; total_length is negative, or not 0 where there is no segment.
    TypeError: lengths are no integers; total_length is None.
    """
    return _core.partition_ids(lengths, total_length)


def lengths_to_offsets(lengths):
    """Where each segment begins and the last one ends: one number more than lengths, i64, the first 0.

    ValueError: a negative length, or another shape. TypeError: lengths are no integers.
    """
    return _core.lengths_to_offsets(lengths)


def offsets_to_lengths(offsets):
    """The differences of offsets, i64.

    ValueError: no offset, a first one that is not 0, one below that before it. TypeError: offsets are no integers.
    """
    return _core.offsets_to_lengths(offsets)


def offsets_to_ids(offsets):
    """The ids of rows that lie segment by segment, i64. Errors as for offsets_to_lengths."""
    return _core.offsets_to_ids(offsets)


def ids_to_lengths(segment_ids, num_segments):
    """How many rows each segment has, i64; ids out of range are left out. Errors as for segment_sum."""
    return _core.ids_to_lengths(segment_ids, num_segments)


def ids_to_offsets(segment_ids, num_segments):
    """Where each segment begins, and the last one ends, once rows are put in the order of their ids; i64.

    Errors as for segment_sum.
    """
    return _core.ids_to_offsets(segment_ids, num_segments)


def repeat(x, repeats, *, total_length=None, axis=None, dim=None):
    """Repeats each element or row; see onefold.algorithms.repeat. `axis` is another name of `dim`.

    TypeError: both are given.
    """
    if axis is not None and dim is not None:
        raise TypeError("axis and dim are the same; give one of them")
    return _repeat(x, repeats, total_length=total_length, dim=dim if axis is None else axis)
