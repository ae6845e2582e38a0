"""Compares sorting, gathering and scattering with the contract's reading in Python, bit for bit."""

import contextlib
import ctypes
import os
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))

import cases
import contract
import contract_sort
from library import DTYPES, Library, dtype_code, pointer_to, same

SIZES = [0, 1, 2, 15, 16, 17, 24, 25, 49, 256, 257, 600]
INTEGERS = [name for name in DTYPES if name[0] in "iu"]


class Options(ctypes.Structure):
    """of_sort_opts."""

    _fields_ = [
        ("descending", ctypes.c_bool),
        ("index_dtype", ctypes.c_int),
        ("n", ctypes.POINTER(ctypes.c_int64)),
        ("dim", ctypes.POINTER(ctypes.c_int)),
    ]


class SearchOptions(ctypes.Structure):
    """of_search_opts."""

    _fields_ = [
        ("right", ctypes.c_bool),
        ("descending", ctypes.c_bool),
        ("index_dtype", ctypes.c_int),
        ("n", ctypes.POINTER(ctypes.c_int64)),
    ]


class GatherOptions(ctypes.Structure):
    """of_gather_opts."""

    _fields_ = [("unchecked", ctypes.c_bool), ("n", ctypes.POINTER(ctypes.c_int64))]


def options(descending=False, index=None, n=None, dim=None):
    dim = None if dim is None else ctypes.pointer(ctypes.c_int(dim))
    return Options(descending, dtype_code(index), pointer_to(n), dim)


def laid_out(rng, raw):
    """The same values in other memory: as they are, misaligned, every third, or backwards."""
    layout = rng.integers(4 if raw.ndim else 1)
    if layout == 1:
        memory = np.zeros(raw.nbytes + 1, np.uint8)
        moved = memory[1:].view(raw.dtype).reshape(raw.shape)
    elif layout == 2:
        moved = np.zeros(raw.shape + (3,), raw.dtype)[..., 1]
    elif layout == 3:
        moved = np.zeros(raw.shape, raw.dtype)[tuple(slice(None, None, -1) for _ in raw.shape)]
    else:
        return raw
    moved[...] = raw
    return moved


def random_keys(rng, name, shape):
    """Bits of every family of cases.py; integers also narrowed, shifted, in order, or nearly so."""
    n = int(np.prod(shape))
    raw = cases.random_elements(rng, name, n)
    family = rng.integers(8)
    if name in INTEGERS and family < 4:
        bits = 8 * raw.itemsize
        raw = raw >> int(rng.integers(bits))
        raw = raw << int(rng.integers(4)) if family & 1 else raw
    if family & 4 and n:
        raw = raw[contract_sort.order(raw, name, bool(family & 1))]
        if family & 2:
            place = rng.integers(n, size=2)
            raw[place] = raw[place[::-1]]
    return raw.reshape(shape)


