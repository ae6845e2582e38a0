"""Scans in Python against the contract: every type and layout, totals, in place; and what they refuse."""

import operator
import unittest

from operands import TYPES, Test, contract, elements, handed, np, onefold, target

import contract_scan
from onefold.algorithms import exclusive_scan, inclusive_scan

OPERATIONS = ["sum", "prod", "min", "max"]
FUNCTIONS = {"sum": operator.add, "prod": operator.mul, "min": min, "max": max}


def random_init(rng, out):
    if rng.integers(2):
        return None
    if contract.is_float(out):
        return float(rng.choice([0.0, -0.0, 1.5, 1e300, 5e-324, np.inf, np.nan]))
    return bool(rng.integers(2)) if out == "bool" else int(rng.choice([0, 1, -3, 100, 2**40]))


class AgainstTheContract(Test):
    def test_flat(self):
        rng = np.random.default_rng(1)
        for i in range(400):
            name, out = rng.choice(TYPES, 2)
            exclusive, op = bool(rng.integers(2)), OPERATIONS[rng.integers(4)]
            if out == "bool" and op in ("sum", "prod"):
                op = "min"
            shape = [(0,), (1,), (17,), (33,), (4, 5), (2, 3, 3), ()][rng.integers(7)]
            raw = elements(rng, name, shape)
            n = None if rng.integers(2) else int(rng.integers(raw.size + 1))
            init = random_init(rng, out)
            room = elements(rng, out, shape if rng.integers(2) else (raw.size + 3,))
            about = f"{i}: {name} into {out} {op} {exclusive=} {shape} {n=} {init=}"
            with self.subTest(about):
                src, dst = handed(rng, raw, name), target(rng, room, out)
                scan = exclusive_scan if exclusive else inclusive_scan
                asked = FUNCTIONS[op] if rng.integers(2) else op
                got = scan(src, dst, n, init=init, op=asked)
                written, total = contract_scan.scan(raw.reshape(-1)[:n], op, out, exclusive, init, name)
                expected = room.copy()
                expected.reshape(-1)[: written.size] = written
                self.assertSame(dst, expected, out, about)
                self.assertNumber(got, total, out, about)

    def test_along_a_dimension(self):
        rng = np.random.default_rng(2)
        for i in range(60):
            name = TYPES[rng.integers(1, len(TYPES))]
            raw, dim = elements(rng, name, (3, 4, 5)), int(rng.integers(-3, 3))
            n = None if rng.integers(2) else int(rng.integers(raw.shape[dim] + 1))
            room = elements(rng, name, raw.shape)
            with self.subTest(i=i, name=name, dim=dim, n=n):
                dst = target(rng, room, name)
                self.assertIsNone(inclusive_scan(handed(rng, raw, name), dst, n, dim=dim))
                expected = room.copy()
                lines, out = np.moveaxis(raw, dim, -1), np.moveaxis(expected, dim, -1)
                for at in np.ndindex(lines.shape[:-1]):
                    written = contract_scan.scan(lines[at][:n], "sum", name, dtype=name)[0]
                    out[at][: written.size] = written
                self.assertSame(dst, expected, name)

    def test_in_place(self):
        rng = np.random.default_rng(3)
        for name in TYPES[1:]:
            raw = elements(rng, name, (50,))
            for scan, exclusive in ((exclusive_scan, True), (inclusive_scan, False)):
                with self.subTest(name=name, exclusive=exclusive):
                    given = target(rng, raw, name)
                    total = scan(given, given, 40)
                    written, expected = contract_scan.scan(raw[:40], "sum", name, exclusive, dtype=name)
                    self.assertSame(given, np.concatenate([written, raw[40:]]), name)
                    self.assertNumber(total, expected, name)


