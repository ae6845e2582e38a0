"""A million calls, right ones and wrong ones, leave nothing behind: no memory, no reference."""

import ctypes
import gc
import os
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

import onefold

IS_SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")  # which keeps freed memory for a while
CALLS = 20000 if IS_SANITIZED else 1000000


def resident_bytes():
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Mallinfo(ctypes.Structure):
    """What mallinfo2 of the C library tells: the bytes in use among others."""

    _fields_ = [(f"field{i}", ctypes.c_size_t) for i in range(10)]

    @property
    def in_use(self):
        return self.field7 + self.field4  # uordblks, hblkhd


def allocated_bytes():
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = Mallinfo
    return mallinfo2().in_use


FLOATS = np.arange(100, dtype=np.float32)
TABLE = np.arange(12.0).reshape(3, 4)
ARRAY = onefold.array(FLOATS)
VECTORS = onefold.zeros(5, onefold.vec3())
PARTS = onefold.soa(onefold.zeros(5), onefold.ones(5))
INTO = np.zeros((1, 4))
TARGET = onefold.zeros((3, 4))
WORKSPACE = onefold.workspace("square", "sum", TABLE)
FROZEN = np.broadcast_to(np.float64(0), (1, 4))
INIT = 10**9 + 7  # an object of its own, with a count of its own

RIGHT = [
    lambda: onefold.sum(ARRAY),
    lambda: onefold.sum(FLOATS),
    lambda: ARRAY.sum(),
    lambda: onefold.sum(TABLE, 0, init=INIT),
    lambda: onefold.argmax(VECTORS, 0, keepdim=True),
    lambda: onefold.amin(PARTS),
    lambda: onefold.norm(TABLE, 1),
    lambda: onefold.dot(TABLE, TABLE, dim=(0, 1)),
    lambda: onefold.mapreduce("product", "sum", TABLE, TABLE),
    lambda: onefold.mapreduce("square", "sum", TABLE, init=INIT, workspace=WORKSPACE),
    lambda: onefold.reduce(max, FLOATS[:0], init=INIT),
    lambda: onefold.mapreducedim("abs", "sum", INTO, TABLE, overwrite=True),
    lambda: onefold.workspace(None, "sum", TABLE, dims=0),
    lambda: onefold.array(TABLE),
    lambda: onefold.array([1.5, 2.5]),
    lambda: onefold.copyto(TARGET, TABLE),
    lambda: TARGET.fill(2),
    lambda: onefold.zeros((2, 2), onefold.vec3(), layout="soa"),
    lambda: onefold.soa(ARRAY, ARRAY).components,
    lambda: (ARRAY.shape, ARRAY.dtype, ARRAY[3], len(ARRAY), VECTORS.ndim),
    lambda: ARRAY.reshape(10, 10),
    lambda: ARRAY.numpy(),
    lambda: memoryview(ARRAY).nbytes,
    lambda: onefold.from_dlpack(FLOATS),
    lambda: np.from_dlpack(ARRAY),
    lambda: onefold.concat([ARRAY, ARRAY]),
    lambda: repr(onefold.f32),
]
WRONG = [
    lambda: onefold.sum(ARRAY, 1),
    lambda: onefold.sum(FLOATS, (0, 0)),
    lambda: onefold.sum(TABLE, 0, init="1"),
    lambda: onefold.sum(TABLE, acctype=onefold.i32),
    lambda: onefold.sum(None),
    lambda: onefold.amax(FLOATS[:0]),
    lambda: onefold.norm(TABLE, 3),
    lambda: onefold.dot(TABLE, FLOATS[:3], dim=0),
    lambda: onefold.mapreduce(abs, "var", TABLE),
    lambda: onefold.mapreduce(len, "sum", TABLE),
    lambda: onefold.reduce("sum", FLOATS, workspace=WORKSPACE),
    lambda: onefold.reduce("sum", FLOATS, workspace=INIT),
    lambda: onefold.mapreducedim(None, "sum", FROZEN, TABLE),
    lambda: onefold.mapreducedim(None, "sum", TABLE[:1], TABLE),
    lambda: onefold.mapreducedim(None, "sum", VECTORS, TABLE),
    lambda: onefold.array([[1], [2, 3]]),
    lambda: onefold.array(TABLE, onefold.vec3()),
    lambda: onefold.copyto(TARGET, FLOATS),
    lambda: onefold.copyto(FLOATS, TARGET),
    lambda: TARGET.fill("x"),
    lambda: onefold.zeros(3, "no type"),
    lambda: onefold.empty((1,) * 9),
    lambda: onefold.soa(ARRAY, VECTORS),
    lambda: ARRAY[1000],
    lambda: ARRAY["x"],
    lambda: iter(ARRAY),
    lambda: ARRAY.reshape(7),
    lambda: onefold.concat([ARRAY, VECTORS]),
    lambda: onefold.from_dlpack(INIT),
    lambda: onefold.device("nothing"),
]


def run(call, times):
    for _ in range(times):
        try:
            call()
        except (TypeError, ValueError, IndexError, RuntimeError, NotImplementedError):
            pass


def counts():
    shared = (FLOATS, TABLE, ARRAY, VECTORS, PARTS, INTO, TARGET, WORKSPACE, FROZEN, INIT, onefold.f32, onefold.vec3())
    return [sys.getrefcount(thing) for thing in (*shared, None, True, onefold.Array, onefold.DType, onefold.Workspace)]


def run_all(count):
    """As many calls, every kind about as often."""
    calls, together = RIGHT + WRONG, 50
    for _ in range(count // (len(calls) * together) + 1):
        for call in calls:
            run(call, together)


def name_of(call):
    return f"RIGHT[{RIGHT.index(call)}]" if call in RIGHT else f"WRONG[{WRONG.index(call)}]"


class NoLeaks(unittest.TestCase):
    def test_the_calls_are_what_they_say(self):
        for call in RIGHT:
            call()
        for number, call in enumerate(WRONG):
            with self.assertRaises(Exception, msg=number):
                call()

    def test_references(self):
        for call in RIGHT + WRONG:
            run(call, 3)
            gc.collect()
            before = counts()
            run(call, 50)
            gc.collect()
            grown = [after - start for after, start in zip(counts(), before)]
            self.assertLess(max(grown), 40, name_of(call))

    def test_objects(self):
        for call in RIGHT + WRONG:
            run(call, 20)
            gc.collect()
            before = sys.getallocatedblocks()
            run(call, 300)
            gc.collect()
            self.assertLess(sys.getallocatedblocks() - before, 250, name_of(call))

    @unittest.skipIf(IS_SANITIZED, "the sanitizer has an allocator of its own")
    def test_allocations(self):
        for call in RIGHT + WRONG:
            run(call, 50)
            gc.collect()
            before = allocated_bytes()
            run(call, 1000)
            gc.collect()
            self.assertLess(allocated_bytes() - before, 4000, name_of(call))

    def test_memory_of_the_process(self):
        run_all(CALLS // 10)
        gc.collect()
        before = resident_bytes()
        run_all(CALLS)
        gc.collect()
        if not IS_SANITIZED:
            self.assertLess(resident_bytes() - before, 4 << 20)


if __name__ == "__main__":
    unittest.main()
