"""Sorting, searching, moving rows in Python against the contract: every type and layout; and what they refuse."""

import unittest

from operands import SIZES, TYPES, Test, array, elements, handed, np, onefold, target

import contract_sort
from onefold.algorithms import (
    argsort,
    gather,
    merge,
    reverse,
    scatter,
    searchsorted,
    sort,
    sort_by_key,
    top_k,
)


def vectors(rng, shape, dtype=None):
    """(an Array of vectors, its values)"""
    values = rng.integers(-9, 9, shape + (3,)).astype(np.float32)
    layout = "soa" if rng.integers(2) else "aos"
    return onefold.array(values, dtype or onefold.vec3(), layout=layout), values


class AgainstTheContract(Test):
    def each(self, seed, count=3):
        rng = np.random.default_rng(seed)
        for name in TYPES:
            for size in SIZES:
                raw = elements(rng, name, (size,))
                n = None if rng.integers(2) else int(rng.integers(size + 1))
                with self.subTest(name=name, size=size, n=n):
                    yield rng, name, raw, n, bool(rng.integers(2))

    def test_sort_and_argsort(self):
        for rng, name, raw, n, down in self.each(1):
            keys = handed(rng, raw, name)
            order = contract_sort.argsort_dim(raw, None, down, name, n)
            self.assertSame(argsort(keys, n, descending=down), order)
            wide = argsort(keys, n, descending=down, index_dtype=onefold.i64)
            self.assertSame(wide, order.astype(np.int64))
            self.assertSame(sort(keys, n, descending=down), raw[order], name)

    def test_sort_by_key(self):
        for rng, name, raw, n, down in self.each(2):
            kind = TYPES[rng.integers(len(TYPES))]
            values = elements(rng, kind, (raw.size + int(rng.integers(2)), 2) if rng.integers(2) else raw.shape)
            order = contract_sort.argsort_dim(raw, None, down, name, n)
            keys, moved = sort_by_key(handed(rng, raw, name), handed(rng, values, kind), n, descending=down)
            self.assertSame(keys, raw[order], name)
            self.assertSame(moved, values[order], kind)

    def test_along_a_dimension(self):
        rng = np.random.default_rng(3)
        for i in range(60):
            name, dim, down = TYPES[rng.integers(len(TYPES))], int(rng.integers(-3, 3)), bool(rng.integers(2))
            raw = elements(rng, name, (4, 3, 5))
            with self.subTest(i=i, name=name, dim=dim, down=down):
                keys = handed(rng, raw, name)
                order = contract_sort.argsort_dim(raw, dim, down, name)
                self.assertSame(argsort(keys, dim=dim, descending=down), order)
                by_key = sort_by_key(keys, order, dim=dim, descending=down)
                expected = contract_sort.sort(raw, dim, down, name)
                self.assertSame(sort(keys, dim=dim, descending=down), expected, name)
                self.assertSame(by_key[0], expected, name)
                self.assertSame(by_key[1], np.take_along_axis(order, order.astype(np.int64), dim))
                best, where = top_k(keys, 2, dim=dim, smallest=not down)
                self.assertSame(best, np.take(expected, range(2), dim), name)
                self.assertSame(where, np.take(order, range(2), dim))

    def test_top_k(self):
        for rng, name, raw, n, smallest in self.each(4):
            order = contract_sort.argsort_dim(raw, None, not smallest, name, n)
            k = int(rng.integers(order.size + 1))
            values, indices = top_k(handed(rng, raw, name), k, n, smallest=smallest)
            self.assertSame(values, raw[order[:k]], name)
            self.assertSame(indices, order[:k])

    def test_searchsorted(self):
        for rng, name, raw, n, down in self.each(5):
            ordered = contract_sort.sort(raw, None, down, name)
            kind = TYPES[rng.integers(len(TYPES))]
            values = elements(rng, kind, (3, 4))
            values.reshape(-1)[:5] = raw[:5] if kind == name and raw.size >= 5 else values.reshape(-1)[:5]
            side = ["left", "right"][rng.integers(2)]
            got = searchsorted(
                handed(rng, ordered, name), handed(rng, values, kind), n, side=side, descending=down
            )
            expected = contract_sort.searchsorted(ordered[:n], values, side == "right", down, name, kind)
            self.assertSame(got, expected.astype(np.int32))

    def test_merge_and_reverse(self):
        for rng, name, raw, n, down in self.each(6):
            a, b = (contract_sort.sort(part, None, down, name) for part in (raw[:n], raw[::2]))
            got = merge(handed(rng, a, name), handed(rng, b, name), descending=down)
            self.assertSame(got, contract_sort.merge(a, b, down, name), name)
            self.assertSame(reverse(handed(rng, raw, name), n), raw[:n][::-1], name)

    def test_gather_and_scatter(self):
        rng = np.random.default_rng(7)
        for name in TYPES:
            for kind in ("i8", "u16", "i32", "u64"):
                rows, n = int(rng.integers(1, 20)), int(rng.integers(12))
                raw = elements(rng, name, (rows, 2))
                indices = rng.integers(rows, size=(3, 4)).astype(onefold_type(kind))
                with self.subTest(name=name, kind=kind, rows=rows, n=n):
                    src = handed(rng, raw, name)
                    self.assertSame(gather(src, handed(rng, indices, kind)), raw[indices], name)
                    first = indices.reshape(-1)[:n]
                    self.assertSame(gather(src, indices, n, unchecked=True), raw[first], name)
                    values = elements(rng, name, (3, 4, 2))
                    dst = target(rng, raw, name)
                    self.assertIsNone(scatter(handed(rng, values, name), handed(rng, indices, kind), dst))
                    expected = raw.copy()
                    contract_sort.scatter(values, indices, expected)
                    self.assertSame(dst, expected, name)
                    dst = target(rng, raw, name)
                    scatter(array(values.reshape(12, 2), name), indices, dst, n)
                    expected = raw.copy()
                    contract_sort.scatter(values.reshape(12, 2)[:n], first, expected)
                    self.assertSame(dst, expected, name)


