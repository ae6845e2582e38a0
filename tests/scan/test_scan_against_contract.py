"""Scans through the shared library against contract_scan.py: every type, operation, option and layout."""

import ctypes
import itertools
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
import contract_scan
from library import DTYPES, Library, Scalar, pointer_to, same, scalar

OPERATIONS = {"sum": 0, "prod": 2, "min": 3, "max": 4}
FLOATS = cases.FLOATS


class Options(ctypes.Structure):
    """of_scan_opts."""

    _fields_ = [
        ("operation", ctypes.c_int),
        ("init", ctypes.POINTER(Scalar)),
        ("n", ctypes.POINTER(ctypes.c_int64)),
        ("dim", ctypes.POINTER(ctypes.c_int)),
    ]


def spread(raw, shape, how, rng):
    """A view of `shape` and some layout, and the memory it lies in; `raw` gives its elements in flat order."""
    size = raw.dtype.itemsize
    count = int(np.prod(shape))
    if how == "misaligned":
        memory = rng.integers(0, 256, count * size + 9, dtype=np.uint8)
        view = memory[1 : 1 + count * size].view(raw.dtype).reshape(shape)
    elif how == "transposed":
        memory = rng.integers(0, 256, count * size, dtype=np.uint8)
        view = memory.view(raw.dtype).reshape(shape[::-1]).T
    elif how in ("spaced", "backwards"):
        memory = rng.integers(0, 256, count * 3 * size, dtype=np.uint8)
        view = memory.view(raw.dtype).reshape(shape + (3,))[..., 1]
        view = view[tuple(slice(None, None, -1) for _ in shape)] if how == "backwards" else view
    else:
        memory = rng.integers(0, 256, count * size, dtype=np.uint8)
        view = memory.view(raw.dtype).reshape(shape)
    view[...] = raw[:count].reshape(shape) if raw.size >= count else view
    if raw.size < count:
        flat = view.reshape(-1) if how in ("packed", "misaligned") else None
        if flat is not None:
            flat[: raw.size] = raw
    return view, memory


LAYOUTS = ["packed", "misaligned", "transposed", "spaced", "backwards"]


def random_init(rng, out):
    if rng.integers(2):
        return None
    if out in FLOATS and rng.integers(2):
        return float(rng.choice([0.0, -0.0, 1.5, -1e300, 5e-324, 3e38, float("inf"), float("nan")]))
    return int(rng.choice([0, 1, -3, 2**62 + 1, 200]))


def init_scalar(init):
    return None if init is None else scalar(init, "f64" if isinstance(init, float) else "i64")


