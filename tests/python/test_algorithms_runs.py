"""Runs of equal keys and selection by flags in Python against the contract; and what they refuse."""

import unittest

from operands import SIZES, TYPES, Test, elements, handed, np, onefold

import contract_runs
from onefold.algorithms import compact, nonzero, partition, reduce_by_key, repeat, unique

OPERATIONS = ["sum", "min", "max", "mean", "count", "prod", "variance"]


def runs(rng, name, shape):
    """Elements among which neighbours are often equal."""
    raw = elements(rng, name, shape)
    return np.repeat(raw.reshape(-1), rng.integers(1, 4, raw.size))[: raw.size].reshape(shape)


class AgainstTheContract(Test):
    def each(self, seed):
        rng = np.random.default_rng(seed)
        for name in TYPES:
            for size in SIZES:
                shape = (size,) if rng.integers(2) else (2, size)
                raw = runs(rng, name, shape)
                n = None if rng.integers(2) else int(rng.integers(raw.size + 1))
                index = [None, "i32", "i64"][rng.integers(3)]
                with self.subTest(name=name, shape=shape, n=n, index=index):
                    yield rng, name, raw, n, index

    def test_unique(self):
        for rng, name, raw, n, index in self.each(1):
            keys, counts, first, inverse = contract_runs.unique(raw, name, n, index)
            given = handed(rng, raw, name)
            got = unique(given, n, return_index=True, return_inverse=True, index_dtype=index)
            self.assertSame(got[0], keys, name)
            for array, expected in zip(got[1:], (counts, first, inverse), strict=True):
                self.assertSame(array, expected)
            for options, third in (({"return_index": True}, first), ({"return_inverse": True}, inverse)):
                got = unique(given, n, index_dtype=index, **options)
                self.assertEqual(len(got), 3)
                self.assertSame(got[2], third)
            got = unique(given, n)
            self.assertEqual(len(got), 2)
            self.assertSame(repeat(got[0], got[1]), np.repeat(keys, counts), name)

    def test_reduce_by_key(self):
        for rng, name, raw, n, index in self.each(2):
            kind, op = TYPES[rng.integers(len(TYPES))], OPERATIONS[rng.integers(7)]
            values = elements(rng, kind, (raw.size + int(rng.integers(3)),))
            keys, results = contract_runs.reduce_by_key(raw, values, op, name, kind, n, index)
            got = reduce_by_key(handed(rng, raw, name), handed(rng, values, kind), op, n, index_dtype=index)
            self.assertSame(got[0], keys, name)
            self.assertSame(got[1], results, contract_runs.result_type(kind, op, index), f"{op} {kind}")

    def test_selection(self):
        for rng, name, flags, n, index in self.each(3):
            kind = TYPES[rng.integers(len(TYPES))]
            shape = flags.shape if flags.ndim > 1 or rng.integers(2) else (flags.size, 3)
            raw = elements(rng, kind, shape)
            src, given = handed(rng, raw, kind), handed(rng, flags, name)
            self.assertSame(compact(src, given, n), contract_runs.compact(raw, flags, name, n), kind)
            rows, count = contract_runs.partition(raw, flags, name, n)
            got = partition(src, given, n)
            self.assertSame(got[0], rows, kind)
            self.assertEqual((got[1], type(got[1])), (count, int))
            self.assertSame(nonzero(given, n, index_dtype=index), contract_runs.nonzero(flags, name, n, index))


