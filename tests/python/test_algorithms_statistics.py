"""Statistics and histograms in Python against the contract; what they return, and what they refuse."""

import math
import resource
import unittest

from operands import FLOATS, SIZES, TYPES, Test, contract, elements, handed, np, onefold

import contract_stats
from onefold.algorithms import (
    absmax,
    count_nonzero,
    dot,
    histogram,
    norm,
    std,
    var,
    weighted_mean,
    weighted_sum,
)

ONE = {"var": var, "std": std}
TWO = {"dot": dot, "weighted_mean": weighted_mean}


class AgainstTheContract(Test):
    def each(self, seed):
        rng = np.random.default_rng(seed)
        for name in TYPES:
            for size in SIZES:
                raw = elements(rng, name, (size,) if rng.integers(2) else (2, size))
                n = None if rng.integers(2) else int(rng.integers(raw.size + 1))
                acctype = None if rng.integers(2) else FLOATS[rng.integers(4)]
                with self.subTest(name=name, shape=raw.shape, n=n, acctype=acctype):
                    yield rng, name, raw, n, acctype

    def test_of_one_array(self):
        for rng, name, raw, n, acctype in self.each(1):
            data, out = handed(rng, raw, name), acctype or "f64"
            for operation, function in ONE.items():
                expected = contract_stats.whole(operation, raw, name, acctype, n=n)
                self.assertNumber(function(data, n, acctype=acctype), expected, out, operation)
            for ord in (1, 2, math.inf):
                expected = contract_stats.whole("norm", raw, name, acctype, ord, n=n)
                self.assertNumber(norm(data, ord, n, acctype=acctype), expected, out, f"norm {ord}")
            self.assertNumber(absmax(data, n, acctype=acctype), expected, out, "absmax")
            count = contract.count_nonzero(raw.reshape(-1)[:n], name)
            self.assertNumber(count_nonzero(data, n), count, "i64")

    def test_of_two_arrays(self):
        for rng, name, raw, n, acctype in self.each(2):
            kind = TYPES[rng.integers(len(TYPES))]
            second = elements(rng, kind, (raw.size + int(rng.integers(3)),))
            a, b = handed(rng, raw, name), handed(rng, second, kind)
            for operation, function in TWO.items():
                expected = contract_stats.whole(
                    operation, raw, name, acctype, second=second[: raw.size if n is None else n], second_name=kind,
                    n=raw.size if n is None else n,
                )  # fmt: skip
                got = function(a, b, n, acctype=acctype)
                self.assertNumber(got, expected, acctype or "f64", f"{operation} with {kind}")
            self.assertEqual(repr(weighted_sum(a, b, n)), repr(dot(a, b, n)))

    def test_along_dimensions(self):
        rng = np.random.default_rng(3)
        for i in range(60):
            name, acctype = TYPES[rng.integers(len(TYPES))], None if rng.integers(2) else FLOATS[rng.integers(4)]
            dims = [(0,), (-1,), (0, 2), (1, -3), (0, 1, 2)][rng.integers(5)]
            keep, raw = bool(rng.integers(2)), elements(rng, name, (3, 2, 4))
            options = {"dim": dims if len(dims) > 1 or rng.integers(2) else dims[0], "keepdim": keep, "acctype": acctype}
            data, second = handed(rng, raw, name), elements(rng, name, raw.shape)
            out = acctype or contract_stats.join(name, name)
            with self.subTest(i=i, name=name, **options):
                for operation, function in ONE.items():
                    expected = contract_stats.along(operation, raw, name, dims, keep, acctype)
                    self.assertSame(function(data, **options), expected, out)
                expected = contract_stats.along("norm", raw, name, dims, keep, acctype, 1)
                self.assertSame(norm(data, 1, **options), expected, out)
                expected = contract_stats.along("norm", raw, name, dims, keep, acctype, math.inf)
                self.assertSame(absmax(data, **options), expected, out)
                expected = contract_stats.along("dot", raw, name, dims, keep, acctype, 2, second, name)
                self.assertSame(dot(data, handed(rng, second, name), **options), expected, out)

    def test_histograms(self):
        for rng, name, raw, n, _ in self.each(4):
            bins, outside = int(rng.integers(1, 9)), ["clamp", "drop"][rng.integers(2)]
            ends = None if rng.integers(2) else tuple(sorted(rng.integers(-9, 9, 2).tolist()))
            weights = kind = None
            if rng.integers(2):
                kind = TYPES[rng.integers(len(TYPES))]
                weights = elements(rng, kind, raw.shape)
            data = handed(rng, raw, name)
            given = None if weights is None else handed(rng, weights, kind)
            flat = raw.reshape(-1)[:n]
            try:
                counts, edges = contract.histogram(
                    flat, bins, ends, outside, name, None if weights is None else weights.reshape(-1)[:n], kind
                )
            except ValueError:
                self.assertRefused(ValueError, "", histogram, data, bins, ends, n, outside=outside, weights=given)
                continue
            got = histogram(data, bins, ends, n, outside=outside, weights=given)
            self.assertIsInstance(got[1], np.ndarray)
            self.assertSame(got[1], edges)
            out = "i64" if kind is None or kind == "bool" or kind[0] == "i" else kind if kind in FLOATS else "u64"
            self.assertSame(got[0], counts, out)


