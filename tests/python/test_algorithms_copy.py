"""Copies and fills in Python, and how the package of algorithms is imported."""

import subprocess
import sys
import types
import unittest

from operands import TYPES, Test, contract, elements, handed, np, onefold, target

import contract_scan
import onefold.algorithms
from onefold.algorithms import copy, fill_value
from onefold.algorithms.copy import copy_with_offset


class AgainstTheContract(Test):
    def test_copies(self):
        rng = np.random.default_rng(1)
        for name in TYPES:
            for out in TYPES:
                raw, room = elements(rng, name, (4, 5)), elements(rng, out, (3, 9))
                n, offset = int(rng.integers(21)), int(rng.integers(7))
                moved = contract_scan.copied(raw, out, name)
                with self.subTest(name=name, out=out, n=n, offset=offset):
                    dst = target(rng, room, out)
                    self.assertIsNone(copy_with_offset(handed(rng, raw, name), dst, offset, n))
                    expected = room.copy()
                    expected.reshape(-1)[offset : offset + n] = moved[:n]
                    self.assertSame(dst, expected, out)
                    dst = target(rng, room, out)
                    self.assertIsNone(copy(handed(rng, raw, name), dst))
                    expected = room.copy()
                    expected.reshape(-1)[:20] = moved
                    self.assertSame(dst, expected, out)

    def test_fills(self):
        rng = np.random.default_rng(2)
        for out in TYPES:
            for value in (0, 300, -3, 2**64 - 1, 2.5, -0.0, 0.1, 1e300, float("nan"), float("inf"), True):
                room, n = elements(rng, out, (3, 4)), int(rng.integers(13))
                with self.subTest(out=out, value=value, n=n):
                    dst = target(rng, room, out)
                    self.assertIsNone(fill_value(dst, value, n))
                    raw = np.asarray(value, np.uint64 if value == 2**64 - 1 else None)
                    expected = room.copy()
                    expected.reshape(-1)[:n] = contract_scan.copied(raw, out)
                    self.assertSame(dst, expected, out)


class Examples(Test):
    def test_of_the_reference_page(self):
        dst = onefold.zeros(3, onefold.i32)
        copy(np.array([2.7, -2.7], np.float32), dst, 2)
        self.assertEqual(dst.tolist(), [2, -2, 0])
        fill_value(dst, 2.5, 2)
        self.assertEqual(dst.tolist(), [2, 2, 0])
        small = onefold.zeros(2, onefold.u8)
        fill_value(small, 300)
        self.assertEqual(small.tolist(), [44, 44])

    def test_overlapping_copies(self):
        data = np.arange(6)
        copy(data[:4], data[2:])
        self.assertEqual(data.tolist(), [0, 1, 0, 1, 2, 3])


class Vectors(Test):
    def test_n_counts_elements(self):
        values = np.arange(12, dtype=np.float32).reshape(4, 3)
        src = onefold.array(values, onefold.vec3())
        for layout in ("aos", "soa"):
            dst = onefold.zeros(5, onefold.vec3(onefold.i32), layout=layout)
            copy(src, dst, 2)
            expected = np.zeros((5, 3), np.int32)
            expected[:2] = values[:2]
            self.assertSame(dst.astype(onefold.i32), expected)
            copy_with_offset(src, dst, 3, 2)
            expected[3:] = values[:2]
            np.testing.assert_array_equal(dst.numpy(), expected)

    def test_fills(self):
        parts = [onefold.zeros(4), onefold.zeros(4)]
        for dst in (onefold.zeros(4, onefold.vec2()), onefold.zeros(4, onefold.vec2(), layout="soa"), onefold.soa(*parts)):
            fill_value(dst, [1, 2], 3)
            self.assertEqual(dst.numpy().tolist(), [[1, 2], [1, 2], [1, 2], [0, 0]])
            fill_value(dst, 0.5, 1)
            fill_value(dst, onefold.array([7.0, 8.0]), np.int64(0))
            self.assertEqual(dst.numpy()[:2].tolist(), [[0.5, 0.5], [1, 2]])
            fill_value(dst, 9)
            self.assertEqual(dst.numpy().tolist(), [[9, 9]] * 4)
            for kind, words, value, n in (
                (ValueError, "value is neither a number nor one element", [1, 2, 3], 1),
                (TypeError, "is neither a number nor one element", [1, None], 1),
                (TypeError, "is neither a number nor one element", "ab", 1),
                (ValueError, "n is 5, but the size of dst is 4", [1, 2], 5),
                (ValueError, "n is -1, which is negative", [1, 2], -1),
            ):
                self.assertRefused(kind, words, fill_value, dst, value, n, unchanged=[dst])

    def test_separate_arrays_are_no_targets(self):
        parts, src = [onefold.zeros(4), onefold.zeros(4)], onefold.ones(4, onefold.vec2())
        dst = onefold.soa(*parts)
        words = "dst is made of separate arrays"
        self.assertRefused(NotImplementedError, words, copy, src, dst, unchanged=parts)
        self.assertRefused(NotImplementedError, words, onefold.algorithms.scatter, src, range(4), dst, unchanged=parts)
        copy(dst, src)  # they are sources
        self.assertEqual(src.numpy().tolist(), [[0, 0]] * 4)

    def test_fills_of_what_is_partly_read_only(self):
        fixed = np.zeros(4, np.float32)
        fixed.flags.writeable = False
        dst = onefold.soa(onefold.zeros(4), onefold.from_dlpack(fixed))
        for value in (1, [1, 2]):
            self.assertRefused(ValueError, "dst is read-only", fill_value, dst, value, unchanged=[dst])

    def test_refusals(self):
        src, dst = onefold.ones(4, onefold.vec3()), onefold.zeros(2, onefold.vec3())
        refused = [
            (ValueError, "n is 5, but the size of src is 4", copy, (src, dst, 5)),
            (ValueError, "n is -1, which is negative", copy, (src, dst, -1)),
            (ValueError, "reach past the 2 elements of dst", copy, (src, dst, 3)),
            (ValueError, "reach past the 2 elements of dst", copy, (src, dst)),
            (ValueError, "dst_offset 1 and n 2 reach past", copy_with_offset, (src, dst, 1, 2)),
            (ValueError, "dst_offset -1", copy_with_offset, (src, dst, -1, 2)),
            (TypeError, r"src has elements of f32, but dst of vec3\(f32\)", copy, (np.ones((2, 3), "f4"), dst, 2)),
            (TypeError, r"src has elements of vec3\(f32\), but dst of vec2\(f32\)", copy, (src, onefold.zeros(2, onefold.vec2()))),
        ]
        for kind, words, function, arguments in refused:
            self.assertRefused(kind, words, function, *arguments, unchanged=[dst])


