"""Measures Onefold beside other libraries in one Python process, on the same memory, taking turns.

    peers.py LIBRARY [--quick | --tiny]

Prints one line of JSON a row, as onefold_bench does. Peers that are not installed are named.
"""

import argparse
import json
import math
import statistics
import time
from importlib import metadata

import numpy as np

from onefold_ctypes import Onefold

try:
    import torch
except ImportError:
    torch = None
try:
    import xsum
except ImportError:
    xsum = None

DTYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}
OPERATIONS = ("sum", "mean", "prod", "min", "max", "argmin", "argmax")
TORCH_NAMES = {"min": "amin", "max": "amax"}
EFFORTS = {"full": (1 << 26, 9), "quick": (1 << 24, 3), "tiny": (1 << 14, 1)}


def version_of(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


# ---- Measuring ----


def seconds_of(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def compare(description, ours, peers, turns):
    """Prints a row for each peer. Turn -1 warms up."""
    times = {name: [] for name in ("ours", *peers)}
    for turn in range(-1, turns):
        for name, run in (("ours", ours), *peers.items()):
            elapsed = seconds_of(run)
            if turn >= 0:
                times[name].append(elapsed)
    for name in peers:
        ratios = [theirs / own for theirs, own in zip(times[name], times["ours"])]
        figures = {
            "turns": turns,
            "seconds": statistics.median(times["ours"]),
            "peer": name,
            "peer_seconds": statistics.median(times[name]),
            "limit_seconds": None,
            "ratio": statistics.median(ratios),
            "share": None,
        }
        print(json.dumps(description | figures), flush=True)


def describe(onefold, suite, operation, dtype, data, array, dim=None):
    """All of a row but its figures. Bytes are those read and those of the result."""
    result = 0 if dim is None else array.nbytes // array.shape[dim]
    return {
        "suite": suite,
        "operation": operation,
        "dtype": dtype,
        "data": data,
        "shape": list(array.shape),
        "dim": dim,
        "threads": onefold.threads(),
        "isa": onefold.isa(),
        "bytes": array.nbytes + result,
        "repeats": 1,
    }


# ---- Ordinary libraries ----


def ordinary_peers(array, operation, dim, threads):
    """NumPy uses one thread."""
    peers = {}
    if threads == 1:
        peers["NumPy"] = lambda: getattr(np, operation)(array, axis=dim)
    if torch:
        torch.set_num_threads(threads)
        tensor = torch.from_numpy(array)
        function = getattr(torch, TORCH_NAMES.get(operation, operation))
        dims = () if dim is None else (dim,)
        options = {}
        if operation == "mean" and not tensor.is_floating_point():
            options["dtype"] = torch.float64
        peers["PyTorch"] = lambda: function(tensor, *dims, **options)
    return peers


def check(operation, ours, peer):
    """That both sides do the same; sums of others are rounded many times, products of many vanish."""
    if operation != "prod" and not math.isclose(ours, float(peer), rel_tol=1e-3, abs_tol=1e-3):
        raise RuntimeError(f"{operation}: Onefold says {ours}, the peer {peer}")


def make_numbers(dtype, count):
    generator = np.random.default_rng(1)
    if np.issubdtype(DTYPES[dtype], np.integer):
        return generator.integers(-1000, 1000, count, DTYPES[dtype]), "uniform"
    return generator.standard_normal(count, DTYPES[dtype]), "normal"


def compare_ordinary(onefold, operation, dtype, data, array, dim, turns):
    with onefold.wrap(array, dtype) as handle:
        ours = onefold.reducer(handle, operation, dim)
        for threads in (1, onefold.most_threads):
            onefold.set_threads(threads)
            peers = ordinary_peers(array, operation, dim, threads)
            if dim is None:
                for run in peers.values():
                    check(operation, ours(), run())
            row = describe(onefold, "peers", operation, dtype, data, array, dim)
            compare(row, ours, peers, turns)


def bench_ordinary(onefold, count, turns):
    for dtype in DTYPES:
        numbers, data = make_numbers(dtype, count)
        for operation in OPERATIONS:
            if operation == "prod" and data != "normal":
                continue  # a product of random integers is soon 0, and done
            compare_ordinary(onefold, operation, dtype, data, numbers, None, turns)
        if data != "normal":
            continue
        for rows, columns in ((count // 4, 4), (4, count // 4), (4096, count // 4096)):
            table = numbers.reshape(rows, columns)
            for operation, dim in (("sum", 0), ("sum", 1), ("max", 0), ("max", 1)):
                compare_ordinary(onefold, operation, dtype, data, table, dim, turns)


# ---- Other exact sums ----


def xsum_of(array):
    accumulator = xsum.xsum_large_accumulator()
    xsum.xsum_add(accumulator, array)
    return xsum.xsum_round(accumulator)


def bench_exact(onefold, count, turns):
    """They use one thread and give the same bits."""
    onefold.set_threads(1)
    generator = np.random.default_rng(1)
    spread = np.ldexp(generator.standard_normal(count), generator.integers(-1000, 1000, count, np.int32))
    datasets = {"normal": generator.standard_normal(count), "2000-binades": spread}
    for data, array in datasets.items():
        peers = {"math.fsum": lambda: math.fsum(array)}
        if xsum:
            peers["xsum"] = lambda: xsum_of(array)
        with onefold.wrap(array, "f64") as handle:
            ours = onefold.reducer(handle, "sum")
            for name, run in peers.items():
                if run() != ours():
                    raise RuntimeError(f"the exact sum: Onefold says {ours()!r}, {name} {run()!r}")
            row = describe(onefold, "exact", "sum", "f64", data, array)
            compare(row, ours, peers, turns)


def main():
    parser = argparse.ArgumentParser(description="Measures Onefold beside other libraries.")
    parser.add_argument("library")
    parser.add_argument("--quick", dest="effort", action="store_const", const="quick", default="full")
    parser.add_argument("--tiny", dest="effort", action="store_const", const="tiny")
    arguments = parser.parse_args()
    count, turns = EFFORTS[arguments.effort]

    onefold = Onefold(arguments.library)
    onefold.most_threads = onefold.threads()
    print(json.dumps({name: version_of(name) for name in ("numpy", "torch", "xsum")}), flush=True)
    bench_ordinary(onefold, count, turns)
    bench_exact(onefold, min(count, 1 << 22), turns)


if __name__ == "__main__":
    main()
