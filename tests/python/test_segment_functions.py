"""Segments, repeats and scatter-adds in Python against the contract; and what they refuse."""

import math
import os
import unittest
from unittest import mock

from operands import INTEGERS, TYPES, Test, array, contract, elements, handed, np, onefold, target

import contract_segment
import onefold.segment
from onefold.segment import (
    empty_segment_identity,
    ids_to_lengths,
    ids_to_offsets,
    index_add,
    lengths_to_offsets,
    offsets_to_ids,
    offsets_to_lengths,
    partition_ids,
    repeat,
    segment_max_or_constant,
    segment_min_or_constant,
    segment_sum,
)

REDUCTIONS = {name: getattr(onefold.segment, f"segment_{name}") for name in contract_segment.OPERATIONS}
WITHIN = {name: getattr(onefold.segment, f"segment_{name}") for name in ("softmax", "normalize")}
ALL = [*REDUCTIONS.values(), *WITHIN.values()]


def type_of(raw, name):
    """The name of a result's type, bf16 where its bits are meant."""
    return "bf16" if name == "bf16" and raw.dtype == np.uint16 else contract._NAME[raw.dtype]


def random_ids(rng, kind, count, segments):
    low = 0 if kind[0] == "u" else -1
    ids = rng.integers(low, segments + 2, count).astype(contract.storage(kind))
    return np.sort(ids) if rng.integers(2) else ids


class AgainstTheContract(Test):
    def each(self, seed):
        rng = np.random.default_rng(seed)
        for name in TYPES:
            for shape in ((0,), (1,), (17,), (33,), (20, 3), (4, 2, 2), (3, 0)):
                kind, segments = INTEGERS[rng.integers(len(INTEGERS))], int(rng.integers(6))
                raw, ids = elements(rng, name, shape), random_ids(rng, kind, shape[0], segments)
                with self.subTest(name=name, shape=shape, kind=kind, segments=segments):
                    yield rng, name, raw, ids, segments, bool(rng.integers(2)), handed(rng, ids, kind)

    def test_reductions(self):
        for rng, name, raw, ids, segments, hint, given in self.each(1):
            x = handed(rng, raw, name)
            for operation, function in REDUCTIONS.items():
                expected = contract_segment.segment(raw, ids, segments, operation, dtype=name)
                got = function(x, given, np.array(segments), sorted=hint)
                self.assertSame(got, expected, type_of(expected, name), operation)

    def test_constants(self):
        for rng, name, raw, ids, segments, hint, given in self.each(2):
            for operation, function in (("min", segment_min_or_constant), ("max", segment_max_or_constant)):
                value = int(rng.integers(2)) if name == "bool" else float(rng.integers(-3, 4))
                constant = raw_constant(value, name)
                expected = contract_segment.segment(raw, ids, segments, operation, constant, name)
                got = function(handed(rng, raw, name), given, segments, value, sorted=hint)
                self.assertSame(got, expected, name, f"{operation} {value}")

    def test_within(self):
        for rng, name, raw, ids, segments, hint, given in self.each(3):
            for operation, function in WITHIN.items():
                expected = contract_segment.within(raw, ids, segments, operation, name)
                got = function(handed(rng, raw, name), given, segments, sorted=hint)
                self.assertSame(got, expected, type_of(expected, name), operation)

    def test_index_add(self):
        rng = np.random.default_rng(4)
        for name in TYPES[1:]:
            for shape in ((0,), (9,), (30, 2)):
                raw, into = elements(rng, name, shape), elements(rng, name, (5,) + shape[1:])
                indices = rng.integers(5, size=shape[0]).astype(np.uint8)
                with self.subTest(name=name, shape=shape):
                    given = target(rng, into, name)
                    self.assertIsNone(index_add(given, handed(rng, indices, "u8"), handed(rng, raw, name)))
                    self.assertSame(given, contract_segment.index_add(into, indices, raw, name), name)

    def test_repeat(self):
        rng = np.random.default_rng(5)
        for name in TYPES:
            raw, repeats = elements(rng, name, (6,)), rng.integers(0, 4, 6)
            for total in (None, 0, 5, 30):
                with self.subTest(name=name, total=total):
                    expected = np.array(contract_segment.repeat(list(raw), repeats, total), raw.dtype)
                    got = repeat(handed(rng, raw, name), repeats.astype(np.int16), total_length=total)
                    self.assertSame(got, expected, name)


