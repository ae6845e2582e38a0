"""onefold.jax: values of the contract, gradients of every order, jit and vmap."""

import doctest
import sys
import unittest
from fractions import Fraction

import numpy as np
from operands import INTEGERS, TYPES, contract, elements, same

import contract_segment

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    print("skipped: JAX is not installed")
    sys.exit(77)

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

from onefold import jax as exact

FLOATS = [jnp.float16, jnp.bfloat16, jnp.float32, jnp.float64]
LARGE = np.array([1e16, 1.0, -1e16, 1.0])


def random(*shape, seed=0, dtype=np.float64):
    """Wide exponents, and pairs that cancel; the same each time."""
    generator = np.random.default_rng([seed, *shape])
    values = generator.standard_normal(shape) * 2.0 ** generator.integers(-12, 12, shape)
    flat = values.reshape(-1)
    flat[1::5] = -flat[: flat[1::5].size]
    return values.astype(dtype)


def mild(*shape, seed=0):
    return jnp.asarray(np.random.default_rng([seed, *shape]).standard_normal(shape))


def exact_sums(values, groups, count, dtype):
    """Sums of Fractions by group, rounded once; these are narrow enough for float()."""
    totals = [Fraction(0)] * count
    for value, group in zip(values.tolist(), groups):
        if 0 <= group < count:
            totals[group] += Fraction(value)
    return np.array([float(total) for total in totals]).astype(dtype)


class AgainstTheContract(unittest.TestCase):
    def check(self, result, raw):
        got = np.asarray(result)
        got = got.view(np.uint16) if result.dtype == jnp.bfloat16 else got
        self.assertTrue(same(got, raw), f"\ngot      {got!r}\nexpected {raw!r}")

    def test_every_type(self):
        rng = np.random.default_rng(1)
        functions = jax.jit(lambda x, ids: (exact.sum(x), exact.cumsum(x, 0), exact.segment_sum(x, ids, 4)))
        for name in TYPES:
            raw = elements(rng, name, (33,))
            ids = rng.integers(-1, 5, 33).astype(contract.storage(INTEGERS[rng.integers(8)]))
            total = name if contract.is_float(name) else "u64" if name[0] == "u" else "i64"
            results = functions(jnp.asarray(raw.view(jnp.bfloat16) if name == "bf16" else raw), ids)
            with self.subTest(name=name):
                self.check(results[0], np.asarray(contract.sum_(raw, name)))
                self.check(results[1], contract.scan_sum(raw, out=total, dtype=name))
                self.check(results[2], contract_segment.segment(raw, ids, 4, dtype=name))


