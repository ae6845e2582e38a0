"""Scans and sorts beside NumPy, PyTorch and JAX."""

import numpy as np

from turns import ARRAY, Call, Task, equal, jax, near, peers_of, torch

SCANS = (("i32", "i64"), ("i64", "i64"), ("f32", "f32"), ("f64", "f64"))
KEYS = ("i32", "i64", "f32")
DTYPES = {"i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64}


def make_numbers(dtype, count):
    """Integers of all sizes, or normal floats."""
    generator = np.random.default_rng(1)
    kind = DTYPES[dtype]
    if dtype.startswith("f"):
        return generator.standard_normal(count, kind), "normal"
    return generator.integers(np.iinfo(kind).min, np.iinfo(kind).max, count, kind, endpoint=True), "uniform"


# ---- Scans ----


def scan_tasks(library, effort):
    """Integers of 32 bits add up to 64. All but JAX write to an array that is there."""
    for source, target in SCANS:
        numbers, data = make_numbers(source, effort.long)
        sums, peer_sums = (np.empty(numbers.size, DTYPES[target]) for _ in range(2))
        functions = {
            "NumPy": lambda x, out: np.cumsum(x, dtype=out.dtype, out=out),
            "PyTorch": lambda x, out: torch.cumsum(x, 0, dtype=out.dtype, out=out),
            "JAX": lambda x, out: jax.numpy.cumsum(x, dtype=out.dtype),
        }
        with library.array(numbers, source) as array, library.array(sums, target) as output:
            yield Task(
                suite="scan-peers",
                operation="scan",
                dtype=source,
                data=data,
                shape=numbers.shape,
                bytes=numbers.nbytes + sums.nbytes,
                ours=Call(library, "of_inclusive_scan", array, output, None, None, written=sums),
                peers=peers_of([numbers, peer_sums], functions),
                same=near if data == "normal" else equal,
            )


# ---- Sorts ----


def numpy_sort_by_key(keys, values):
    order = np.argsort(keys, kind="stable")
    return keys[order], values[order]


def torch_sort_by_key(keys, values):
    sorted_keys, order = torch.sort(keys, stable=True)
    return sorted_keys, values[order]


SORT = {
    "NumPy": lambda keys: np.sort(keys, kind="stable"),
    "PyTorch": lambda keys: torch.sort(keys, stable=True).values,
    "JAX": lambda keys: jax.numpy.sort(keys, stable=True),
}
ARGSORT = {
    "NumPy": lambda keys: np.argsort(keys, kind="stable"),
    "PyTorch": lambda keys: torch.argsort(keys, stable=True),
    "JAX": lambda keys: jax.numpy.argsort(keys, stable=True),
}
SORT_BY_KEY = {
    "NumPy": numpy_sort_by_key,
    "PyTorch": torch_sort_by_key,
    "JAX": lambda keys, values: jax.lax.sort((keys, values), is_stable=True, num_keys=1),
}


def sort_tasks(library, effort):
    for dtype in KEYS:
        keys, data = make_numbers(dtype, effort.rows)
        values = np.arange(keys.size, dtype=np.float64)
        common = {"suite": "sort-peers", "dtype": dtype, "data": data, "shape": keys.shape}
        with library.array(keys, dtype) as key_array, library.array(values, "f64") as value_array:
            yield Task(
                operation="sort",
                bytes=2 * keys.nbytes,
                ours=Call(library, "of_sort", key_array, None, ARRAY),
                peers=peers_of([keys], SORT),
                **common,
            )
            yield Task(
                operation="argsort",
                bytes=keys.nbytes + 4 * keys.size,
                ours=Call(library, "of_argsort", key_array, None, ARRAY),
                peers=peers_of([keys], ARGSORT),
                **common,
            )
            yield Task(
                operation="sort_by_key",
                bytes=2 * (keys.nbytes + values.nbytes),
                ours=Call(library, "of_sort_by_key", key_array, value_array, None, ARRAY, ARRAY),
                peers=peers_of([keys, values], SORT_BY_KEY),
                **common,
            )
