"""Compares repeats, lengths, offsets, ids and scatter-adds with contract_segment.py bit for bit."""

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
from library import DTYPES, Library, same


class RepeatOptions(ctypes.Structure):
    """of_repeat_opts."""

    _fields_ = [("dim", ctypes.POINTER(ctypes.c_int)), ("total_length", ctypes.POINTER(ctypes.c_int64))]


class Checker:
    def __init__(self):
        self.library = Library()
        self.wrong = 0

    def check(self, what, got, expected):
        if not same(got, expected):
            self.wrong += 1
            print(f"{what}: got {got!r}\n not {expected!r}")

    def call(self, name, *arguments):
        out = self.library.output()
        self.library.call(name, *arguments, out)
        return self.library.take(out)[0]

    def repeat(self, rng):
        name = DTYPES[rng.integers(1, len(DTYPES))]
        shape = tuple(int(rng.choice([0, 1, 2, 3, 7, 30])) for _ in range(rng.integers(1, 4)))
        raw = cases.random_elements(rng, name, int(np.prod(shape))).reshape(shape)
        dim = None if rng.integers(3) == 0 else int(rng.integers(-len(shape), len(shape)))
        rows = raw.reshape(-1) if dim is None else np.moveaxis(raw, dim, 0)
        times = rng.integers(0, 4, rows.shape[0] if rng.integers(3) else 1)
        times = times.astype(contract.storage(cases.INTEGERS[rng.integers(len(cases.INTEGERS))]))
        total = None if rng.integers(2) or not len(rows) else int(rng.integers(0, 60))
        every = np.broadcast_to(times, rows.shape[:1])
        expected = contract_segment.repeat(list(rows), every, total)
        expected = np.array(expected, raw.dtype).reshape((len(expected),) + rows.shape[1:])
        expected = np.ascontiguousarray(expected if dim is None else np.moveaxis(expected, 0, dim))
        options = RepeatOptions(
            dim=None if dim is None else ctypes.pointer(ctypes.c_int(dim)),
            total_length=None if total is None else ctypes.pointer(ctypes.c_int64(total)),
        )
        with self.library.array(cases.laid_out(rng, raw), name) as x, self.library.array(cases.laid_out(rng, times)) as r:
            got = self.call("of_repeat", x, r, ctypes.byref(options))
        self.check(f"repeat {name} {raw.tolist()} {times.tolist()} dim {dim} total {total}", got, expected)

    def lengths(self, rng):
        length = rng.integers(0, 5, int(rng.choice([0, 1, 2, 20, 200])))
        name = cases.INTEGERS[rng.integers(len(cases.INTEGERS))]
        raw = cases.laid_out(rng, length.astype(contract.storage(name)))
        offset = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
        ids = np.repeat(np.arange(len(length)), length)
        total = int(rng.integers(0, 300)) if len(length) else 0
        with self.library.array(raw) as a, self.library.array(offset) as b, self.library.array(ids) as c:
            self.check("lengths_to_offsets", self.call("of_lengths_to_offsets", a), offset)
            self.check("offsets_to_lengths", self.call("of_offsets_to_lengths", b), length)
            self.check("offsets_to_ids", self.call("of_offsets_to_ids", b), ids)
            self.check("ids_to_lengths", self.call("of_ids_to_lengths", c, ctypes.c_int64(len(length))), length)
            self.check("ids_to_offsets", self.call("of_ids_to_offsets", c, ctypes.c_int64(len(length))), offset)
            expected = np.array(contract_segment.repeat(list(range(len(length))), length, total), np.int64)
            self.check("partition_ids", self.call("of_partition_ids", a, ctypes.c_int64(total)), expected)

    def index_add(self, rng):
        name = DTYPES[rng.integers(2, len(DTYPES))]
        rows, targets = int(rng.choice([0, 1, 2, 15, 40, 100])), int(rng.choice([1, 2, 30, 200]))
        tail = [(), (), (2,), (2, 3), (0,), (30,)][rng.integers(6)]
        size = int(np.prod(tail, dtype=np.int64))
        into = cases.random_elements(rng, name, targets * size).reshape((targets,) + tail)
        src = cases.random_elements(rng, name, rows * size).reshape((rows,) + tail)
        indices = rng.integers(0, min(targets, 100), rows).astype(np.uint8 if rng.integers(2) else np.int64)
        expected = contract_segment.index_add(into, indices, src, name)
        target = cases.laid_out(rng, into.copy())
        with self.library.array(target, name) as a, self.library.array(cases.laid_out(rng, indices)) as b:
            with self.library.array(cases.laid_out(rng, src), name) as c:
                self.library.call("of_index_add", a, b, c)
        self.check(f"index_add {name} {into.tolist()} {indices.tolist()} {src.tolist()}",
                   np.ascontiguousarray(target), expected)


def main():
    checker = Checker()
    for seed, _ in enumerate(checker.library.configurations()):
        rng = np.random.default_rng(seed)
        for _ in range(60):
            checker.repeat(rng)
            checker.lengths(rng)
            checker.index_add(rng)
    print(f"{checker.wrong} wrong")
    return 1 if checker.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