def raw_constant(value, name):
    import contract_scan

    return contract_scan.encode(contract.convert(value, name), name)


class Vectors(Test):
    def test_they_reduce_by_components(self):
        values = np.arange(24, dtype=np.float32).reshape(4, 2, 3)
        ids = np.array([1, 0, 1, 5])
        for layout in ("aos", "soa"):
            x = onefold.array(values, onefold.vec3(), layout=layout)
            got = segment_sum(x, ids, 3)
            self.assertEqual((got.shape, got.dtype), ((3, 2), onefold.vec3()))
            self.assertSame(got.astype(onefold.f32), contract_segment.segment(values, ids, 3))
            counts = onefold.segment.segment_count(x, ids, 3)
            self.assertIs(counts.dtype, onefold.vec3(onefold.i64))
            self.assertEqual(counts.numpy()[:, 0, 0].tolist(), [1, 2, 0])
            self.assertIs(onefold.segment.segment_softmax(x, ids, 3).dtype, onefold.vec3())
            means = onefold.segment.segment_mean(x.astype(onefold.i32), ids, 3)
            self.assertIs(means.dtype, onefold.vec3(onefold.f64))

    def test_repeats(self):
        values = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
        x = onefold.array(values, onefold.vec3(), layout="soa")
        for options, expected in (
            ({"repeats": 2}, np.repeat(values.reshape(4, 3), 2, 0)),
            ({"repeats": [0, 1, 2, 0], "total_length": 4}, values.reshape(4, 3)[[1, 2, 2, 3]]),
            ({"repeats": [2, 1], "dim": 0}, np.repeat(values, [2, 1], 0)),
            ({"repeats": [2, 1], "axis": -1}, np.repeat(values, [2, 1], 1)),
        ):
            got = repeat(x, **options)
            self.assertIs(got.dtype, onefold.vec3())
            np.testing.assert_array_equal(got.numpy(), expected)
        self.assertRefused(ValueError, "dim 2 is out of range for an array of 2 dimensions", repeat, x, 2, dim=2)

    def test_index_add(self):
        into = onefold.ones(3, onefold.vec2())
        rows = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
        index_add(into, [2, 0, 2], onefold.array(rows, onefold.vec2()))
        index_add(into, [1], rows[:1])
        self.assertEqual(into.numpy().tolist(), [[4, 5], [2, 3], [7, 9]])
        words = r"src has elements of vec2\(f32\), but into of vec3\(f32\)"
        self.assertRefused(TypeError, words, index_add, onefold.zeros(3, onefold.vec3()), [0, 1, 2], into)

    def test_rows(self):
        for function in ALL:
            self.assertRefused(ValueError, "x has no dimensions", function, onefold.zeros((), onefold.vec3()), [0], 1)


