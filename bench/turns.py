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

WITHOUT_THREADS = ("NumPy", "pandas", "math.fsum", "xsum")


class Call:
    """A call of Onefold whose last arguments receive new arrays, or a scalar if `arrays` is 0."""

    def __init__(self, library, name, *arguments, arrays=1):
        self.library, self.name, self.arguments = library, name, arguments
        self.arrays = [library.output() for _ in range(arrays)]
        self.scalar = Scalar()

    def run(self):
        self.library.call(self.name, *self.arguments, *(self.arrays or [ctypes.byref(self.scalar)]))

    def __call__(self):
        self.run()
        for array in self.arrays:
            self.library.c.of_array_release(array.contents)

    def answer(self):
        """What it gives, as NumPy arrays or one scalar."""
        self.run()
        return [self.library.take(array)[0] for array in self.arrays] or [value_of(self.scalar)]


# ---- Whether both sides do the same ----


def equal(ours, theirs):
    return np.array_equal(ours, theirs)


def near(ours, theirs):
    """For peers that round at every step."""
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    return ours.shape == theirs.shape and np.allclose(ours, theirs, rtol=1e-3, atol=1e-3 * np.abs(ours).max(initial=1))


# ---- Rows ----


@dataclass
class Task:
    """The call of Onefold, and each peer's function, which gives a list of what the call's `answer` gives."""

    suite: str
    operation: str
    dtype: str
    data: str
    shape: tuple
    bytes: int  # read and written
    ours: Call
    peers: dict[str, Callable]
    same: Callable = equal
    dim: int | None = None


def check(task):
    answer = task.ours.answer()
    for name, run in task.peers.items():
        for own, other in zip(answer, run(), strict=True):
            if not task.same(own, other):
                raise RuntimeError(f"{task.operation} of {task.dtype}: Onefold says {own}, {name} {other}")


def takes_part(name, threads, most_threads):
    """JAX decides on its threads when it starts, and takes all."""
    if name in WITHOUT_THREADS:
        return threads == 1
    return name != "JAX" or threads == most_threads


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
                times[name].append(elapsed)
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
        peers = {name: run for name, run in task.peers.items() if takes_part(name, threads, most_threads)}
        if peers:
            print_rows(library, task, peers, turns)
