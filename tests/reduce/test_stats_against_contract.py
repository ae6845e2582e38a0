"""Compares statistics with contract_stats.py bit for bit: types, pairs of types, n, dims, layouts."""

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
import contract_stats
from library import DTYPES, Library, ReduceOptions, Scalar, dims_of, dtype_code, pointer_to, same, value_of

ORDERS = [1, 2, float("inf")]
SHAPES = [(0,), (1,), (17,), (100,), (257,), (4, 9), (3, 0), (5, 4, 3), (20, 5), (2, 33), ()]


def random_case(rng):
    """(operation, keywords for contract_stats, dims or None, keepdims)"""
    operation = contract_stats.OPERATIONS[rng.integers(5)]
    name = DTYPES[rng.integers(1, len(DTYPES))]
    shape = SHAPES[rng.integers(len(SHAPES))]
    size = int(np.prod(shape, dtype=np.int64))
    case = {"a": cases.laid_out(rng, cases.random_elements(rng, name, size).reshape(shape)), "name": name}
    case["acctype"] = cases.FLOATS[rng.integers(4)] if rng.integers(2) else None
    if operation == "norm":
        case["ord"] = ORDERS[rng.integers(3)]
    dims = None
    if shape and rng.integers(2):
        dims = [int(d) for d in np.flatnonzero(rng.integers(0, 2, len(shape)))]
        dims = [d - len(shape) if rng.integers(2) else d for d in dims]
    elif rng.integers(2):
        case["n"] = int(rng.integers(size + 1))
    if operation in ("dot", "weighted_mean"):
        other = name if rng.integers(2) else DTYPES[rng.integers(1, len(DTYPES))]
        longer = shape if dims is not None else (size + int(rng.integers(9)),)
        elements = cases.random_elements(rng, other, int(np.prod(longer, dtype=np.int64)))
        case["second"], case["second_name"] = cases.laid_out(rng, elements.reshape(longer)), other
    return operation, case, dims, bool(rng.integers(2))


def evaluate(library, operation, case, dims, keepdims):
    code = contract_stats.FIRST_CODE + contract_stats.OPERATIONS.index(operation)
    with contextlib.ExitStack() as stack:
        array = stack.enter_context(library.array(case["a"], case["name"]))
        options = ReduceOptions(acctype=dtype_code(case["acctype"]), ord=case.get("ord", 0))
        options.n = pointer_to(case.get("n"))
        if "second" in case:
            options.second = stack.enter_context(library.array(case["second"], case["second_name"]))
        if dims is None:
            out = Scalar()
            library.call("of_reduce_scalar", array, code, ctypes.byref(options), ctypes.byref(out))
            return value_of(out)
        options.dims, options.keepdims = dims_of(*dims), keepdims
        out = library.output()
        library.call("of_reduce", array, code, ctypes.byref(options), out)
        return library.take(out)[0]


def compare(library, count, seed):
    rng = np.random.default_rng(seed)
    wrong = 0
    for _ in range(count):
        operation, case, dims, keepdims = random_case(rng)
        if dims is None:
            expected = contract_stats.whole(operation, **case)
        else:
            expected = contract_stats.along(operation, dims=dims, keepdims=keepdims, **case)
        got = evaluate(library, operation, case, dims, keepdims)
        if not same(got, expected):
            wrong += 1
            if wrong <= 5:
                print(f"{operation} dims={dims} keepdims={keepdims} of {case}:\n got {got}, expected {expected}")
    print(f"{count - wrong} passed, {wrong} failed")
    return wrong


def refusals(library):
    """What n refuses, as the contract does."""
    wrong = 0
    raw, other = np.zeros((2, 3), np.float32), np.zeros(4)
    for n, second in [(-1, None), (7, None), (5, other), (None, other)]:
        case = {"a": raw, "name": "f32", "acctype": None, "n": n}
        operation = "var"
        if second is not None:
            case["second"], case["second_name"], operation = second, "f64", "dot"
        for call in (lambda: contract_stats.whole(operation, **case),
                     lambda: evaluate(library, operation, case, None, False)):
            try:
                call()
            except ValueError:
                continue
            wrong += 1
            print(f"n={n} was not refused")
    return wrong


def main():
    library = Library()
    wrong = refusals(library)
    for seed, _ in enumerate(library.configurations()):
        wrong += compare(library, 600, 300 + seed)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
