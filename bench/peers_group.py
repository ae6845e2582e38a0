"""Runs, segments, histograms and selections beside NumPy, pandas, PyTorch and JAX."""

import ctypes

import numpy as np

from turns import ARRAY, Call, Task, equal, jax, near, pandas, peers_of, torch

DTYPES = {"f32": np.float32, "f64": np.float64, "i64": np.int64}
ROWS_A_GROUP = 100  # on average
BINS, RANGE = 256, (-4.0, 4.0)
SUM = 0  # OF_GROUP_SUM
DROP = 1  # OF_OUTSIDE_DROP


class HistogramOptions(ctypes.Structure):
    """of_histogram_opts."""

    _fields_ = [
        ("range", ctypes.POINTER(ctypes.c_double)),
        ("outside", ctypes.c_int),
        ("weights", ctypes.c_void_p),
        ("n", ctypes.POINTER(ctypes.c_int64)),
    ]


def make_values(dtype, count):
    generator = np.random.default_rng(2)
    if dtype == "i64":
        return generator.integers(-1000, 1000, count)
    return generator.standard_normal(count, DTYPES[dtype])


def make_ids(count):
    """The group of each row, and how many groups there are."""
    groups = max(count // ROWS_A_GROUP, 1)
    return np.random.default_rng(3).integers(0, groups, count), groups


def without(peer, functions):
    return {name: function for name, function in functions.items() if name != peer}


# ---- Runs of equal keys ----


def starts_of(keys):
    return np.concatenate(([0], np.flatnonzero(keys[1:] != keys[:-1]) + 1))


def numpy_unique(keys):
    starts = starts_of(keys)
    return keys[starts], np.diff(starts, append=keys.size)


def pandas_unique(keys):
    counts = pandas.Series(keys).groupby(keys, sort=False).size()
    return counts.index.to_numpy(), counts.to_numpy()


def numpy_reduce_by_key(keys, values):
    starts = starts_of(keys)
    return keys[starts], np.add.reduceat(values, starts)


def pandas_reduce_by_key(keys, values):
    sums = pandas.Series(values).groupby(keys, sort=False).sum()
    return sums.index.to_numpy(), sums.to_numpy()


def torch_reduce_by_key(keys, values):
    runs, counts = torch.unique_consecutive(keys, return_counts=True)
    return runs, torch.segment_reduce(values, "sum", lengths=counts)


UNIQUE = {
    "NumPy": numpy_unique,
    "pandas": pandas_unique,
    "PyTorch": lambda keys: torch.unique_consecutive(keys, return_counts=True),
}
REDUCE_BY_KEY = {"NumPy": numpy_reduce_by_key, "pandas": pandas_reduce_by_key, "PyTorch": torch_reduce_by_key}


def run_tasks(library, effort):
    ids, groups = make_ids(effort.rows)
    keys = np.sort(ids)
    common = {"suite": "group-peers", "data": "sorted-keys", "shape": keys.shape}
    with library.array(keys, "i64") as key_array:
        yield Task(
            operation="unique",
            dtype="i64",
            bytes=keys.nbytes + 12 * groups,
            ours=Call(library, "of_unique", key_array, None, ARRAY, ARRAY, None, None),
            peers=peers_of([keys], UNIQUE),
            **common,
        )
        for dtype in DTYPES:
            values = make_values(dtype, effort.rows)
            functions = without("PyTorch", REDUCE_BY_KEY) if dtype == "i64" else REDUCE_BY_KEY
            with library.array(values, dtype) as value_array:
                yield Task(
                    operation="reduce_by_key",
                    dtype=dtype,
                    bytes=keys.nbytes + values.nbytes + groups * (keys.itemsize + values.itemsize),
                    ours=Call(library, "of_reduce_by_key", key_array, value_array, SUM, None, ARRAY, ARRAY),
                    peers=peers_of([keys, values], functions),
                    same=equal if dtype == "i64" else near,
                    **common,
                )


# ---- Segments ----


def segment_sums(groups):
    """All peers here are deterministic, but give other bits in another order."""

    def add_at(ids, values):
        sums = np.zeros(groups, values.dtype)
        np.add.at(sums, ids, values)
        return sums

    return {
        "add.at": add_at,
        "bincount": lambda ids, values: np.bincount(ids, values, groups),
        "pandas": lambda ids, values: pandas.Series(values).groupby(ids).sum().reindex(range(groups), fill_value=0),
        "index_add": lambda ids, values: torch.zeros(groups, dtype=values.dtype).index_add_(0, ids, values),
        "scatter_add": lambda ids, values: torch.zeros(groups, dtype=values.dtype).scatter_add_(0, ids, values),
        "JAX": lambda ids, values: jax.ops.segment_sum(values, ids, groups),
    }


def segment_tasks(library, effort):
    ids, groups = make_ids(effort.rows)
    for dtype in DTYPES:
        values = make_values(dtype, effort.rows)
        functions = without("bincount", segment_sums(groups)) if dtype == "i64" else segment_sums(groups)
        with library.array(values, dtype) as value_array, library.array(ids, "i64") as id_array:
            yield Task(
                suite="group-peers",
                operation="segment_sum",
                dtype=dtype,
                data="unsorted-ids",
                shape=values.shape,
                bytes=ids.nbytes + values.nbytes + groups * values.itemsize,
                ours=Call(library, "of_segment_sum", value_array, id_array, ctypes.c_int64(groups), None, ARRAY),
                peers=peers_of([ids, values], functions),
                same=equal if dtype == "i64" else near,
            )


# ---- Histograms ----

HISTOGRAM = {
    "NumPy": lambda values: np.histogram(values, BINS, RANGE)[0],
    "PyTorch": lambda values: torch.histc(values, BINS, *RANGE),
    "JAX": lambda values: jax.numpy.histogram(values, BINS, RANGE)[0],
}


def histogram_tasks(library, effort):
    """Bins whose edges are exact in each type, so that all libraries have the same."""
    ends = (ctypes.c_double * 2)(*RANGE)
    options = HistogramOptions(range=ends, outside=DROP)
    for dtype in ("f32", "f64"):
        values = make_values(dtype, effort.rows)
        with library.array(values, dtype) as array:
            yield Task(
                suite="group-peers",
                operation="histogram",
                dtype=dtype,
                data="normal",
                shape=values.shape,
                bytes=values.nbytes,
                ours=Call(library, "of_histogram", array, ctypes.c_int64(BINS), ctypes.byref(options), ARRAY, None),
                peers=peers_of([values], HISTOGRAM),
                inexact=("PyTorch", "JAX"),
            )


# ---- Selections ----

COMPACT = {"NumPy": lambda values, flags: values[flags], "PyTorch": lambda values, flags: values[flags]}


def compact_tasks(library, effort):
    values = make_values("f32", effort.rows)
    flags = values > 0
    with library.array(values, "f32") as value_array, library.array(flags, "bool") as flag_array:
        yield Task(
            suite="group-peers",
            operation="compact",
            dtype="f32",
            data="half-kept",
            shape=values.shape,
            bytes=values.nbytes + flags.nbytes + values.nbytes // 2,
            ours=Call(library, "of_compact", value_array, flag_array, None, ARRAY),
            peers=peers_of([values, flags], COMPACT),
        )