def onefold_type(name):
    return np.dtype(getattr(onefold, name))


class Vectors(Test):
    """Vectors and matrices move as one, and keep their type."""

    def check(self, got, expected, dtype=None):
        self.assertIs(got.dtype, dtype or onefold.vec3())
        np.testing.assert_array_equal(got.numpy(), expected)

    def test_sort_by_key(self):
        rng = np.random.default_rng(8)
        values, raw = vectors(rng, (6,))
        keys = np.array([3, 1, 3, 0, 1, 2])
        order = np.argsort(keys, kind="stable")
        self.check(sort_by_key(keys, values)[1], raw[order])
        self.check(sort_by_key(keys, values, 4)[1], raw[np.argsort(keys[:4], kind="stable")])
        square, raw = vectors(rng, (2, 3))
        self.check(sort_by_key(keys.reshape(2, 3), square)[1], raw.reshape(6, 3)[order])
        rows, raw = vectors(rng, (6, 2))
        self.check(sort_by_key(keys.reshape(2, 3), rows)[1], raw[order])

    def test_sort_by_key_along_a_dimension(self):
        rng = np.random.default_rng(9)
        for dim in range(-3, 3):
            keys = rng.integers(0, 3, (4, 3, 5)).astype(np.int16)
            values, raw = vectors(rng, (4, 3, 5))
            order = np.argsort(keys, dim, kind="stable")
            sorted_keys, moved = sort_by_key(keys, values, dim=dim)
            self.assertSame(sorted_keys, np.take_along_axis(keys, order, dim))
            self.check(moved, np.take_along_axis(raw, order[..., None], dim if dim >= 0 else dim - 1))

    def test_gather_and_scatter(self):
        rng = np.random.default_rng(10)
        src, raw = vectors(rng, (5, 2))
        self.check(gather(src, [[4, 0], [0, 1]]), raw[[[4, 0], [0, 1]]])
        dst = onefold.zeros((6, 2), onefold.vec3())
        scatter(src, [5, 1, 1, 0, 2], dst)
        expected = np.zeros((6, 2, 3), np.float32)
        expected[[5, 1, 0, 2]] = raw[[0, 2, 3, 4]]
        self.check(dst, expected)
        scatter(raw[:1], [3], dst)
        expected[3] = raw[0]
        self.check(dst, expected)

    def test_reverse(self):
        rng = np.random.default_rng(11)
        src, raw = vectors(rng, (4, 3))
        self.check(reverse(src), raw.reshape(12, 3)[::-1])
        self.check(reverse(src, 5), raw.reshape(12, 3)[:5][::-1])
        self.check(reverse(src, dim=0), raw[::-1])
        self.check(reverse(src, dim=-1), raw[:, ::-1])
        matrices = onefold.array(np.arange(12.0).reshape(3, 2, 2), onefold.mat2(onefold.f64))
        self.check(reverse(matrices), matrices.numpy()[::-1], onefold.mat2(onefold.f64))

    def test_refusals(self):
        values, raw = vectors(np.random.default_rng(12), (6,))
        keys = np.arange(6)
        for words, function, arguments in (
            ("keys must have scalars", sort, (values,)),
            ("keys must have scalars", argsort, (values,)),
            ("keys must have scalars", sort_by_key, (values, keys)),
            ("sorted must have scalars", searchsorted, (values, keys)),
            ("values must have scalars", searchsorted, (keys, values)),
            ("src must have scalars", top_k, (values, 1)),
            ("a must have scalars", merge, (values, values)),
            ("indices must have scalars", gather, (values, values)),
            (r"src has elements of vec3\(f32\), but dst of f32", scatter, (values, keys, np.zeros((6, 3), "f4"))),
        ):
            self.assertRefused(TypeError, words, function, *arguments)
        self.assertRefused(ValueError, "src has no dimensions", gather, onefold.zeros((), onefold.vec3()), [0])
        self.assertRefused(ValueError, "n is 7, but the size of src is 6", reverse, values, 7)
        self.assertRefused(ValueError, "n is -1", reverse, values, -1)
        self.assertRefused(ValueError, "values has", sort_by_key, np.arange(7), values)
        self.assertRefused(ValueError, "values has", sort_by_key, np.ones((2, 3)), onefold.zeros(2, onefold.vec3()))
        self.assertRefused(ValueError, "values has", sort_by_key, np.ones((2, 3)), values, dim=0)
        self.assertRefused(ValueError, "values has no dim", sort_by_key, [1], onefold.zeros((), onefold.vec3()), 1)


