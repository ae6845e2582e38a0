"""PyTorch's tensors: memory shared both ways, and taken wherever an Array is."""

import gc
import sys
import unittest

import numpy as np
import onefold as of
from onefold import algorithms, segment

try:
    import torch
except ImportError:
    print("skipped: PyTorch is not installed")
    sys.exit(77)

PAIRS = [
    (torch.bool, of.bool_),
    (torch.int8, of.i8),
    (torch.int16, of.i16),
    (torch.int32, of.i32),
    (torch.int64, of.i64),
    (torch.uint8, of.u8),
    (torch.uint16, of.u16),
    (torch.uint32, of.u32),
    (torch.uint64, of.u64),
    (torch.float16, of.f16),
    (torch.bfloat16, of.bf16),
    (torch.float32, of.f32),
    (torch.float64, of.f64),
]


class Sharing(unittest.TestCase):
    def test_every_type_both_ways(self):
        for theirs, ours in PAIRS:
            tensor = torch.arange(6).reshape(2, 3).to(theirs)
            a = of.from_dlpack(tensor)
            self.assertEqual((a.dtype, a.shape), (ours, (2, 3)))
            a.fill(1)
            self.assertEqual(tensor.to(torch.float64).sum().item(), 6)
            back = torch.from_dlpack(a)
            self.assertEqual((back.dtype, back.data_ptr()), (theirs, tensor.data_ptr()))

    def test_layouts(self):
        tensor = torch.arange(24.0).reshape(4, 6)
        for view in (tensor.T, tensor[::2, 1:], tensor[:, :0], tensor[0].expand(3, 6), torch.tensor(3.0)):
            a = of.from_dlpack(view)
            self.assertEqual(a.shape, tuple(view.shape))
            np.testing.assert_array_equal(a.numpy(), view.numpy())
            if view.numel():
                self.assertEqual(torch.from_dlpack(a).data_ptr(), view.data_ptr())

    def test_memory_outlives_its_maker(self):
        a = of.from_dlpack(torch.arange(1000.0))
        tensor = torch.from_dlpack(of.array(np.arange(1000.0)))
        gc.collect()
        np.testing.assert_array_equal(a.numpy(), np.arange(1000.0))
        np.testing.assert_array_equal(tensor.numpy(), np.arange(1000.0))

    def test_tensors_stand_where_arrays_may(self):
        tensor = torch.tensor([1e16, 1.0, -1e16, 1.0], dtype=torch.float64)
        self.assertEqual(of.array(tensor).sum(), 2.0)
        a = of.zeros(4, of.f64)
        of.copyto(a, tensor)
        np.testing.assert_array_equal(a.numpy(), tensor.numpy())
        a.fill(torch.tensor(3.0))
        self.assertEqual(a.tolist(), [3.0] * 4)

    def test_functions_give_what_they_give_for_arrays(self):
        rng = np.random.default_rng(1)
        for theirs, ours in PAIRS:
            host = of.array(rng.integers(0, 100, (4, 9)).astype(np.float64)).astype(ours)
            tensor = torch.from_dlpack(host)[:, ::2]
            plain = of.from_dlpack(tensor)
            with self.subTest(theirs):
                self.assertEqual(of.sum(tensor, 1).tolist(), of.sum(plain, 1).tolist())
                self.assertEqual(of.amax(tensor).item(), of.amax(plain).item())
                self.assertEqual(algorithms.sort(tensor[0]).tolist(), algorithms.sort(of.array(tensor[0])).tolist())
        ids = torch.tensor([1, 0, 1], dtype=torch.uint8)
        self.assertEqual(segment.segment_sum(torch.tensor([1.0, 2.0, 4.0]), ids, 2).tolist(), [2, 5])

    def test_results_are_written_to_tensors(self):
        out = torch.zeros(6)[::2]
        total = algorithms.inclusive_scan(torch.tensor([1.0, 2.0, 4.0]), out, init=torch.tensor(10.0))
        self.assertEqual((total, out.tolist()), (17.0, [11, 13, 17]))
        negative = torch.tensor([1 + 2j, 3 - 4j]).conj().imag
        with self.assertRaisesRegex(BufferError, "negative"):
            algorithms.inclusive_scan(torch.ones(2), negative)
        self.assertEqual(negative.tolist(), [-2.0, 4.0])

    def test_a_gradient_keeps_a_tensor_to_itself(self):
        tensor = torch.ones(3, requires_grad=True)
        with self.assertRaisesRegex(BufferError, "detach"):
            of.from_dlpack(tensor)
        with self.assertRaisesRegex(BufferError, "detach"):
            of.array(tensor)
        self.assertEqual(of.from_dlpack(tensor.detach()).sum(), 3.0)

    def test_tensors_kept_as_their_negatives(self):
        tensor = torch.tensor([1 + 2j, 3 - 4j]).conj().imag
        self.assertTrue(tensor.is_neg())
        self.assertEqual(of.from_dlpack(tensor).tolist(), [-2.0, 4.0])
        self.assertEqual(of.array(tensor).tolist(), [-2.0, 4.0])
        with self.assertRaisesRegex(BufferError, "negative"):
            of.from_dlpack(tensor, copy=False)

    def test_what_onefold_does_not_have(self):
        for tensor in (torch.zeros(2, dtype=torch.complex64), torch.zeros(2).to_sparse(), torch.zeros(2, device="meta")):
            with self.subTest(tensor.dtype), self.assertRaises((TypeError, BufferError, RuntimeError)):
                of.from_dlpack(tensor)

    def test_nothing_is_left_behind(self):
        tensor = torch.zeros(3)
        count = sys.getrefcount(tensor)
        for _ in range(10000):
            torch.from_dlpack(of.from_dlpack(tensor))
        gc.collect()
        self.assertEqual(sys.getrefcount(tensor), count)


if __name__ == "__main__":
    unittest.main()
