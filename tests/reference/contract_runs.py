"""The executable contract, continued: runs of equal keys and selection by flags (section 10).

As in contract.py: NumPy arrays in, NumPy arrays out, bf16 as uint16 with its name given.
"""

import numpy as np

import contract


def index_type(n, wanted=None):
    return np.dtype(contract.storage(wanted)) if wanted else np.dtype(np.int32 if n <= 2**31 - 1 else np.int64)


def unique(keys, dtype=None, n=None, index=None):
    """(keys, counts, first index, inverse) of the runs among the first n elements."""
    flat = np.asarray(keys).reshape(-1)[:n]
    kind = index_type(flat.size, index)
    first_keys, counts = contract.unique(flat, dtype)
    starts = np.array([start for start, _ in contract.runs(flat, dtype)], kind)
    inverse = np.repeat(np.arange(counts.size, dtype=kind), counts)
    return first_keys, counts.astype(kind), starts, inverse


def result_type(name, operation, index=None):
    if operation == "count":
        return index or "i64"
    if operation in ("mean", "variance"):
        return name if contract.is_float(name) else "f64"
    return "i64" if name == "bool" and operation in ("sum", "prod") else name


def reduce_by_key(keys, values, operation, key_dtype=None, dtype=None, n=None, index=None):
    """(keys, results) of the runs among the first n elements."""
    flat = np.asarray(keys).reshape(-1)
    n = flat.size if n is None else n
    taken = np.asarray(values).reshape(-1)[:n]
    name = contract.Values(taken[:0], dtype).name
    first_keys, results = contract.reduce_by_key(flat[:n], taken, operation, key_dtype, dtype)
    return first_keys, results.astype(contract.storage(result_type(name, operation, index)))


def is_set(flags, dtype=None):
    """Which flags are true: NaN is, -0.0 is not."""
    return np.array([v != 0 for v in contract.Values(flags, dtype).py], np.bool_)


def compact(src, flags, dtype=None, n=None):
    src = np.asarray(src)
    rows = src if np.ndim(flags) == 1 else src.reshape(-1)
    kept = [i for i, flag in enumerate(is_set(flags, dtype)[:n]) if flag]
    return rows[kept]


def partition(src, flags, dtype=None, n=None):
    src = np.asarray(src)
    rows = src if np.ndim(flags) == 1 else src.reshape(-1)
    wanted = is_set(flags, dtype)[:n]
    order = [i for i, flag in enumerate(wanted) if flag] + [i for i, flag in enumerate(wanted) if not flag]
    return rows[order], int(wanted.sum())


def nonzero(flags, dtype=None, n=None, index=None):
    wanted = is_set(flags, dtype)[:n]
    return np.array([i for i, flag in enumerate(wanted) if flag], index_type(wanted.size, index))
