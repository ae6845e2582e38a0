"""Rows by number. A row is what one index of the first dimension picks: of one-dimensional arrays an element."""

from onefold import _core


def gather(src, indices, n=None, *, unchecked=False):
    """Rows by number, in a new array: result[i] = src[indices[i]].

    src         any array of at least one dimension, of vectors and matrices too.
    indices     an array of integers, of any shape.
    n           the first n indices, in flat order; None: all.
    unchecked   do not look whether indices are in range; what happens then with one that is not, is undefined.

    The result has the shape of indices, or (n,), with that of a row behind it.

    IndexError: an index is negative or too large. TypeError: indices holds no integers. ValueError: n is negative or
    larger than indices; src has no dimension.
    """
    return _core.gather(src, indices, n, unchecked)


def scatter(src, indices, dst, n=None, *, unchecked=False):
    """Puts rows by number: dst[indices[i]] = src[i], one after another, so that of equal indices the last wins.

    src         an array of dst's type: a row for each index, of the shape of indices with that of a row behind it.
    indices     an array of integers, of any shape.
    dst         an Array or a writable array of numpy's. Rows that no index names are left as they are.
    n           the first n indices and rows; None: all.
    unchecked   as for gather.

    Returns None. Bits: contract 9.

    Errors as for gather; TypeError: src and dst have different types. ValueError: shapes do not match; dst is
    read-only or overlaps another. NotImplementedError: dst is made of separate arrays by soa. Nothing is written then.
    """
    _core.scatter(src, indices, dst, n, unchecked)


def repeat(x, repeats, *, total_length=None, dim=None):
    """Repeats each element or row, in a new array.

    x              any array, of vectors and matrices too.
    repeats        how often: one integer for all, or an array of one for each.
    total_length   the result's size along dim: what is longer is cut off, what is shorter filled up with the last row.
                   None: the sum of the repeats.
    dim            the dimension to repeat along; None: the array flat.

    ValueError: a negative repeat; another number of repeats; dim; total_length is negative, or not 0 where there is
    nothing to repeat. TypeError: repeats are no integers.
    """
    return _core.repeat(x, repeats, total_length, dim)


def index_add(into, indices, src):
    """Adds rows to rows by number: into[indices[i]] += src[i]; any number may go to the same one.

    into      an Array or a writable array of numpy's, of any type but bool, of shape (M, ...).
    indices   an array of integers, of shape (N,).
    src       an array of into's type, of shape (N, ...).

    Every row named is the exact sum of what it was and what is added, rounded once; integers wrap. Returns None.
    Bits: contract 3 and 4.

    IndexError: an index is negative, or M or more. ValueError: shapes do not match; into is read-only or overlaps
    another. TypeError: indices are no integers; the types differ; into holds bools. NotImplementedError: into is made
    of separate arrays by soa. Nothing is written then.
    """
    _core.index_add(into, indices, src)
