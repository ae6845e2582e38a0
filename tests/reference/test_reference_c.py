"""Compares the reference in C, which the C tests use, with contract.py: two readings made apart must agree."""

import ctypes
import os
import sys

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

import cases
from library import DTYPES, Scalar, number, pointer_to


class Call(ctypes.Structure):
    """ref_call."""

    _fields_ = [
        ("operation", ctypes.c_int),
        ("dtype", ctypes.c_int),
        ("elements", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("map", ctypes.c_int),
        ("second_dtype", ctypes.c_int),
        ("second", ctypes.c_void_p),
        ("init", ctypes.POINTER(Scalar)),
        ("result", ctypes.c_int),
        ("along_dims", ctypes.c_bool),
    ]


def load():
    path = os.path.join(os.environ["ONEFOLD_BUILD"], "tests", "libreference_for_python.so")
    library = ctypes.CDLL(path)
    library.ref_reduce.restype = ctypes.c_bool
    return library


def main():
    library = load()

    def evaluate(case):
        init = None if case.init is None else number(case.init)
        call = Call(
            cases.OPERATIONS.index(case.operation),
            DTYPES.index(case.name),
            case.raw.ctypes.data,
            case.raw.size,
            cases.MAPS.index(case.map),
            DTYPES.index(case.second_name),
            None if case.second is None else case.second.ctypes.data,
            pointer_to(init),
            DTYPES.index(case.acctype or "none"),
            False,
        )
        out = Scalar()
        if not library.ref_reduce(ctypes.byref(call), ctypes.byref(out)):
            return "no value"
        return out.bits

    return 1 if cases.compare(20000, 1, evaluate) else 0


if __name__ == "__main__":
    sys.exit(main())
