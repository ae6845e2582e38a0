"""JAX's arrays: memory shared both ways, never written, and taken wherever an Array is."""

import gc
import sys
import unittest

import numpy as np
import onefold as of
from onefold import algorithms, segment

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    print("skipped: JAX is not installed")
    sys.exit(77)

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

PAIRS = [
    (jnp.bool_, of.bool_),
    (jnp.int8, of.i8),
    (jnp.int16, of.i16),
    (jnp.int32, of.i32),
    (jnp.int64, of.i64),
    (jnp.uint8, of.u8),
    (jnp.uint16, of.u16),
    (jnp.uint32, of.u32),
    (jnp.uint64, of.u64),
    (jnp.float16, of.f16),
    (jnp.bfloat16, of.bf16),
    (jnp.float32, of.f32),
    (jnp.float64, of.f64),
]


class Sharing(unittest.TestCase):
    def test_every_type_both_ways(self):
        for theirs, ours in PAIRS:
            values = jnp.arange(6).reshape(2, 3).astype(theirs)
            a = of.from_dlpack(values)
            self.assertEqual((a.dtype, a.shape), (ours, (2, 3)))
            np.testing.assert_array_equal(a.numpy(), values.astype(a.numpy().dtype))
            back = jax.dlpack.from_dlpack(of.array(a))
            self.assertEqual((back.dtype, back.shape), (values.dtype, (2, 3)))
            np.testing.assert_array_equal(back, values)

    def test_memory_is_shared(self):
        values = jnp.arange(1000.0)
        self.assertEqual(np.from_dlpack(of.from_dlpack(values)).ctypes.data, values.unsafe_buffer_pointer())
        a = of.array(np.arange(1000.0))
        self.assertEqual(jax.dlpack.from_dlpack(a).unsafe_buffer_pointer(), np.from_dlpack(a).ctypes.data)

    def test_jaxs_arrays_are_not_written(self):
        for dtype in (jnp.float32, jnp.bfloat16):
            values = jnp.arange(3, dtype=dtype)
            a = of.from_dlpack(values)
            with self.assertRaisesRegex(ValueError, "read-only"):
                a.fill(7)
            of.from_dlpack(values, copy=True).fill(7)
            self.assertEqual(values.tolist(), [0, 1, 2])
        with self.assertRaisesRegex(ValueError, "read-only"):
            of.array_from_ptr(jnp.zeros(3), (3,), of.f64, writable=True)

    def test_memory_outlives_its_maker(self):
        a = of.from_dlpack(jnp.arange(1000.0))
        values = jax.dlpack.from_dlpack(of.array(np.arange(1000.0)))
        gc.collect()
        np.testing.assert_array_equal(a.numpy(), np.arange(1000.0))
        np.testing.assert_array_equal(values, np.arange(1000.0))

    def test_arrays_stand_where_arrays_may(self):
        for dtype in (jnp.float64, jnp.bfloat16, jnp.int32):
            values = jnp.array([1, 2, 4]).astype(dtype)
            self.assertEqual(of.array(values).sum(), 7.0)
            a = of.zeros(3, of.f64)
            of.copyto(a, values)
            self.assertEqual(a.tolist(), [1, 2, 4])

    def test_functions_give_what_they_give_for_arrays(self):
        for theirs, ours in PAIRS:
            values = jnp.arange(12).reshape(3, 4).astype(theirs)
            with self.subTest(theirs):
                self.assertEqual(of.sum(values, 0).tolist(), of.sum(of.array(values), 0).tolist())
                self.assertIs(of.amax(values).dtype, ours)
                self.assertEqual(algorithms.sort(values[0]).tolist(), algorithms.sort(of.array(values[0])).tolist())
        self.assertEqual(segment.segment_sum(jnp.array([1.0, 2.0, 4.0]), jnp.array([1, 0, 1]), 2).tolist(), [2, 5])

    def test_results_are_not_written_to_jaxs_arrays(self):
        for dtype in (jnp.float32, jnp.bfloat16):
            out = jnp.zeros(3, dtype)
            with self.assertRaisesRegex((ValueError, TypeError), "out|dst"):
                algorithms.inclusive_scan(jnp.ones(3, dtype), out)
            self.assertEqual(out.tolist(), [0, 0, 0])


if __name__ == "__main__":
    unittest.main()
