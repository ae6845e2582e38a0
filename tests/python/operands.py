"""Random elements as a function of the package may be given them, and what it gives as raw elements, for comparing with
the contract's executable reading. bf16, which NumPy lacks, is its bits in uint16."""

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
import onefold
from library import DTYPES, same

TYPES = DTYPES[1:]
FLOATS = cases.FLOATS
INTEGERS = cases.INTEGERS
SIZES = [0, 1, 2, 15, 16, 17, 33, 100]


def elements(rng, name, shape):
    raw = cases.random_elements(rng, name, int(np.prod(shape))).reshape(shape)
    if name == "bf16":
        raw[(raw & 0x7FFF) > 0x7F80] = 0x7FC0  # converting from float32 keeps no payload
    return raw


def array(raw, name):
    """An Array of raw elements."""
    if name != "bf16":
        return onefold.array(raw)
    return onefold.array((raw.astype(np.uint32) << 16).view(np.float32), onefold.bf16)


def handed(rng, raw, name):
    """An Array, or NumPy's array in any layout, which may not be written to."""
    if name == "bf16" or rng.integers(3) == 0:
        return array(raw, name)
    given = cases.laid_out(rng, raw)[...]
    given.flags.writeable = False
    return given


def target(rng, raw, name):
    """Something to write to, with these elements: an Array, or NumPy's array in any layout."""
    if name == "bf16" or rng.integers(3) == 0:
        return array(raw, name)
    return cases.laid_out(rng, raw.copy())


def raw_of(given):
    """(raw elements, the type's name) of an Array or of NumPy's."""
    if isinstance(given, np.ndarray):
        return given, contract._NAME[given.dtype]
    values, name = given.numpy(), given.dtype.scalar.name
    return ((values.view(np.uint32) >> 16).astype(np.uint16) if name == "bf16" else values), name


def number_of(value, name):
    """A raw element as a Python number."""
    return bool(value) if name == "bool" else contract.Values(np.asarray(value), name).py[0]


class Test(unittest.TestCase):
    def assertSame(self, given, raw, name=None, about=""):
        """An Array, or NumPy's, has these elements, bit by bit, and this type."""
        got, got_name = raw_of(given)
        self.assertEqual(got_name, name or contract._NAME[np.asarray(raw).dtype], about)
        self.assertTrue(same(got, raw), f"{about}\ngot      {got!r}\nexpected {raw!r}")

    def assertNumber(self, got, value, name, about=""):
        """A Python number of the right kind, which is this raw element; NaNs are equal."""
        expected = number_of(value, name)
        self.assertIs(type(got), type(expected), about)
        same_bits = repr(got) == repr(expected)  # as to signs of zeros and NaN too
        self.assertTrue(same_bits, f"{about}: got {got!r}, expected {expected!r}")

    def assertRefused(self, kind, words, function, *arguments, unchanged=(), **options):
        """The call raises with these words, and leaves arrays as they are."""
        before = [raw_of(each)[0].tobytes() for each in unchanged]
        with self.assertRaisesRegex(kind, words):
            function(*arguments, **options)
        self.assertEqual([raw_of(each)[0].tobytes() for each in unchanged], before)
