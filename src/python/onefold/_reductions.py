"""Reductions of a whole array, or along any of its dimensions, in the manner of tensors: arrays give arrays.

Inputs are Arrays, arrays of numpy's (borrowed, not copied) or of other libraries, nested lists or numbers, of any of the
13 scalar types. Without dim everything is reduced, the components of vectors and matrices too, to an Array without
dimensions, which item(), int() and float() read. Along dims vectors and matrices are reduced component by component.

ValueError: dim is out of range or given twice. TypeError: the input is no array of numbers; acctype cannot hold the
result. MemoryError.
"""

import math

from onefold import _core

ALL = _core.OPERATIONS["all"]
ANY = _core.OPERATIONS["any"]
ABSMAX = _core.OPERATIONS["absmax"]
ARGMAX = _core.OPERATIONS["argmax"]
ARGMIN = _core.OPERATIONS["argmin"]
COUNT_NONZERO = _core.OPERATIONS["count_nonzero"]
DOT = _core.OPERATIONS["dot"]
MAX = _core.OPERATIONS["max"]
MEAN = _core.OPERATIONS["mean"]
MIN = _core.OPERATIONS["min"]
NORM = _core.OPERATIONS["norm"]
PROD = _core.OPERATIONS["prod"]
STD = _core.OPERATIONS["std"]
SUM = _core.OPERATIONS["sum"]
VAR = _core.OPERATIONS["var"]
WEIGHTED_MEAN = _core.OPERATIONS["weighted_mean"]


def sum(input, dim=None, keepdim=False, *, acctype=None, init=None):
    """The exact sum, rounded once.

    input     any shape and type.
    dim       the dimension or dimensions to sum along; None: all.
    keepdim   True: they stay, with size 1.
    acctype   the type of the result. None: of floats their own, of signed integers and bool i64, of unsigned ones
              u64.
    init      one more term, exact.

    No order of adding can change a bit, and nothing overflows on the way: the result is infinite only when the exact
    sum is too large, or an element is infinite. NaN: there is one, or infinities of both signs. Sums of integers are
    taken modulo 2**64, or modulo the width of acctype. Of no elements: 0, or init.

    TypeError: acctype is an integer type for floats; init is a float for integers without a float acctype.
    """
    return _core.reduce_array(SUM, input, None, dim, keepdim, acctype, init)


def mean(input, dim=None, keepdim=False, *, acctype=None):
    """The exact mean, rounded once.

    input     any shape and type.
    dim       the dimension or dimensions to average along; None: all.
    keepdim   True: they stay, with size 1.
    acctype   the type of the result, a float. None: f64; along dims the type of float inputs.

    It does not overflow, not even for integers. Of no elements: NaN.
    """
    return _core.reduce_array(MEAN, input, None, dim, keepdim, acctype)


def prod(input, dim=None, keepdim=False, *, acctype=None, init=None):
    """The product.

    input     any shape and type.
    dim       the dimension or dimensions to multiply along; None: all.
    keepdim   True: they stay, with size 1.
    acctype   the type of the result. None: as for sum.
    init      one more factor.

    Floats are multiplied in a fixed order with 53 bits and no limit to exponents, then rounded to the type, so that
    nothing overflows or underflows on the way. NaN: there is one, or a zero and an infinity. Products of integers are
    taken modulo 2**64, or modulo the width of acctype. Of no elements: 1, or init.

    TypeError: as for sum.
    """
    return _core.reduce_array(PROD, input, None, dim, keepdim, acctype, init)


def amax(input, dim=None, keepdim=False, *, init=None):
    """The largest element.

    input     any shape and type, which is the result's.
    dim       the dimension or dimensions to search along; None: all.
    keepdim   True: they stay, with size 1.
    init      a number of the type, which counts as an element.

    NaN if there is one; +0.0 is larger than -0.0.

    ValueError: there is no element and no init; init does not fit the integer type. TypeError: init is a float and
    the elements are integers.
    """
    return _core.reduce_array(MAX, input, None, dim, keepdim, None, init)


def amin(input, dim=None, keepdim=False, *, init=None):
    """The smallest element; arguments and errors as for amax.

    NaN if there is one; -0.0 is smaller than +0.0.
    """
    return _core.reduce_array(MIN, input, None, dim, keepdim, None, init)


def argmax(input, dim=None, keepdim=False):
    """The index of the largest element, i64.

    input     any shape and type.
    dim       the dimension to search along. None: all, and the index counts elements, of vectors and matrices
              components, in row-major order.
    keepdim   True: reduced dimensions stay, with size 1.

    The first NaN if there is one, else the first of the equal ones; zeros are equal whatever their signs.

    ValueError: there is no element; dim names some, but not all dimensions.
    """
    return _core.reduce_array(ARGMAX, input, None, dim, keepdim)


