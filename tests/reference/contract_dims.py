"""Sections 3 to 7 over arrays, in addition to contract.py: along dims, with init, acctype and the exact maps.

Type names are "bool" to "f64"; bf16 elements are uint16, as in contract.py.
"""

import itertools

import numpy as np

import contract
from contract import Fraction, Values, is_float

OPERATIONS = "sum mean prod min max argmin argmax absmax count_nonzero any all".split()


def wide_integer(name):
    return "u64" if name[0] == "u" else "i64"


def result_type(operation, name, map="none", acctype=None, along=False):
    """The type of the answer. `along`: dims are named."""
    if acctype:
        return acctype
    if operation in ("any", "all"):
        return "bool"
    if operation in ("argmin", "argmax", "count_nonzero"):
        return "i64"
    if operation in ("mean", "absmax"):
        return name if along and is_float(name) else "f64"
    if is_float(name):
        return name
    return wide_integer(name) if operation in ("sum", "prod") or map != "none" else name


def abs_of(raw, name):
    """Of floats: the same elements without their signs."""
    size = raw.dtype.itemsize
    unsigned = np.dtype(f"u{size}")
    return (raw.view(unsigned) & unsigned.type((1 << (8 * size - 1)) - 1)).view(raw.dtype)


def integer_terms(map, raw, second, name):
    """The terms of integers, modulo 2^64."""
    wide = contract.storage(wide_integer(name))
    x, y = raw.astype(wide), (raw if second is None else second).astype(wide)
    with np.errstate(over="ignore"):
        return np.abs(x) if map == "abs" else x * y


def extreme(operation, raw, name, out, init):
    """min or max; op(init, .) compares exact values."""
    if init is None:
        return contract.extreme(raw, operation == "max", name)
    values = Values(raw, name).py + [init]
    if any(v != v for v in values):
        return contract._pack(out, 0, "nan")
    best = (max if operation == "max" else min)(values, key=contract.order_key)
    if not is_float(out):
        return contract.wrap(best, out)
    if isinstance(best, float) and best in (float("inf"), float("-inf")):
        return contract._pack(out, int(best < 0), "inf")
    return contract.round_to(out, Fraction(best), int(contract._neg_zero(best)))


def one(operation, raw, name, out, init=None, map="none", second=None):
    """The answer for the elements of one slice."""
    if map != "none" and is_float(name):
        if map == "abs":
            raw = abs_of(raw, name)
        elif operation == "sum" and init is None:
            return contract.dot(raw, raw if second is None else second, out, name, name)
        else:
            assert operation in ("count_nonzero", "any", "all") and map == "square"  # zero where its root is
    elif map != "none":
        raw, name = integer_terms(map, raw, second, name), wide_integer(name)
    if operation == "sum":
        return contract.sum_(raw, name, out, init)
    if operation == "prod":
        return contract.prod(raw, name, out, init)
    if operation == "mean":
        return contract.mean(raw, name, out)
    if operation == "absmax":
        return contract.norm(raw, np.inf, name, out)
    if operation in ("min", "max"):
        return extreme(operation, raw, name, out, init)
    if operation in ("argmin", "argmax"):
        return contract.arg_extreme(raw, operation == "argmax", name)
    if operation == "count_nonzero":
        return contract.count_nonzero(raw, name) + np.int64(init or 0)
    if operation == "any":
        return contract.any_(raw, name) or np.bool_(init is not None and init != 0)
    return contract.all_(raw, name) and np.bool_(init is None or init != 0)


def reduced(operation, a, name, dims=None, keepdims=False, acctype=None, init=None, map="none", second=None):
    """(array of answers, its type's name). dims None: the whole array."""
    a = np.asarray(a)
    along = dims is not None
    axes = {d % a.ndim for d in dims} if along else set(range(a.ndim))
    out = result_type(operation, name, map, acctype, along)
    answers = []
    for index in itertools.product(*(range(1) if d in axes else range(n) for d, n in enumerate(a.shape))):
        at = tuple(slice(None) if d in axes else i for d, i in enumerate(index))
        other = None if second is None else np.ascontiguousarray(np.asarray(second)[at]).reshape(-1)
        answers.append(one(operation, np.ascontiguousarray(a[at]).reshape(-1), name, out, init, map, other))
    shape = [1 if d in axes else n for d, n in enumerate(a.shape) if keepdims or d not in axes]
    return np.array(answers, contract.storage(out)).reshape(shape), out


def folded(operation, a, name, into, into_name, init=None, overwrite=False):
    """What a sum, an extreme, any, all or count becomes in `into`, an array with 1 where it is reduced."""
    a, result = np.asarray(a), np.array(into)
    for index in np.ndindex(*into.shape):
        at = tuple(slice(None) if into.shape[d] == 1 else index[d] for d in range(into.ndim))
        part = np.ascontiguousarray(a[at]).reshape(-1)
        old = Values(into[index], into_name).py[0]
        if part.size == 0:
            if init is not None:
                result[index] = converted(init, into_name)
            continue
        start = init if init is not None else None if overwrite else old
        rounded = into_name if is_float(into_name) else result_type(operation, name)
        if operation not in ("sum", "prod", "min", "max"):
            rounded = result_type(operation, name)
        answer = one(operation, part, name, rounded, start)
        result[index] = converted(Values(answer, rounded).py[0], into_name)
    return result


def converted(value, name):
    """A Python number as an element of type `name`."""
    value = contract.convert(value, name)
    if not is_float(name):
        return contract.storage(name)(value)
    if value != value:
        return contract._pack(name, 0, "nan")
    if value in (float("inf"), float("-inf")):
        return contract._pack(name, int(value < 0), "inf")
    return contract.round_to(name, Fraction(value), int(contract._neg_zero(value)))
