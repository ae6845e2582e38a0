"""DLPack and pointers: memory that is shared with numpy, and with libraries that are made up."""

import gc
import sys
import threading
import unittest
import weakref

import numpy as np
import onefold as of
from dlpack_structs import COPIED, READ_ONLY, Lender, Unversioned, Versioned, name_of, struct_of

SCALARS = [of.bool_, of.i8, of.i16, of.i32, of.i64, of.u8, of.u16, of.u32, of.u64, of.f16, of.f32, of.f64]


class Lending(unittest.TestCase):
    def test_numpy_shares_the_memory_of_every_type(self):
        for dtype in SCALARS:
            a = of.array(np.arange(6).reshape(2, 3).astype(dtype))
            host = np.from_dlpack(a)
            self.assertEqual(host.dtype, dtype)
            np.testing.assert_array_equal(host, a.numpy())
            host[1, 2] = 0
            self.assertEqual(a[1, 2], 0)

    def test_the_memory_outlives_the_array(self):
        a = of.array(np.arange(1000.0))
        host = np.from_dlpack(a)
        alive = weakref.ref(a)
        del a
        gc.collect()
        self.assertIsNone(alive())
        np.testing.assert_array_equal(host, np.arange(1000.0))

    def test_shapes_without_elements_or_dimensions(self):
        for shape in [(0,), (3, 0, 2), (), (1, 1)]:
            self.assertEqual(np.from_dlpack(of.zeros(shape)).shape, shape)

    def test_vectors_and_matrices_show_their_components(self):
        a = of.full((4,), [1.0, 2.0, 3.0], of.vec3(of.f64))
        np.testing.assert_array_equal(np.from_dlpack(a), a.numpy())
        self.assertEqual(np.from_dlpack(of.zeros((2,), of.mat(2, 3))).shape, (2, 2, 3))

    def test_a_structure_of_arrays_is_lent_by_component(self):
        a = of.full((4,), [1.0, 2.0, 3.0], of.vec3(), layout="soa")
        b = of.soa(*(of.from_dlpack(np.full(4, v, np.float32)) for v in (1, 2, 3)))
        for whole in (a, b):
            with self.assertRaisesRegex(BufferError, "soa.*components"):
                whole.__dlpack__(max_version=(1, 0))
            np.testing.assert_array_equal(np.from_dlpack(whole.components[1]), np.full(4, 2, np.float32))

    def test_the_device_is_the_cpu(self):
        self.assertEqual(of.zeros(3).__dlpack_device__(), (1, 0))

    def test_versions(self):
        a = of.zeros(3)
        self.assertEqual(name_of(a.__dlpack__()), "dltensor")
        self.assertEqual(name_of(a.__dlpack__(max_version=(0, 8))), "dltensor")
        for version in [(1, 0), (1, 9), (2, 0)]:
            capsule = a.__dlpack__(max_version=version)
            self.assertEqual(name_of(capsule), "dltensor_versioned")
            struct = struct_of(capsule)
            self.assertEqual((struct.major, struct.minor, struct.flags), (1, 0, 0))
        self.assertEqual(struct.tensor.strides[0], 1)

    def test_read_only_arrays_say_so_or_stay(self):
        host = np.arange(3.0)
        host.flags.writeable = False
        a = of.from_dlpack(host)
        self.assertEqual(struct_of(a.__dlpack__(max_version=(1, 0))).flags, READ_ONLY)
        self.assertFalse(np.from_dlpack(a).flags.writeable)
        with self.assertRaisesRegex(BufferError, "read-only"):
            a.__dlpack__()
        struct = struct_of(a.__dlpack__(copy=True))
        self.assertNotEqual(struct.tensor.data, host.ctypes.data)

    def test_copies(self):
        a = of.array([1.0, 2.0])
        mine = np.from_dlpack(a)
        struct = struct_of(a.__dlpack__(max_version=(1, 0), copy=True))
        self.assertEqual(struct.flags, COPIED)
        self.assertNotEqual(struct.tensor.data, mine.ctypes.data)
        for copy in (None, False):
            struct = struct_of(a.__dlpack__(max_version=(1, 0), copy=copy))
            self.assertEqual((struct.flags, struct.tensor.data), (0, mine.ctypes.data))
        copied = np.from_dlpack(a, copy=True)
        copied[0] = 9
        self.assertEqual(a[0], 1.0)

    def test_arguments(self):
        a = of.zeros(3)
        for wrong, error in [
            ({"stream": 1}, ValueError),
            ({"dl_device": (2, 0)}, BufferError),
            ({"dl_device": 1}, TypeError),
            ({"max_version": 1}, TypeError),
            ({"max_version": (1, "0")}, TypeError),
            ({"copy": 1}, TypeError),
            ({"other": 1}, TypeError),
        ]:
            with self.subTest(wrong), self.assertRaises(error):
                a.__dlpack__(**wrong)
        with self.assertRaises(TypeError):
            a.__dlpack__(None)
        self.assertEqual(name_of(a.__dlpack__(dl_device=(1, 0))), "dltensor")

    def test_a_capsule_that_nobody_takes_frees_its_array(self):
        host = np.zeros(3)
        count = sys.getrefcount(host)
        for version in (None, (1, 0)):
            capsule = of.from_dlpack(host).__dlpack__(max_version=version)
            self.assertGreater(sys.getrefcount(host), count)
            del capsule
            self.assertEqual(sys.getrefcount(host), count)


