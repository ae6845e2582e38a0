"""Compares the library, through its shared object, with contract.py on random small cases."""

import contextlib
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
from library import Library, ReduceOptions, Scalar, dtype_code, number, pointer_to


def evaluate(library, case):
    """The bits of of_reduce_scalar's answer, or its message."""
    out = Scalar()
    with contextlib.ExitStack() as stack:
        array = stack.enter_context(library.array(case.raw, case.name))
        options = ReduceOptions(
            acctype=dtype_code(case.acctype),
            init=pointer_to(None if case.init is None else number(case.init)),
            map=cases.MAPS.index(case.map),
        )
        if case.second is not None:
            options.second = stack.enter_context(library.array(case.second, case.second_name))
        operation = cases.OPERATIONS.index(case.operation)
        try:
            library.call("of_reduce_scalar", array, operation, ctypes.byref(options), ctypes.byref(out))
        except Exception as error:
            return str(error)
    return out.bits


def main():
    library = Library()
    wrong = 0
    for seed, isa in enumerate([None, b"baseline"]):
        library.call("of_isa_set", isa)
        wrong += cases.compare(6000, 100 + seed, lambda case: evaluate(library, case))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
