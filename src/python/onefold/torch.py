"""Sums for PyTorch that are exact and rounded once, with gradients of the same kind.

Tensors are taken without a copy; results are tensors of their own. They may be differentiated any number of times, in
reverse and forward, and mapped over a batch by vmap, which takes its cases one after another. A gradient is made of
the same functions: that of a sum broadcasts, that of a segment sum gathers,
that of a running sum is a running sum from the other end, so that every sum in a gradient is exact as well.

    >>> import torch
    >>> from onefold import torch as exact
    >>> x = torch.tensor([1e16, 1.0, -1e16, 1.0], dtype=torch.float64, requires_grad=True)
    >>> y = exact.sum(x)
    >>> y.item()
    2.0
    >>> y.backward()
    >>> x.grad
    tensor([1., 1., 1., 1.], dtype=torch.float64)

RuntimeError: a tensor is not in memory of the CPU. TypeError: its elements are of a type that Onefold does not have.
"""

from functools import partial

import torch
from torch.autograd import Function

import onefold
from onefold import algorithms, segment

__all__ = ["cumsum", "index_add", "segment_sum", "sum"]


def _total_type(dtype):
    """The type of a sum (contract 3, 4)."""
    if dtype.is_floating_point:
        return dtype
    return torch.uint64 if dtype in (torch.uint8, torch.uint16, torch.uint32, torch.uint64) else torch.int64


def _one_by_one(function, info, in_dims, *args):
    """A function's rule for vmap: the cases of a batch one after another."""

    def case(i):
        return [arg.select(dim, i) if isinstance(dim, int) else arg for arg, dim in zip(args, in_dims)]

    return torch.stack([function.apply(*case(i)) for i in range(info.batch_size)]), 0


# ---- Sums ----


class _Sum(Function):
    @staticmethod
    def forward(input, dim, keepdim):
        return torch.from_dlpack(onefold.sum(input.detach(), dim, keepdim))

    @staticmethod
    def setup_context(ctx, inputs, output):
        input, ctx.dim, ctx.keepdim = inputs
        ctx.shape = input.shape

    @staticmethod
    def backward(ctx, grad):
        return _Broadcast.apply(grad, ctx.shape, ctx.dim, ctx.keepdim), None, None

    @staticmethod
    def jvp(ctx, tangent, dim, keepdim):
        return _Sum.apply(tangent, ctx.dim, ctx.keepdim)


class _Broadcast(Function):
    """What a sum over `dim` has summed, from the sum's gradient."""

    @staticmethod
    def forward(grad, shape, dim, keepdim):
        if not keepdim:
            single = hasattr(dim, "__index__")
            dims = range(len(shape)) if dim is None else [dim] if single else dim
            for kept in sorted(d % len(shape) for d in dims):
                grad = grad.unsqueeze(kept)
        return grad.detach().expand(shape)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.shape, ctx.dim, ctx.keepdim = inputs

    @staticmethod
    def backward(ctx, grad):
        return _Sum.apply(grad, ctx.dim, ctx.keepdim), None, None, None

    @staticmethod
    def jvp(ctx, tangent, shape, dim, keepdim):
        return _Broadcast.apply(tangent, ctx.shape, ctx.dim, ctx.keepdim)


def sum(input, dim=None, keepdim=False):
    """The exact sum, rounded once.

    input     any shape and type.
    dim       the dimension or dimensions to sum along; None: all.
    keepdim   True: they stay, with size 1.

    The result has the type of floats, int64 for signed integers and bool, uint64 for unsigned ones, modulo 2**64. All
    else as onefold.sum. The gradient is broadcast.

    ValueError: dim is out of range or given twice.
    """
    return _Sum.apply(input, dim, keepdim)


# ---- Segments ----


class _SegmentSum(Function):
    @staticmethod
    def forward(x, segment_ids, num_segments):
        return torch.from_dlpack(segment.segment_sum(x.detach(), segment_ids, num_segments))

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, segment_ids, ctx.num_segments = inputs
        ctx.save_for_backward(segment_ids)
        ctx.save_for_forward(segment_ids)

    @staticmethod
    def backward(ctx, grad):
        return _SegmentGather.apply(grad, *ctx.saved_tensors), None, None

    @staticmethod
    def jvp(ctx, tangent, segment_ids, num_segments):
        return _SegmentSum.apply(tangent, *ctx.saved_tensors, ctx.num_segments)


