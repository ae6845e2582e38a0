"""Compares runs and selections of the library with contract_runs.py: every dtype, hard data, any layout."""

import contextlib
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
import contract_runs
from library import DTYPES, Library, dtype_code, pointer_to, same

OPERATIONS = ["sum", "min", "max", "mean", "count", "prod", "variance"]
TYPES = DTYPES[1:]
SIZES = [0, 1, 2, 7, 15, 16, 17, 31, 32, 33, 100, 257]
TILE_SIZES = [1023, 1024, 1025, 4097, 9000]


class Options(ctypes.Structure):
    """of_runs_opts and of_compact_opts."""

    _fields_ = [("n", ctypes.POINTER(ctypes.c_int64)), ("index_dtype", ctypes.c_int)]


def options(n=None, index=None):
    return ctypes.byref(Options(pointer_to(n), dtype_code(index)))


class Comparison:
    """Collects questions with their answers, then puts them to the library in every configuration."""

    def __init__(self):
        self.library = Library()
        self.questions = []
        self.compared = self.wrong = 0

    def ask(self, about, expected, call, arrays):
        """`call(library, handles)` gives a list like `expected`; arrays are (NumPy array, type name)."""
        self.questions.append((about, expected, call, arrays))

    def answer(self):
        with contextlib.ExitStack() as stack:
            asked = []
            for about, expected, call, arrays in self.questions:
                handles = [stack.enter_context(self.library.array(raw, name, read_only=True)) for raw, name in arrays]
                asked.append((about, expected, call, handles))
            for configuration in self.library.configurations():
                for about, expected, call, handles in asked:
                    self.compare(f"{about} {configuration}", call(self.library, *handles), expected)

    def compare(self, about, got, expected):
        for i, (a, b) in enumerate(zip(got, expected, strict=True)):
            self.compared += 1
            if not same(a, b):
                self.complain(f"{about} result {i}: got {a!r}, expected {b!r}")

    def complain(self, text):
        self.wrong += 1
        if self.wrong <= 15:
            print(text[:1500])

    def refuse(self, about, kind, words, call, *arguments):
        self.compared += 1
        try:
            self.library.call(call, *arguments)
        except kind as error:
            if words in str(error):
                return
            self.complain(f"{about}: {error}")
        else:
            self.complain(f"{about}: accepted")


def laid_out(rng, flat):
    """The same elements as an array of some layout: contiguous, strided, reversed, misaligned, 2-D crossed."""
    way = rng.integers(6)
    if way == 1:
        wide = np.zeros(3 * flat.size + 1, flat.dtype)
        wide[1::3][: flat.size] = flat
        return wide[1::3][: flat.size]
    if way == 2:
        return flat[::-1].copy()[::-1]
    if way == 3:
        raw = np.zeros(flat.nbytes + 1, np.uint8)
        raw[1:] = flat.view(np.uint8)
        return raw[1:].view(flat.dtype)
    if way == 4 and flat.size % 4 == 0 and flat.size:
        return np.asfortranarray(flat.reshape(4, -1))
    if way == 5 and flat.size:
        return np.broadcast_to(flat[:1], flat.shape) if rng.integers(8) == 0 else flat.reshape(1, -1, 1)
    return flat.copy()


def grouped_keys(rng, name, n, length):
    """Keys in runs of about `length`; zeros change their sign within a run, NaNs their payload."""
    if n == 0:
        return cases.random_elements(rng, name, 0)
    lengths = rng.geometric(1 / length, n)
    keys = np.repeat(cases.random_elements(rng, name, n), lengths)[:n]
    if name in cases.FLOATS:
        bits = keys.view(cases.unsigned(keys.itemsize))
        sign = bits.dtype.type(1 << (8 * keys.itemsize - 1))
        zero = (bits & ~sign) == 0
        bits[zero & (rng.integers(0, 2, n) == 1)] ^= sign
    return keys


def random_flags(rng, name, n):
    chance = [0, 0.02, 0.5, 0.98, 1][rng.integers(5)]
    flags = cases.random_elements(rng, name, n)
    size = flags.itemsize
    zero = rng.random(n) >= chance
    bits = flags.view(cases.unsigned(size)) if name != "bool" else flags.view(np.uint8)
    bits[zero] = 0
    if name in cases.FLOATS:
        bits[zero & (rng.integers(0, 2, n) == 1)] = 1 << (8 * size - 1)
    return flags


def check_unique(comparison, rng, name, n, length):
    keys = laid_out(rng, grouped_keys(rng, name, n, length))
    limit = None if rng.integers(2) else int(rng.integers(0, keys.size + 1))
    index = [None, "i32", "i64"][rng.integers(3)]

    def call(library, handle):
        outputs = [library.output() for _ in range(4)]
        library.call("of_unique", handle, options(limit, index), *outputs)
        return [library.take(output)[0] for output in outputs]

    expected = contract_runs.unique(keys, name, limit, index)
    comparison.ask(f"unique {name} n={keys.size} limit={limit}", expected, call, [(keys, name)])


def check_reduce(comparison, rng, key_name, name, operation, n, length):
    keys = laid_out(rng, grouped_keys(rng, key_name, n, length))
    values = laid_out(rng, cases.random_elements(rng, name, n + int(rng.integers(0, 3))))
    limit = None if rng.integers(2) else int(rng.integers(0, n + 1))
    index = [None, "i32", "i64"][rng.integers(3)]

    def call(library, keys_handle, values_handle):
        outputs = [library.output() for _ in range(2)]
        code = OPERATIONS.index(operation)  # as in group_operations.def
        library.call("of_reduce_by_key", keys_handle, values_handle, code, options(limit, index), *outputs)
        return [library.take(output)[0] for output in outputs]

    expected = contract_runs.reduce_by_key(keys, values, operation, key_name, name, limit, index)
    about = f"{operation} of {name} by {key_name} n={n} limit={limit} length={length}"
    comparison.ask(about, expected, call, [(keys, key_name), (values, name)])


