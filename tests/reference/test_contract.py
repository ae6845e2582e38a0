"""Checks contract.py against the standard library and NumPy, where those are exact."""

import math
import random
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

import contract as c

UNSIGNED = {2: np.uint16, 4: np.uint32, 8: np.uint64}


def is_negative_zero(value):
    return value == 0 and math.copysign(1, value) < 0


def to_bf16(values):
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


class ContractTest(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(7)
        self.random = random.Random(7)

    def random_floats(self, dtype):
        """Finite values with random bits: the whole exponent range."""
        size = np.dtype(dtype).itemsize
        n = int(self.rng.integers(1, 60))
        bits = self.rng.integers(0, 2 ** (8 * size), n, dtype=np.uint64).astype(UNSIGNED[size])
        values = bits.view(dtype)
        return values[np.isfinite(values)]


class Sums(ContractTest):
    def test_sums_are_fsum(self):
        for dtype in (np.float16, np.float32, np.float64):
            for _ in range(300):
                x = self.random_floats(dtype)
                if self.rng.random() < 0.5:
                    x = x * dtype(2.0**-60) if dtype == np.float64 else x
                try:
                    want = math.fsum(x.astype(np.float64))
                except OverflowError:
                    continue
                self.assertEqual(c.sum_(x, acctype="f64"), want)
                self.assertEqual(c.sum_(x).tobytes(), c.sum_(self.rng.permutation(x)).tobytes())

    def test_overflow_is_only_that_of_the_sum(self):
        self.assertEqual(c.sum_(np.array([2.0**1023] * 4 + [-(2.0**1023)] * 3)), 2.0**1023)

    def test_zeros(self):
        self.assertFalse(is_negative_zero(c.sum_(np.array([], np.float32))))
        self.assertTrue(is_negative_zero(c.sum_(np.array([-0.0], np.float32))))
        self.assertFalse(is_negative_zero(c.sum_(np.array([-0.0, 0.0], np.float32))))
        self.assertFalse(is_negative_zero(c.sum_(np.array([1.0, -1.0], np.float32))))

    def test_infinities(self):
        self.assertTrue(np.isnan(c.sum_(np.array([np.inf, -np.inf]))))
        self.assertEqual(c.sum_(np.array([np.inf, 1])), np.inf)

    def test_integer_accumulators_refuse_floats(self):
        for call in (
            lambda: c.sum_(np.ones(2, np.float32), acctype="i64"),
            lambda: c.sum_(np.ones(2, np.int32), init=0.5),
            lambda: c.prod(np.ones(2, np.int32), init=0.5),
        ):
            self.assertRaises(TypeError, call)

    def test_bf16(self):
        bits = to_bf16(self.rng.standard_normal(50))
        wide = from_bf16(bits)
        self.assertEqual(c.sum_(bits, "bf16", acctype="f32"), c.sum_(wide))
        self.assertEqual(c.extreme(bits, True, "bf16"), bits[np.argmax(wide)])
        self.assertEqual(
            c.argsort(bits, dtype="bf16").tolist(), np.argsort(wide, kind="stable").tolist()
        )

    def test_products(self):
        balanced = np.array([1e20, 1e20, 1e-20, 1e-20] * 9, np.float32)
        self.assertLess(abs(c.prod(balanced) - 1), 1e-5)
        self.assertEqual(c.prod(np.array([2**40, 2**40], np.int64), acctype="f64"), 2.0**80)
        self.assertTrue(is_negative_zero(c.prod(np.array([-0.0, 3.0]))))
        self.assertEqual(c.prod(np.array([], np.float32)), 1)

    def test_statistics(self):
        self.assertEqual(c.var(np.arange(8, dtype=np.float32)), 5.25)
        self.assertEqual(c.std(np.array([1.0, 1.0])), 0)
        self.assertEqual(c.dot(np.array([100000], np.int32), np.array([100000], np.int32)), 1e10)
        self.assertEqual(c.norm(np.array([3.0, 4.0])), 5)
        self.assertEqual(c.norm(np.array([], np.float64)), 0)


class Rounding(ContractTest):
    def test_round_to_is_numpys_conversion(self):
        for _ in range(200):
            value = self.random.uniform(-1, 1) * 2.0 ** self.random.randint(-160, 130)
            with np.errstate(all="ignore"):
                for name, dtype in (("f32", np.float32), ("f16", np.float16)):
                    got = c.round_to(name, c.Fraction(value))
                    self.assertEqual(got.tobytes(), dtype(value).tobytes(), value)

    def test_round_root_is_sqrt(self):
        for _ in range(200):
            value = self.random.random() * 2.0 ** self.random.randint(-500, 500)
            self.assertEqual(c.round_root("f64", c.Fraction(value)), math.sqrt(value))

    def test_conversions(self):
        for value, name, want in (
            (2.7, "i32", 2),
            (-2.7, "i32", -2),
            (300, "u8", 44),
            (1e10, "i32", 2**31 - 1),
            (math.nan, "i32", 0),
            (-math.inf, "i8", -128),
            (math.nan, "bool", 1),
        ):
            self.assertEqual(c.convert(value, name), want, (value, name))


class Order(ContractTest):
    def test_logic(self):
        self.assertEqual(c.count_nonzero(np.array([0.0, -0.0, math.nan, 2.0])), 2)
        self.assertTrue(c.any_(np.array([0.0, math.nan])))
        self.assertFalse(c.any_(np.array([], np.int8)))
        self.assertTrue(c.all_(np.array([], np.int8)))
        self.assertFalse(c.all_(np.array([1.0, -0.0])))

    def test_extremes(self):
        zeros = np.array([0.0, -0.0])
        self.assertTrue(is_negative_zero(c.extreme(zeros, False)))
        self.assertFalse(is_negative_zero(c.extreme(zeros, True)))
        self.assertEqual(c.arg_extreme(zeros, False), 0)
        self.assertEqual(c.arg_extreme(np.array([1.0, math.nan, 3.0]), True), 1)
        self.assertRaises(ValueError, c.extreme, np.array([]), True)

    def test_argsort_is_numpys_stable_sort(self):
        keys = self.rng.integers(-5, 5, 200).astype(np.int32)
        self.assertEqual(c.argsort(keys).tolist(), np.argsort(keys, kind="stable").tolist())
        self.assertEqual(keys[c.argsort(keys, True)].tolist(), np.sort(keys)[::-1].tolist())

    def test_segments(self):
        for dtype in (np.float32, np.int32, np.bool_):
            rows = (self.rng.standard_normal((40, 2)) * 9).astype(dtype)
            ids = self.rng.integers(-1, 6, 40)
            for op in ("sum", "min", "max", "mean", "count", "variance"):
                self.assertEqual(c.segment(rows, ids, 7, op).shape, (7, 2))

    def test_histogram(self):
        x = self.rng.standard_normal(100)
        counts, edges = c.histogram(x, 7, (-2, 2), outside="drop")
        want_counts, want_edges = np.histogram(x, 7, (-2, 2))
        self.assertEqual(counts.tolist(), want_counts.tolist())
        self.assertEqual(edges.tolist(), want_edges.tolist())
        for integers in ([2**60, 2**60], [2**53 + 1, 0]):
            counts, _ = c.histogram(np.array(integers, np.int64), 3)
            self.assertEqual(counts.sum(), 2)


class Folds(ContractTest):
    def test_the_last_of_a_scan_is_the_fold(self):
        def written(a, b):
            return f"({a}{b})"

        for n in range(1, 200):
            values = list(self.rng.integers(-9, 9, n))
            self.assertEqual(c.scan(values, written)[-1], c.fold(values, written))

    def test_runs_of_16_meet_in_trees(self):
        def written(a, b):
            return f"({a}{b})"

        letters = "abcdefghijklmnop"
        run = c.fold(letters, written)
        self.assertEqual(run, "(" * 15 + "a" + "".join(x + ")" for x in letters[1:]))
        pair = f"({run}{run})"
        self.assertEqual(c.fold(letters * 2, written), pair)
        self.assertEqual(c.fold(letters * 3 + "yz", written), f"(({pair}{run})(yz))")

    def test_the_operator_need_not_commute(self):
        def join(a, b):
            return a + b

        self.assertEqual(c.fold(list("abcdef" * 9), join), "abcdef" * 9)
        self.assertEqual(c.scan(list(range(100)), join), np.cumsum(range(100)).tolist())
        self.assertEqual(c.scan([1] * 40, join, exclusive=True, init=0), list(range(40)))

    def test_scans_of_sums(self):
        scanned = c.scan_sum(np.array([1, 2, 3], np.int32), "f32", init=0.5)
        self.assertEqual(scanned.tolist(), [1.5, 3.5, 6.5])


if __name__ == "__main__":
    unittest.main()
