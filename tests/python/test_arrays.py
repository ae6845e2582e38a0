"""Arrays in Python: making, reading, filling, copying, and what they refuse."""

import copy
import gc
import pickle
import unittest
import weakref

import numpy as np
import onefold as of

SCALARS = [of.bool_, of.i8, of.i16, of.i32, of.i64, of.u8, of.u16, of.u32, of.u64, of.f16, of.f32, of.f64]


class Types(unittest.TestCase):
    def test_there_is_one_object_a_type(self):
        self.assertIs(of.vec3(), of.vec(3, of.f32))
        self.assertIs(of.mat2(of.f64), of.mat(2, 2, np.float64))
        self.assertIsNot(of.vec3(), of.vec3(of.f64))
        self.assertIsNot(of.mat(3, 2), of.mat(2, 3))

    def test_names(self):
        self.assertEqual(str(of.f32), "f32")
        self.assertEqual(repr(of.vec4(of.i8)), "onefold.vec4(i8)")
        self.assertEqual(of.mat(2, 3).name, "mat(2, 3, f32)")
        self.assertEqual(of.mat(1, 1).name, "mat(1, 1, f32)")

    def test_attributes(self):
        dtype = of.mat(2, 3, of.i16)
        self.assertEqual((dtype.shape, dtype.itemsize, dtype.kind), ((2, 3), 12, "i"))
        self.assertIs(dtype.scalar, of.i16)
        self.assertEqual([d.kind for d in (of.bool_, of.u8, of.bf16)], ["b", "u", "f"])

    def test_numpy_takes_them(self):
        for dtype in SCALARS:
            self.assertEqual(np.dtype(dtype).itemsize, dtype.itemsize)
            self.assertEqual(dtype, np.dtype(dtype))
        self.assertEqual(np.zeros(4, of.vec3()).shape, (4, 3))
        self.assertFalse(hasattr(of.bf16, "dtype"))

    def test_equality(self):
        self.assertTrue(of.f32 == np.float32 == of.f32 and of.f32 == "float32" and of.i64 == int)
        self.assertTrue(of.f32 != of.f64 and of.f32 != "nonsense" and of.f32 != 3 and of.f32 is not None)
        self.assertEqual({of.f32: 1}[of.f32], 1)

    def test_pickling(self):
        for dtype in [*SCALARS, of.bf16, of.vec2(), of.mat(4, 3, of.u8)]:
            self.assertIs(pickle.loads(pickle.dumps(dtype)), dtype)

    def test_refusals(self):
        for n in (1, 5, -1):
            with self.assertRaisesRegex(ValueError, "2 to 4 components"):
                of.vec(n)
        with self.assertRaisesRegex(ValueError, "up to 4"):
            of.mat(2, 5)
        with self.assertRaises(TypeError):
            of.vec(2, of.vec2())
        for other in ("complex64", "M8[s]", "S3", object):
            with self.subTest(other=other), self.assertRaisesRegex(TypeError, "no type that Onefold has"):
                of.empty((), other)


