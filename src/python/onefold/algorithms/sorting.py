"""Sorting, and what goes with it.

One order everywhere: integers and bools by value; floats -inf ... -0.0, 0.0 ... inf, then NaNs, which are all equal.
Descending is the reverse order. Every sort is stable in either direction.
"""

from onefold import _core


def sort(keys, n=None, *, dim=None, descending=False):
    """The elements in order, in a new array.

    keys         any array of scalars; only read.
    n            the first n, in flat order; None: all.
    dim          sort each line along a dimension by itself: the result has the shape of keys. None: the array flat,
                 the result has one dimension.
    descending   the largest first, NaNs before all.

    Bits: contract 9.

    ValueError: n is negative or larger than keys, or given with dim; dim is out of range. TypeError: keys holds
    vectors or matrices.
    """
    return _core.sort(keys, n, dim, descending)


def argsort(keys, n=None, *, dim=None, descending=False, index_dtype=None):
    """The order in which keys would be sorted: indices such that gather(keys, indices) is sorted, and stable.

    index_dtype   i32 or i64; None: i32 up to 2**31 - 1 elements, else i64.

    Other arguments and errors as for sort; along a dim the indices count from 0 in each line. TypeError: index_dtype
    is another type. ValueError: it is i32, and there are more elements.
    """
    return _core.argsort(keys, n, dim, descending, index_dtype)


def sort_by_key(keys, values, n=None, *, dim=None, descending=False):
    """Sorts keys and carries values along: (sorted keys, values in the same order), both new.

    keys     as for sort.
    values   any array, of vectors and matrices too: of the shape of keys, or without a dim with at least n rows, a row
             being what one index of the first dimension picks.

    Other arguments and errors as for sort. ValueError: values has another shape.
    """
    return _core.sort_by_key(keys, n, dim, descending, values)


def searchsorted(sorted, values, n=None, *, side="left", descending=False, index_dtype=None):
    """Where values belong among sorted elements: for each how many elements come before it.

    sorted        an array of scalars in the order of sort with the same `descending`, taken flat.
    values        an array of scalars, of any type: they are compared exactly. The result has its shape.
    n             search the first n elements; None: all.
    side          "left": before elements that are equal; "right": behind them.
    index_dtype   as for argsort.

    ValueError: n is negative or larger than sorted; side. TypeError: an array holds vectors or matrices; index_dtype.
    """
    if side not in ("left", "right"):
        raise ValueError(f'side {side!r} is neither "left" nor "right"')
    return _core.searchsorted(sorted, values, n, side == "right", descending, index_dtype)


def top_k(src, k, n=None, *, dim=None, smallest=False, index_dtype=None):
    """The k largest elements, the largest first, and where they are: (values, indices).

    src           any array of scalars. NaNs are larger than all else; of equal elements the first ones are taken.
    k             0 to the number of elements, or along a dim to its size.
    n, dim        as for sort; along a dim the results have src's shape with k in its place.
    smallest      the k smallest, the smallest first.
    index_dtype   as for argsort.

    ValueError: k is negative or too large. Other errors as for argsort.
    """
    return _core.top_k(src, k, n, dim, smallest, index_dtype)


def merge(a, b, *, descending=False):
    """Two sorted arrays as one, in one dimension; of equal elements those of `a` come first.

    a, b   arrays of scalars of one type, each in the order of sort with the same `descending`.

    TypeError: their types differ, or they hold vectors or matrices.
    """
    return _core.merge(a, b, descending)


def reverse(src, n=None, *, dim=None):
    """The elements in reverse order, in a new array.

    src   any array, of vectors and matrices too, which stay as they are.
    n     the first n, in flat order; None: all.
    dim   along a dimension: the result has src's shape. None: the array flat.

    ValueError: n is negative or larger than src, or given with dim; dim is out of range.
    """
    return _core.reverse(src, n, dim)
