"""Statistics, scans, sorting, runs of equal keys, selection, histograms, copies.

Imported by name: `import onefold` does not load it. Arrays are Arrays of Onefold's or whatever lends its memory,
arrays of numpy's above all, of any shape and strides; they are taken flat, in row-major order, unless a function says
rows. `n` limits a call to the first n elements and is the size of the first array by default; one that is negative or
larger than an array is refused. Vectors and matrices count as one element each. A call that fails has changed nothing.
"""

import sys

from onefold.algorithms.copy import copy, fill_value
from onefold.algorithms.histograms import histogram
from onefold.algorithms.rows import gather, index_add, repeat, scatter
from onefold.algorithms.runs import reduce_by_key, unique
from onefold.algorithms.scan import exclusive_scan, inclusive_scan
from onefold.algorithms.selection import compact, nonzero, partition
from onefold.algorithms.sorting import argsort, merge, reverse, searchsorted, sort, sort_by_key, top_k
from onefold.algorithms.statistics import (
    absmax,
    count_nonzero,
    dot,
    norm,
    std,
    var,
    weighted_mean,
    weighted_sum,
)

__all__ = [
    "absmax",
    "argsort",
    "compact",
    "copy",
    "count_nonzero",
    "dot",
    "exclusive_scan",
    "fill_value",
    "gather",
    "histogram",
    "inclusive_scan",
    "index_add",
    "merge",
    "nonzero",
    "norm",
    "partition",
    "reduce_by_key",
    "repeat",
    "reverse",
    "scatter",
    "searchsorted",
    "sort",
    "sort_by_key",
    "std",
    "top_k",
    "unique",
    "var",
    "weighted_mean",
    "weighted_sum",
]

# `copy` is the function. Importing a submodule binds its name in the package again; under another name of this package
# that would happen late, at the first `from ... .copy import copy_with_offset`, and hide it.
sys.modules[f"{__name__}.copy"] = sys.modules["onefold.algorithms.copy"]