class Refusals(Test):
    keys = np.array([3, 1, 2], np.int32)

    def test_n_and_dim(self):
        for function in (sort, argsort, reverse):
            self.assertRefused(ValueError, "n is 4, but the size of", function, self.keys, 4)
            self.assertRefused(ValueError, "n is -1, which is negative", function, self.keys, -1)
            self.assertRefused(ValueError, "n is 1 and dim is 0", function, self.keys, 1, dim=0)
            self.assertRefused(ValueError, "dim 1 is out of range for an array of 1 dimension", function, self.keys, dim=1)
        self.assertRefused(ValueError, "n is 4", sort_by_key, self.keys, self.keys, 4)
        self.assertRefused(ValueError, "values has shape", sort_by_key, self.keys, self.keys[:2])
        self.assertRefused(ValueError, "n is 4", searchsorted, self.keys, 1, 4)
        self.assertRefused(ValueError, "n is 4", gather, self.keys, [0], 4)
        self.assertRefused(ValueError, "k is 4, but there are 3", top_k, self.keys, 4)
        self.assertRefused(ValueError, "k is -1", top_k, self.keys, -1)
        self.assertRefused(TypeError, "k 1.0 is no integer", top_k, self.keys, 1.0)

    def test_types(self):
        self.assertRefused(TypeError, "index_dtype is i16", argsort, self.keys, index_dtype=onefold.i16)
        self.assertRefused(TypeError, "index_dtype .* must be a type of scalars", argsort, self.keys, index_dtype=onefold.vec2())
        self.assertRefused(TypeError, "b has type f64, but a has i32", merge, self.keys, np.ones(2))
        self.assertRefused(TypeError, "indices has type f64; it takes integers", gather, self.keys, np.ones(2))
        self.assertRefused(TypeError, "Onefold does not have", sort, np.ones(2, complex))
        self.assertRefused(ValueError, "side 'middle'", searchsorted, self.keys, 1, side="middle")

    def test_indices(self):
        dst = np.zeros(3, np.int32)
        for bad in (-1, 3):
            indices = [0, bad]
            self.assertRefused(IndexError, f"indices has {bad} at position 1, but src has 3 rows", gather, self.keys, indices)
            self.assertRefused(
                IndexError, f"indices has {bad} at position 1", scatter, self.keys[:2], indices, dst, unchanged=[dst]
            )

    def test_scatter(self):
        dst = np.zeros(3, np.int32)
        self.assertRefused(TypeError, "src has type f64, but dst has i32", scatter, np.ones(2), [0, 1], dst, unchanged=[dst])
        self.assertRefused(ValueError, "src has shape", scatter, self.keys, [0, 1], dst, unchanged=[dst])
        self.assertRefused(ValueError, "overlaps", scatter, dst[:2], [0, 1], dst, unchanged=[dst])
        dst.flags.writeable = False
        self.assertRefused(ValueError, "dst is read-only", scatter, self.keys, [0, 1, 2], dst)
        self.assertRefused(TypeError, "dst must be an Array", scatter, self.keys, [0, 1, 2], [0, 0, 0])


if __name__ == "__main__":
    unittest.main()
