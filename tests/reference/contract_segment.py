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


def repeat(rows, repeats, total_length=None):
    """The list `rows` with each repeated; cut off, or padded with the last, by total_length."""
    out = [row for row, times in zip(rows, repeats) for _ in range(int(times))]
    if total_length is not None:
        out = out[:total_length] + rows[-1:] * (total_length - len(out))
    return out


def index_add(into, indices, src, dtype=None):
    """A new array: each row that indices name is the exact sum of what it was and of its rows of src."""
    name = dtype or contract._NAME[into.dtype]
    out = np.array(into)
    width = int(np.prod(out.shape[1:], dtype=np.int64))
    flat_out, flat_src = out.reshape(out.shape[0], width), src.reshape(src.shape[0], width)
    for j in {int(i) for i in indices}:
        rows = flat_src[[int(i) == j for i in indices]]
        for c in range(width):
            terms = np.concatenate([flat_out[j, c : c + 1], rows[:, c]])
            flat_out[j, c] = contract.sum_(terms, name, acctype=name)
    return out
