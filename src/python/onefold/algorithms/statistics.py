"""Statistics, made of exact sums, of exact squares and products, and rounded once: to f64, or the type asked for.

Without a dim each is one Python number of the first n elements, of whose vectors and matrices all components count.
With a dim, or a tuple of them, it is an Array: each slice for itself, vectors and matrices by components, in the float
type of the data or f64 for integers.
"""

import math

from onefold import _core


def _statistic(name, data, n, dim, keepdim, acctype=None, second=None, ord=0):
    number = _core.OPERATIONS[name]
    return _core.reduce(
        number, data, second, dim, bool(keepdim), acctype, None, n, 0, ord, None, bool(keepdim)
    )


def var(data, n=None, *, dim=None, keepdim=False, acctype=None):
    """The population variance, as a float; NaN when there is no element, or one that is not finite.

    data      any array.
    n         the first n elements, in flat order; None: all.
    dim       along these dimensions, an int or a tuple: an Array. None: of all elements.
    keepdim   reduced dimensions stay, with size 1; the result is an Array then.
    acctype   the float type to round to; None: f64, along a dim that of the data.

    Bits: contract 11.

    ValueError: n is negative or larger than data, or given with dim; dim. TypeError: acctype is no float type.
    """
    return _statistic("var", data, n, dim, keepdim, acctype)


def std(data, n=None, *, dim=None, keepdim=False, acctype=None):
    """The standard deviation: the correctly rounded root of the exact variance. All else as for var."""
    return _statistic("std", data, n, dim, keepdim, acctype)


def norm(data, ord=2, n=None, *, dim=None, keepdim=False, acctype=None):
    """The norm, as a float; 0.0 when there is no element, NaN when one is, else infinite when one is.

    ord   1: the sum of absolute values; 2: the root of the sum of squares; float("inf"): the largest absolute value.

    ValueError: another ord. Other arguments and errors as for var.
    """
    if ord not in (1, 2, math.inf):
        raise ValueError(f"Unsupported norm order: ord is {ord!r}; it may be 1, 2 or infinity")
    return _statistic("norm", data, n, dim, keepdim, acctype, ord=ord)


def absmax(data, n=None, *, dim=None, keepdim=False, acctype=None):
    """The largest absolute value, as a float; 0.0 when there is no element, NaN when one is. All else as for var."""
    return _statistic("absmax", data, n, dim, keepdim, acctype)


def count_nonzero(data, n=None, *, dim=None, keepdim=False):
    """How many values are not zero, as an int, along a dim i64; NaN counts, -0.0 does not. All else as for var."""
    return _statistic("count_nonzero", data, n, dim, keepdim)


def dot(a, b, n=None, *, dim=None, keepdim=False, acctype=None):
    """The sum of products a[i] * b[i], exact and rounded once, as a float; 0.0 when there is no element.

    a, b   any arrays, of which b may be the longer one; along a dim of one shape.
    n      None: the size of a.

    ValueError: b is shorter. Other arguments and errors as for var.
    """
    return _statistic("dot", a, n, dim, keepdim, acctype, b)


def weighted_sum(data, weights, n=None, *, dim=None, keepdim=False, acctype=None):
    """The sum of weights[i] * data[i]: dot by another name."""
    return dot(data, weights, n, dim=dim, keepdim=keepdim, acctype=acctype)


def weighted_mean(data, weights, n=None, *, dim=None, keepdim=False, acctype=None):
    """The sum of weights[i] * data[i] over that of the weights, exact and rounded once, as a float.

    NaN when the weights add up to 0, as those of no elements do, or when a number is not finite. All else as for dot.
    """
    return _statistic("weighted_mean", data, n, dim, keepdim, acctype, weights)