class Lengths(Test):
    def test_one_from_another(self):
        lengths = np.array([2, 0, 3], np.uint8)
        self.assertEqual(lengths_to_offsets(lengths).tolist(), [0, 2, 2, 5])
        self.assertEqual(offsets_to_lengths([0, 2, 2, 5]).tolist(), [2, 0, 3])
        self.assertEqual(offsets_to_ids([0, 2, 2, 5]).tolist(), [0, 0, 2, 2, 2])
        self.assertEqual(partition_ids(lengths, 7).tolist(), [0, 0, 2, 2, 2, 2, 2])
        self.assertEqual(partition_ids(lengths, np.array(1)).tolist(), [0])
        self.assertEqual(ids_to_lengths([2, 0, 2, -1, 3, 0, 2], 3).tolist(), [2, 0, 3])
        self.assertEqual(ids_to_offsets([2, 0, 2, -1, 3, 0, 2], onefold.array(3)).tolist(), [0, 2, 2, 5])
        self.assertIs(partition_ids(lengths, 5).dtype, onefold.i64)

    def test_refusals(self):
        for kind, words, function, arguments in (
            (ValueError, r"lengths\[1\] is -1; it must be 0 or more", lengths_to_offsets, ([0, -1],)),
            (ValueError, r"lengths\[0\] is -1", partition_ids, ([-1], 1)),
            (ValueError, "total_length is -1; it must be 0 or more", partition_ids, ([1], -1)),
            (ValueError, "lengths is empty, but total_length is 2", partition_ids, (np.empty(0, int), 2)),
            (TypeError, "total_length is None", partition_ids, ([1], None)),
            (TypeError, "total_length 1.5 is no integer", partition_ids, ([1], 1.5)),
            (TypeError, "lengths has type f32", partition_ids, ([1.0], 1)),
            (ValueError, "lengths has shape", lengths_to_offsets, ([[1]],)),
            (ValueError, "offsets is empty", offsets_to_lengths, (np.empty(0, int),)),
            (ValueError, r"offsets\[0\] is 1; it must be 0", offsets_to_ids, ([1, 2],)),
            (ValueError, r"offsets\[2\] is 1, less than 2", offsets_to_lengths, ([0, 2, 1],)),
            (TypeError, "num_segments is None", ids_to_lengths, ([0], None)),
            (ValueError, "num_segments is -1", ids_to_offsets, ([0], -1)),
            (TypeError, "ids has type f64", ids_to_lengths, (np.ones(1), 1)),
            (TypeError, "ids must have scalars", ids_to_lengths, (onefold.zeros(1, onefold.vec2(onefold.i32)), 1)),
        ):
            with self.subTest(words=words):
                self.assertRefused(kind, words, function, *arguments)


class Refusals(Test):
    x, ids = np.arange(3.0), np.array([0, 1, 0])

    def test_segments(self):
        for function in ALL:
            for kind, words, arguments in (
                (TypeError, "num_segments is None; it must be given", (self.x, self.ids, None)),
                (TypeError, "num_segments 2.0 is no integer", (self.x, self.ids, 2.0)),
                (ValueError, "num_segments is -1; it must be 0 or more", (self.x, self.ids, -1)),
                (TypeError, "ids has type f64; it takes integers", (self.x, self.x, 2)),
                (TypeError, "ids has type bool", (self.x, self.ids == 0, 2)),
                (ValueError, r"ids has shape \(2,\), but x has 3 rows", (self.x, self.ids[:2], 2)),
                (ValueError, "ids has shape", (self.x, self.ids.reshape(3, 1), 2)),
                (ValueError, "x has no dimensions", (1.0, self.ids, 2)),
                (TypeError, "ids must have scalars", (self.x, onefold.zeros(3, onefold.vec2(onefold.i32)), 2)),
            ):
                with self.subTest(function=function.__name__, words=words):
                    self.assertRefused(kind, words, function, *arguments)
        with self.assertRaisesRegex(TypeError, "num_segments"):
            segment_sum(self.x, self.ids)

    def test_constants(self):
        for function in (segment_min_or_constant, segment_max_or_constant):
            for value in (None, "a"):
                self.assertRefused(TypeError, "constant .* is no number", function, self.x, self.ids, 2, value)

    def test_wrong_hints(self):
        words = r"sorted is set, but ids\[2\] is 0 after 1"
        for function in ALL:
            self.assertRefused(ValueError, words, function, self.x, self.ids, 2, sorted=True, check_sorted=True)
            function(self.x, self.ids, 2, check_sorted=True)
            function(self.x, self.ids, 2, sorted=True)
            with mock.patch.dict(os.environ, ONEFOLD_DEBUG="1"):
                self.assertRefused(ValueError, words, function, self.x, self.ids, 2, sorted=True)
                function(self.x, self.ids, 2, sorted=True, check_sorted=False)

    def test_repeat(self):
        for kind, words, arguments, options in (
            (ValueError, r"repeats\[1\] is -2; it must be 0 or more", ([1, -2, 1],), {}),
            (ValueError, r"repeats has shape \(2,\), but x has 3 rows", ([1, 2],), {}),
            (TypeError, "repeats has type f32", (2.0,), {}),
            (ValueError, "total_length is -1", (2,), {"total_length": -1}),
            (TypeError, "total_length 'a' is no integer", (2,), {"total_length": "a"}),
            (ValueError, "dim 1 is out of range for an array of 1 dimension", (2,), {"dim": 1}),
            (TypeError, "axis and dim are the same", (2,), {"dim": 0, "axis": 0}),
        ):
            with self.subTest(words=words):
                self.assertRefused(kind, words, repeat, self.x, *arguments, **options)
        self.assertRefused(ValueError, "x has no rows", repeat, np.empty(0), 1, total_length=3)

    def test_index_add(self):
        into = np.zeros(2)
        for kind, words, indices, src in (
            (IndexError, r"indices\[2\] is 2, but into has 2 rows", [0, 1, 2], self.x),
            (IndexError, r"indices\[0\] is -1", [-1, 0, 0], self.x),
            (TypeError, "indices has type f64", np.zeros(3), self.x),
            (TypeError, "src has type i64, but into has f64", [0, 0, 0], self.ids),
            (ValueError, "indices has shape", [0, 0], self.x),
            (ValueError, "src has shape", [0, 0, 0], np.ones((3, 2))),
            (ValueError, "overlap", [0, 1], into),
        ):
            with self.subTest(words=words):
                self.assertRefused(kind, words, index_add, into, indices, src, unchanged=[into])
        into.flags.writeable = False
        self.assertRefused(ValueError, "into is read-only", index_add, into, [0, 0, 0], self.x)
        self.assertRefused(TypeError, "into must be an Array", index_add, [0.0], [0], [1.0])
        self.assertRefused(TypeError, "into has type bool", index_add, np.zeros(2, bool), [0], np.ones(1, bool))
        self.assertRefused(ValueError, "into has no dimensions", index_add, np.zeros(()), [0], np.ones(1))


