"""Compares segments with contract_segment.py bit for bit: every operation, type and layout."""

import ctypes
import os
import sys

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))

import cases
import contract
import contract_segment
from library import DTYPES, Library, Scalar, pointer_to, same

SIZES = [0, 1, 2, 15, 16, 17, 23, 24, 25, 48, 100, 257]
TAILS = [(), (), (), (1,), (2,), (3, 2), (25,), (0,)]


class Options(ctypes.Structure):
    """of_segment_opts."""

    _fields_ = [
        ("sorted", ctypes.c_bool),
        ("check_sorted", ctypes.c_bool),
        ("constant", ctypes.POINTER(Scalar)),
    ]


def random_ids(rng, n, num_segments):
    name = cases.INTEGERS[rng.integers(len(cases.INTEGERS))]
    top = min(num_segments + 1, 100)
    ids = rng.integers(0 if name[0] == "u" else -1, top + 1, n)
    kind = rng.integers(3)
    if kind == 0:
        ids = np.sort(ids)
    elif kind == 1:
        ids[: n // 2] = num_segments // 2
    ids = ids.astype(contract.storage(name))
    if n and rng.integers(4) == 0:
        ids[rng.integers(n)] = np.iinfo(ids.dtype).max
    return ids, name


def random_case(rng):
    name = DTYPES[rng.integers(1, len(DTYPES))]
    n, tail = int(rng.choice(SIZES)), TAILS[rng.integers(len(TAILS))]
    if n > 50 and tail:
        n = 50
    raw = cases.random_elements(rng, name, n * int(np.prod(tail, dtype=np.int64)))
    num_segments = int(rng.choice([0, 1, 2, 3, 10, 40]))
    ids, ids_name = random_ids(rng, n, num_segments)
    return raw.reshape((n,) + tail), name, ids, ids_name, num_segments


def check(library, rng, rounds):
    wrong = 0
    for _ in range(rounds):
        raw, name, ids, ids_name, count = random_case(rng)
        hint = Options(bool(rng.integers(2)), False, None)
        x, strided = cases.laid_out(rng, raw), cases.laid_out(rng, ids)
        with library.array(x, name) as a, library.array(strided, ids_name) as b:
            for code, op in enumerate(contract_segment.OPERATIONS):
                expected = contract_segment.segment(raw, ids, count, op, dtype=name)
                out = library.output()
                library.call("of_segment_reduce", a, b, ctypes.c_int64(count), code, ctypes.byref(hint), out)
                got, _ = library.take(out)
                if not same(got, expected):
                    wrong += 1
                    print(f"{op} {name} {raw.shape} {raw.tolist()} ids {ids.tolist()}\n got {got}\n not {expected}")
            for op in ("softmax", "normalize"):
                expected = contract_segment.within(raw, ids, count, op, name)
                out = library.output()
                library.call(f"of_segment_{op}", a, b, ctypes.c_int64(count), ctypes.byref(hint), out)
                got, _ = library.take(out)
                if not same(got, expected):
                    wrong += 1
                    print(f"{op} {name} {raw.shape} {raw.tolist()} ids {ids.tolist()}\n got {got}\n not {expected}")
            wrong += check_constant(library, rng, raw, name, ids, count, a, b)
    return wrong


def check_constant(library, rng, raw, name, ids, count, a, b):
    fill = cases.random_elements(rng, name, 1)[0]
    constant = Scalar(DTYPES.index(name), int.from_bytes(fill.tobytes(), "little"))
    wrong = 0
    for op in ("min", "max"):
        expected = contract_segment.segment(raw, ids, count, op, fill, dtype=name)
        out = library.output()
        library.call(f"of_segment_{op}_or_constant", a, b, ctypes.c_int64(count), constant, None, out)
        got, _ = library.take(out)
        if not same(got, expected):
            wrong += 1
            print(f"{op} or {fill} {name} {raw.tolist()} ids {ids.tolist()}\n got {got}\n not {expected}")
    return wrong


def main():
    library = Library()
    wrong = 0
    for seed, _ in enumerate(library.configurations()):
        wrong += check(library, np.random.default_rng(seed), 25)
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
