"""Runs of equal keys.

A run is as many neighbours as are equal by ==, so that each NaN is a run of its own. Sort first where equal keys are
to meet. Arrays are taken flat, in row-major order.
"""

from onefold import _core


def unique(keys, n=None, *, return_index=False, return_inverse=False, index_dtype=None):
    """The runs of equal keys: (the first key of each run, the length of each run).

    keys             any array of scalars; [7, 7, 2, 2, 7] has the runs [7, 2, 7], of lengths [2, 2, 1].
    n                the first n, in flat order; None: all.
    return_index     give also, as a third array, where each run starts.
    return_inverse   give also, as the last array, the number of its run for each of the n elements.
    index_dtype      of lengths, starts and numbers: i32 or i64; None: i32 up to 2**31 - 1 elements, else i64.

    All are new arrays of one dimension. repeat(keys, lengths) expands them again. Bits: contract 10.

    ValueError: n is negative or larger than keys. TypeError: keys holds vectors or matrices; index_dtype.
    """
    return _core.unique(keys, n, index_dtype, return_index, return_inverse)


def reduce_by_key(keys, values, op="sum", n=None, *, index_dtype=None):
    """Reduces the values that belong to each run of equal keys: (the first key of each run, one value each).

    keys          as for unique.
    values        any array of at least n elements; vectors and matrices are reduced by components.
    op            "sum", "min", "max", "mean", "count", "prod" or "variance", the population's.
    n             the first n, in flat order; None: the size of keys.
    index_dtype   of counts of scalars: i32 or i64; None: i64.

    Sums, products and extremes have the type of values, but sums and products of bools are i64; means and
    variances are floats, f64 of integers. Sums of floats are exact and rounded once; integers wrap. Bits: contract 10.

    ValueError: n is negative or larger than an array; op. TypeError: keys holds vectors or matrices; index_dtype.
    """
    return _core.reduce_by_key(keys, values, op, n, index_dtype)
