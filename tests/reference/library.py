"""The C library for tests and benchmarks in Python: calls that raise, and arrays to and from NumPy.

    library = Library()
    with library.array(raw, "f32") as x:
        out = library.output()
        library.call("of_argsort", x, None, out)
        order, name = library.take(out)

bf16 elements are NumPy's uint16, as in contract.py.
"""

import contextlib
import ctypes
import os

import numpy as np

import contract

DTYPES = "none bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64".split()
ERRORS = [None, ValueError, TypeError, IndexError, MemoryError, NotImplementedError, OSError]


class Scalar(ctypes.Structure):
    """of_scalar."""

    _fields_ = [("dtype", ctypes.c_int), ("bits", ctypes.c_uint64)]


class Error(ctypes.Structure):
    """of_error."""

    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char * 508)]


class Dims(ctypes.Structure):
    """of_dims."""

    _fields_ = [("given", ctypes.c_bool), ("count", ctypes.c_int), ("axis", ctypes.c_int * 8)]


class ReduceOptions(ctypes.Structure):
    """of_reduce_opts."""

    _fields_ = [
        ("dims", Dims),
        ("keepdims", ctypes.c_bool),
        ("acctype", ctypes.c_int),
        ("init", ctypes.POINTER(Scalar)),
        ("map", ctypes.c_int),
        ("second", ctypes.c_void_p),
        ("overwrite", ctypes.c_bool),
        ("workspace", ctypes.c_void_p),
        ("n", ctypes.POINTER(ctypes.c_int64)),
        ("ord", ctypes.c_double),
    ]


def dims_of(*axes):
    """OF_DIMS(axes)."""
    return Dims(True, len(axes), (ctypes.c_int * 8)(*axes))


def dtype_code(name):
    return DTYPES.index(name or "none")


def scalar(value, name):
    """A Python number or NumPy scalar as an of_scalar of type `name`."""
    if name == "bf16":
        raw = np.uint16(value)
    else:
        raw = np.asarray(value, contract.storage(name))
    return Scalar(dtype_code(name), int.from_bytes(raw.tobytes(), "little"))


def number(value):
    """What a Python number is in C: a float f64, an int i64."""
    return scalar(value, "f64" if isinstance(value, float) else "i64")


def value_of(scalar):
    """The NumPy scalar that an of_scalar holds."""
    raw = scalar.bits.to_bytes(8, "little")
    return np.frombuffer(raw, contract.storage(DTYPES[scalar.dtype]), 1)[0]


def pointer_to(value):
    """NULL for None; else a pointer to a ctypes value, or to an int as int64_t."""
    if value is None:
        return None
    return ctypes.pointer(ctypes.c_int64(value) if isinstance(value, int) else value)


class Library:
    def __init__(self):
        folder = os.path.join(os.environ["ONEFOLD_BUILD"], "src")
        names = [name for name in os.listdir(folder) if name.startswith("libonefold.so")]
        self.c = ctypes.CDLL(os.path.join(folder, min(names)))
        for name, kind in {
            "of_array_data": ctypes.c_void_p,
            "of_array_nbytes": ctypes.c_int64,
            "of_array_shape": ctypes.POINTER(ctypes.c_int64),
            "of_isa_at": ctypes.c_char_p,
            "of_isa_get": ctypes.c_char_p,
        }.items():
            getattr(self.c, name).restype = kind
        self.c.of_array_release.restype = None

    def call(self, name, *arguments):
        """Calls a function that takes an of_error last; raises what its status stands for."""
        error = Error()
        if getattr(self.c, name)(*arguments, ctypes.byref(error)) != 0:
            kind = ERRORS[error.code] if error.code < len(ERRORS) else RuntimeError
            raise kind(error.message.decode())

    @contextlib.contextmanager
    def array(self, raw, name=None, read_only=False):
        """An array over the memory of `raw`, of any shape and strides, without a copy."""
        handle = ctypes.c_void_p()
        sizes = (ctypes.c_int64 * raw.ndim)
        self.call(
            "of_array_wrap",
            None,
            dtype_code(name or contract._NAME[raw.dtype]),
            raw.ndim,
            sizes(*raw.shape),
            sizes(*raw.strides),
            ctypes.c_void_p(raw.ctypes.data),
            int(read_only),
            None,
            None,
            ctypes.byref(handle),
        )
        try:
            yield handle
        finally:
            self.c.of_array_release(handle)

    @staticmethod
    def output():
        """Where a function puts an array or a scalar that it makes: pass it, then take it."""
        return ctypes.pointer(ctypes.c_void_p())

    def take(self, output):
        """(NumPy array, type name) of a new row-major array, which is released."""
        handle = output.contents
        name = DTYPES[self.c.of_array_dtype(handle)]
        shape = self.c.of_array_shape(handle)[: self.c.of_array_ndim(handle)]
        size = self.c.of_array_nbytes(handle)
        raw = ctypes.string_at(self.c.of_array_data(handle), size) if size else b""
        self.c.of_array_release(handle)
        return np.frombuffer(raw, contract.storage(name)).reshape(shape), name

    def instruction_sets(self):
        index = 0
        while (name := self.c.of_isa_at(index)) is not None:
            yield name
            index += 1

    def configurations(self, threads=(1, 2, 3, 7)):
        """Sets each instruction set of this machine with each number of threads in turn."""
        for isa in self.instruction_sets():
            for count in threads:
                self.call("of_isa_set", isa)
                self.call("of_threads_set", count)
                yield isa.decode(), count
        self.call("of_isa_set", None)
        self.call("of_threads_set", 0)


def same(got, expected):
    """Whether two NumPy values have the same type, shape and bytes."""
    got, expected = np.asarray(got), np.asarray(expected)
    return got.dtype == expected.dtype and got.shape == expected.shape and got.tobytes() == expected.tobytes()