class Values(unittest.TestCase):
    def same_bits(self, result, expected):
        self.assertEqual((result.dtype, result.shape), (expected.dtype, expected.shape))
        np.testing.assert_array_equal(np.asarray(result), expected)

    def test_sums_are_exact(self):
        for dtype in (np.float32, np.float64):
            x = random(3, 40, seed=1, dtype=dtype)
            expected = np.array([float(sum(map(Fraction, row.tolist()))) for row in x]).astype(dtype)
            for function in (exact.sum, jax.jit(exact.sum, static_argnums=1)):
                self.same_bits(function(jnp.asarray(x), 1), expected)
            self.same_bits(jax.vmap(exact.sum)(jnp.asarray(x)), expected)
        self.assertEqual(exact.sum(LARGE), 2.0)

    def test_shapes(self):
        x = random(2, 3, 4)
        for dim in (None, 0, -1, (0, 2), (1,), (), (2, 1, 0)):
            for keepdim in (False, True):
                expected = np.sum(x, dim, keepdims=keepdim)
                result = exact.sum(x, dim, keepdim)
                self.assertEqual(result.shape, expected.shape)
                np.testing.assert_allclose(result, expected, rtol=1e-9)
        self.assertEqual(exact.sum(jnp.zeros(0)), 0.0)
        self.assertEqual(exact.sum(3.0), 3.0)

    def test_types(self):
        for dtype in FLOATS:
            x, ids = jnp.ones(5, dtype), jnp.zeros(5, jnp.int32)
            results = exact.sum(x), exact.cumsum(x, 0), exact.segment_sum(x, ids, 1), exact.index_add(x, ids, x)
            self.assertEqual({result.dtype for result in results}, {jnp.dtype(dtype)})
            self.assertEqual(results[1].tolist(), [1, 2, 3, 4, 5])
            self.assertEqual(results[3].tolist(), [6, 1, 1, 1, 1])
        for dtype, total in [(jnp.int8, jnp.int64), (jnp.bool_, jnp.int64), (jnp.uint8, jnp.uint64)]:
            x = jnp.ones(5, dtype)
            self.assertEqual((exact.sum(x).dtype, int(exact.sum(x))), (total, 5))
            self.assertEqual((exact.cumsum(x, 0).dtype, exact.cumsum(x, 0).tolist()), (total, [1, 2, 3, 4, 5]))

    def test_integers_where_jax_has_32_bits(self):
        with jax.enable_x64(False):
            x = jnp.array([2**31 - 1, 2, 3], jnp.int32)
            self.assertEqual((exact.sum(x).dtype, int(exact.sum(x))), (jnp.int32, 4 - 2**31))
            self.assertEqual(exact.cumsum(x, 0).tolist(), [2**31 - 1, 1 - 2**31, 4 - 2**31])
            ids = jnp.array([0, 1, 2**32 - 1], jnp.uint32)
            self.assertEqual(exact.segment_sum(x, ids, 2).tolist(), [2**31 - 1, 2])
            self.assertEqual(jax.grad(lambda x: exact.segment_sum(x, ids, 2)[0])(jnp.ones(3)).tolist(), [1, 0, 0])

    def test_segments_are_exact(self):
        ids = [2, 0, -1, 2, 5, 2, 0, 3, 4, 2] * 4
        for dtype in (np.float32, np.float64):
            x = random(40, seed=2, dtype=dtype)
            for integers in (jnp.int8, jnp.int32, jnp.int64):
                for function in (exact.segment_sum, jax.jit(exact.segment_sum, static_argnums=2)):
                    result = function(jnp.asarray(x), jnp.array(ids, integers), 5)
                    self.same_bits(result, exact_sums(x, ids, 5, dtype))
        self.assertEqual(exact.segment_sum(random(4, 2), jnp.zeros(4, int), 0).shape, (0, 2))

    def test_index_add_is_exact(self):
        into, src, indices = random(4, seed=3), random(30, seed=4), [0, 1, 1, 3, 3, 3] * 5
        expected = exact_sums(np.concatenate([into, src]), [0, 1, 2, 3, *indices], 4, np.float64)
        for function in (exact.index_add, jax.jit(exact.index_add)):
            self.same_bits(function(jnp.asarray(into), jnp.array(indices), jnp.asarray(src)), expected)

    def test_running_sums_are_exact(self):
        x = random(3, 40, seed=5, dtype=np.float32)
        result = exact.cumsum(x, -1)
        for row, sums in zip(x, result):
            totals = np.cumsum([Fraction(value) for value in row.tolist()])
            self.same_bits(sums, np.array([float(total) for total in totals]).astype(np.float32))
        self.same_bits(exact.cumsum(x.T, 0), np.asarray(result.T))
        self.same_bits(jax.vmap(lambda row: exact.cumsum(row, 0))(x), np.asarray(result))

    def test_batches(self):
        x, ids = random(5, 8, seed=6), np.arange(40).reshape(5, 8) % 4 - 1
        one_by_one = np.stack([exact.segment_sum(x[i], ids[i], 3) for i in range(5)])
        self.same_bits(jax.vmap(lambda x, ids: exact.segment_sum(x, ids, 3))(x, ids), one_by_one)
        self.same_bits(jax.jit(jax.vmap(lambda x, ids: exact.segment_sum(x, ids, 3)))(x, ids), one_by_one)
        same_ids = jax.vmap(lambda x: exact.segment_sum(x, ids[0], 3))(x)
        self.same_bits(same_ids, np.stack([exact.segment_sum(x[i], ids[0], 3) for i in range(5)]))

    def test_wrong_arguments(self):
        x, ids = jnp.ones(4), jnp.zeros(4, int)
        for error, call in [
            (ValueError, lambda: exact.sum(x, 1)),
            (ValueError, lambda: exact.sum(jnp.ones((2, 2)), (0, -2))),
            (TypeError, lambda: exact.segment_sum(x, ids, None)),
            (TypeError, lambda: exact.segment_sum(x, x, 2)),
            (ValueError, lambda: exact.segment_sum(x, ids[:3], 2)),
            (ValueError, lambda: exact.segment_sum(x, ids, -1)),
            (ValueError, lambda: exact.segment_sum(1.0, ids, 2)),
            (TypeError, lambda: exact.index_add(x, ids, x.astype(jnp.float32))),
            (TypeError, lambda: exact.index_add(x, x, x)),
            (ValueError, lambda: exact.index_add(x, ids, jnp.ones((4, 2)))),
            (ValueError, lambda: exact.cumsum(x, 1)),
            (TypeError, lambda: exact.cumsum(x, None)),
        ]:
            with self.subTest(error), self.assertRaises(error):
                call()
        with self.assertRaisesRegex(Exception, "(?i)index"):
            jax.block_until_ready(exact.index_add(x, ids + 4, x))


class Pages(unittest.TestCase):
    def test_the_examples_hold(self):
        self.assertEqual(doctest.testmod(exact).failed, 0)


