"""Prefix scans."""

import operator

from onefold import _core

# Python's functions that are built-in operations too.
FUNCTIONS = {operator.add: "sum", operator.mul: "prod", min: "min", max: "max"}


def _name(op):
    return FUNCTIONS.get(op, op) if callable(op) else op


def exclusive_scan(src, dst, n=None, *, total=True, init=None, op="sum", dim=None):
    """Writes the fold of what comes before each element: dst[i] = init + src[0] + ... + src[i - 1].

    src     any array of scalars; only read, unless it is dst.
    dst     an Array or a writable array of numpy's, of any type. The scan runs in its type: elements and init convert
            to it first. May be src itself. Elements past n are left alone.
    n       how many elements, in flat order, or along a dim of each line; None: all of src.
    total   whether the fold of all n elements is returned.
    init    comes before the first element. None: nothing, which folds to 0 for a sum, 1 for a product, the largest
            value of dst's type for "min", the smallest for "max".
    op      "sum", "prod", "min", "max"; or operator.add, operator.mul, min, max.
    dim     scan along a dimension; src and dst then have one shape, and there is no total. None: the array flat.

    Returns the total, of dst's type: an int, a float, or a bool for an extreme of bools. None with total=False or a
    dim.

    A float sum is the exact sum of its prefix, rounded once; integers wrap at dst's width. Bits: contract 8.

    ValueError: n is negative or larger than an array; dst has no room for src, is read-only, or overlaps src without
    being it; op; dim. TypeError: an array holds vectors or matrices; a sum or product into bool. Nothing is written
    then.
    """
    return _core.scan(True, src, dst, n, total and dim is None, init, _name(op), dim)


def inclusive_scan(src, dst, n=None, *, total=True, init=None, op="sum", dim=None):
    """Writes the fold of each prefix, its last element included: dst[i] = init + src[0] + ... + src[i].

    Arguments, result and errors as for exclusive_scan.
    """
    return _core.scan(False, src, dst, n, total and dim is None, init, _name(op), dim)
