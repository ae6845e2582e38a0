"""As much of Onefold's C interface as the comparison needs, over NumPy arrays without a copy."""

import contextlib
import ctypes
from ctypes import byref, c_bool, c_char, c_char_p, c_int, c_int64, c_uint64, c_void_p

MOST_DIMS = 8
READ_ONLY = 1


class Scalar(ctypes.Structure):
    _fields_ = [("dtype", c_int), ("bits", c_uint64)]


class Error(ctypes.Structure):
    _fields_ = [("code", c_int), ("message", c_char * 508)]


class Dims(ctypes.Structure):
    _fields_ = [("given", c_bool), ("count", c_int), ("axis", c_int * MOST_DIMS)]


class Options(ctypes.Structure):
    _fields_ = [
        ("dims", Dims),
        ("keepdims", c_bool),
        ("acctype", c_int),
        ("init", c_void_p),
        ("map", c_int),
        ("second", c_void_p),
        ("overwrite", c_bool),
        ("workspace", c_void_p),
    ]


class Onefold:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.of_scalar_to_f64.restype = ctypes.c_double
        self.library.of_scalar_to_f64.argtypes = [Scalar]
        self.library.of_isa_get.restype = c_char_p

    def call(self, name, *arguments):
        """Calls a function that takes an of_error last."""
        error = Error()
        if getattr(self.library, name)(*arguments, byref(error)) != 0:
            raise RuntimeError(f"{name}: {error.message.decode()}")

    def parse(self, function, name):
        code = c_int()
        self.call(function, name.encode(), byref(code))
        return code.value

    def set_threads(self, count):
        self.call("of_threads_set", count)

    def threads(self):
        return self.library.of_threads_get()

    def isa(self):
        return self.library.of_isa_get().decode()

    @contextlib.contextmanager
    def wrap(self, array, dtype):
        """A handle on the memory of a NumPy array, whose elements are of Onefold's type `dtype`."""
        handle = c_void_p()
        shape = (c_int64 * array.ndim)(*array.shape)
        strides = (c_int64 * array.ndim)(*array.strides)
        code = self.parse("of_dtype_parse", dtype)
        data = c_void_p(array.ctypes.data)
        self.call(
            "of_array_wrap", None, code, array.ndim, shape, strides, data, READ_ONLY, None, None, byref(handle)
        )
        try:
            yield handle
        finally:
            self.library.of_array_release(handle)

    def reducer(self, handle, operation, dim=None):
        """A function that reduces the array, and returns a float or, along a dimension, nothing."""
        code = self.parse("of_operation_parse", operation)
        if dim is None:
            return lambda: self.reduce_scalar(handle, code)
        options = Options(dims=Dims(True, 1, (c_int * MOST_DIMS)(dim)))
        return lambda: self.reduce(handle, code, options)

    def reduce_scalar(self, handle, code):
        result = Scalar()
        self.call("of_reduce_scalar", handle, code, None, byref(result))
        return self.library.of_scalar_to_f64(result)

    def reduce(self, handle, code, options):
        result = c_void_p()
        self.call("of_reduce", handle, code, byref(options), byref(result))
        self.library.of_array_release(result)