class Results(Test):
    def test_of_nothing(self):
        nothing = onefold.empty(0)
        self.assertTrue(math.isnan(var(nothing)) and math.isnan(std(nothing)))
        for value in (norm(nothing), norm(nothing, 1), absmax(nothing), dot(nothing, nothing)):
            self.assertEqual(repr(value), "0.0")
        self.assertEqual(repr(count_nonzero(nothing)), "0")

    def test_vectors(self):
        values = np.arange(12.0).reshape(2, 2, 3)
        data = onefold.array(values, onefold.vec3(onefold.f64), layout="soa")
        self.assertEqual(norm(data, 1), 66)
        self.assertEqual(norm(data, 1, 3), 36)
        self.assertEqual(dot(data, data, 1), 5)
        self.assertEqual(count_nonzero(data, 2), 5)
        along = var(data, dim=1)
        self.assertIs(along.dtype, onefold.vec3(onefold.f64))
        np.testing.assert_array_equal(along.numpy(), values.var(1))
        self.assertEqual(histogram(data, 3, n=2)[0].tolist(), [2, 2, 2])
        self.assertRefused(ValueError, "n is 5, but the size of src is 4", norm, data, 1, 5)
        self.assertRefused(ValueError, "n is -1, which is negative", norm, data, 1, -1)
        matrices = onefold.ones(1, onefold.mat2())
        self.assertRefused(ValueError, "n is 4611686018427387904", norm, matrices, 1, 2**62)
        self.assertRefused(ValueError, "n is 5, but the size of data is 4", histogram, data, 3, n=5)

    def test_keepdim_without_dimensions(self):
        kept = norm(np.ones((2, 2)), keepdim=True)
        self.assertEqual((kept.shape, kept.tolist()), ((1, 1), [[2.0]]))

    def test_products_do_not_overflow(self):
        integers = onefold.array(np.array([100000], dtype=np.int32))
        self.assertEqual(dot(integers, integers), 10_000_000_000.0)
        self.assertEqual(norm([1e-200, 0.0]), float(np.float32(1e-200)))
        self.assertEqual(norm(np.array([1e-200, 0.0])), 1e-200)

    def test_arrays_are_not_copied(self):
        data = np.ones((1 << 24) + 1)  # 128 MiB, and one element more
        odd = data[1:][::2]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.assertEqual(dot(odd, odd), 1 << 23)
        self.assertEqual(var(odd), 0)
        self.assertEqual(histogram(odd, 2, (0, 2))[0].tolist(), [0, 1 << 23])
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 1 << 15)


class Refusals(Test):
    data = np.arange(4.0)

    def test_n(self):
        for function in (var, std, norm, absmax, count_nonzero):
            self.assertRefused(ValueError, "n is 5, but the size of", function, self.data, n=5)
            self.assertRefused(ValueError, "n is -1, which is negative", function, self.data, n=-1)
            self.assertRefused(TypeError, "n 1.0 is no integer", function, self.data, n=1.0)
            self.assertRefused(ValueError, "n", function, self.data, n=1, dim=0)
        for function in (dot, weighted_sum, weighted_mean):
            self.assertRefused(ValueError, "size of|elements", function, self.data, self.data[:3])
            self.assertRefused(ValueError, "n is 5", function, self.data, self.data, 5)
            self.assertRefused(ValueError, "n is -1", function, self.data, self.data, -1)

    def test_norm_orders(self):
        for ord in (0, 3, -1, 1.5, math.nan, -math.inf, "fro", None):
            self.assertRefused(ValueError, "Unsupported norm order", norm, self.data, ord)

    def test_types(self):
        for function in (var, std, norm, absmax):
            self.assertRefused(TypeError, "acctype", function, self.data, acctype=onefold.i32)
            self.assertRefused(TypeError, "must be an Array", function, object())
        self.assertRefused(ValueError, "dim 1 is out of range", var, self.data, dim=1)
        self.assertRefused(ValueError, "dim", var, np.ones((2, 2)), dim=(0, 0))

    def test_histograms(self):
        for options, words in (
            ({"bins": 0}, "bins"),
            ({"bins": -1}, "bins"),
            ({"range": (0, math.inf)}, "range|finite"),
            ({"range": (math.nan, 1)}, "range|finite"),
            ({"range": (1, 0)}, "range|lo"),
            ({"range": (-1e308, 1e308)}, "range|overflow"),
            ({"range": (1, 2, 3)}, r"range \(1, 2, 3\) is not a pair of numbers"),
            ({"range": 3}, "range 3 is not a pair of numbers"),
            ({"outside": "keep"}, "outside 'keep' is neither"),
            ({"outside": None}, "outside None is neither"),
            ({"n": 5}, "n is 5, but the size of"),
            ({"n": -1}, "n is -1, which is negative"),
            ({"n": 0}, "range|element"),
            ({"weights": self.data[:3]}, "weights"),
        ):
            with self.subTest(**options):
                self.assertRefused(ValueError, words, histogram, self.data, **options)
        self.assertRefused(ValueError, "range is not given, and x holds nan", histogram, [1.0, math.nan])
        self.assertRefused(TypeError, "bins 2.5 is no integer", histogram, self.data, 2.5)
        self.assertRefused(TypeError, "range 'a' is no number", histogram, self.data, 2, "ab")
        self.assertRefused(TypeError, "weights must have scalars", histogram, self.data, weights=onefold.zeros(4, onefold.vec2()))


if __name__ == "__main__":
    unittest.main()
