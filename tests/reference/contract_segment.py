"""Section 10's segments, in addition to contract.py: products, a sum's identity for every type."""

import numpy as np

import contract

OPERATIONS = "sum min max mean count prod variance".split()  # as in group_operations.def


def empty_segment(name, op):
    return 1 if op == "prod" else contract.empty_segment(name, op)


def storage(name, op):
    if op == "prod":
        return np.int64 if name == "bool" else contract.storage(name)
    return contract._segment_storage(name, op)


def segment(x, ids, num_segments, op="sum", constant=None, dtype=None):
    """As contract.segment; `constant` is an element of the result's type."""
    x, ids = np.asarray(x), np.asarray(ids)
    name = dtype or contract._NAME[x.dtype]
    flat = x.reshape(x.shape[0], int(np.prod(x.shape[1:], dtype=np.int64)))
    fill = empty_segment(name, op) if constant is None else constant
    if name == "bf16" and op == "prod":
        fill = contract.round_to(name, contract.Fraction(1))
    out = np.zeros((num_segments, flat.shape[1]), storage(name, op))
    for s in range(num_segments):
        rows = flat[[int(i) == s for i in ids]]
        for c in range(flat.shape[1]):
            out[s, c] = contract._group(rows[:, c], name, op) if len(rows) else fill
    return out.reshape((num_segments,) + x.shape[1:])