class Checker:
    def __init__(self):
        self.library = Library()
        self.rng = np.random.default_rng(20)
        self.checks = self.wrong = 0
        self.questions = []

    def check(self, holds, *about):
        self.checks += 1
        if not holds:
            self.wrong += 1
            if self.wrong <= 20:
                print("wrong:", *about)

    def call(self, src, name, dst, out, operation, exclusive, init, n, dim, total):
        options = Options(
            operation=OPERATIONS[operation],
            init=pointer_to(init_scalar(init)),
            n=pointer_to(n),
            dim=None if dim is None else ctypes.pointer(ctypes.c_int(dim)),
        )
        function = "of_exclusive_scan" if exclusive else "of_inclusive_scan"
        with self.library.array(src, name) as x, self.library.array(dst, out) as y:
            receiver = None if total is None else ctypes.byref(total)
            self.library.call(function, x, y, ctypes.byref(options), receiver)

    def ask(self, *question):
        """Notes a question, to be put under every configuration."""
        self.questions.append(question)

    def answer(self):
        for configuration in self.library.configurations(threads=(1, 3)):
            for question in self.questions:
                self.put(configuration, *question)
        print(f"{self.checks - self.wrong} passed, {self.wrong} failed")

    def put(self, configuration, src, name, out, dst_of, operation, exclusive, init, n, dim, total, about):
        """Calls; dst_of() makes a target and the memory that it lies in, and what that must hold afterwards."""
        view, memory, expected = dst_of()
        got = None if total is None else Scalar(0, 0)
        self.call(view if src is None else src, name, view, out, operation, exclusive, init, n, dim, got)
        self.check(same(memory, expected), about, configuration, "wrote", memory.tobytes().hex()[:400])
        if total is not None:
            want = int.from_bytes(total.tobytes(), "little")
            self.check(got.dtype == DTYPES.index(out) and got.bits == want, about, configuration, "total")

    def flat(self, name, out, operation, size, in_place):
        rng = self.rng
        raw = cases.random_elements(rng, name, size)
        exclusive, init = bool(rng.integers(2)), random_init(rng, out)
        n = int(rng.integers(size + 1)) if rng.integers(3) == 0 else None
        count = size if n is None else n
        written, total = contract_scan.scan(raw[:count], operation, out, exclusive, init, name)
        shapes = [s for s in ((size,), (2, size // 2), (size // 3, 3)) if int(np.prod(s)) == size]
        shape = shapes[rng.integers(len(shapes))]
        layout = LAYOUTS[rng.integers(5)]
        src, _ = spread(raw, shape, layout, rng)
        dst_shape = shape if in_place else shapes[rng.integers(len(shapes))]
        dst_layout = layout if in_place else LAYOUTS[rng.integers(5)]
        dst_raw = raw if in_place else cases.random_elements(rng, out, size)
        state = rng.bit_generator.state

        def target():
            rng.bit_generator.state = state
            view, memory = spread(dst_raw, dst_shape, dst_layout, rng)
            values = np.array(view).reshape(-1)
            values[:count] = written
            rng.bit_generator.state = state
            expected_view, expected = spread(dst_raw, dst_shape, dst_layout, rng)
            expected_view[...] = values.reshape(dst_shape)
            return view, memory, expected

        about = f"{operation} {name}->{out} size={size} n={n} exclusive={exclusive} init={init!r} {layout}"
        about += f" {dst_layout} in_place={in_place} of {raw.tobytes().hex()[:200]}"
        self.ask(None if in_place else src, name, out, target, operation, exclusive, init, n, None, total, about)

    def along(self, name, out, operation, shape, in_place, dim=None):
        rng = self.rng
        dim = int(rng.integers(len(shape))) if dim is None else dim
        raw = cases.random_elements(rng, name, int(np.prod(shape)))
        exclusive, init = bool(rng.integers(2)), random_init(rng, out)
        n = int(rng.integers(shape[dim] + 1)) if rng.integers(3) == 0 else None
        count = shape[dim] if n is None else n
        layout = LAYOUTS[rng.integers(5 if count < 10 else 2)]
        src, _ = spread(raw, shape, layout, rng)
        lanes = np.moveaxis(np.array(src), dim, -1)
        dst_layout = layout if in_place else LAYOUTS[rng.integers(5 if count < 10 else 2)]
        dst_raw = raw if in_place else cases.random_elements(rng, out, raw.size)
        state = rng.bit_generator.state
        expected_view, expected = spread(dst_raw, shape, dst_layout, rng)
        expected_lanes = np.moveaxis(expected_view, dim, -1)
        for index in np.ndindex(lanes.shape[:-1]):
            values, _ = contract_scan.scan(lanes[index][:count], operation, out, exclusive, init, name)
            expected_lanes[index][:count] = values

        def target():
            rng.bit_generator.state = state
            return *spread(dst_raw, shape, dst_layout, rng), expected

        about = f"{operation} {name}->{out} {shape} dim={dim} n={n} exclusive={exclusive} init={init!r}"
        about += f" {layout} {dst_layout} in_place={in_place} of {raw.tobytes().hex()[:200]}"
        given = dim - len(shape) if rng.integers(2) else dim
        self.ask(None if in_place else src, name, out, target, operation, exclusive, init, n, given, None, about)


def pairs(rng, operation):
    """Every type to itself, and some to others."""
    outs = DTYPES[1:] if operation in ("min", "max") else DTYPES[2:]
    for out in outs:
        yield out, out
        for name in rng.choice(DTYPES[1:], 3, replace=False):
            yield str(name), out


def main():
    checker = Checker()
    rng = checker.rng
    shapes = [(5,), (7, 9), (3, 4, 5), (2, 40), (40, 2), (6, 0, 2), (1, 1), (4, 3, 2, 2)]
    for operation in OPERATIONS:
        sizes = [0, 1, 15, 16, 17, 33, 40] if operation == "prod" else [0, 1, 2, 15, 17, 64, 65, 100, 137]
        for name, out in pairs(rng, operation):
            for size in rng.choice(sizes, 3, replace=False):
                checker.flat(name, out, operation, int(size), in_place=name == out and bool(rng.integers(2)))
            shape = shapes[rng.integers(len(shapes))]
            checker.along(name, out, operation, shape, in_place=name == out and bool(rng.integers(2)))
    for operation in ("sum", "min", "max"):  # down columns that are neighbours, longer than a vector
        for out in DTYPES[2:]:
            for shape in [(30, 21), (5, 3, 40), (12, 70)]:
                checker.along(out, out, operation, shape, in_place=bool(rng.integers(2)), dim=0)
    for out in FLOATS:
        checker.flat(out, out, "prod", 300, in_place=bool(rng.integers(2)))
        for size in rng.choice([1000, 1023, 1024, 1025, 2049, 3000], 4, replace=False):
            checker.flat(out, out, "sum", size, in_place=bool(rng.integers(2)))
    checker.answer()
    return 1 if checker.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
