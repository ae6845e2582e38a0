"""Reductions beside NumPy, PyTorch and JAX, and exact sums beside others that are exact."""

import ctypes
import math

import numpy as np

from library import ReduceOptions, dims_of
from turns import ARRAY, SCALAR, Call, Task, equal, jax, near, peers_of, torch

try:
    import xsum
except ImportError:
    xsum = None

DTYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}
OPERATIONS = ("sum", "mean", "prod", "min", "max", "argmin", "argmax")
TORCH_NAMES = {"min": "amin", "max": "amax"}


def call_of(library, array, operation, dim):
    code = ctypes.c_int()
    library.call("of_operation_parse", operation.encode(), ctypes.byref(code))
    if dim is None:
        return Call(library, "of_reduce_scalar", array, code, None, SCALAR)
    options = ReduceOptions(dims=dims_of(dim))
    return Call(library, "of_reduce", array, code, ctypes.byref(options), ARRAY)


def with_torch(tensor, operation, dim):
    function = getattr(torch, TORCH_NAMES.get(operation, operation))
    dims = () if dim is None else (dim,)
    if operation == "mean" and not tensor.is_floating_point():
        return function(tensor, *dims, dtype=torch.float64)
    return function(tensor, *dims)


def same_of(numbers, operation):
    """Peers may find another index of the same extreme."""
    if operation in ("argmin", "argmax"):
        return lambda ours, theirs: numbers[int(ours)] == numbers[int(theirs)]
    return equal if operation in ("min", "max") else near


def make_numbers(dtype, count):
    generator = np.random.default_rng(1)
    if np.issubdtype(DTYPES[dtype], np.integer):
        return generator.integers(-1000, 1000, count, DTYPES[dtype]), "uniform"
    return generator.standard_normal(count, DTYPES[dtype]), "normal"


def task_of(library, array, numbers, operation, dtype, data, dim=None):
    functions = {
        "NumPy": lambda x: getattr(np, operation)(x, axis=dim),
        "PyTorch": lambda x: with_torch(x, operation, dim),
        "JAX": lambda x: getattr(jax.numpy, operation)(x, axis=dim),
    }
    return Task(
        suite="peers",
        operation=operation,
        dtype=dtype,
        data=data,
        shape=numbers.shape,
        bytes=numbers.nbytes + (0 if dim is None else numbers.nbytes // numbers.shape[dim]),
        ours=call_of(library, array, operation, dim),
        peers=peers_of([numbers], functions),
        same=same_of(numbers, operation),
        dim=dim,
    )


def whole_tasks(library, effort):
    for dtype in DTYPES:
        numbers, data = make_numbers(dtype, effort.long)
        with library.array(numbers, dtype) as array:
            for operation in OPERATIONS:
                if operation == "prod" and data != "normal":
                    continue  # a product of random integers is soon 0, and done
                yield task_of(library, array, numbers, operation, dtype, data)


def dim_tasks(library, effort):
    count = effort.long
    for dtype in ("f32", "f64"):
        numbers, data = make_numbers(dtype, count)
        for rows, columns in ((count // 4, 4), (4, count // 4), (4096, count // 4096)):
            table = numbers.reshape(rows, columns)
            with library.array(table, dtype) as array:
                for operation, dim in (("sum", 0), ("sum", 1), ("max", 0), ("max", 1)):
                    yield task_of(library, array, table, operation, dtype, data, dim)


# ---- Statistics ----

STATISTICS = {
    "var": {
        "NumPy": lambda x: np.var(x),
        "PyTorch": lambda x: torch.var(x, correction=0),
        "JAX": lambda x: jax.numpy.var(x),
    },
    "std": {
        "NumPy": lambda x: np.std(x),
        "PyTorch": lambda x: torch.std(x, correction=0),
        "JAX": lambda x: jax.numpy.std(x),
    },
    "norm": {
        "NumPy": lambda x: np.linalg.norm(x),
        "PyTorch": lambda x: torch.linalg.vector_norm(x),
        "JAX": lambda x: jax.numpy.linalg.norm(x),
    },
    "dot": {
        "NumPy": lambda x, y: np.dot(x, y),
        "PyTorch": lambda x, y: torch.dot(x, y),
        "JAX": lambda x, y: jax.numpy.dot(x, y),
    },
}


def statistic_tasks(library, effort):
    for dtype in ("f32", "f64"):
        numbers, data = make_numbers(dtype, effort.long)
        others = numbers[::-1].copy()
        with library.array(numbers, dtype) as array, library.array(others, dtype) as second:
            for operation, functions in STATISTICS.items():
                arrays = [numbers, others] if operation == "dot" else [numbers]
                handles = {"dot": [array, second], "norm": [array, ctypes.c_double(2)]}.get(operation, [array])
                yield Task(
                    suite="peers",
                    operation=operation,
                    dtype=dtype,
                    data=data,
                    shape=numbers.shape,
                    bytes=numbers.nbytes * len(arrays),
                    ours=Call(library, f"of_{operation}", *handles, None, SCALAR),
                    peers=peers_of(arrays, functions),
                    same=near,
                )


# ---- Other exact sums ----


def with_xsum(numbers):
    accumulator = xsum.xsum_large_accumulator()
    xsum.xsum_add(accumulator, numbers)
    return xsum.xsum_round(accumulator)


def exact_tasks(library, effort):
    """They give the same bits."""
    count = effort.exact
    generator = np.random.default_rng(1)
    spread = np.ldexp(generator.standard_normal(count), generator.integers(-1000, 1000, count, np.int32))
    datasets = {"normal": generator.standard_normal(count), "2000-binades": spread}
    functions = {"math.fsum": math.fsum} | ({"xsum": with_xsum} if xsum else {})
    for data, numbers in datasets.items():
        with library.array(numbers, "f64") as array:
            yield Task(
                suite="exact",
                operation="sum",
                dtype="f64",
                data=data,
                shape=numbers.shape,
                bytes=numbers.nbytes,
                ours=call_of(library, array, "sum", None),
                peers=peers_of([numbers], functions),
            )