class Vectors(Test):
    def test_they_are_rows(self):
        values = np.arange(24, dtype=np.float32).reshape(4, 2, 3)
        src = onefold.array(values, onefold.vec3(), layout="soa")
        flags = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
        for function in (compact, lambda *arguments: partition(*arguments)[0]):
            kept = function(src, flags[:, 0])
            self.assertIs(kept.dtype, onefold.vec3())
            np.testing.assert_array_equal(kept.numpy()[:2], values[[0, 2]])
            kept = function(src, flags)
            np.testing.assert_array_equal(kept.numpy()[:4], values[flags == 1])
            self.assertEqual(kept.ndim, 1)
            kept = function(src, flags, 3)
            np.testing.assert_array_equal(kept.numpy()[:1], values[0, :1])

    def test_they_are_reduced_by_components(self):
        rng = np.random.default_rng(4)
        keys = np.array([[7, 7, 2], [2, 2, 7]], np.int16)
        values = rng.standard_normal((2, 3, 3)).astype(np.float32)
        for layout in ("aos", "soa"):
            src = onefold.array(values, onefold.vec3(), layout=layout)
            for op in OPERATIONS:
                for n in (None, 0, 4):
                    with self.subTest(layout=layout, op=op, n=n):
                        got = reduce_by_key(keys, src, op, n)
                        parts = [reduce_by_key(keys, values[..., k], op, n) for k in range(3)]
                        self.assertSame(got[0], parts[0][0].numpy())
                        self.assertIs(got[1].dtype, onefold.vec3(parts[0][1].dtype))
                        expected = np.stack([part[1].numpy() for part in parts], 1)
                        self.assertEqual(got[1].numpy().tobytes(), expected.tobytes())
        self.assertRefused(ValueError, "values has 6 elements, but keys has 7", reduce_by_key, np.ones(7), src)
        self.assertRefused(ValueError, "n is 7, but the size of keys is 6", reduce_by_key, keys, onefold.zeros(9, onefold.vec3()), n=7)
        self.assertRefused(ValueError, "n is -1, which is negative", reduce_by_key, keys, src, n=-1)

    def test_their_flags_are_one_each(self):
        src = onefold.zeros(2, onefold.vec3())
        for shape in ((2, 3), (3, 2), ()):
            self.assertRefused(ValueError, "flags has another shape than src", compact, src, np.ones(shape))
        self.assertRefused(ValueError, "flags has another shape", partition, onefold.zeros((), onefold.vec3()), [1])

    def test_keys_and_flags_are_scalars(self):
        vectors, scalars = onefold.zeros(2, onefold.vec2()), np.ones(2)
        for words, function, arguments in (
            ("keys must have scalars", unique, (vectors,)),
            ("keys must have scalars", reduce_by_key, (vectors, scalars)),
            ("flags must have scalars", compact, (scalars, vectors)),
            ("flags must have scalars", nonzero, (vectors,)),
        ):
            self.assertRefused(TypeError, words, function, *arguments)


class Refusals(Test):
    keys = np.array([7, 7, 2], np.int32)

    def test_n(self):
        for n, words in ((4, "n is 4, but the size of"), (-1, "n is -1, which is negative")):
            self.assertRefused(ValueError, words, unique, self.keys, n)
            self.assertRefused(ValueError, words, reduce_by_key, self.keys, self.keys, "sum", n)
            self.assertRefused(ValueError, words, compact, self.keys, self.keys, n)
            self.assertRefused(ValueError, words, partition, self.keys, self.keys, n)
            self.assertRefused(ValueError, words, nonzero, self.keys, n)
        self.assertRefused(ValueError, "values has 2 elements", reduce_by_key, self.keys, self.keys[:2])

    def test_options(self):
        self.assertRefused(ValueError, 'no group operation "median"; there are sum', reduce_by_key, self.keys, self.keys, "median")
        self.assertRefused(TypeError, "op None is no name", reduce_by_key, self.keys, self.keys, None)
        self.assertRefused(TypeError, "index_dtype is u8", unique, self.keys, index_dtype="u8")
        self.assertRefused(TypeError, "index_dtype is f32", nonzero, self.keys, index_dtype=onefold.f32)

    def test_shapes(self):
        self.assertRefused(ValueError, "flags has shape", compact, self.keys, np.ones((3, 1)))
        self.assertRefused(ValueError, "flags has shape", partition, np.ones((3, 2)), np.ones((2, 3)))


class Examples(Test):
    def test_runs_of_the_reference_page(self):
        keys, counts = unique(onefold.array([7, 7, 2, 2, 7]))
        self.assertEqual((keys.tolist(), counts.tolist(), counts.dtype), ([7, 2, 7], [2, 2, 1], onefold.i32))

    def test_of_nothing(self):
        nothing = onefold.empty(0, onefold.f32)
        for array in (*unique(nothing), *reduce_by_key(nothing, nothing), compact(nothing, nothing), nonzero(nothing)):
            self.assertEqual(array.shape, (0,))


if __name__ == "__main__":
    unittest.main()