class _SegmentGather(Function):
    """The row of its segment for each id, zeros where there is none."""

    @staticmethod
    def forward(rows, segment_ids):
        ids = segment_ids.to(torch.int64)
        inside = (ids >= 0) & (ids < len(rows))
        gathered = rows.new_zeros((len(ids), *rows.shape[1:]))
        gathered[inside] = rows.detach()[ids[inside]]
        return gathered

    @staticmethod
    def setup_context(ctx, inputs, output):
        rows, segment_ids = inputs
        ctx.num_segments = len(rows)
        ctx.save_for_backward(segment_ids)
        ctx.save_for_forward(segment_ids)

    @staticmethod
    def backward(ctx, grad):
        return _SegmentSum.apply(grad, *ctx.saved_tensors, ctx.num_segments), None

    @staticmethod
    def jvp(ctx, tangent, segment_ids):
        return _SegmentGather.apply(tangent, *ctx.saved_tensors)


def segment_sum(x, segment_ids, num_segments):
    """The exact sum of each segment, rounded once; 0 where it is empty.

    x              any tensor of shape (N, ...).
    segment_ids    integers, of shape (N,), in any order. Rows whose id is negative, or num_segments or more, are left
                   out.
    num_segments   how many segments there are; never inferred.

    Returns a tensor of shape (num_segments, ...) and of x's type. All else as onefold.segment.segment_sum. The gradient
    of a row is that of its segment, of one that is left out 0.

    TypeError: num_segments is None; segment_ids are no integers. ValueError: num_segments is negative; segment_ids has
    another shape; x has no dimension.
    """
    return _SegmentSum.apply(x, segment_ids, num_segments)


# ---- Scatter-add ----


class _IndexAdd(Function):
    @staticmethod
    def forward(into, indices, src):
        out = into.detach().clone(memory_format=torch.contiguous_format)
        segment.index_add(out, indices, src.detach())
        return out

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[1])
        ctx.save_for_forward(inputs[1])

    @staticmethod
    def backward(ctx, grad):
        return grad, None, _SegmentGather.apply(grad, *ctx.saved_tensors)

    @staticmethod
    def jvp(ctx, into_tangent, indices, src_tangent):
        return _IndexAdd.apply(into_tangent, *ctx.saved_tensors, src_tangent)


def index_add(into, indices, src):
    """Adds rows to the rows that indices name; every row of the result is the exact sum, rounded once.

    into      any tensor of shape (M, ...), which stays as it is.
    indices   integers, of shape (N,), from 0 to M - 1; any number of them may be equal.
    src       of shape (N, ...) and into's type.

    Returns a new tensor of into's shape and type. The gradient passes to into, and that of a row of src is that of the
    row it went to.

    IndexError: an index is negative, or M or more. ValueError: shapes do not match. TypeError: types differ; indices
    are no integers.
    """
    return _IndexAdd.apply(into, indices, src)


# ---- Running sums ----


class _Cumsum(Function):
    @staticmethod
    def forward(input, dim):
        out = torch.empty(input.shape, dtype=_total_type(input.dtype))
        algorithms.inclusive_scan(input.detach(), out, total=False, dim=dim)
        return out

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.dim = inputs[1]

    @staticmethod
    def backward(ctx, grad):
        return _Cumsum.apply(grad.flip(ctx.dim), ctx.dim).flip(ctx.dim), None

    @staticmethod
    def jvp(ctx, tangent, dim):
        return _Cumsum.apply(tangent, ctx.dim)


def cumsum(input, dim):
    """The running sums along a dimension, each exact and rounded once.

    input   any tensor with a dimension.
    dim     the dimension; negative counts from the end.

    The result has input's shape, and the type that sum gives. The gradient is the running sum from the other end.

    ValueError: dim is out of range.
    """
    return _Cumsum.apply(input, dim)


for function in (_Sum, _Broadcast, _SegmentSum, _SegmentGather, _IndexAdd, _Cumsum):
    function.vmap = staticmethod(partial(_one_by_one, function))