class Totals(Test):
    def test_kinds(self):
        ones = onefold.ones(5, onefold.i32)
        for dtype, kind in ((onefold.i64, int), (onefold.u8, int), (onefold.f16, float), (onefold.f64, float)):
            total = exclusive_scan(ones, onefold.empty(5, dtype))
            self.assertEqual((total, type(total)), (5, kind))
        self.assertIs(inclusive_scan(ones, onefold.empty(5, onefold.bool_), op="min"), True)

    def test_not_asked_for(self):
        dst = onefold.zeros(3, onefold.i32)
        self.assertIsNone(inclusive_scan([1, 2, 3], dst, total=False))
        self.assertEqual(dst.tolist(), [1, 3, 6])

    def test_integers_wrap_at_the_width_of_the_output(self):
        counts = onefold.array([2**31 - 1, 1], onefold.i32)
        self.assertEqual(inclusive_scan(counts, onefold.empty(2, onefold.i32)), -(2**31))
        self.assertEqual(inclusive_scan(counts, onefold.empty(2, onefold.i64)), 2**31)

    def test_of_nothing(self):
        dst = onefold.full(3, 7, onefold.f32)
        self.assertEqual(exclusive_scan([1.0, 2.0], dst, 0), 0.0)
        self.assertEqual(exclusive_scan([1.0, 2.0], dst, 0, op="min"), float("inf"))
        self.assertEqual(dst.tolist(), [7, 7, 7])

    def test_n_is_any_integer(self):
        dst = onefold.zeros(3, onefold.i32)
        for n in (2, np.int8(2), np.array(2), onefold.array(2)):
            self.assertEqual(inclusive_scan([1, 2, 3], dst, n), 3)


class Refusals(Test):
    def setUp(self):
        self.src = onefold.array([1, 2, 3, 4], onefold.i32)
        self.dst = onefold.array([9, 9, 9, 9], onefold.i32)

    def refused(self, kind, words, src, dst, *arguments, **options):
        for scan in (exclusive_scan, inclusive_scan):
            self.assertRefused(kind, words, scan, src, dst, *arguments, unchanged=[dst], **options)

    def test_n(self):
        self.refused(ValueError, "n is -1, which is negative", self.src, self.dst, -1)
        self.refused(ValueError, "n is 5, but the size of src is 4", self.src, self.dst, 5)
        self.refused(ValueError, "n is 3, but the size of dst is 2", self.src, np.ones(2, "i4"), 3)
        self.refused(ValueError, "src has 4 elements, but dst has room for 2", self.src, np.ones(2, "i4"))
        for n in (2.0, "2", True):
            self.refused(TypeError, "n .* is no integer", self.src, self.dst, n)
        self.refused(ValueError, "does not fit 64 bits", self.src, self.dst, 2**70)

    def test_operations(self):
        self.refused(ValueError, "operation is mean; a scan takes", self.src, self.dst, op="mean")
        self.refused(ValueError, "nonsense", self.src, self.dst, op="nonsense")
        for op in (None, 3, operator.sub):
            self.refused(TypeError, "op .* is no name", self.src, self.dst, op=op)

    def test_types(self):
        bools = onefold.zeros(4, onefold.bool_)
        self.refused(TypeError, "dst has type bool, which cannot hold a sum", self.src, bools)
        vectors = onefold.zeros(4, onefold.vec2())
        self.refused(TypeError, r"src must have scalars as elements, not vec2\(f32\)", vectors, self.dst)
        self.refused(TypeError, r"dst must have scalars as elements, not vec2\(f32\)", self.src, vectors)
        self.refused(TypeError, "init 'a' is no number", self.src, self.dst, init="a")
        for scan in (exclusive_scan, inclusive_scan):
            self.assertRefused(TypeError, "dst must be an Array", scan, self.src, [0, 0, 0, 0])

    def test_targets(self):
        read_only = np.ones(4, "i4")
        read_only.flags.writeable = False
        self.refused(ValueError, "dst is read-only", self.src, read_only)
        both = np.arange(6, dtype="i4")
        self.refused(ValueError, "dst overlaps src", both[:4], both[2:])
        self.refused(ValueError, "one element twice", self.src, np.lib.stride_tricks.as_strided(both, (4,), (0,)))

    def test_dimensions(self):
        square = np.ones((2, 2), "i4")
        self.refused(ValueError, "dim 2 is out of range for an array of 2 dimensions", square, square.copy(), dim=2)
        self.refused(ValueError, "dst has shape", square, np.ones((2, 3), "i4"), dim=0)
        self.refused(TypeError, "dim 0.5 is no integer", square, square.copy(), dim=0.5)


if __name__ == "__main__":
    unittest.main()
