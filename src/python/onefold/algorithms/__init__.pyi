from onefold.algorithms.copy import copy as copy, fill_value as fill_value
from onefold.algorithms.histograms import histogram as histogram
from onefold.algorithms.rows import gather as gather, index_add as index_add, repeat as repeat, scatter as scatter
from onefold.algorithms.runs import reduce_by_key as reduce_by_key, unique as unique
from onefold.algorithms.scan import exclusive_scan as exclusive_scan, inclusive_scan as inclusive_scan
from onefold.algorithms.selection import compact as compact, nonzero as nonzero, partition as partition
from onefold.algorithms.sorting import argsort as argsort, merge as merge, reverse as reverse, searchsorted as searchsorted, sort as sort, sort_by_key as sort_by_key, top_k as top_k
from onefold.algorithms.statistics import (
    absmax as absmax,
    count_nonzero as count_nonzero,
    dot as dot,
    norm as norm,
    std as std,
    var as var,
    weighted_mean as weighted_mean,
    weighted_sum as weighted_sum,
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
