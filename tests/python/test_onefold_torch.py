"""onefold.torch: values of the contract, and gradients of every order."""

import doctest
import subprocess
import sys
import unittest
from fractions import Fraction

import numpy as np
from operands import INTEGERS, SIZES, TYPES, contract, elements, same

import contract_segment

try:
    import torch
except ImportError:
    print("skipped: PyTorch is not installed")
    sys.exit(77)

from onefold import torch as exact
from torch.autograd import gradcheck, gradgradcheck

FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


def random(*shape, seed=0, dtype=torch.float64):
    """Wide exponents, and pairs that cancel; the same each time."""
    generator = np.random.default_rng([seed, *shape])
    values = generator.standard_normal(shape) * 2.0 ** generator.integers(-12, 12, shape)
    flat = values.reshape(-1)
    flat[1::5] = -flat[: flat[1::5].size]
    return torch.from_numpy(values).to(dtype)


def leaf(*shape, seed=0):
    return torch.from_numpy(np.random.default_rng([seed, *shape]).standard_normal(shape)).requires_grad_()


def rounded(exact_sum, dtype):
    """A Fraction of float64s in the dtype, rounded once; sums here are narrow enough for float()."""
    return torch.tensor(float(exact_sum), dtype=torch.float64).to(dtype)


def exact_sums(values, groups, count, dtype):
    totals = [Fraction(0)] * count
    for value, group in zip(values.tolist(), groups):
        if 0 <= group < count:
            totals[group] += Fraction(value)
    return torch.stack([rounded(total, torch.float64) for total in totals]).to(dtype)


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(a, b)


