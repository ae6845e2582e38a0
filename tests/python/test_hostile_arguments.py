"""Garbage of every kind for every function of the package and of its C part: an answer or an exception, never a crash,
and what was to be written stays as it was when there is an exception."""

import array
import ctypes
import importlib
import os
import random
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

import onefold
import onefold.algorithms
import onefold.segment
from onefold import _core

SENSIBLE = (TypeError, ValueError, IndexError, MemoryError, NotImplementedError, BufferError, OverflowError)

# ---- Objects that are not what they seem ----


class Hostile(Exception):
    """What a hostile object raises; it may pass through."""


def raising(*names):
    def refuse(self, *args, **options):
        raise Hostile

    return type("Raising", (), {name: refuse for name in names})()


class LongerThanItIs:
    def __len__(self):
        return 3

    def __getitem__(self, index):
        if index > 1:
            raise IndexError
        return index


class NegativeLength:
    def __len__(self):
        return -1

    def __getitem__(self, index):
        return 0


class EndlessLength(LongerThanItIs):
    def __len__(self):
        return sys.maxsize


class NoInteger:
    def __index__(self):
        return "1"


class NoFloat:
    def __float__(self):
        return "1"


class NoCapsule:
    def __dlpack__(self, *args, **options):
        return "capsule"

    def __dlpack_device__(self):
        return ("cpu", None)


class NoArray:
    def __array__(self, *args, **options):
        return [1, 2]


class NoDtype:
    dtype = "nonsense"
    shape = "nonsense"
    ndim = None
    size = object()


class Integer(int):
    def __index__(self):
        raise Hostile


class Text(str):
    def __eq__(self, other):
        raise Hostile

    __hash__ = str.__hash__


class Sized(np.ndarray):
    @property
    def dtype(self):
        raise Hostile


def deep_list():
    deep = []
    for _ in range(2000):
        deep = [deep]
    return deep


def own_list():
    own = []
    own.append(own)
    return own


def frozen(array):
    array.flags.writeable = False
    return array


def released(view):
    view.release()
    return view


class Pair(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_double)]


# Makers, so that each call has fresh ones.
NUMBERS = [
    lambda: None,
    lambda: True,
    lambda: 0,
    lambda: 1,
    lambda: -1,
    lambda: 3,
    lambda: 9,
    lambda: 2**40,
    lambda: 2**62,
    lambda: 2**63,
    lambda: 2**64,
    lambda: -(2**63),
    lambda: -(2**70),
    lambda: 10**400,
    lambda: 1.5,
    lambda: -0.0,
    lambda: float("nan"),
    lambda: float("inf"),
    lambda: 1j,
    lambda: np.float32(1.5),
    lambda: np.uint64(2**64 - 1),
    lambda: np.bool_(True),
    lambda: np.datetime64("2020-01-01"),
    lambda: Integer(3),
]
TEXTS = [
    lambda: "",
    lambda: "f32",
    lambda: "sum",
    lambda: "soa",
    lambda: "cpu",
    lambda: "no such name",
    lambda: "a\0b",
    lambda: "\ud800",
    lambda: "x" * 10000,
    lambda: Text("f32"),
    lambda: b"",
    lambda: b"f32",
    lambda: bytearray(b"bytes"),
]
CONTAINERS = [
    lambda: (),
    lambda: (0,),
    lambda: (2, 3),
    lambda: (-1, 2),
    lambda: (2**40, 2**40),
    lambda: tuple(range(40)),
    lambda: ("name", None),
    lambda: [],
    lambda: [1, 2.5, True],
    lambda: [[1, 2], [3]],
    lambda: [None],
    lambda: [2**70],
    lambda: {},
    lambda: {1: 2},
    lambda: {1, 2},
    lambda: range(3),
    lambda: iter([1, 2]),
    lambda: memoryview(b"abcdef"),
    lambda: memoryview(b"abcdef")[::-2],
    lambda: released(memoryview(b"abcdef")),
    lambda: memoryview(bytearray(24)).cast("d", (3, 1)),
    lambda: array.array("d", [1.0, 2.0]),
    lambda: array.array("u", "text"),
    lambda: (ctypes.c_float * 3 * 2)(),
    lambda: (Pair * 2)(),
    lambda: ctypes.c_int(3),
    lambda: ctypes.c_void_p(3),
    deep_list,
    own_list,
]
OBJECTS = [
    object,
    lambda: object,
    lambda: np.float32,
    lambda: onefold.f32,
    lambda: onefold.vec3(),
    lambda: onefold.mat(2, 3, onefold.i8),
    lambda: lambda *args: 1,
    lambda: sys,
    lambda: raising("__index__"),
    lambda: raising("__float__", "__int__"),
    lambda: raising("__array__"),
    lambda: raising("__dlpack__", "__dlpack_device__"),
    lambda: raising("__len__", "__getitem__"),
    lambda: raising("__iter__"),
    lambda: raising("__bool__"),
    lambda: raising("__getattr__"),
    lambda: raising("__getattribute__"),
    lambda: raising("__repr__", "__str__"),
    lambda: raising("__eq__", "__hash__"),
    LongerThanItIs,
    NegativeLength,
    EndlessLength,
    NoInteger,
    NoFloat,
    NoCapsule,
    NoArray,
    NoDtype,
]
ARRAYS = [
    lambda: np.zeros(0, np.float32),
    lambda: np.arange(6, dtype=np.float32),
    lambda: np.arange(6.0).reshape(2, 3),
    lambda: np.arange(6).reshape(2, 3)[:, ::-1],
    lambda: np.array(2.5),
    lambda: np.array([True, False]),
    lambda: np.array([2, -7, 2**40, -(2**62)]),
    lambda: np.array([np.nan, np.inf, -0.0], np.float16),
    lambda: frozen(np.arange(6.0)),
    lambda: np.arange(6, dtype=">f8"),
    lambda: np.arange(3, dtype=np.longdouble),
    lambda: np.arange(3) * 1j,
    lambda: np.array(["a", "bc"]),
    lambda: np.array([None, 1], object),
    lambda: np.array([(1, 2.0)], [("a", "i4"), ("b", "f8")]),
    lambda: np.array(["2020-01-01"], "M8[D]"),
    lambda: np.zeros((1,) * 12),
    lambda: np.zeros((3, 0, 2)),
    lambda: np.broadcast_to(np.float32(1), (4, 5)),
    lambda: np.frombuffer(bytearray(33), np.float64, 4, 1),
    lambda: np.zeros(3).view(Sized),
    lambda: np.ma.masked_array([1.0, 2.0], [True, False]),
    lambda: onefold.zeros((2, 3)),
    lambda: onefold.arange(6),
    lambda: onefold.zeros(()),
    lambda: onefold.zeros(0, onefold.i64),
    lambda: onefold.zeros(4, onefold.bf16),
    lambda: onefold.zeros(3, onefold.vec3()),
    lambda: onefold.zeros((2, 2), onefold.mat2(), layout="soa"),
    lambda: onefold.soa(onefold.zeros(3), onefold.ones(3)),
    lambda: onefold.asarray(np.ones(3, bool)),
]
GARBAGE = NUMBERS + TEXTS + CONTAINERS + OBJECTS + ARRAYS

