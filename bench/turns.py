"""Times Onefold and its peers in one Python process, on the same memory, taking turns."""

import ctypes
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from library import Scalar, value_of

try:
    import torch
except ImportError:
    torch = None
try:
    import jax

    jax.config.update("jax_enable_x64", True)
except ImportError:
    jax = None
try:
    import pandas
except ImportError:
    pandas = None


# ---- Onefold's side ----

# Arguments that stand for results: a pointer to a new array, a pointer to a scalar.
ARRAY, SCALAR = object(), object()


class Call:
    """A call of Onefold, which makes its results or writes to an array that is there."""

    def __init__(self, library, name, *arguments, written=None):
        self.library, self.name, self.written = library, name, written
        self.arrays, self.scalars = [], []
        self.arguments = [self.result_for(argument) for argument in arguments]

    def result_for(self, argument):
        if argument is ARRAY:
            self.arrays.append(self.library.output())
            return self.arrays[-1]
        if argument is SCALAR:
            self.scalars.append(Scalar())
            return ctypes.byref(self.scalars[-1])
        return argument

    def run(self):
        self.library.call(self.name, *self.arguments)

    def __call__(self):
        self.run()
        for array in self.arrays:
            self.library.c.of_array_release(array.contents)

    def answer(self):
        """What it gives, as NumPy arrays and scalars."""
        self.run()
        arrays = [self.library.take(array)[0] for array in self.arrays]
        written = [] if self.written is None else [self.written]
        return arrays + written + [value_of(scalar) for scalar in self.scalars]


# ---- The peers' side ----


def on_arrays(function, arrays):
    return lambda: function(*arrays)


def on_tensors(function, arrays):
    tensors = [torch.from_numpy(array) for array in arrays]
    return lambda: function(*tensors)


def compiled(function, arrays):
    arrays = [jax.numpy.asarray(array) for array in arrays]
    function = jax.jit(function)
    return lambda: jax.block_until_ready(function(*arrays))


@dataclass
class Package:
    is_installed: bool
    bind: Callable = on_arrays
    takes_part: Callable = lambda threads, most_threads: threads == 1


NUMPY = Package(True)
PANDAS = Package(pandas is not None)
TORCH = Package(torch is not None, on_tensors, lambda threads, most_threads: True)
# JAX decides on its threads when it starts, and takes all.
JAX = Package(jax is not None, compiled, lambda threads, most_threads: threads == most_threads)

PACKAGES = {
    "pandas": PANDAS,
    "PyTorch": TORCH,
    "index_add": TORCH,
    "scatter_add": TORCH,
    "JAX": JAX,
}


def package_of(peer):
    return PACKAGES.get(peer, NUMPY)


def peers_of(arrays, functions):
    """The functions by name, each on its package's view of the arrays, where that is installed."""
    packages = {name: package_of(name) for name in functions}
    return {name: package.bind(functions[name], arrays) for name, package in packages.items() if package.is_installed}


# ---- Whether both sides do the same ----


def equal(ours, theirs):
    return np.array_equal(ours, theirs)


def near(ours, theirs):
    """For peers that round at every step."""
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    return ours.shape == theirs.shape and np.allclose(theirs, ours, rtol=1e-3, atol=1e-3 * np.abs(ours).max(initial=1))


# ---- Rows ----


@dataclass
class Task:
    """A call of Onefold, and functions by the names of peers that give what the call's `answer` does."""

    suite: str
    operation: str
    dtype: str
    data: str
    shape: tuple
    bytes: int  # read and written
    ours: Call
    peers: dict[str, Callable]
    same: Callable = equal
    inexact: tuple = ()  # peers that are only near
    dim: int | None = None
    calls: int = 1  # that one run makes


def check(task):
    answer = task.ours.answer()
    for name, run in task.peers.items():
        same = near if name in task.inexact else task.same
        theirs = run()
        for own, other in zip(answer, theirs if isinstance(theirs, (list, tuple)) else [theirs], strict=True):
            if not same(own, other):
                raise RuntimeError(f"{task.operation} of {task.dtype}: Onefold says {own}, {name} {other}")


def seconds_of(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def print_rows(library, task, peers, turns):
    """A row for each peer. Turn -1 warms up."""
    times = {name: [] for name in ("ours", *peers)}
    for turn in range(-1, turns):
        for name, run in (("ours", task.ours), *peers.items()):
            elapsed = seconds_of(run)
            if turn >= 0:
                times[name].append(elapsed / task.calls)
    for name in peers:
        ratios = [theirs / own for theirs, own in zip(times[name], times["ours"])]
        row = {
            "suite": task.suite,
            "operation": task.operation,
            "dtype": task.dtype,
            "data": task.data,
            "shape": task.shape,
            "dim": task.dim,
            "threads": library.c.of_threads_get(),
            "isa": library.c.of_isa_get().decode(),
            "bytes": task.bytes,
            "repeats": 1,
            "turns": turns,
            "seconds": statistics.median(times["ours"]),
            "peer": name,
            "peer_seconds": statistics.median(times[name]),
            "limit_seconds": None,
            "ratio": statistics.median(ratios),
            "share": None,
        }
        print(json.dumps(row), flush=True)


def compare(library, task, turns, most_threads):
    """Prints the rows of a task, with one thread and with all."""
    check(task)
    for threads in sorted({1, most_threads}):
        library.call("of_threads_set", threads)
        if torch:
            torch.set_num_threads(threads)
        peers = {name: run for name, run in task.peers.items() if package_of(name).takes_part(threads, most_threads)}
        if peers:
            print_rows(library, task, peers, turns)