def tensor_of(raw, name):
    """A tensor of raw elements, bf16 being its bits in uint16."""
    if name == "bf16":
        return torch.from_numpy(raw.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(raw)


def raw_of(tensor):
    return tensor.view(torch.int16).numpy().view(np.uint16) if tensor.dtype == torch.bfloat16 else tensor.numpy()


class AgainstTheContract(unittest.TestCase):
    def check(self, tensor, raw):
        got = raw_of(tensor)
        self.assertTrue(same(got, raw), f"\ngot      {got!r}\nexpected {raw!r}")

    def test_every_type(self):
        rng = np.random.default_rng(1)
        for name in TYPES:
            for size in SIZES:
                raw = elements(rng, name, (size,))
                ids = rng.integers(-1, 5, size).astype(contract.storage(INTEGERS[rng.integers(8)]))
                total = name if contract.is_float(name) else "u64" if name[0] == "u" else "i64"
                x = tensor_of(raw, name)
                with self.subTest(name=name, size=size):
                    self.check(exact.sum(x), np.asarray(contract.sum_(raw, name)))
                    self.check(exact.cumsum(x, 0), contract.scan_sum(raw, out=total, dtype=name))
                    self.check(
                        exact.segment_sum(x, torch.from_numpy(ids), 4), contract_segment.segment(raw, ids, 4, dtype=name)
                    )

    def test_layouts(self):
        rng = np.random.default_rng(2)
        for name in TYPES:
            raw = elements(rng, name, (6, 34))
            x = tensor_of(raw, name)
            with self.subTest(name=name):
                for part in (np.s_[:, ::2], np.s_[1:, 3:20], np.s_[:1]):
                    expected = np.array([contract.sum_(row, name) for row in raw[part]])
                    self.check(exact.sum(x[part], 1), expected)
                    self.check(exact.sum(x[part].T, 0), expected)


class Values(unittest.TestCase):
    def test_sums_are_exact(self):
        for dtype in (torch.float32, torch.float64):
            x = random(3, 40, seed=1, dtype=dtype)
            expected = [rounded(sum(map(Fraction, row.tolist())), dtype) for row in x]
            self.assertTrue(same_bits(exact.sum(x, 1), torch.stack(expected)))
        x = torch.tensor([1e16, 1.0, -1e16, 1.0], dtype=torch.float64)
        self.assertEqual(exact.sum(x).item(), 2.0)

    def test_shapes(self):
        x = random(2, 3, 4)
        for dim in (None, 0, -1, (0, 2), (1,), (), (2, 1, 0)):
            for keepdim in (False, True):
                expected = torch.sum(x, dim if dim is not None else (0, 1, 2), keepdim) if dim != () else x
                result = exact.sum(x, dim, keepdim)
                self.assertEqual(result.shape, expected.shape)
                torch.testing.assert_close(result, expected)
        self.assertEqual(exact.sum(torch.zeros(0)).item(), 0.0)
        self.assertEqual(exact.sum(torch.tensor(3.0)).item(), 3.0)

    def test_types(self):
        for dtype in FLOATS:
            x = torch.ones(5, dtype=dtype)
            self.assertEqual(exact.sum(x).dtype, dtype)
            self.assertEqual(exact.cumsum(x, 0).dtype, dtype)
            self.assertEqual(exact.segment_sum(x, torch.zeros(5, dtype=torch.int32), 1).dtype, dtype)
        for dtype, total in [(torch.int8, torch.int64), (torch.bool, torch.int64), (torch.uint8, torch.uint64)]:
            x = torch.ones(5).to(dtype)
            self.assertEqual((exact.sum(x).dtype, exact.sum(x).item()), (total, 5))
            self.assertEqual((exact.cumsum(x, 0).dtype, exact.cumsum(x, 0).tolist()), (total, [1, 2, 3, 4, 5]))

    def test_segments_are_exact(self):
        ids = [2, 0, -1, 2, 5, 2, 0, 3, 4, 2] * 4
        for dtype in (torch.float32, torch.float64):
            x = random(40, seed=2, dtype=dtype)
            for integers in (torch.int8, torch.int32, torch.int64):
                result = exact.segment_sum(x, torch.tensor(ids, dtype=integers), 5)
                self.assertTrue(same_bits(result, exact_sums(x, ids, 5, dtype)))
        self.assertEqual(exact.segment_sum(random(4, 2), torch.zeros(4, dtype=torch.int64), 0).shape, (0, 2))

    def test_index_add_is_exact_and_new(self):
        into, src, indices = random(4, seed=3), random(30, seed=4), [0, 1, 1, 3, 3, 3] * 5
        before = into.clone()
        result = exact.index_add(into, torch.tensor(indices), src)
        everything = torch.cat([into, src])
        self.assertTrue(same_bits(result, exact_sums(everything, [0, 1, 2, 3, *indices], 4, torch.float64)))
        self.assertTrue(same_bits(into, before))
        with self.assertRaises(IndexError):
            exact.index_add(into, torch.tensor([4] * 30), src)
        self.assertTrue(same_bits(into, before))
        expanded = torch.zeros(1, dtype=torch.float64).expand(4)
        ones = torch.ones(2, dtype=torch.float64)
        self.assertEqual(exact.index_add(expanded, torch.tensor([1, 1]), ones).tolist(), [0, 2, 0, 0])

    def test_running_sums_are_exact(self):
        x = random(3, 40, seed=5, dtype=torch.float32)
        result = exact.cumsum(x, -1)
        for row, sums in zip(x, result):
            total = Fraction(0)
            for value, got in zip(row.tolist(), sums):
                total += Fraction(value)
                self.assertEqual(got.item(), rounded(total, torch.float32).item())
        self.assertTrue(same_bits(exact.cumsum(x.T, 0), result.T.contiguous()))

    def test_wrong_arguments(self):
        x, ids = torch.ones(4), torch.zeros(4, dtype=torch.int64)
        for error, call in [
            (ValueError, lambda: exact.sum(x, 1)),
            (ValueError, lambda: exact.sum(torch.ones(2, 2), (0, 0))),
            (TypeError, lambda: exact.sum(x.to(torch.complex64))),
            (TypeError, lambda: exact.segment_sum(x, ids, None)),
            (TypeError, lambda: exact.segment_sum(x, x, 2)),
            (ValueError, lambda: exact.segment_sum(x, ids[:3], 2)),
            (ValueError, lambda: exact.segment_sum(x, ids, -1)),
            (TypeError, lambda: exact.index_add(x, ids, x.to(torch.float64))),
            (ValueError, lambda: exact.index_add(x, ids, torch.ones(4, 2))),
            (ValueError, lambda: exact.cumsum(x, 1)),
        ]:
            with self.subTest(error), self.assertRaises(error):
                call()


class Gradients(unittest.TestCase):
    def check(self, function, *inputs):
        self.assertTrue(gradcheck(function, inputs, check_forward_ad=True))
        self.assertTrue(gradgradcheck(function, inputs))

    def test_sum(self):
        for dim in (None, 0, -1, (0, 2), ()):
            for keepdim in (False, True):
                self.check(lambda x, dim=dim, keepdim=keepdim: exact.sum(x * x, dim, keepdim), leaf(2, 3, 4))
        self.check(lambda x: exact.sum(x * x), leaf())

    def test_segment_sum(self):
        ids = torch.tensor([2, 0, -1, 2, 7, 1])
        self.check(lambda x: exact.segment_sum(x * x, ids, 4), leaf(6))
        self.check(lambda x: exact.segment_sum(x * x, ids.to(torch.int16), 4), leaf(6, 2, 3))

    def test_index_add(self):
        indices = torch.tensor([1, 1, 3, 0, 1])
        self.check(lambda a, b: exact.index_add(a * a, indices, b * b), leaf(4, 2), leaf(5, 2))

    def test_cumsum(self):
        for dim in (0, 1, -1):
            self.check(lambda x, dim=dim: exact.cumsum(x * x, dim), leaf(3, 4))

    def test_a_left_out_row_has_no_gradient(self):
        x = leaf(4)
        exact.segment_sum(x, torch.tensor([0, 5, -3, 0]), 2).backward(torch.tensor([3.0, 7.0], dtype=torch.float64))
        self.assertEqual(x.grad.tolist(), [3.0, 0.0, 0.0, 3.0])

    def test_sums_within_gradients_are_exact(self):
        large = torch.tensor([1e16, 1.0, -1e16, 1.0], dtype=torch.float64)
        x = leaf(4)
        exact.cumsum(x, 0).backward(large)
        # Of the suffixes: 2; 2 - 1e16; 1 - 1e16, halfway between two doubles; 1.
        self.assertEqual(x.grad.tolist(), [2.0, 2 - 1e16, -1e16, 1.0])
        # The second derivative of a broadcast is a sum: of 1e16 + 1 - 1e16 + 1.
        y = torch.zeros((), dtype=torch.float64, requires_grad=True)
        (gradient,) = torch.autograd.grad(exact.sum(x) * y, x, create_graph=True)
        (second,) = torch.autograd.grad(gradient, y, large)
        self.assertEqual(second.item(), 2.0)
        # A gather's, a sum by segment.
        z = torch.zeros(2, dtype=torch.float64, requires_grad=True)
        ids = torch.tensor([1, 1, 1, 1])
        (gradient,) = torch.autograd.grad(exact.segment_sum(x, ids, 2) @ z, x, create_graph=True)
        (second,) = torch.autograd.grad(gradient, z, large)
        self.assertEqual(second.tolist(), [0.0, 2.0])

    def test_half_precision(self):
        for dtype in FLOATS:
            x = torch.ones(3, 4, dtype=dtype, requires_grad=True)
            (exact.cumsum(x, 1) * exact.sum(x)).sum().backward()
            self.assertEqual(x.grad.dtype, dtype)

    def test_gradients_may_be_added_to(self):
        x = leaf(3)
        exact.sum(x).backward()
        exact.sum(x).backward()
        self.assertEqual(x.grad.tolist(), [2.0] * 3)

    def test_batches(self):
        x, ids = leaf(5, 8).detach(), torch.arange(40).reshape(5, 8) % 4 - 1
        vmap, one_by_one = torch.func.vmap, lambda function, *batch: torch.stack([function(*case) for case in zip(*batch)])
        for function, *batch in [
            (exact.sum, x),
            (lambda x: exact.cumsum(x, 0), x),
            (lambda x, ids: exact.segment_sum(x, ids, 3), x, ids),
            (lambda x, ids: exact.index_add(torch.zeros(4, dtype=torch.float64), ids + 1, x), x, ids),
            (torch.func.grad(lambda x: (exact.cumsum(x, 0) * exact.sum(x)).sum()), x),
            (torch.func.grad(lambda x, ids: (exact.segment_sum(x * x, ids, 3) ** 2).sum()), x, ids),
        ]:
            self.assertTrue(same_bits(vmap(function)(*batch), one_by_one(function, *batch)))
        self.assertTrue(torch.equal(vmap(lambda x: exact.sum(x, 0), in_dims=1)(x), exact.sum(x, 0)))
        jacobian = torch.func.jacrev(lambda x: exact.cumsum(x, 0))(x[0])
        self.assertTrue(torch.equal(jacobian, torch.ones(8, 8, dtype=torch.float64).tril()))

    def test_training_goes_down(self):
        weights, ids = torch.zeros(8, dtype=torch.float64, requires_grad=True), torch.arange(8) % 3
        optimizer = torch.optim.SGD([weights], lr=0.1)
        losses = []
        for _ in range(50):
            optimizer.zero_grad()
            loss = exact.sum((exact.segment_sum(weights, ids, 3) - torch.tensor([1.0, 2.0, 3.0])) ** 2)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        self.assertLess(losses[-1], 1e-6 * losses[0])


class Package(unittest.TestCase):
    def test_the_examples_hold(self):
        self.assertEqual(doctest.testmod(exact).failed, 0)

    def test_onefold_does_not_load_torch(self):
        code = "import sys, onefold; sys.exit('torch' in sys.modules or 'jax' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)


if __name__ == "__main__":
    unittest.main()
