"""pandas' columns: memory shared both ways, and taken wherever an Array is."""

import sys
import unittest

import numpy as np
import onefold as of
from onefold import algorithms

try:
    import pandas as pd
except ImportError:
    print("skipped: pandas is not installed")
    sys.exit(77)


class Sharing(unittest.TestCase):
    def test_columns_stand_where_arrays_may(self):
        frame = pd.DataFrame({"a": [1e16, 1.0, -1e16, 1.0], "b": np.arange(4, dtype=np.int32)})
        self.assertEqual(of.array(frame["a"]).dtype, of.f64)
        self.assertEqual(of.array(frame["a"]).sum(), 2.0)
        self.assertEqual(of.array(frame["b"]).dtype, of.i32)
        target = of.zeros(4, of.f64)
        of.copyto(target, frame["a"])
        self.assertEqual(target.tolist(), frame["a"].tolist())
        self.assertEqual(of.array(frame[["a", "b"]]).shape, (4, 2))

    def test_functions_take_columns_as_they_are(self):
        frame = pd.DataFrame({"key": [3, 3, 5, 5, 5], "value": [1e16, 1.0, 2.0, -1e16, 1.0]})
        self.assertEqual(of.sum(frame["value"]).item(), 4.0)
        self.assertEqual(of.sum(frame["value"][::2]).item(), 1e16 + 3)
        keys, sums = algorithms.reduce_by_key(frame["key"], frame["value"])
        self.assertEqual((keys.tolist(), sums.tolist()), ([3, 5], [1e16 + 1, 3 - 1e16]))
        self.assertEqual(of.sum(frame["key"] == 5).item(), 3)

    def test_a_column_is_shared(self):
        column = pd.Series(np.arange(1000.0))
        a = of.from_dlpack(column.to_numpy())
        self.assertEqual(np.from_dlpack(a).ctypes.data, column.to_numpy().ctypes.data)
        np.testing.assert_array_equal(a.numpy(), np.arange(1000.0))

    def test_an_array_becomes_a_column(self):
        a = of.array([1.0, 2.0, 3.0], of.f64)
        column = pd.Series(np.from_dlpack(a), copy=False)
        a.fill(5)
        self.assertEqual(column.tolist(), [5.0] * 3)
        self.assertEqual(pd.Series(of.array([1, 2], of.i64).numpy()).dtype, np.int64)

    def test_what_onefold_does_not_have(self):
        for column in (pd.Series(["a", "b"]), pd.to_datetime(pd.Series(["2020-01-01"]))):
            with self.subTest(column.dtype), self.assertRaises((TypeError, ValueError)):
                of.array(column)


if __name__ == "__main__":
    unittest.main()