# ---- Calls that are right, to be spoilt one argument at a time ----


def floats():
    return np.arange(6, dtype=np.float32)


def table():
    return np.arange(12.0).reshape(3, 4)


def sums():
    return np.zeros((1, 4))


GOOD = {
    "empty": lambda: [(3,), "f32", "aos", None],
    "convert": lambda: [table(), onefold.f32, "aos"],
    "copyto": lambda: [onefold.zeros((3, 4)), table()],
    "fill": lambda: [onefold.zeros((3, 4)), 2.5],
    "soa": lambda: [(onefold.zeros(3), onefold.ones(3))],
    "concat": lambda: [(onefold.zeros(3), onefold.ones(3))],
    "dtype": lambda: ["f32", (3,)],
    "reduce": lambda: [0, table(), None, 0, False, None, 1, None, 0, None, None, True],
    "reduce_array": lambda: [0, table(), table(), 0, False, None, 1, None, 3, None, None],
    "reduce_into": lambda: [0, table(), None, None, False, None, None, None, 0, None, None, sums(), False],
    "workspace": lambda: [0, table(), None, 0, False, None, None, None, 0, None, None, None, False],
    "from_dlpack": lambda: [floats(), None, None, False],
    "array_from_ptr": lambda: [floats(), (6,), onefold.f32, True],
}
GOOD_PUBLIC = {
    "array": lambda: [table(), onefold.f64],
    "copyto": GOOD["copyto"],
    "mapreduce": lambda: ["product", "sum", table(), table()],
    "reduce": lambda: ["sum", table()],
    "mapreducedim": lambda: ["square", "sum", sums(), table()],
    "workspace": lambda: ["square", "sum", table()],
    "full": lambda: [(3,), 1.5],
    "arange": lambda: [0, 6, 2],
    "dot": lambda: [table(), table(), 0],
    "array_from_ptr": lambda: [floats(), (6,), onefold.f32],
}
KEYWORDS = "dim keepdim acctype init ord dims neutral order alg backend".split()
KEYWORDS += "workspace overwrite R layout device dtype".split()