class Making(unittest.TestCase):
    def check(self, array, dtype, values):
        self.assertIs(array.dtype, dtype)
        np.testing.assert_array_equal(array.numpy(), values)

    def test_inference(self):
        self.check(of.array([1, 2]), of.i32, [1, 2])
        self.check(of.array([2**31 - 1, -(2**31)]), of.i32, [2**31 - 1, -(2**31)])
        self.check(of.array([1, 2**31]), of.i64, [1, 2**31])
        self.check(of.array([2**63]), of.u64, [2**63])
        self.check(of.array(0.1), of.f32, np.float32(0.1))
        self.check(of.array([1, 0.5]), of.f32, [1, 0.5])
        self.check(of.array([True, False]), of.bool_, [True, False])
        self.check(of.array([]), of.f32, [])
        self.check(of.array(np.float64(0.1)), of.f64, 0.1)
        self.check(of.array([np.float64(0.1)]), of.f64, [0.1])
        self.check(of.array([[1, 2], [3, 4]]), of.i32, [[1, 2], [3, 4]])

    def test_numpy_arrays_keep_their_type(self):
        for dtype in SCALARS:
            host = np.array([[0, 1], [1, 0]], dtype)
            self.check(of.array(host), dtype, host)
            self.check(of.array(host[:, ::-1]), dtype, host[:, ::-1])
            self.check(of.array(host.T), dtype, host.T)

    def test_the_other_byte_order(self):
        self.check(of.array(np.array([1, 258], ">i4")), of.i32, [1, 258])

    def test_copies_are_independent(self):
        host = np.zeros(3, np.float32)
        array = of.array(host)
        host[0] = 1
        self.check(array, of.f32, [0, 0, 0])
        other = of.array(array)
        array.fill(2)
        self.check(other, of.f32, [0, 0, 0])
        result = array.numpy()
        result[0] = 9
        self.check(array, of.f32, [2, 2, 2])
        view = np.asarray(array)
        view[0] = 9
        self.check(array, of.f32, [2, 2, 2])

    def test_conversion_is_the_contracts(self):
        wild = np.array([np.nan, np.inf, -np.inf, 2.7, -2.7, 300])
        self.check(of.array(wild, of.u8), of.u8, [0, 255, 0, 2, 0, 255])
        self.check(of.array(np.array([300, -1]), of.u8), of.u8, [44, 255])
        self.check(of.array([300, -1], of.i8), of.i8, [44, -1])
        self.check(of.array(2**70, of.f64), of.f64, 2.0**70)
        self.check(of.array([0.1], of.f64), of.f64, [0.1])
        self.check(of.array([1 + 2.0**-11 + 2.0**-40], of.f16), of.f16, [1 + 2.0**-10])

    def test_vectors_take_up_last_dimensions(self):
        host = np.arange(30, dtype=np.float32).reshape(10, 3)
        self.assertEqual(of.array(host).shape, (10, 3))
        vectors = of.array(host, of.vec3())
        self.assertEqual((vectors.shape, vectors.size, vectors.scalar_size), ((10,), 10, 30))
        self.check(vectors, of.vec3(), host)
        self.check(of.array(host, of.vec3(of.i64)), of.vec3(of.i64), host)
        self.check(of.array(host.reshape(5, 3, 2), of.mat(3, 2)), of.mat(3, 2), host.reshape(5, 3, 2))
        for shape, dtype in (((10, 3), of.vec2()), ((3,), of.mat3()), ((), of.vec2())):
            with self.assertRaisesRegex(ValueError, "last sizes"):
                of.array(np.zeros(shape), dtype)

    def test_asarray(self):
        array = of.array([1.0, 2.0])
        self.assertIs(of.asarray(array), array)
        self.assertIs(of.asarray(array, of.f32), array)
        self.assertIs(of.asarray(array, "float32"), array)
        self.check(of.asarray(array, of.f64), of.f64, [1, 2])
        self.check(of.asarray(np.arange(3)), of.i64, [0, 1, 2])
        self.check(of.tensor([1.0]), of.f32, [1])

    def test_filled(self):
        self.check(of.zeros((2, 3)), of.f32, np.zeros((2, 3)))
        self.check(of.ones(3, of.i32), of.i32, [1, 1, 1])
        self.check(of.full((2,), 3.14), of.f32, np.full(2, 3.14, np.float32))
        self.check(of.full(2, 7), of.i32, [7, 7])
        self.check(of.full(2, 2**40), of.i64, [2**40] * 2)
        self.check(of.full((), [1, 2], of.vec2()), of.vec2(), [1, 2])
        self.check(of.zeros(0), of.f32, [])
        self.assertEqual(of.empty((), of.mat4()).nbytes, 64)

    def test_arange(self):
        self.check(of.arange(4), of.i32, [0, 1, 2, 3])
        self.check(of.arange(1, 64, 2), of.i32, range(1, 64, 2))
        self.check(of.arange(5, 0, -2), of.i32, [5, 3, 1])
        self.check(of.arange(3, dtype=of.f32), of.f32, [0, 1, 2])
        self.check(of.arange(2**31 - 2, 2**31), of.i32, [2**31 - 2, 2**31 - 1])
        self.check(of.arange(2**31, 2**31 + 2), of.i64, [2**31, 2**31 + 1])
        self.check(of.arange(0, 1, 0.25), of.f32, [0, 0.25, 0.5, 0.75])
        self.check(of.arange(3, 1), of.i32, [])
        with self.assertRaisesRegex(ValueError, "step 0"):
            of.arange(1, 2, 0)

    def test_like(self):
        vectors = of.empty((2, 2), of.vec3(), layout="soa")
        self.assertIs(of.empty_like(vectors, dtype=of.i32).dtype, of.vec3(of.i32))
        self.assertIs(of.empty_like(vectors, dtype=of.mat2()).dtype, of.mat2())
        self.assertEqual(of.empty_like(vectors).layout, "soa")
        self.assertEqual(of.empty_like(vectors, layout="aos").layout, "aos")
        self.assertEqual(of.empty_like(np.empty((4, 8), np.int16)).shape, (4, 8))
        self.assertIs(of.empty_like(np.empty((4, 8), np.int16)).dtype, of.i16)
        self.check(of.zeros_like(of.array([1, 2])), of.i32, [0, 0])
        self.check(of.ones_like(vectors), of.vec3(), np.ones((2, 2, 3)))
        self.check(of.full_like(vectors, [1, 2, 3]), of.vec3(), np.tile([1, 2, 3], (2, 2, 1)))

    def test_refusals(self):
        for error, words, call in (
            (ValueError, "-1", lambda: of.empty(-1)),
            (ValueError, "at most 8", lambda: of.empty((1,) * 9)),
            (ValueError, "at most 7", lambda: of.empty((1,) * 8, of.vec2())),
            (ValueError, "overflow|past|bytes", lambda: of.empty((2**62, 2))),
            (MemoryError, "", lambda: of.empty(2**50)),
            (TypeError, "neither an integer nor", lambda: of.empty("12")),
            (TypeError, "no integer", lambda: of.empty((1.5,))),
            (TypeError, "no integer", lambda: of.empty((True, 2))),
            (ValueError, "64 bits", lambda: of.empty(2**64)),
            (TypeError, "complex|'Zd'", lambda: of.array([1j])),
            (TypeError, "", lambda: of.array("text")),
            (TypeError, "", lambda: of.array({})),
            (TypeError, "", lambda: of.array(None)),
            (TypeError, "", lambda: of.array([None])),
            (ValueError, "64 bits", lambda: of.array(10**30)),
            (ValueError, "", lambda: of.array([[1, 2], [3]])),
            (ValueError, "layout", lambda: of.empty(3, layout="planar")),
            (ValueError, "not for scalars", lambda: of.empty(3, layout="soa")),
            (RuntimeError, "cpu", lambda: of.empty(3, device="cuda:7")),
            (RuntimeError, "cpu", lambda: of.array(3, device="cuda:7")),
            (TypeError, "cannot create", lambda: of.Array()),
            (TypeError, "cannot create", lambda: of.DType()),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()


class Reading(unittest.TestCase):
    def setUp(self):
        self.host = np.arange(6, dtype=np.float32).reshape(2, 3)
        self.array = of.array(self.host)

    def test_elements(self):
        self.assertEqual([self.array[i, j] for i in range(2) for j in range(3)], [0, 1, 2, 3, 4, 5])
        self.assertEqual((self.array[-1, -1], self.array[4], self.array[-6]), (5, 4, 0))
        self.assertIsInstance(self.array[0, 0], float)
        self.assertIs(of.array([True])[0], True)
        self.assertEqual(of.array([2**64 - 1], of.u64)[0], 2**64 - 1)
        self.assertEqual(of.array(7)[()], 7)
        self.assertEqual(of.array([0.5], of.bf16)[np.int8(0)], 0.5)

    def test_vectors(self):
        for layout in ("aos", "soa"):
            vectors = of.array(self.host, of.vec3(), layout=layout)
            np.testing.assert_array_equal(vectors[1], [3, 4, 5])
            np.testing.assert_array_equal(vectors[-2], [0, 1, 2])
            self.assertIsInstance(vectors[0], np.ndarray)
            matrix = of.array(self.host, of.mat(2, 3), layout=layout)
            np.testing.assert_array_equal(matrix[()], self.host)
            with self.assertRaises(IndexError):
                vectors[2]

    def test_refusals(self):
        for index in ((2, 0), (0, 3), (-3, 0), 6, -7, (0, 0, 0), (), 2**40):
            with self.subTest(index=index), self.assertRaises(IndexError):
                self.array[index]
        for index in (None, slice(None), ..., 1.0, "a", True, (0, None), [0]):
            with self.subTest(index=index), self.assertRaisesRegex(TypeError, "numpy\\(\\)"):
                self.array[index]
        with self.assertRaisesRegex(ValueError, "64 bits"):
            self.array[2**70]
        with self.assertRaisesRegex(TypeError, "copyto"):
            self.array[0, 0] = 1
        with self.assertRaisesRegex(TypeError, "numpy\\(\\)"):
            iter(self.array)
        with self.assertRaises(TypeError):
            list(self.array)

    def test_attributes(self):
        self.assertEqual(
            (self.array.shape, self.array.size, self.array.ndim, len(self.array), self.array.nbytes), ((2, 3), 6, 2, 2, 24)
        )
        self.assertEqual((self.array.layout, self.array.device, self.array.writable), ("aos", "cpu", True))
        with self.assertRaises(AttributeError):
            self.array.components
        with self.assertRaises(AttributeError):
            self.array.shape = (3, 2)
        with self.assertRaises(TypeError):
            len(of.array(1))

    def test_numbers(self):
        one = of.array([[2.5]])
        self.assertEqual((float(one), int(one), one.item(), bool(one)), (2.5, 2, 2.5, True))
        self.assertEqual([1, 2, 3][of.array(1)], 2)
        self.assertFalse(of.array(-0.0))
        for call in (float, int, bool, of.Array.item):
            with self.assertRaisesRegex(ValueError, "6 elements"):
                call(self.array)
        with self.assertRaises(TypeError):
            [1, 2][of.array(1.0)]
        self.assertEqual(self.array.tolist(), self.host.tolist())

    def test_to_numpy(self):
        for dtype in SCALARS:
            values = of.array([0, 1], dtype).numpy()
            self.assertEqual(values.dtype, np.dtype(dtype))
            self.assertTrue(values.flags.owndata and values.flags.writeable)
        np.testing.assert_array_equal(of.array([1.5, 2**-130], of.bf16).numpy(), np.float32([1.5, 2**-130]))
        np.testing.assert_array_equal(np.asarray(self.array, np.int32), self.host.astype(np.int32))
        self.assertEqual(np.array(of.zeros((0, 3))).shape, (0, 3))

    def test_buffer(self):
        view = memoryview(self.array)
        self.assertEqual((view.format, view.shape, view.tolist()), ("f", (2, 3), self.host.tolist()))
        with self.assertRaises(BufferError):
            memoryview(of.array([1.0], of.bf16))

    def test_repr(self):
        self.assertEqual(repr(of.array([1, 2])), "onefold.array([1, 2], dtype=i32)")
        self.assertEqual(repr(of.zeros(1001)), "<onefold.Array of shape (1001,), dtype=f32>")

    def test_reductions(self):
        self.assertEqual(
            (self.array.sum(), self.array.min(), self.array.max(), self.array.mean()), (15.0, 0.0, 5.0, 2.5)
        )
        for dtype in [*SCALARS, of.bf16]:
            array = of.array([[1, 0], [1, 1]], dtype)
            for result in (array.sum(), array.min(), array.max(), array.mean()):
                self.assertIs(type(result), float)
            self.assertEqual(array.reshape(4).sum(), 3.0)
        vectors = of.array(self.host, of.vec3())
        self.assertEqual((vectors.sum(), vectors.mean(), vectors.max()), (15.0, 2.5, 5.0))
        self.assertEqual(of.array([2**63, 2**63], of.u64).sum(), 0.0)
        self.assertEqual(of.array([2**62, 2**62]).sum(), -(2.0**63))
        nothing = of.zeros(0)
        self.assertEqual(nothing.sum(), 0.0)
        self.assertTrue(np.isnan(nothing.mean()))
        for method in (nothing.min, nothing.max):
            with self.assertRaisesRegex(ValueError, f"^{method.__name__} reduction requires a nonempty array"):
                method()
        self.assertTrue(np.isnan(of.array([1.0, np.nan]).max()))
        zeros = of.array([0.0, -0.0])
        self.assertEqual((np.signbit(zeros.min()), np.signbit(zeros.max())), (True, False))


class Writing(unittest.TestCase):
    def test_fill(self):
        vectors = of.empty((2,), of.vec3())
        vectors.fill([0.0, 1.0, 0.0])
        np.testing.assert_array_equal(vectors.numpy(), [[0, 1, 0]] * 2)
        vectors.fill(0.5)
        np.testing.assert_array_equal(vectors.numpy(), np.full((2, 3), 0.5))
        matrices = of.empty((2,), of.mat(2, 3))
        matrices.fill([[1, 2, 3], [4, 5, 6]])
        np.testing.assert_array_equal(matrices.numpy(), [[[1, 2, 3], [4, 5, 6]]] * 2)
        for dtype, value, stored in ((of.u8, 300, 44), (of.i32, 2.7, 2), (of.f64, 0.1, 0.1), (of.f64, True, 1)):
            array = of.empty(2, dtype)
            array.fill(value)
            self.assertEqual(array.tolist(), [stored] * 2)
        for value in ([1.0, 2.0], [[1.0, 2.0, 3.0]], []):
            with self.assertRaisesRegex(ValueError, "neither a number nor one element"):
                vectors.fill(value)
        with self.assertRaises(ValueError):
            of.empty(3).fill([1.0, 2.0, 3.0])
        for value in ("1", None, {}):
            with self.assertRaises(TypeError):
                vectors.fill(value)
        np.testing.assert_array_equal(vectors.numpy(), np.full((2, 3), 0.5))

    def test_copyto(self):
        array = of.empty((2, 3))
        for src in (np.arange(6).reshape(2, 3), [1, 2, 3], 0.25, np.ones((2, 1)), of.arange(3), np.float64(7)):
            of.copyto(array, src)
            expected = np.empty((2, 3), np.float32)
            np.copyto(expected, src.numpy() if isinstance(src, of.Array) else src, casting="unsafe")
            np.testing.assert_array_equal(array.numpy(), expected)
        for src in (np.zeros(6), np.zeros((3, 2)), np.zeros((1, 2, 3)), np.zeros(0)):
            with self.assertRaisesRegex(ValueError, "shape"):
                of.copyto(array, src)
        with self.assertRaisesRegex(TypeError, "numpy.copyto"):
            of.copyto(np.zeros(3), array)
        np.testing.assert_array_equal(array.numpy(), np.full((2, 3), 7))

    def test_copyto_vectors(self):
        points = np.arange(12.0).reshape(4, 3)
        for layout in ("aos", "soa"):
            vectors = of.zeros((4,), of.vec3(), layout=layout)
            of.copyto(vectors, points)
            np.testing.assert_array_equal(vectors.numpy(), points)
            with self.assertRaises(ValueError):
                of.copyto(vectors, points.reshape(-1))
            with self.assertRaisesRegex(ValueError, "vec2"):
                of.copyto(vectors, of.zeros(4, of.vec2()))

    def test_copyto_within_one_memory(self):
        for layout in ("aos", "soa"):
            vectors = of.array(np.arange(12.0).reshape(4, 3), of.vec3(), layout=layout)
            x, y, _ = vectors.components
            of.copyto(x, y)
            self.assertEqual(x.tolist(), [1, 4, 7, 10])
            of.copyto(vectors, vectors)
            self.assertEqual(vectors[3].tolist(), [10, 10, 11])
        pairs = of.array([[1, 2], [3, 4]], of.vec2())
        swapped = of.soa(*reversed(pairs.components))
        of.copyto(swapped, pairs)
        self.assertEqual(pairs.tolist(), [[2, 1], [4, 3]])
        for to, start in ((slice(None), slice(None, None, -1)), (slice(1, None), slice(5)), (slice(5), slice(1, None))):
            host, expected = np.arange(6.0), np.arange(6.0)
            of.copyto(of.from_dlpack(host[to]), host[start])
            np.copyto(expected[to], expected[start])
            np.testing.assert_array_equal(host, expected)

    def test_copy_convert_reshape(self):
        array = of.array(np.arange(6.0).reshape(2, 3))
        backup = array.copy()
        flat = array.reshape(-1)
        flat.fill(9)
        self.assertEqual(array[1, 2], 9)
        self.assertEqual(backup.tolist(), [[0, 1, 2], [3, 4, 5]])
        self.assertEqual(backup.reshape(3, 2).shape, backup.reshape((3, 2)).shape)
        self.assertEqual(backup.reshape(()if backup.size == 1 else (6, 1)).shape, (6, 1))
        self.assertIs(backup.astype(of.u8).dtype, of.u8)
        for shape in ((4,), (-1, -1), (-1, 4), (0, -1)):
            with self.assertRaises(ValueError):
                backup.reshape(shape)
        vectors = of.array(np.arange(12.0).reshape(4, 3), of.vec3(of.f64))
        self.assertIs(vectors.astype(of.i32).dtype, of.vec3(of.i32))
        self.assertEqual(vectors.reshape(2, 2).shape, (2, 2))
        with self.assertRaises(TypeError):
            vectors.astype(of.vec2())

    def test_concat(self):
        joined = of.concat([of.arange(3), of.arange(0), of.arange(2)])
        self.assertEqual(joined.tolist(), [0, 1, 2, 0, 1])
        vectors = of.concat([of.zeros(1, of.vec2()), of.ones(2, of.vec2(), layout="soa")])
        self.assertEqual(vectors.tolist(), [[0, 0], [1, 1], [1, 1]])
        for error, arrays in (
            (TypeError, [of.zeros(1), of.zeros(1, of.f64)]),
            (ValueError, [of.zeros((1, 1))]),
            (ValueError, []),
            (ValueError, [of.array(1.0)]),
        ):
            with self.assertRaises(error):
                of.concat(arrays)

    def test_copies_by_protocol(self):
        for array in (of.array([1.0, 2.0]), of.ones(3, of.vec2(), layout="soa"), of.array([0.5], of.bf16)):
            for other in (copy.copy(array), copy.deepcopy(array), pickle.loads(pickle.dumps(array))):
                self.assertIs(other.dtype, array.dtype)
                np.testing.assert_array_equal(other.numpy(), array.numpy())

    def test_weak_references(self):
        array = of.zeros(3)
        seen = weakref.ref(array)
        view = array.reshape(3, 1)
        del array
        gc.collect()
        self.assertIsNone(seen())
        self.assertEqual(view.sum(), 0)


class StructuresOfArrays(unittest.TestCase):
    def test_over_arrays_that_are_there(self):
        x, y, z = (of.zeros(4) for _ in range(3))
        vectors = of.soa(x, y, z)
        self.assertEqual((vectors.layout, vectors.dtype, vectors.shape), ("soa", of.vec3(), (4,)))
        of.copyto(vectors, np.arange(12).reshape(4, 3))
        self.assertEqual(y.tolist(), [1, 4, 7, 10])
        self.assertIs(vectors.components[1], y)
        vectors.fill([1, 2, 3])
        self.assertEqual((x.sum(), y.sum(), z.sum(), vectors.sum()), (4, 8, 12, 24))
        self.assertEqual(vectors.reshape(2, 2).tolist(), [[[1, 2, 3]] * 2] * 2)
        self.assertEqual(vectors[2].tolist(), [1, 2, 3])
        whole = of.array(vectors, layout="aos")
        self.assertEqual((whole.layout, whole.tolist()), ("aos", vectors.tolist()))
        self.assertEqual((vectors.copy().layout, vectors.astype(of.f64).dtype), ("soa", of.vec3(of.f64)))

    def test_as_made(self):
        made = of.full((4,), [1.0, 2.0, 3.0], of.vec3(), layout="soa")
        self.assertEqual(made.tolist(), [[1, 2, 3]] * 4)
        made.components[1].fill(7)
        self.assertEqual(made.tolist(), [[1, 7, 3]] * 4)
        matrices = of.array(np.arange(12.0).reshape(2, 2, 3), of.mat(2, 3), layout="soa")
        self.assertEqual(matrices.components[5].tolist(), [5, 11])
        self.assertEqual(matrices.reshape(2, 1).tolist(), np.arange(12.0).reshape(2, 1, 2, 3).tolist())
        self.assertEqual(of.array([[1, 2]], of.vec2()).components[1].tolist(), [2])

    def test_refusals(self):
        for error, parts in (
            (ValueError, [of.zeros(2)]),
            (ValueError, [of.zeros(2)] * 5),
            (ValueError, [of.zeros(2), of.zeros(3)]),
            (ValueError, [of.zeros(2), of.zeros((2, 1))]),
            (TypeError, [of.zeros(2), of.zeros(2, of.f64)]),
            (TypeError, [of.zeros(2, of.vec2())] * 2),
            (TypeError, [np.zeros(2)] * 2),
        ):
            with self.assertRaises(error):
                of.soa(*parts)


class Devices(unittest.TestCase):
    def test_devices(self):
        self.assertEqual(of.device("cpu").name, "cpu")
        self.assertIn("cpu", map(str, of.devices()))
        self.assertIn("thread", of.device().description)
        of.set_default_device("cpu")
        of.device().sync()
        self.assertEqual(of.empty(1, device=of.device("cpu")).device, "cpu")
        of.set_default_device(None)
        for call in (of.device, of.set_default_device, of.get_backend):
            with self.assertRaisesRegex(RuntimeError, '"nowhere"; there are: cpu'):
                call("nowhere")
        self.assertFalse(of.get_backend().supports_workgroups)

    def test_threads_and_instruction_sets(self):
        try:
            of.set_threads(3)
            self.assertEqual(of.get_threads(), 3)
            for count in (-1, 1025, 2**40):
                with self.assertRaisesRegex(ValueError, "count|threads"):
                    of.set_threads(count)
            for name in of.instruction_sets():
                of.set_instruction_set(name)
                self.assertEqual(of.get_instruction_set(), name)
            with self.assertRaises(ValueError):
                of.set_instruction_set("mmx")
        finally:
            of.set_threads(0)
            of.set_instruction_set(None)


if __name__ == "__main__":
    unittest.main()