def argmin(input, dim=None, keepdim=False):
    """The index of the smallest element, i64; arguments, NaNs, ties and errors as for argmax."""
    return _core.reduce_array(ARGMIN, input, None, dim, keepdim)


def any(input, dim=None, keepdim=False, *, init=None):
    """Whether any element is not zero, bool; NaN counts, -0.0 does not. Of no elements: False.

    input     any shape and type.
    dim       the dimension or dimensions to look along; None: all.
    keepdim   True: they stay, with size 1.
    init      a number that counts as an element.
    """
    return _core.reduce_array(ANY, input, None, dim, keepdim, None, init)


def all(input, dim=None, keepdim=False, *, init=None):
    """Whether no element is zero, bool; arguments as for any. Of no elements: True."""
    return _core.reduce_array(ALL, input, None, dim, keepdim, None, init)


def count_nonzero(input, dim=None, keepdim=False):
    """How many elements are not zero, i64; NaN counts, -0.0 does not. onefold.count starts from a number.

    input     any shape and type.
    dim       the dimension or dimensions to count along; None: all.
    keepdim   True: they stay, with size 1.
    """
    return _core.reduce_array(COUNT_NONZERO, input, None, dim, keepdim)


def absmax(input, dim=None, keepdim=False, *, acctype=None):
    """The largest absolute value, exact, then rounded once.

    input     any shape and type.
    dim       the dimension or dimensions to search along; None: all.
    keepdim   True: they stay, with size 1.
    acctype   the type of the result, a float. None: f64; along dims the type of float inputs.

    NaN if there is one. Of no elements: 0.
    """
    return _core.reduce_array(ABSMAX, input, None, dim, keepdim, acctype)


def var(input, dim=None, keepdim=False, *, acctype=None):
    """The population variance, exact, then rounded once: the mean of the squared distances from the mean.

    Arguments as for mean. NaN: an element is NaN or infinite, or there is none.
    """
    return _core.reduce_array(VAR, input, None, dim, keepdim, acctype)


def std(input, dim=None, keepdim=False, *, acctype=None):
    """The population standard deviation: the correctly rounded root of the exact variance.

    Arguments as for mean. NaN: an element is NaN or infinite, or there is none.
    """
    return _core.reduce_array(STD, input, None, dim, keepdim, acctype)


def norm(input, ord=2, dim=None, keepdim=False, *, acctype=None):
    """The norm of order 1, 2 or infinity, exact, then rounded once.

    input     any shape and type.
    ord       1: the sum of absolute values; 2: the root of the sum of squares; float("inf"): the largest absolute
              value.
    dim       the dimension or dimensions of a vector whose norm is taken; None: all.
    keepdim   True: they stay, with size 1.
    acctype   the type of the result, a float. None: f64; along dims the type of float inputs.

    No square overflows or underflows on the way. NaN if an element is. Of no elements: 0.

    ValueError: another ord ("Unsupported norm order").
    """
    if ord not in (1, 2, math.inf):
        raise ValueError(f"Unsupported norm order: ord is {ord!r}; it may be 1, 2 or infinity")
    return _core.reduce_array(NORM, input, None, dim, keepdim, acctype, None, None, 0, ord)


def dot(a, b, dim=None, keepdim=False, *, acctype=None):
    """The exact sum of the exact products of two arrays, rounded once.

    a, b      any types, which may differ. Along dims, or of vectors and matrices, the shapes are the same; else
              elements pair in row-major order, and b may be longer.
    dim       the dimension or dimensions to sum along; None: all.
    keepdim   True: they stay, with size 1.
    acctype   the type of the result, a float. None: f64; along dims the float type in which a's and b's meet.

    NaN and infinities as products and sums give them. Of no elements: 0.

    ValueError: shapes differ; b is shorter.
    """
    return _core.reduce_array(DOT, a, b, dim, keepdim, acctype)


def weighted_mean(input, weights, dim=None, keepdim=False, *, acctype=None):
    """The exact sum of the elements times their weights, over the exact sum of the weights, rounded once.

    input     any type.
    weights   numbers of any sign; type and shape as b of dot.
    dim       the dimension or dimensions to average along; None: all.
    keepdim   True: they stay, with size 1.
    acctype   the type of the result, a float. None: as for dot.

    NaN: the weights add up to 0; an element or a weight is NaN or infinite.

    ValueError: shapes differ; there are fewer weights.
    """
    return _core.reduce_array(WEIGHTED_MEAN, input, weights, dim, keepdim, acctype)
