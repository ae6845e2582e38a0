"""What a call from Python costs beside NumPy's: reductions of one hundred elements."""

import os
import sys

import numpy as np

from turns import Task, near

sys.path.insert(0, os.path.join(os.environ["ONEFOLD_BUILD"], "python"))
try:
    import onefold
except ImportError:
    onefold = None  # built without the package

FUNCTIONS = {"sum": "sum", "mean": "mean", "max": "amax", "argmax": "argmax"}


class Repeated:
    """The same call again and again; gives its last result."""

    def __init__(self, call, times):
        self.call, self.times = call, times

    def __call__(self):
        call = self.call
        for _ in range(self.times):
            result = call()
        return result

    def answer(self):
        return [np.asarray(self())]


def call_tasks(library, effort):
    numbers = np.random.default_rng(1).standard_normal(100, np.float32)
    sources = {} if onefold is None else {"Array": onefold.array(numbers), "NumPy-array": numbers}
    for data, source in sources.items():
        for name, own_name in FUNCTIONS.items():
            ours, theirs = getattr(onefold, own_name), getattr(np, name)
            yield Task(
                suite="call-peers",
                operation=name,
                dtype="f32",
                data=data,
                shape=numbers.shape,
                bytes=numbers.nbytes,
                ours=Repeated(lambda: ours(source), effort.calls),
                peers={"NumPy": Repeated(lambda: theirs(numbers), effort.calls)},
                same=near,
                calls=effort.calls,
            )