def keys():
    return np.array([2, 0, 1, 2, 0, 1])


def flags():
    return np.array([True, False, True, True, False, False])


def ids():
    return np.array([0, 1, 1, 2, 0, 2])


GOOD_ALGORITHMS = {
    "argsort": lambda: [keys()],
    "compact": lambda: [floats(), flags()],
    "copy": lambda: [floats(), np.ones(6)],
    "count_nonzero": lambda: [table(), 3],
    "dot": lambda: [table(), table(), 3],
    "exclusive_scan": lambda: [floats(), np.ones(6)],
    "fill_value": lambda: [np.ones(6), 2.5, 3],
    "gather": lambda: [table(), np.array([2, 0])],
    "histogram": lambda: [table(), 4, (0.0, 8.0)],
    "inclusive_scan": lambda: [keys(), keys(), 4],
    "index_add": lambda: [np.ones(4), keys(), np.ones(6)],
    "merge": lambda: [floats(), floats()],
    "nonzero": lambda: [flags()],
    "norm": lambda: [table(), 1, 3],
    "partition": lambda: [floats(), flags()],
    "reduce_by_key": lambda: [keys(), floats(), "max"],
    "repeat": lambda: [floats(), keys()],
    "reverse": lambda: [table(), 5],
    "scatter": lambda: [floats(), ids(), floats()],
    "searchsorted": lambda: [floats(), np.array([2.5, 7.0])],
    "sort": lambda: [keys(), 4],
    "sort_by_key": lambda: [keys(), floats()],
    "top_k": lambda: [floats(), 2],
    "unique": lambda: [keys(), 4],
    "var": lambda: [table(), 3],
    "weighted_mean": lambda: [floats(), np.ones(6)],
    "weighted_sum": lambda: [floats(), np.ones(6), 3],
}
GOOD_SEGMENT = {
    "empty_segment_identity": lambda: ["f32", "sum"],
    "ids_to_lengths": lambda: [ids(), 3],
    "ids_to_offsets": lambda: [np.sort(ids()), 3],
    "index_add": GOOD_ALGORITHMS["index_add"],
    "lengths_to_offsets": lambda: [keys()],
    "offsets_to_ids": lambda: [np.array([0, 2, 3])],
    "offsets_to_lengths": lambda: [np.array([0, 2, 3])],
    "partition_ids": lambda: [keys(), 6],
    "repeat": GOOD_ALGORITHMS["repeat"],
    "segment_max_or_constant": lambda: [floats(), ids(), 3, 7.0],
}
GOOD_SEGMENT |= {
    f"segment_{name}": lambda: [floats(), ids(), 3]
    for name in "count max mean min normalize prod softmax sum variance".split()
}
MORE_KEYWORDS = "n dim axis descending index_dtype total init op side smallest outside weights".split()
MORE_KEYWORDS += "return_index return_inverse total_length sorted check_sorted xp".split()


def public_functions(module):
    for name in sorted(vars(module)):
        thing = getattr(module, name)
        of_onefold = getattr(thing, "__module__", "").startswith("onefold")
        if of_onefold and callable(thing) and not name.startswith("_"):
            yield name, thing