class Taking(unittest.TestCase):
    def test_the_memory_is_numpys(self):
        for dtype in SCALARS:
            host = np.arange(6).reshape(2, 3).astype(dtype)
            a = of.from_dlpack(host)
            self.assertEqual((a.shape, a.dtype), ((2, 3), dtype))
            host[0, 1] = 0
            self.assertEqual(a[0, 1], 0)
            a.fill(1)
            self.assertTrue((host == 1).all())

    def test_layouts(self):
        host = np.arange(24.0).reshape(4, 6)
        for view in (host.T, host[::-1, ::2], host[:, :0], np.broadcast_to(host[0], (3, 6)), np.asfortranarray(host)):
            a = of.from_dlpack(view)
            self.assertEqual(a.shape, view.shape)
            np.testing.assert_array_equal(a.numpy(), view)

    def test_strides_that_dlpack_cannot_say(self):
        records = np.zeros(5, [("a", "u1"), ("b", "<f4")])
        records["b"] = [1, 2, 3, 4, 5]
        a = of.from_dlpack(records["b"])  # by numpy's buffer
        self.assertEqual(a.sum(), 15.0)
        a.fill(2)
        self.assertEqual(records["b"].tolist(), [2.0] * 5)
        with self.assertRaisesRegex(BufferError, "a stride of 5 bytes"):
            a.__dlpack__(max_version=(1, 0))
        self.assertEqual(struct_of(a.__dlpack__(copy=True)).tensor.strides[0], 1)

    def test_numpys_array_lives_as_long_as_a_view(self):
        host = np.arange(12.0)
        count = sys.getrefcount(host)
        a = of.from_dlpack(host)
        b = a.reshape(3, 4)
        del a
        self.assertGreater(sys.getrefcount(host), count)
        del b
        self.assertEqual(sys.getrefcount(host), count)

    def test_read_only_memory_is_not_written(self):
        host = np.arange(3.0)
        host.flags.writeable = False
        a = of.from_dlpack(host)
        with self.assertRaisesRegex(ValueError, "read-only"):
            a.fill(1)
        with self.assertRaisesRegex(ValueError, "read-only"):
            of.copyto(a, 1)
        np.testing.assert_array_equal(host, [0, 1, 2])
        b = of.from_dlpack(host, copy=True)
        b.fill(1)
        np.testing.assert_array_equal(host, [0, 1, 2])

    def test_both_structs_and_the_flag(self):
        for kind, flags, read_only in [(Versioned, 0, False), (Versioned, READ_ONLY, True), (Unversioned, None, False)]:
            lender = Lender([1, 2, 3], kind, **({} if flags is None else {"flags": flags}))
            a = of.from_dlpack(lender)
            np.testing.assert_array_equal(a.numpy(), [1, 2, 3])
            if read_only:
                with self.assertRaisesRegex(ValueError, "read-only"):
                    a.fill(0)
            else:
                a.fill(7)
                self.assertEqual(list(lender.memory), [7, 7, 7])
            self.assertEqual(lender.deleted, 0)
            b = a.reshape(3, 1)
            del a
            self.assertEqual(lender.deleted, 0)
            del b
            self.assertEqual(lender.deleted, 1)

    def test_what_the_lender_is_asked(self):
        lender = Lender([1])
        of.from_dlpack(lender)
        self.assertEqual(lender.asked, {"stream": None, "max_version": (1, 0), "dl_device": None, "copy": None})
        of.from_dlpack(lender, copy=False, device="cpu")
        self.assertEqual(lender.asked, {"stream": None, "max_version": (1, 0), "dl_device": None, "copy": False})

    def test_a_lender_that_knows_no_versions(self):
        class Old(Lender):
            def __dlpack__(self, stream=None):
                return self.capsule()

        lender = Old([1, 2], Unversioned)
        a = of.from_dlpack(lender)
        self.assertEqual(a.tolist(), [1, 2])
        del a
        self.assertEqual(lender.deleted, 1)

    def test_capsules_are_taken_once(self):
        for kind, used in [(Versioned, "used_dltensor_versioned"), (Unversioned, "used_dltensor")]:
            lender = Lender([1, 2], kind)
            capsule = lender.capsule()
            a = of.from_dlpack(capsule)
            self.assertEqual(name_of(capsule), used)
            with self.assertRaisesRegex(ValueError, "taken already"):
                of.from_dlpack(capsule)
            del capsule
            self.assertEqual(lender.deleted, 0)
            del a
            self.assertEqual(lender.deleted, 1)

    def test_a_refused_capsule_stays_the_callers(self):
        for error, words, changes in [
            (NotImplementedError, "version 2", {"major": 2}),
            (RuntimeError, "kind CUDA", {"device_kind": 2}),
            (TypeError, "complex", {"code": 5, "bits": 64}),
            (TypeError, "4 lanes", {"lanes": 4}),
            (ValueError, "9 dimensions", {"ndim": 9}),
            (ValueError, "data is missing", {"data": None}),
        ]:
            lender = Lender([1, 2], **changes)
            capsule = lender.capsule()
            with self.subTest(changes), self.assertRaisesRegex(error, "x: .*" + words):
                of.from_dlpack(capsule)
            self.assertEqual(name_of(capsule), "dltensor_versioned")
            self.assertEqual(lender.deleted, 0)

    def test_devices(self):
        elsewhere = Lender([1], device_kind=2)
        with self.assertRaises(RuntimeError):
            of.from_dlpack(elsewhere)
        with self.assertRaises(RuntimeError):  # it was asked to copy, and did not
            of.from_dlpack(elsewhere, device="cpu")
        self.assertEqual(elsewhere.asked["dl_device"], (1, 0))
        self.assertEqual(of.from_dlpack(Lender([4], device_kind=3), device="cpu").tolist(), [4])
        self.assertEqual(of.from_dlpack(Lender([4]), device=of.device("cpu")).tolist(), [4])
        with self.assertRaises(RuntimeError):
            of.from_dlpack(Lender([1]), device="nowhere")

    def test_what_is_no_tensor_is_refused(self):
        class Wrong:
            def __dlpack__(self, **options):
                return 3

        class Failing:
            def __dlpack__(self, **options):
                raise BufferError("not today")

        for x, error in [(3, TypeError), ([1.0], TypeError), (Wrong(), TypeError), (Failing(), BufferError)]:
            with self.subTest(x=x), self.assertRaises(error):
                of.from_dlpack(x)
        with self.assertRaises(TypeError):
            of.from_dlpack(np.zeros(3), copy=1)
        with self.assertRaises(TypeError):
            of.from_dlpack(np.zeros(3, complex))
        with self.assertRaises(TypeError):
            of.from_dlpack(x=np.zeros(3))

    def test_lenders_stand_where_arrays_may(self):
        lender = Lender([1, 2, 4])
        np.testing.assert_array_equal(of.array(lender).numpy(), [1, 2, 4])
        a = of.zeros(3)
        of.copyto(a, lender)
        self.assertEqual(a.tolist(), [1, 2, 4])
        gc.collect()
        self.assertEqual(lender.deleted, 2)

    def test_the_last_view_may_go_on_any_thread(self):
        lenders = [Lender([i]) for i in range(50)]
        arrays = [of.from_dlpack(lender) for lender in lenders]

        def drop():
            while arrays:
                try:
                    arrays.pop()
                except IndexError:
                    return

        threads = [threading.Thread(target=drop) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([lender.deleted for lender in lenders], [1] * 50)

    def test_nothing_is_left_behind(self):
        host = np.zeros(3)
        count = sys.getrefcount(host)
        for _ in range(10000):
            np.from_dlpack(of.from_dlpack(host))
            of.from_dlpack(of.from_dlpack(host).__dlpack__())
        self.assertEqual(sys.getrefcount(host), count)


class Pointers(unittest.TestCase):
    def test_addresses(self):
        host = np.arange(6, dtype=np.float32)
        for ptr in (host.ctypes.data, np.uintp(host.ctypes.data), np.int64(host.ctypes.data)):
            a = of.array_from_ptr(ptr, (2, 3), of.f32)
            self.assertEqual((a.shape, a.dtype), ((2, 3), of.f32))
            np.testing.assert_array_equal(a.numpy(), host.reshape(2, 3))
            with self.assertRaisesRegex(ValueError, "read-only"):
                a.fill(0)
            of.array_from_ptr(ptr, 2, np.float32, writable=True).fill(9)
            np.testing.assert_array_equal(host[:3], [9, 9, 2])
            host[:] = np.arange(6)

    def test_arrays_of_numpys(self):
        host = np.arange(6, dtype=np.float32)
        count = sys.getrefcount(host)
        a = of.array_from_ptr(host, (6,), of.f32)
        self.assertEqual(a.tolist(), host.tolist())
        with self.assertRaisesRegex(ValueError, "read-only"):
            of.copyto(a, 1)
        b = of.array_from_ptr(host, (2,), of.vec3(), writable=True)
        b.fill([1.0, 2.0, 3.0])
        np.testing.assert_array_equal(host, [1, 2, 3, 1, 2, 3])
        self.assertEqual(b[1].tolist(), [1, 2, 3])
        self.assertEqual(of.array_from_ptr(host, (6,), of.u32)[0], 0x3F800000)
        self.assertGreater(sys.getrefcount(host), count)
        del a, b
        self.assertEqual(sys.getrefcount(host), count)

    def test_the_array_is_kept(self):
        a = of.array_from_ptr(np.arange(1000, dtype=np.int64), 1000, of.i64)
        gc.collect()
        self.assertEqual(a.tolist(), list(range(1000)))

    def test_nothing_needs_no_address(self):
        self.assertEqual(of.array_from_ptr(0, (0, 3), of.f64).shape, (0, 3))

    def test_what_is_refused(self):
        host, fixed = np.zeros((2, 3)), np.zeros(3)
        fixed.flags.writeable = False
        for error, words, args, options in [
            (ValueError, "48 bytes", (host, 7, of.f64), {}),
            (ValueError, "one after another", (host.T, (3, 2), of.f64), {}),
            (ValueError, "one after another", (host[:, 1:], 4, of.f64), {}),
            (ValueError, "read-only", (fixed, 3, of.f64), {"writable": True}),
            (ValueError, "data is missing", (0, 3, of.f64), {}),
            (ValueError, "no address", (-8, 3, of.f64), {}),
            (ValueError, "no address", (1 << 64, 3, of.f64), {}),
            (ValueError, "negative", (host, -1, of.f64), {}),
            (ValueError, "2.63", (host, 1 << 61, of.f64), {}),
            (ValueError, "dimensions", (host, (1,) * 9, of.f64), {}),
            (ValueError, "dimensions", (host, (1,) * 7, of.mat2()), {}),
            (TypeError, "ptr", (True, 3, of.f64), {}),
            (TypeError, "ptr", (1.0, 3, of.f64), {}),
            (TypeError, "ptr", (np.float64(1), 3, of.f64), {}),
            (TypeError, "ptr", ([1, 2], 2, of.f64), {}),
            (TypeError, "ptr", (None, 2, of.f64), {}),
            (TypeError, "shape", (host, "6", of.f64), {}),
            (TypeError, "dtype", (host, 6, "complex128"), {}),
            (TypeError, "", (host, 6), {}),
            (TypeError, "", (host, 6, of.f64, True), {}),
        ]:
            with self.subTest(args=args), self.assertRaisesRegex(error, words):
                of.array_from_ptr(*args, **options)
        np.testing.assert_array_equal(host, 0)


class StructureOfArrays(unittest.TestCase):
    def test_components_come_from_anywhere(self):
        """The page's example, without its kernel."""
        x, y, z = (np.zeros(4, np.float32) for _ in range(3))
        pos = of.soa(of.from_dlpack(x), of.from_dlpack(y), of.array_from_ptr(z, (4,), of.f32, writable=True))
        of.copyto(pos, np.tile(np.float32([0.5, 1.0, 1.5]), (4, 1)))
        self.assertTrue(np.allclose(y, 1.0) and np.allclose(z, 1.5))
        self.assertTrue(pos.layout == "soa" and pos.components[1].size == 4)


if __name__ == "__main__":
    unittest.main()
