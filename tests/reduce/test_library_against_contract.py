"""Compares the library, through its shared object, with contract.py on random small cases."""

import ctypes
import os
import sys

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))

import cases


class Dims(ctypes.Structure):
    """of_dims."""

    _fields_ = [("given", ctypes.c_bool), ("count", ctypes.c_int), ("axis", ctypes.c_int * 8)]


class Options(ctypes.Structure):
    """of_reduce_opts."""

    _fields_ = [
        ("dims", Dims),
        ("keepdims", ctypes.c_bool),
        ("acctype", ctypes.c_int),
        ("init", ctypes.POINTER(cases.Scalar)),
        ("map", ctypes.c_int),
        ("second", ctypes.c_void_p),
        ("overwrite", ctypes.c_bool),
        ("workspace", ctypes.c_void_p),
    ]


class Error(ctypes.Structure):
    """of_error."""

    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char * 508)]


def load():
    names = [n for n in os.listdir(os.environ["ONEFOLD_BUILD"] + "/src") if n.startswith("libonefold.so")]
    return ctypes.CDLL(os.path.join(os.environ["ONEFOLD_BUILD"], "src", min(names)))


def wrap(library, name, raw):
    """An of_array over the memory of `raw`."""
    array = ctypes.c_void_p()
    size = (ctypes.c_int64 * 1)(raw.size)
    dtype = cases.DTYPES.index(name)
    data = ctypes.c_void_p(raw.ctypes.data)
    status = library.of_array_wrap(
        None, dtype, 1, size, None, data, 0, None, None, ctypes.byref(array), None
    )
    assert status == 0
    return array


def main():
    library = load()

    def evaluate(case):
        init = case.scalar_init()
        array = wrap(library, case.name, case.raw)
        second = None if case.second is None else wrap(library, case.second_name, case.second)
        options = Options(
            acctype=cases.DTYPES.index(case.acctype or "none"),
            init=None if init is None else ctypes.pointer(init),
            map=cases.MAPS.index(case.map),
            second=second,
        )
        out, error = cases.Scalar(), Error()
        operation = cases.OPERATIONS.index(case.operation)
        status = library.of_reduce_scalar(
            array, operation, ctypes.byref(options), ctypes.byref(out), ctypes.byref(error)
        )
        library.of_array_release(array)
        if second is not None:
            library.of_array_release(second)
        return error.message.decode() if status else out.bits

    wrong = 0
    for seed, isa in enumerate([None, "baseline"]):
        status = library.of_isa_set(None if isa is None else isa.encode(), None)
        assert status == 0
        wrong += cases.compare(6000, 100 + seed, evaluate)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
