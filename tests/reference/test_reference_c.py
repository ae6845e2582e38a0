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
        ("ord", ctypes.c_double),
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
            operation=cases.OPERATIONS.index(case.operation),
            dtype=DTYPES.index(case.name),
            elements=case.raw.ctypes.data,
            count=case.raw.size,
            map=cases.MAPS.index(case.map),
            second_dtype=DTYPES.index(case.second_name),
            second=None if case.second is None else case.second.ctypes.data,
            init=pointer_to(init),
            result=DTYPES.index(case.acctype or "none"),
        )
        out = Scalar()
        if not library.ref_reduce(ctypes.byref(call), ctypes.byref(out)):
            return "no value"
        return out.bits

    return 1 if cases.compare(20000, 1, evaluate) else 0


if __name__ == "__main__":
    sys.exit(main())