class Garbage(unittest.TestCase):
    def setUp(self):
        self.calls = self.answers = 0
        self.log = os.environ.get("ONEFOLD_TEST_LOG")  # a file to find the call in that crashed

    def tearDown(self):
        onefold.set_default_device(None)
        onefold.set_threads(0)
        onefold.set_instruction_set(None)

    def attempt(self, name, function, args, options=None):
        about = f"{name} with {[type(a).__name__ for a in args]} {list(options or {})}"
        if self.log:
            with open(self.log, "w") as log:
                log.write(about)
        everything = [*args, *(options or {}).values()]
        before = [(a, a.tobytes()) for a in everything if type(a) is np.ndarray and a.dtype != object]
        self.calls += 1
        try:
            function(*args, **(options or {}))
            self.answers += 1
            return
        except (Hostile, *SENSIBLE):
            pass
        except RuntimeError as error:
            self.assertRegex(str(error), "device|recursion", about)
        except Exception as error:
            self.fail(f"{about}: {type(error).__name__}: {error}")
        for array, content in before:
            self.assertEqual(array.tobytes(), content, f"{about} wrote")

    def addresses_are_right(self, name, args):
        """An integer may be an address of anything."""
        return not name.endswith("array_from_ptr") or not args or type(args[0]) in (np.ndarray, str, bytes, list)

    def spoil(self, name, function, good):
        for place in range(len(good())):
            for make in GARBAGE:
                args = good()
                args[place] = make()
                if self.addresses_are_right(name, args):
                    self.attempt(name, function, args)
        for count in range(len(good())):
            self.attempt(name, function, good()[:count])
        self.attempt(name, function, good() + [None])

    def test_the_calls_are_right(self):
        for name, good in GOOD.items():
            getattr(_core, name)(*good())
        for name, good in GOOD_PUBLIC.items():
            getattr(onefold, name)(*good())

    def test_one_wrong_argument(self):
        for name, good in GOOD.items():
            self.spoil(f"_core.{name}", getattr(_core, name), good)
        for name, good in GOOD_PUBLIC.items():
            self.spoil(name, getattr(onefold, name), good)
        self.assertGreater(self.calls, 4000)
        self.assertGreater(self.answers, 100)

    def test_first_argument_of_every_function(self):
        for module in (onefold, onefold.algorithms, onefold.segment):
            for name, function in public_functions(module):
                for make in GARBAGE:
                    args = [make()]
                    if self.addresses_are_right(name, args):
                        self.attempt(f"{module.__name__}.{name}", function, args)

    def test_one_wrong_argument_of_what_is_imported_by_name(self):
        for module, calls in (("onefold.algorithms", GOOD_ALGORITHMS), ("onefold.segment", GOOD_SEGMENT)):
            functions = importlib.import_module(module)
            chance = random.Random(3)
            for name, good in calls.items():
                function = getattr(functions, name)
                xp = {"xp": np} if name == "empty_segment_identity" else {}
                function(*good(), **xp)
                self.spoil(f"{module}.{name}", function, good)
                for keyword in MORE_KEYWORDS:
                    for make in chance.sample(GARBAGE, 25):
                        self.attempt(f"{module}.{name}", function, good(), {keyword: make()})
        self.assertGreater(self.answers, 1000)

    def test_keywords(self):
        chance = random.Random(1)
        for name, function in public_functions(onefold):
            for keyword in KEYWORDS:
                for make in chance.sample(GARBAGE, 12):
                    args = GOOD_PUBLIC[name]() if name in GOOD_PUBLIC else [table()]
                    self.attempt(name, function, args, {keyword: make()})

    def test_any_arguments(self):
        chance = random.Random(2)
        functions = [*public_functions(onefold)]
        functions += [(name, getattr(_core, name)) for name in dir(_core) if callable(getattr(_core, name))]
        for name, function in functions:
            if name in ("Array", "DType", "Workspace", "gather", "scatter"):  # these may be told not to look
                continue
            for _ in range(60):
                count = chance.choice([0, 1, 2, 3, 4, 11, 12, 13])
                args = [chance.choice(GARBAGE)() for _ in range(count)]
                if self.addresses_are_right(name, args):
                    self.attempt(name, function, args)

    def test_methods(self):
        for make_array in ARRAYS[-9:]:
            names = {name for name in dir(onefold.Array) if callable(getattr(onefold.Array, name))}
            for name in sorted(names - set(dir(object))):
                for make in GARBAGE:
                    array = make_array()
                    try:
                        method = getattr(array, name)
                        self.attempt(f"Array.{name}", method, [make()])
                    except AttributeError:
                        continue
            for make in GARBAGE:
                self.attempt("Array[]", make_array().__getitem__, [make()])
                self.attempt("Array[] =", make_array().__setitem__, [make(), 1])

    def test_types_are_not_made(self):
        for kind in (onefold.Array, onefold.DType):
            with self.assertRaises(TypeError):
                kind()
            with self.assertRaises(TypeError):
                object.__new__(kind)
            with self.assertRaises(TypeError):
                type("Own", (kind,), {})
            with self.assertRaises(TypeError):
                kind.name = 1


class Changing(unittest.TestCase):
    """Arguments that change while they are read."""

    def test_a_shape_that_shrinks(self):
        sizes = [2, 3]

        class Shrinking:
            def __index__(self):
                sizes.clear()
                return 2

        for function in (onefold.empty, onefold.zeros, lambda shape: onefold.sum(np.ones((2, 3)), shape)):
            sizes[:] = [Shrinking(), 3]
            with self.assertRaises((IndexError, TypeError, ValueError)):
                function(sizes)

    def test_an_array_that_grows_while_it_is_lent(self):
        numbers = bytearray(8)
        view = memoryview(numbers)
        borrowed = onefold.array(view)
        self.assertEqual(borrowed.size, 8)
        view.release()
        numbers.extend(b"more")

    def test_arrays_made_by_what_is_asked(self):
        class Lender:
            def __init__(self, times):
                self.times = times

            def __array__(self, dtype=None, copy=None):
                return np.ones(self.times)

        self.assertEqual(onefold.asarray(np.asarray(Lender(3))).size, 3)


if __name__ == "__main__":
    unittest.main()