class Calls(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(9)
        self.library = Library()
        self.checks = []  # functions without arguments that call the library, with what they are about

    def take(self, function, *arguments, outputs):
        """What a function of some arrays (raw or with their type names) makes."""
        with contextlib.ExitStack() as stack:
            handles = [
                stack.enter_context(self.library.array(*argument)) if type(argument) is tuple else argument
                for argument in arguments
            ]
            made = [self.library.output() for _ in range(outputs)]
            self.library.call(function, *handles, *made)
        return [self.library.take(output) for output in made]

    def check(self, call, *expected, **about):
        """That `call` gives arrays equal to those expected, in every configuration: see tearDown."""

        def check():
            for (got, _), want in zip(call(), expected, strict=True):
                if not same(got, want):
                    self.fail(f"{got} for {want}")

        self.checks.append((check, about))

    def check_call(self, function, *arguments, want, **about):
        self.check(lambda: self.take(function, *arguments, outputs=len(want)), *want, **about)

    def tearDown(self):
        for configuration in self.library.configurations(threads=(1, 3)):  # the outer loop: threads take time to start
            for check, about in self.checks:
                with self.subTest(configuration=configuration, **about):
                    check()


class Sorting(Calls):
    def check_sorts(self, keys, name, values, **how):
        """of_sort, of_argsort and of_sort_by_key of the same keys."""
        dim, descending, n = how.get("dim"), how.get("descending", False), how.get("n")
        index = contract.storage(how.get("index") or "i32")
        order = contract_sort.argsort_dim(keys, dim, descending, name, n, index)
        if dim is None:
            keys_sorted, moved = keys.reshape(-1)[order], values.reshape(-1)[order]
        else:
            keys_sorted = np.take_along_axis(keys, order.astype(np.int64), dim)
            moved = np.take_along_axis(values, order.astype(np.int64), dim)
        opts = ctypes.byref(options(**how))
        keys, values = laid_out(self.rng, keys), laid_out(self.rng, values)
        about = dict(name=name, shape=keys.shape, **how)
        self.check_call("of_argsort", (keys, name), opts, want=[order], **about)
        self.check_call("of_sort", (keys, name), opts, want=[keys_sorted], **about)
        self.check_call("of_sort_by_key", (keys, name), (values,), opts, want=[keys_sorted, moved], **about)

    def test_flat(self):
        for name in DTYPES[1:]:
            for n in SIZES:
                for descending in (False, True):
                    keys = random_keys(self.rng, name, (n,))
                    values = cases.random_elements(self.rng, INTEGERS[n % 8], n)
                    self.check_sorts(keys, name, values, descending=descending)

    def test_the_first_n_of_any_shape(self):
        for name in DTYPES[1:]:
            shape = (5, 1, 7, 3)
            keys = random_keys(self.rng, name, shape)
            values = random_keys(self.rng, "f64", shape)
            for n in (0, 1, 3, 21, 50, 105):
                self.check_sorts(keys, name, values, n=n, index="i64", descending=bool(n & 1))

    def test_along_dims(self):
        for name in DTYPES[1:]:
            for shape in ((1, 1), (7, 30), (30, 7), (3, 40, 4), (2, 0, 3), (0, 4), (2, 300), (300, 2)):
                for dim in range(len(shape)):
                    keys = random_keys(self.rng, name, shape)
                    values = random_keys(self.rng, "i16", shape)
                    self.check_sorts(keys, name, values, dim=dim, descending=bool(dim & 1))

    def test_a_scalar_is_sorted(self):
        self.check_sorts(np.array(3.5), "f64", np.array(1, np.int8))

    def test_rows_are_carried(self):
        for name, inner in (("i8", (3,)), ("f32", (2, 2)), ("f64", (5, 1)), ("u16", (0,)), ("bool", ())):
            keys = random_keys(self.rng, "u8", (40,))
            values = laid_out(self.rng, random_keys(self.rng, name, (43,) + inner))
            order = contract_sort.order(keys)
            self.check_call("of_sort_by_key", (keys,), (values, name), None, want=(keys[order], values[order]))


class Gathering(Calls):
    def random_rows(self, name, index_name):
        """Rows, and numbers of some of them."""
        rows, n = int(self.rng.integers(1, 100)), int(self.rng.choice([0, 1, 9, 10, 11, 60]))
        inner = [(), (), (2,), (3,), (2, 4), (0,)][self.rng.integers(6)]
        indices = self.rng.integers(rows, size=(n, 2)).astype(contract.storage(index_name))
        return random_keys(self.rng, name, (rows,) + inner), laid_out(self.rng, indices)

    def test_gather(self):
        for name in DTYPES[1:]:
            for index_name in INTEGERS:
                src, indices = self.random_rows(name, index_name)
                src, places = laid_out(self.rng, src), indices.astype(np.int64)
                some = int(self.rng.integers(indices.size + 1))
                first = ctypes.byref(GatherOptions(bool(some & 1), pointer_to(some)))
                self.check_call("of_gather", (src, name), (indices,), None, want=[src[places]])
                want = src[places.reshape(-1)[:some]]
                self.check_call("of_gather", (src, name), (indices,), first, want=[want])

    def check_scatter(self, src, name, indices, before):
        want, dst = before.copy(), laid_out(self.rng, before.copy())
        contract_sort.scatter(src, indices, want)

        def call():
            dst[...] = before
            self.take("of_scatter", (src, name), (indices,), (dst, name), None, outputs=0)
            return [(dst, name)]

        self.check(call, want, name=name, indices=indices)

    def test_scatter(self):
        for name in DTYPES[1:]:
            for index_name in INTEGERS:
                before, indices = self.random_rows(name, index_name)
                src = random_keys(self.rng, name, indices.shape + before.shape[1:])
                self.check_scatter(laid_out(self.rng, src), name, indices, before)

    def test_of_equal_indices_the_last_wins(self):
        indices = self.rng.integers(3, size=5000).astype(np.int16)
        self.check_scatter(np.arange(5000, dtype=np.int32), "i32", indices, np.zeros(3, np.int32))


class Searching(Calls):
    def check_search(self, sorted_, name, values, value_name, right, descending, n=None):
        want = contract_sort.searchsorted(
            sorted_.reshape(-1)[:n], values.reshape(-1), right, descending, name, value_name
        )
        want = want.reshape(values.shape).astype(np.int32)
        opts = ctypes.byref(SearchOptions(right, descending, dtype_code("i32"), pointer_to(n)))
        sorted_, values = laid_out(self.rng, sorted_), laid_out(self.rng, values)
        about = dict(name=name, value_name=value_name, right=right, descending=descending)
        self.check_call("of_searchsorted", (sorted_, name), (values, value_name), opts, want=[want], **about)

    def test_values_of_the_same_type(self):
        for name in DTYPES[1:]:
            for n in (0, 1, 2, 3, 16, 40):
                keys = random_keys(self.rng, name, (n,))
                values = np.concatenate([random_keys(self.rng, name, (15,)), keys])
                for which in range(4):
                    right, descending = bool(which & 1), bool(which & 2)
                    rest = random_keys(self.rng, name, (3,))  # not sorted, and not to be looked at
                    ordered = np.concatenate([contract_sort.sort(keys, None, descending, name), rest])
                    self.check_search(ordered, name, values[:, None], name, right, descending, n)

    def test_values_of_other_types(self):
        for name in DTYPES[1:]:
            for value_name in DTYPES[1:]:
                keys = np.concatenate([self.telling(name), random_keys(self.rng, name, (15,))])
                values = np.concatenate([self.telling(value_name), random_keys(self.rng, value_name, (9,))])
                descending, right = bool(self.rng.integers(2)), bool(self.rng.integers(2))
                ordered = contract_sort.sort(keys, None, descending, name)
                self.check_search(ordered, name, values, value_name, right, descending)

    @staticmethod
    def telling(name):
        """Values where types differ: ends of integers, fractions, beyond 2^53, zeros, specials."""
        numbers = [0, 1, 2, 127, 128, 255, 2**15, 2**24 + 1, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1]
        numbers += [-x for x in numbers] + [0.5, -0.5, -0.0, 1.5, 2.0**63, 2.0**64, 1e300, -1e300]
        numbers += [float("inf"), float("-inf"), float("nan"), 65504.0, 65505, 5e-324, -5e-324]
        if name == "bf16":
            single = np.array([contract.convert(x, name) for x in numbers], np.float32)
            return (single.view(np.uint32) >> 16).astype(np.uint16)
        return np.array([contract.convert(x, name) for x in numbers], contract.storage(name))

    def test_top_k(self):
        for name in DTYPES[1:]:
            for n in (1, 2, 17, 40, 257):
                keys = random_keys(self.rng, name, (n,))
                for k in {0, 1, n // 2, n}:
                    smallest = bool(k & 1)
                    want = contract_sort.order(keys, name, not smallest)[:k]
                    opts = ctypes.byref(options(smallest, "i64"))
                    src = laid_out(self.rng, keys)
                    call = "of_top_k", (src, name), ctypes.c_int64(k), opts
                    self.check_call(*call, want=[keys[want], want], name=name, n=n, k=k)

    def test_top_k_along_dims(self):
        for name in DTYPES[1:]:
            for dim in range(3):
                keys = random_keys(self.rng, name, (5, 9, 4))
                k = int(self.rng.integers(keys.shape[dim] + 1))
                want = contract_sort.argsort_dim(keys, dim, True, name)
                want = np.ascontiguousarray(want.take(range(k), dim))
                moved = np.take_along_axis(keys, want.astype(np.int64), dim)
                call = "of_top_k", (laid_out(self.rng, keys), name), ctypes.c_int64(k)
                opts = ctypes.byref(options(dim=dim))
                self.check_call(*call, opts, want=[moved, want], name=name, dim=dim, k=k)

    def test_merge(self):
        for name in DTYPES[1:]:
            for sizes in ((0, 0), (0, 5), (7, 0), (1, 1), (16, 17), (60, 3), (2, 90)):
                descending = bool(self.rng.integers(2))
                a, b = (
                    contract_sort.sort(random_keys(self.rng, name, (n,)), None, descending, name)
                    for n in sizes
                )
                want = contract_sort.merge(a, b, descending, name)
                a, b = laid_out(self.rng, a), laid_out(self.rng, b)
                opts = ctypes.byref(ctypes.c_bool(descending))
                self.check_call("of_merge", (a, name), (b, name), opts, want=[want], name=name, sizes=sizes)

    def test_reverse(self):
        class ReverseOptions(ctypes.Structure):
            """of_reverse_opts."""

            _fields_ = Options._fields_[2:]

        for name in DTYPES[1:]:
            for shape in ((0,), (1,), (17,), (5, 0), (4, 6), (3, 5, 7)):
                src = laid_out(self.rng, random_keys(self.rng, name, shape))
                for n in {0, src.size // 2, src.size}:
                    opts = ctypes.byref(ReverseOptions(pointer_to(n), None))
                    want = src.reshape(-1)[:n][::-1]
                    self.check_call("of_reverse", (src, name), opts, want=[want], shape=shape, n=n)
                for dim in range(-len(shape), len(shape)):
                    opts = ctypes.byref(ReverseOptions(None, ctypes.pointer(ctypes.c_int(dim))))
                    want = np.flip(src, dim)
                    self.check_call("of_reverse", (src, name), opts, want=[want], shape=shape, dim=dim)


if __name__ == "__main__":
    unittest.main()