def check_select(comparison, rng, name, flag_name, n):
    flags = random_flags(rng, flag_name, n)
    way = rng.integers(3)
    limit = None if rng.integers(2) else int(rng.integers(0, n + 1))
    if way == 0:  # one element a flag
        flags = laid_out(rng, flags)
        source = laid_out(rng, cases.random_elements(rng, name, flags.size)).reshape(flags.shape)
        limit = None if limit is None else min(limit, flags.size)
    else:  # rows
        width = [1, 2, 3, 40][rng.integers(4)]
        rows = n + int(rng.integers(0, 3)) if limit is not None else n
        source = cases.random_elements(rng, name, rows * width).reshape(rows, width)
        source = np.asfortranarray(source) if way == 2 else source[:, ::-1]
    flag_array, index = flags, [None, "i32", "i64"][rng.integers(3)]

    def call(library, source_handle, flags_handle):
        outputs = [library.output() for _ in range(3)]
        count = ctypes.c_int64()
        library.call("of_compact", source_handle, flags_handle, options(limit), outputs[0])
        library.call("of_partition", source_handle, flags_handle, options(limit), outputs[1], ctypes.byref(count))
        library.call("of_nonzero", flags_handle, options(limit, index), outputs[2])
        return [library.take(output)[0] for output in outputs] + [count.value]

    kept = contract_runs.compact(source, flag_array, flag_name, limit)
    ordered, true_count = contract_runs.partition(source, flag_array, flag_name, limit)
    indices = contract_runs.nonzero(flag_array, flag_name, limit, index)
    about = f"select {name} by {flag_name} {source.shape} limit={limit}"
    arrays = [(source, name), (flag_array, flag_name)]
    comparison.ask(about, [kept, ordered, indices, true_count], call, arrays)


def check_numpy(comparison, rng):
    """NumPy as a second opinion, where its answer is exact."""
    keys = np.sort(rng.integers(-50, 50, 5000)).astype(np.int32)
    values = rng.integers(-(2**31), 2**31, 5000).astype(np.int64)

    def call(library, keys_handle, values_handle):
        outputs = [library.output() for _ in range(6)]
        library.call("of_unique", keys_handle, None, *outputs[:4])
        library.call("of_reduce_by_key", keys_handle, values_handle, 0, None, None, outputs[4])
        library.call("of_reduce_by_key", keys_handle, values_handle, 2, None, None, outputs[5])
        return [library.take(output)[0] for output in outputs]

    unique, first, inverse, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    expected = [unique] + [list_.astype(np.int32) for list_ in (counts, first, inverse)]
    expected += [np.add.reduceat(values, first), np.maximum.reduceat(values, first)]
    comparison.ask("NumPy", expected, call, [(keys, "i32"), (values, "i64")])


def check_refusals(comparison):
    library = comparison.library
    with contextlib.ExitStack() as stack:
        ten = stack.enter_context(library.array(np.zeros(10, np.int32)))
        five = stack.enter_context(library.array(np.zeros(5, np.float32)))
        out = library.output()
        outputs = [library.output() for _ in range(4)]
        refuse = comparison.refuse
        refuse("unique n", ValueError, "n is 11, but the size of keys is 10", "of_unique", ten, options(11), *outputs)
        refuse("unique n", ValueError, "n is -1", "of_unique", ten, options(-1), *outputs)
        refuse("unique index", TypeError, "index_dtype is u32", "of_unique", ten, options(None, "u32"), *outputs)
        refuse("sizes", ValueError, "values has 5", "of_reduce_by_key", ten, five, 0, None, out, outputs[0])
        refuse("n", ValueError, "n is 6, but the size of values is 5", "of_reduce_by_key", ten, five, 0, options(6), out, outputs[0])
        refuse("operation", ValueError, "operation is 7", "of_reduce_by_key", ten, ten, 7, None, out, outputs[0])
        refuse("compact", ValueError, "flags has shape (5,)", "of_compact", ten, five, None, out)
        for output in [out, *outputs]:
            if output.contents:
                comparison.complain("a refused call wrote an output")


def main():
    comparison = Comparison()
    rng = np.random.default_rng(20)
    check_refusals(comparison)
    check_numpy(comparison, rng)
    for name in TYPES:
        for n in SIZES:
            for length in (1.2, 4, 40):
                check_unique(comparison, rng, name, n, length)
                check_select(comparison, rng, name, TYPES[rng.integers(len(TYPES))], n)
                check_select(comparison, rng, TYPES[rng.integers(len(TYPES))], name, n)
            for operation in OPERATIONS:
                key_name, length = TYPES[rng.integers(len(TYPES))], [1.2, 4, 40][rng.integers(3)]
                check_reduce(comparison, rng, key_name, name, operation, n, length)
        for n in TILE_SIZES:
            length = [1.1, 5, 30, 2000][rng.integers(4)]
            check_unique(comparison, rng, name, n, length)
            check_select(comparison, rng, name, "bool", n)
            operation = OPERATIONS[rng.integers(len(OPERATIONS))]
            check_reduce(comparison, rng, "i32", name, operation, n, [1.1, 5, 30, 2000][rng.integers(4)])
    comparison.answer()
    print(f"{comparison.compared} compared, {comparison.wrong} wrong")
    return 1 if comparison.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
