"""Selecting elements by flags, in order. Flags are of any type; one is true when it is not zero, so NaN is."""

from onefold import _core


def compact(src, flags, n=None):
    """What is flagged, in a new array.

    src     any array, of vectors and matrices too.
    flags   an array of scalars: of one dimension, one for each row, which is what an index of src's first dimension
            picks; or of src's shape, one for each element, and the result then has one dimension.
    n       look at the first n rows or elements; None: at all.

    ValueError: shapes do not match; n is negative or larger than an array. TypeError: flags holds vectors or matrices.
    """
    return _core.compact(src, flags, n)


def partition(src, flags, n=None):
    """What is flagged, and the rest behind it, each in order: (a new array, how many are flagged).

    Arguments and errors as for compact; the number is an int.
    """
    return _core.partition(src, flags, n)


def nonzero(flags, n=None, *, index_dtype=None):
    """The flat indices of the elements that are not zero, in order, in a new array of one dimension.

    flags         any array of scalars.
    n             look at the first n; None: at all.
    index_dtype   i32 or i64; None: i32 up to 2**31 - 1 elements, else i64.

    ValueError: n is negative or larger than flags. TypeError: flags holds vectors or matrices; index_dtype.
    """
    return _core.nonzero(flags, n, index_dtype)