class Gradients(unittest.TestCase):
    def check(self, ours, theirs, *shapes):
        """First and second derivatives of a function of squares beside those of JAX's own, on small integers, which
        add up without a rounding."""
        inputs = [jnp.arange(np.prod(shape), dtype=float).reshape(shape) % 7 - 3 for shape in shapes]
        argnums = tuple(range(len(shapes)))

        def derivatives(function):
            def first(*inputs):
                def loss(*inputs):
                    result = function(*(x * x for x in inputs))
                    return jnp.sum(result * (jnp.arange(result.size).reshape(result.shape) % 5 - 2))

                return jax.grad(loss, argnums)(*inputs)

            def second(*inputs):
                return jax.grad(lambda *inputs: sum(jnp.sum(g * g) for g in first(*inputs)), argnums)(*inputs)

            return jax.jit(lambda *inputs: (first(*inputs), second(*inputs)))(*inputs)

        for got, expected in zip(jax.tree.leaves(derivatives(ours)), jax.tree.leaves(derivatives(theirs))):
            np.testing.assert_array_equal(got, expected)

    def test_sum(self):
        for dim, keepdim in [(None, False), (None, True), (-1, False), ((0, 2), True), ((), False)]:
            self.check(
                lambda x, dim=dim, keepdim=keepdim: exact.sum(x, dim, keepdim),
                lambda x, dim=dim, keepdim=keepdim: jnp.sum(x, dim, keepdims=keepdim),
                (2, 3, 4),
            )

    def test_segment_sum(self):
        ids = jnp.array([2, 0, -1, 2, 7, 1])
        kept = jnp.where((ids >= 0) & (ids < 4), ids, 4)
        for shape, kind in [((6,), jnp.int64), ((6, 2, 3), jnp.int8)]:
            self.check(
                lambda x: exact.segment_sum(x, ids.astype(kind), 4), lambda x: jax.ops.segment_sum(x, kept, 4), shape
            )

    def test_index_add(self):
        indices = jnp.array([1, 1, 3, 0, 1])
        self.check(
            lambda a, b: exact.index_add(a, indices, b), lambda a, b: a.at[indices].add(b), (4, 2), (5, 2)
        )

    def test_cumsum(self):
        for dim in (0, -1):
            self.check(
                lambda x, dim=dim: exact.cumsum(x, dim), lambda x, dim=dim: jnp.cumsum(x, dim), (3, 4)
            )

    def test_gradients_of_batches(self):
        x, ids = mild(5, 8), jnp.arange(8) % 3
        gradient = jax.grad(lambda x: jnp.sum(exact.segment_sum(x * x, ids, 2) ** 2))
        np.testing.assert_array_equal(jax.vmap(gradient)(x), jnp.stack([gradient(row) for row in x]))
        np.testing.assert_array_equal(jax.jit(jax.vmap(gradient))(x), jax.vmap(gradient)(x))

    def test_a_left_out_row_has_no_gradient(self):
        ids, weights = jnp.array([0, 5, -3, 0]), jnp.array([3.0, 7.0])
        gradient = jax.grad(lambda x: exact.segment_sum(x, ids, 2) @ weights)(jnp.ones(4))
        self.assertEqual(gradient.tolist(), [3.0, 0.0, 0.0, 3.0])
        gradient = jax.grad(lambda x: jnp.sum(exact.segment_sum(x, ids, 0)))(jnp.ones(4))
        self.assertEqual(gradient.tolist(), [0.0] * 4)

    def test_sums_within_gradients_are_exact(self):
        _, pull = jax.vjp(lambda x: exact.cumsum(x, 0), jnp.ones(4))
        # Of the suffixes: 2; 2 - 1e16; 1 - 1e16, halfway between two doubles; 1.
        self.assertEqual(pull(jnp.asarray(LARGE))[0].tolist(), [2.0, 2 - 1e16, -1e16, 1.0])
        # The second derivative of a broadcast is a sum: of 1e16 + 1 - 1e16 + 1.
        first = lambda y: jax.grad(lambda x: exact.sum(x) * y)(jnp.ones(4))
        self.assertEqual(jax.vjp(first, 0.0)[1](jnp.asarray(LARGE))[0], 2.0)
        # A gather's, a sum by segment.
        ids = jnp.array([1, 1, 1, 1])
        first = lambda z: jax.grad(lambda x: exact.segment_sum(x, ids, 2) @ z)(jnp.ones(4))
        self.assertEqual(jax.vjp(first, jnp.zeros(2))[1](jnp.asarray(LARGE))[0].tolist(), [0.0, 2.0])

    def test_half_precision(self):
        for dtype in FLOATS:
            gradient = jax.grad(lambda x: (exact.cumsum(x, 1) * exact.sum(x)).sum())(jnp.ones((3, 4), dtype))
            self.assertEqual(gradient.dtype, dtype)


if __name__ == "__main__":
    unittest.main()
