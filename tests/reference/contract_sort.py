"""Section 9 of docs/contract.md in Python: sorting and what goes with it. See contract.py.

Arrays are NumPy's; bf16 ones are their uint16 bits with dtype="bf16".
"""

import bisect

import numpy as np

from contract import Values, argsort, order_key


def order(a, dtype=None, descending=False):
    """The stable permutation of a flat array, as i64."""
    return argsort(a, descending, dtype).astype(np.int64)


def argsort_dim(a, dim=None, descending=False, dtype=None, n=None, index=np.int32):
    """Of the first n elements, or of each line along a dim by itself."""
    if dim is None:
        flat = a.reshape(-1)[: a.size if n is None else n]
        return order(flat, dtype, descending).astype(index)
    out = np.empty(a.shape, index)
    lines, results = np.moveaxis(a, dim, -1), np.moveaxis(out, dim, -1)
    for place in np.ndindex(lines.shape[:-1]):
        results[place] = order(lines[place], dtype, descending)
    return out


def sort(a, dim=None, descending=False, dtype=None, n=None):
    indices = argsort_dim(a, dim, descending, dtype, n, np.int64)
    return a.reshape(-1)[indices] if dim is None else np.take_along_axis(a, indices, dim)


def scatter(src, indices, dst):
    """One row after another, so that of equal indices the last wins."""
    rows = src.reshape((indices.size,) + dst.shape[1:])
    for i, to in enumerate(indices.reshape(-1)):
        dst[int(to)] = rows[i]


def searchsorted(sorted_, values, right=False, descending=False, dtype=None, value_dtype=None):
    """How many sorted elements belong before each value; with `right` those equal to it too."""
    keys = [order_key(v) for v in Values(sorted_, dtype).py]
    wanted = [order_key(v) for v in Values(values, value_dtype or dtype).py]
    if descending:
        keys.reverse()
    out = []
    for key in wanted:
        if descending:
            side = bisect.bisect_left if right else bisect.bisect_right
            out.append(len(keys) - side(keys, key))
        else:
            side = bisect.bisect_right if right else bisect.bisect_left
            out.append(side(keys, key))
    return np.array(out, np.int64).reshape(np.shape(values))


def merge(a, b, descending=False, dtype=None):
    """The stable sort of both, the first array's elements before equal ones of the second."""
    both = np.concatenate([a, b])
    return both[order(both, dtype, descending)]