class Identities(unittest.TestCase):
    def test_as_the_page_has_them(self):
        for dtype in (np.float16, np.float32, "float64", np.dtype("f4"), onefold.f32, onefold.bf16):
            self.assertEqual(empty_segment_identity(dtype, "min", xp=np), math.inf)
            self.assertEqual(empty_segment_identity(dtype, "max", xp=np), -math.inf)
            self.assertEqual(empty_segment_identity(dtype, "sum", xp=np), 0)
        for dtype in (np.int8, "uint64", np.dtype("i4"), onefold.i16):
            info = np.iinfo(dtype.dtype if isinstance(dtype, onefold.DType) else dtype)
            self.assertEqual(empty_segment_identity(dtype, "min", xp=np), info.max)
            self.assertEqual(empty_segment_identity(dtype, "max", xp=np), info.min)
            self.assertEqual(empty_segment_identity(dtype, "sum", xp=np), 0)
        self.assertIs(empty_segment_identity(bool, "min", xp=np), True)
        self.assertIs(empty_segment_identity(onefold.bool_, "max", xp=np), False)

    def test_are_what_empty_segments_get(self):
        for name in TYPES[1:]:
            x = array(np.zeros(0, contract.storage(name)), name)
            for operation in ("sum", "min", "max"):
                expected = empty_segment_identity(x.dtype, operation, xp=np)
                self.assertEqual(REDUCTIONS[operation](x, np.zeros(0, int), 1)[0], expected)

    def test_types_of_other_libraries(self):
        class Type:
            as_numpy_dtype = np.float32

        self.assertEqual(empty_segment_identity(Type(), "max", xp=np), -math.inf)

        class Namespace:  # with types that numpy does not know
            bool, f, i, inf = object(), object(), object(), math.inf

            @classmethod
            def finfo(cls, dtype):
                if dtype is not cls.f:
                    raise TypeError

            @classmethod
            def iinfo(cls, dtype):
                assert dtype is cls.i
                return np.iinfo(np.int8)

        self.assertEqual(empty_segment_identity(Namespace.f, "min", xp=Namespace), math.inf)
        self.assertEqual(empty_segment_identity(Namespace.i, "min", xp=Namespace), 127)
        self.assertIs(empty_segment_identity(Namespace.bool, "min", xp=Namespace), True)

    def test_refusals(self):
        for reduction in ("mean", "prod", None):
            with self.assertRaisesRegex(ValueError, f"^reduction type {reduction} not supported$"):
                empty_segment_identity(np.float32, reduction, xp=np)
        with self.assertRaises(ValueError):
            empty_segment_identity(np.complex64, "min", xp=np)
        with self.assertRaises(TypeError):
            empty_segment_identity(np.float32, "sum", np)


if __name__ == "__main__":
    unittest.main()
