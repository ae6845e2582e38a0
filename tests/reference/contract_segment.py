"""Section 10's segments, in addition to contract.py: products, softmax, repeats, scatter-adds."""

import decimal
import math

import numpy as np

import contract

OPERATIONS = "sum min max mean count prod variance".split()  # as in group_operations.def


def empty_segment(name, op):
    return 1 if op == "prod" else contract.empty_segment(name, op)


def storage(name, op):
    if op == "prod":
        return np.int64 if name == "bool" else contract.storage(name)
    return contract._segment_storage(name, op)


def segment(x, ids, num_segments, op="sum", constant=None, dtype=None):
    """As contract.segment; `constant` is an element of the result's type."""
    x, ids = np.asarray(x), np.asarray(ids)
    name = dtype or contract._NAME[x.dtype]
    flat = x.reshape(x.shape[0], int(np.prod(x.shape[1:], dtype=np.int64)))
    fill = empty_segment(name, op) if constant is None else constant
    if name == "bf16" and op == "prod":
        fill = contract.round_to(name, contract.Fraction(1))
    out = np.zeros((num_segments, flat.shape[1]), storage(name, op))
    for s in range(num_segments):
        rows = flat[[int(i) == s for i in ids]]
        for c in range(flat.shape[1]):
            out[s, c] = contract._group(rows[:, c], name, op) if len(rows) else fill
    return out.reshape((num_segments,) + x.shape[1:])


def repeat(rows, repeats, total_length=None):
    """The list `rows` with each repeated; cut off, or padded with the last, by total_length."""
    out = [row for row, times in zip(rows, repeats) for _ in range(int(times))]
    if total_length is not None:
        out = out[:total_length] + rows[-1:] * (total_length - len(out))
    return out


def index_add(into, indices, src, dtype=None):
    """A new array: each row that indices name is the exact sum of what it was and of its rows of src."""
    name = dtype or contract._NAME[into.dtype]
    out = np.array(into)
    width = int(np.prod(out.shape[1:], dtype=np.int64))
    flat_out, flat_src = out.reshape(out.shape[0], width), src.reshape(src.shape[0], width)
    for j in {int(i) for i in indices}:
        rows = flat_src[[int(i) == j for i in indices]]
        for c in range(width):
            terms = np.concatenate([flat_out[j, c : c + 1], rows[:, c]])
            flat_out[j, c] = contract.sum_(terms, name, acctype=name)
    return out


# Softmax and normalize

decimal.getcontext().prec = 100  # far more digits than an f64 has
decimal.getcontext().Emin = -10**6


def exp_of(difference):
    """exp of a Fraction, rounded once to f64."""
    if difference < -800:
        return 0.0
    quotient = decimal.Decimal(difference.numerator) / decimal.Decimal(difference.denominator)
    return float(contract.round_to("f64", contract.Fraction(quotient.exp())))


def _column_softmax(values, out):
    nan = contract._pack(out, 0, "nan")
    if any(v != v or v == math.inf for v in values) or all(v == -math.inf for v in values):
        return [nan] * len(values)
    largest = contract.Fraction(max(values))
    powers = [0.0 if v == -math.inf else exp_of(contract.Fraction(v) - largest) for v in values]
    total = contract.Fraction(float(contract.sum_(np.array(powers))))
    return [contract.round_to(out, contract.Fraction(p) / total) for p in powers]


def _quotient(x, total, out):
    """IEEE division of two floats, rounded once to a type."""
    if x != x or total != total or (math.isinf(x) and math.isinf(total)):
        return contract._pack(out, 0, "nan")
    negative = (math.copysign(1, x) < 0) != (math.copysign(1, total) < 0)
    if math.isinf(x):
        return contract._pack(out, negative, "inf")
    if math.isinf(total):
        return contract.round_to(out, contract.Fraction(0), negative)
    return contract.round_to(out, contract.Fraction(x) / contract.Fraction(total), negative)


def _column_normalize(raw, name, out):
    total = contract.sum_(raw, name, acctype=out)
    total = contract._bf16_to_float(total) if out == "bf16" else float(total)
    if total == 0:
        return [contract.round_to(out, contract.Fraction(0))] * len(raw)
    floats = [contract.convert(v, "f64") for v in contract.Values(raw, name).py]
    return [_quotient(v, total, out) for v in floats]


def within(x, ids, num_segments, op, dtype=None):
    """Softmax or normalize: as large as x; rows that are left out get 0."""
    name = dtype or contract._NAME[x.dtype]
    out = name if contract.is_float(name) else "f64"
    flat = x.reshape(x.shape[0], int(np.prod(x.shape[1:], dtype=np.int64)))
    result = np.zeros(flat.shape, contract.storage(out))
    for s in range(num_segments):
        rows = [i for i in range(len(ids)) if int(ids[i]) == s]
        for c in range(flat.shape[1] if rows else 0):
            column = flat[rows, c]
            if op == "softmax":
                result[rows, c] = _column_softmax(contract.Values(column, name).py, out)
            else:
                result[rows, c] = _column_normalize(column, name, out)
    return result.reshape(x.shape)
