"""Contract 8, prefix scans, and the copies of contract 1: read slowly and exactly, as contract.py does."""

import math
from fractions import Fraction

import numpy as np

import contract


def encode(value, name):
    """A Python number that type `name` holds as one of its elements."""
    if not contract.is_float(name):
        return contract.storage(name)(value)
    if value != value:
        return contract._pack(name, 0, "nan")
    if math.isinf(value):
        return contract._pack(name, int(value < 0), "inf")
    return contract.round_to(name, Fraction(value), int(math.copysign(1, value) < 0))


def converted(a, out, dtype=None):
    """The elements of an array, and what they are in type `out`, as Python numbers."""
    return [contract.convert(v, out) for v in contract.Values(a, dtype).py]


class Sum:
    """A running sum in real numbers: contract 3 or 4."""

    def __init__(self, out):
        self.out, self.total, self.specials, self.only_negative_zeros = out, Fraction(0), set(), False
        self.count = 0

    def add(self, v):
        negative_zero = isinstance(v, float) and v == 0 and math.copysign(1, v) < 0
        self.only_negative_zeros = negative_zero and (self.count == 0 or self.only_negative_zeros)
        self.count += 1
        if isinstance(v, float) and not math.isfinite(v):
            self.specials.add("nan" if v != v else v)
        else:
            self.total += Fraction(v)

    def value(self):
        if not contract.is_float(self.out):
            return contract.wrap(int(self.total), self.out)
        if "nan" in self.specials or len(self.specials) == 2:
            return contract._pack(self.out, 0, "nan")
        if self.specials:
            return encode(next(iter(self.specials)), self.out)
        return contract.round_to(self.out, self.total, int(self.only_negative_zeros))


class Product:
    """The fold of contract 6, made anew for every prefix; init stands apart."""

    def __init__(self, out, init):
        self.out, self.init, self.values = out, init, []

    def add(self, v):
        self.values.append(v)

    def value(self):
        if contract.is_float(self.out):
            elements = np.array(self.values, np.float64)
            return contract.prod(elements, acctype=self.out, init=self.init)
        product = 1 if self.init is None else self.init
        for v in self.values:
            product *= v
        return contract.wrap(product, self.out)


class Extreme:
    """Contract 5; nothing folds to the value of an empty segment (contract 10)."""

    def __init__(self, out, largest):
        self.out, self.largest, self.best = out, largest, None

    def add(self, v):
        if isinstance(v, float) and v != v or self.best != self.best:
            self.best = math.nan
        elif self.best is None:
            self.best = v
        else:
            self.best = (max if self.largest else min)(self.best, v, key=contract.order_key)

    def value(self):
        if self.best is None:
            empty = contract.empty_segment(self.out, "max" if self.largest else "min")
            return contract.storage(self.out)(empty)
        return encode(self.best, self.out)


def scan(a, operation="sum", out=None, exclusive=False, init=None, dtype=None):
    """(what is written, the total)"""
    name = dtype or contract._NAME[np.asarray(a).dtype]
    out = out or name
    if out == "bool" and operation in ("sum", "prod"):
        raise TypeError("scan into bool")
    start = None if init is None else contract.convert(init, out)
    if operation == "prod":
        fold = Product(out, start)
    else:
        fold = Sum(out) if operation == "sum" else Extreme(out, operation == "max")
        if start is not None:
            fold.add(start)
    written = []
    for v in converted(a, out, dtype):
        if exclusive:
            written.append(fold.value())
        fold.add(v)
        if not exclusive:
            written.append(fold.value())
    return np.array(written, contract.storage(out)), contract.storage(out)(fold.value())


def copied(a, out, dtype=None):
    """The elements in another type; within one type they are moved (contract 1)."""
    a = np.asarray(a).reshape(-1)
    if (dtype or contract._NAME[a.dtype]) == out:
        return a
    return np.array([encode(v, out) for v in converted(a, out, dtype)], contract.storage(out))
