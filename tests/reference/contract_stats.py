"""Section 11 over arrays, in addition to contract.py: two arrays of any types, n, dims."""

import itertools

import numpy as np

import contract
from contract import Fraction, Values

OPERATIONS = "var std norm dot weighted_mean".split()  # as in operations.def, from OF_VAR on
FIRST_CODE = 11


def join(a, b):
    """The float type in which two types meet, or else f64 (section 2)."""
    floats = [name for name in (a, b) if contract.is_float(name)]
    if not floats:
        return "f64"
    if len(floats) == 1 or a == b:
        return floats[0]
    wide = [name for name in ("f64", "f32") if name in floats]
    return wide[0] if wide else "f32"


def weighted_mean(a, w, out, dtype_a=None, dtype_w=None):
    x, y = Values(a, dtype_a), Values(w, dtype_w)
    total = sum(y.exact, Fraction(0))
    if x.nan or x.pinf or x.ninf or y.nan or y.pinf or y.ninf or total == 0:
        return contract._pack(out, 0, "nan")
    return contract.round_to(out, sum((p * q for p, q in zip(x.exact, y.exact)), Fraction(0)) / total)


def statistic(operation, a, name, out, ord=2, second=None, second_name=None):
    """Of all the elements given."""
    if operation == "var":
        return contract.var(a, name, out)
    if operation == "std":
        return contract.std(a, name, out)
    if operation == "norm":
        return contract.norm(a, ord, name, out)
    if operation == "dot":
        return contract.dot(a, second, out, name, second_name)
    return weighted_mean(a, second, out, name, second_name)


def whole(operation, a, name, acctype=None, ord=2, second=None, second_name=None, n=None):
    """Of a whole array, or of its first n elements in row-major order."""
    flat, other = np.asarray(a).reshape(-1), None
    n = flat.size if n is None else n
    if n < 0 or n > flat.size:
        raise ValueError("n")
    if second is not None:
        other = np.asarray(second).reshape(-1)
        if n > other.size:
            raise ValueError("n")
        other = other[:n]
    return statistic(operation, flat[:n], name, acctype or "f64", ord, other, second_name)


def along(operation, a, name, dims, keepdims=False, acctype=None, ord=2, second=None, second_name=None):
    """Along dimensions: each slice for itself."""
    a = np.asarray(a)
    dims = {d % a.ndim for d in dims}
    out = acctype or join(name, second_name or name)
    kept = [range(1) if d in dims else range(n) for d, n in enumerate(a.shape)]
    answers = []
    for index in itertools.product(*kept):
        at = tuple(slice(None) if d in dims else i for d, i in enumerate(index))
        other = None if second is None else np.asarray(second)[at].reshape(-1)
        answers.append(statistic(operation, a[at].reshape(-1), name, out, ord, other, second_name))
    shape = [1 if d in dims else n for d, n in enumerate(a.shape) if keepdims or d not in dims]
    return np.array(answers, contract.storage(out)).reshape(shape)
