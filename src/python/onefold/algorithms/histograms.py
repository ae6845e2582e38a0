"""Histograms."""

from onefold import _core


def histogram(data, bins=10, range=None, n=None, *, outside="clamp", weights=None):
    """Counts the elements in each of `bins` bins of equal width: (counts, edges).

    data      any array; of vectors and matrices all components count.
    bins      how many, 1 or more.
    range     the two ends (lo, hi); None: the smallest and the largest of the n elements. Equal ends: hi becomes
              lo + 1, or the next float where that is lo again.
    n         only the first n elements, in flat order; None: all.
    outside   what becomes of values outside the range: "clamp" counts them in the first or last bin, "drop" nowhere.
    weights   what each element counts for: as many numbers as data has; None: one each.

    The counts are an i64 Array of `bins` elements; with weights their exact sums, rounded once to their type, of
    integers modulo 2**64. The edges are a float64 array of numpy's, one more. x is in bin i when edges[i] <= x <
    edges[i + 1], compared exactly; the last edge belongs to the last bin, a NaN to none.

    Bits: contract 12, of weights contract 3 and 4.

    ValueError: bins below 1; an end that is not finite, lo > hi; no range and no element, or one that is not finite; n
    is negative or larger than data; weights of another size; outside. TypeError: bins is no integer.
    NotImplementedError: 2**31 - 8 bins or more.
    """
    counts, edges = _core.histogram(data, bins, range, n, outside, weights)
    return counts, edges.numpy()