class Refusals(Test):
    def setUp(self):
        self.src, self.dst = np.arange(4.0), np.zeros(3)

    def test_sizes(self):
        for arguments, words in (
            ((4,), "n is 4, but the size of dst is 3|reach past"),
            ((5,), "n is 5, but the size of src is 4"),
            ((-1,), "n is -1, which is negative"),
            ((), "4"),
        ):
            self.assertRefused(ValueError, words, copy, self.src, self.dst, *arguments, unchanged=[self.dst])
        for offset, n in ((-1, 1), (2, 2), (4, 0), (2**63 - 1, 2)):
            self.assertRefused(ValueError, "dst_offset", copy_with_offset, self.src, self.dst, offset, n, unchanged=[self.dst])
        self.assertRefused(ValueError, "n is 4", fill_value, self.dst, 1, 4, unchanged=[self.dst])
        self.assertRefused(TypeError, "n 1.5 is no integer", fill_value, self.dst, 1, 1.5)
        self.assertRefused(TypeError, "dst_offset None is no integer", copy_with_offset, self.src, self.dst, None)

    def test_targets(self):
        data = np.zeros(4)
        data.flags.writeable = False
        for function, arguments in ((copy, (self.src, data)), (fill_value, (data, 1))):
            self.assertRefused(ValueError, "dst is read-only", function, *arguments)
        for function, arguments in ((copy, (self.src, [0.0])), (fill_value, ([0.0], 1)), (fill_value, (None, 1))):
            self.assertRefused(TypeError, "dst must be an Array", function, *arguments)
        other = self.src.view(np.int64)
        self.assertRefused(ValueError, "dst overlaps src", copy, self.src, other, unchanged=[other])

    def test_values(self):
        for value in ("1", None, [1.0, 2.0], 1j):
            self.assertRefused((TypeError, ValueError), "value", fill_value, self.dst, value, unchanged=[self.dst])


class Importing(unittest.TestCase):
    def run_python(self, code):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_copy_is_the_function(self):
        self.assertIsInstance(onefold.algorithms.copy, types.FunctionType)
        self.assertFalse(hasattr(onefold.algorithms.copy, "copy_with_offset"))
        self.assertNotIn("copy_with_offset", vars(onefold.algorithms))

    def test_the_package_is_not_imported_with_onefold(self):
        self.run_python(
            "import sys, onefold\n"
            "assert not any(name.startswith(('onefold.algorithms', 'onefold.segment')) for name in sys.modules)\n"
            "assert not hasattr(onefold, 'algorithms')"
        )

    def test_under_another_name(self):
        self.run_python(
            "import sys, types, onefold\n"
            "sys.modules['other'] = onefold\n"
            "import other, other.algorithms, other.segment\n"
            "from other.algorithms import exclusive_scan, var\n"
            "from other.algorithms.copy import copy_with_offset\n"
            "assert isinstance(other.algorithms.copy, types.FunctionType)\n"
            "x = other.array([1.0, 3.0])\n"
            "assert var(x) == other.algorithms.var(x) == 1.0\n"
            "y = other.empty(2)\n"
            "assert exclusive_scan(x, y, 2) == 4.0\n"
            "copy_with_offset(x, y, 1, 1)\n"
            "assert y.tolist() == [0.0, 1.0]\n"
        )

    def test_everything_offered_is_documented(self):
        for name in onefold.algorithms.__all__:
            self.assertGreater(len(getattr(onefold.algorithms, name).__doc__), 40, name)


if __name__ == "__main__":
    unittest.main()
