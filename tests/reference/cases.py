"""Random small reductions with the contract's answers, for comparing code in C with contract.py."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import contract
from library import DTYPES, number

OPERATIONS = "sum mean prod min max argmin argmax absmax count_nonzero any all".split()
MAPS = ["none", "abs", "square", "product"]
FLOATS = ["f16", "bf16", "f32", "f64"]
INTEGERS = [name for name in DTYPES[2:] if name not in FLOATS]


@dataclass
class Case:
    operation: str
    name: str  # of the elements' type
    raw: np.ndarray
    map: str = "none"
    second_name: str = "none"
    second: Any = None
    init: Any = None  # None, an int or a float
    acctype: Any = None

    def __str__(self):
        text = f"{self.operation} {self.name} n={self.raw.size} map={self.map} init={self.init!r}"
        text += f" acctype={self.acctype} of {self.raw.tobytes().hex()}"
        return text if self.second is None else f"{text} and {self.second_name} {self.second.tobytes().hex()}"


def unsigned(size):
    return {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[size]


def itemsize(name):
    return np.dtype(contract.storage(name)).itemsize


def random_elements(rng, name, n):
    """Random bits; small numbers; few distinct values with every special one; or cancelling halves."""
    size = itemsize(name)
    bits = rng.integers(0, 256, n * size, dtype=np.uint8).view(unsigned(size))
    if name == "bool":
        return (bits & 1).view(np.bool_)
    family = rng.integers(5)
    if family == 1:
        small = rng.integers(-9, 10, n)
        bits = np.array([contract.convert(float(v) / 4, name) for v in small], np.float64)
        bits = bits.astype(np.float32).view(np.uint32) >> 16 if name == "bf16" else bits
        return bits.astype(contract.storage(name))
    if family == 2 and name in FLOATS:
        infinity = int(contract.round_to(name, contract.Fraction(2) ** 5000).view(unsigned(size)))
        sign = 1 << (8 * size - 1)
        special = [0, sign, 1, sign | 1, infinity, sign | infinity, infinity + 1, infinity - 1]
        bits = np.array([special[i] for i in rng.integers(rng.integers(1, 9), size=n)], unsigned(size))
    if family == 3 and n > 1:
        half = n // 2
        bits[half : 2 * half] = bits[:half]
        if name in FLOATS:
            bits[:half] ^= unsigned(size)(1 << (8 * size - 1))
    if family == 4 and name in FLOATS:
        bits &= unsigned(size)(~(0x3 << (8 * size - 3)) & ((1 << 8 * size) - 1))  # no huge or special values
    return bits.view(contract.storage(name))


def laid_out(rng, raw):
    """The same elements in another layout: strided, reversed, misaligned, transposed."""
    how = rng.integers(5)
    if how == 1 and raw.ndim:
        wide = np.zeros(raw.shape[:-1] + (2 * raw.shape[-1],), raw.dtype)
        wide[..., ::2] = raw
        return wide[..., ::2]
    if how == 2 and raw.ndim:
        return np.ascontiguousarray(raw[::-1])[::-1]
    if how == 3 and raw.size:
        room = np.zeros(raw.nbytes + 1, np.uint8)
        room[1:] = np.ascontiguousarray(raw).reshape(-1).view(np.uint8)
        return np.ndarray(raw.shape, raw.dtype, room.data, 1)
    return np.array(raw, order="F") if how == 4 else raw


def random_case(rng):
    operation = OPERATIONS[rng.integers(len(OPERATIONS))]
    name = DTYPES[rng.integers(1, len(DTYPES))]
    n = int(rng.choice([0, 1, 2, 3, 5, 15, 16, 17, 33, 47, 48, 100]))
    if n == 0 and operation in ("min", "max", "argmin", "argmax"):
        n = 1
    case = Case(operation, name, random_elements(rng, name, n))
    if rng.integers(3) == 0:
        add_map(rng, case)
    if operation in ("sum", "prod", "mean", "absmax") and rng.integers(2):
        both = FLOATS + INTEGERS if operation in ("sum", "prod") and name not in FLOATS else FLOATS
        case.acctype = both[rng.integers(len(both))]
    if operation in ("sum", "prod") and case.map == "none" and rng.integers(2):
        add_init(rng, case)
    return case


def add_map(rng, case):
    if case.name not in FLOATS or case.operation in ("count_nonzero", "any", "all"):
        case.map = MAPS[rng.integers(1, 3)]
    elif case.operation == "sum":
        case.map = MAPS[rng.integers(1, 4)]
    else:
        case.map = "abs"
    if case.operation in ("min", "max"):
        case.map = "none"
    if case.map == "product":
        case.second_name = case.name
        case.second = random_elements(rng, case.name, case.raw.size)


def add_init(rng, case):
    if (case.acctype or case.name) in FLOATS and rng.integers(2):
        case.init = float(rng.choice([0.0, -0.0, 1.5, -1e300, 5e-324, float("inf"), float("nan")]))
    else:
        case.init = int(rng.choice([0, 1, -3, 2**62 + 1]))


def mapped(case):
    """The elements after an exact map that a type holds: (elements, name)."""
    raw, name = case.raw, case.name
    if case.map == "none":
        return raw, name
    if name in FLOATS:
        size = itemsize(name)
        mask = unsigned(size)((1 << (8 * size - 1)) - 1)
        return (raw.view(unsigned(size)) & mask).view(raw.dtype), name
    name = "u64" if name[0] == "u" else "i64"
    wide = raw.astype(contract.storage(name))
    with np.errstate(over="ignore"):
        return np.abs(wide) if case.map == "abs" else wide * wide, name


def expected(case):
    """The contract's answer, as bits."""
    value = answer(case)
    return int.from_bytes(value.tobytes(), "little")


def answer(case):
    operation, acctype = case.operation, case.acctype
    if case.map in ("square", "product") and case.name in FLOATS:
        if operation == "sum":
            other = case.raw if case.second is None else case.second
            out = acctype or case.name
            return contract.dot(case.raw, other, out, dtype_a=case.name, dtype_b=case.name)
        case = Case(operation, case.name, case.raw)  # counting: a square is zero where its root is
    x, name = mapped(case)
    if operation == "sum":
        return contract.sum_(x, name, acctype, case.init)
    if operation == "prod":
        return contract.prod(x, name, acctype, case.init)
    if operation == "mean":
        return contract.mean(x, name, acctype or "f64")
    if operation == "absmax":
        return contract.norm(x, np.inf, name, acctype or "f64")
    if operation in ("min", "max"):
        return np.asarray(contract.extreme(x, operation == "max", name))
    if operation in ("argmin", "argmax"):
        return contract.arg_extreme(x, operation == "argmax", name)
    counting = {"count_nonzero": contract.count_nonzero, "any": contract.any_, "all": contract.all_}
    return np.asarray(counting[operation](x, name))


def compare(count, seed, evaluate):
    """Runs `evaluate(case)`, which gives bits, on random cases; prints what differs and says how many did."""
    rng = np.random.default_rng(seed)
    wrong = 0
    for _ in range(count):
        case = random_case(rng)
        got, want = evaluate(case), expected(case)
        if got != want:
            wrong += 1
            if wrong <= 20:
                print(f"got {got if isinstance(got, str) else hex(got)}, expected {want:#x}: {case}")
    print(f"{count - wrong} passed, {wrong} failed")
    return wrong
