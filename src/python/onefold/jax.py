"""Sums for JAX that are exact and rounded once, with gradients of the same kind.

They work under jit, grad and vmap, which takes the cases of a batch one after another. The work itself is done by the
host, through jax.pure_callback: on the CPU its arrays are taken without a copy, and other devices send theirs. A gradient
is made of the same functions: that of a sum broadcasts, that of a segment sum gathers, that of a running sum is a running
sum from the other end, so that every sum in a gradient, and in the gradient of one, is exact as well. Forward
differentiation (jvp) is not defined.

    >>> import jax, jax.numpy as jnp
    >>> from onefold import jax as exact
    >>> x = jnp.array([1e8, 1.0, -1e8, 1.0], jnp.float32)
    >>> float(jax.jit(exact.sum)(x))
    2.0
    >>> jax.grad(exact.sum)(x).tolist()
    [1.0, 1.0, 1.0, 1.0]

What is wrong with an argument's shape or type is a ValueError or TypeError at once; what only its values tell, an index
out of range, is an error of JAX's when the work is done.
"""

import operator
from functools import partial

import jax
import jax.numpy as jnp
import numpy
from jax import ShapeDtypeStruct

import onefold
from onefold import algorithms, segment

__all__ = ["cumsum", "index_add", "segment_sum", "sum"]


def _total_type(dtype):
    """The type of a sum (contract 3, 4), as wide as JAX is set up for."""
    if jnp.issubdtype(dtype, jnp.floating):
        return dtype
    return jax.dtypes.canonicalize_dtype(jnp.uint64 if jnp.issubdtype(dtype, jnp.unsignedinteger) else jnp.int64)


def _as_host(result, dtype):
    """An Array as one of numpy's, of a type of JAX's; narrower integers keep the low bits."""
    host = result.numpy() if result.dtype is onefold.bf16 else numpy.from_dlpack(result)
    return host.astype(dtype, copy=False)


def _on_host(function, shape, dtype, *arrays):
    """Has the host work out a result of this shape and type, of an Array."""

    def work(*arrays):
        return _as_host(function(*(numpy.asarray(array) for array in arrays)), dtype)

    return jax.pure_callback(work, ShapeDtypeStruct(shape, dtype), *arrays, vmap_method="sequential")


def _dims(dim, ndim):
    """The dimensions to sum along, from 0 on, in ascending order."""
    single = hasattr(dim, "__index__")
    given = range(ndim) if dim is None else [operator.index(d) for d in ([dim] if single else dim)]
    dims = [d + ndim if d < 0 else d for d in given]
    for d, name in zip(dims, given):
        if not 0 <= d < ndim:
            raise ValueError(f"dim {name} is out of range for an array of {ndim} dimensions")
        if dims.count(d) > 1:
            raise ValueError(f"dim {name} is given twice")
    return tuple(sorted(dims))


def _check_integers(array, name):
    if not jnp.issubdtype(array.dtype, jnp.integer):
        raise TypeError(f"{name} must be integers, not {array.dtype}")


def _check_rows(rows, name, ids, ids_name):
    if rows.ndim == 0:
        raise ValueError(f"{name} has no dimension")
    if ids.shape != rows.shape[:1]:
        raise ValueError(f"{ids_name} has shape {ids.shape}, not {rows.shape[:1]} as {name} has rows")


# ---- Sums ----


@partial(jax.custom_vjp, nondiff_argnums=(1, 2, 3))
def _sum(input, shape, dims, keepdim):
    result = [1 if d in dims else size for d, size in enumerate(shape) if keepdim or d not in dims]
    return _on_host(lambda x: onefold.sum(x, dims, keepdim), tuple(result), _total_type(input.dtype), input)


@partial(jax.custom_vjp, nondiff_argnums=(1, 2, 3))
def _broadcast(grad, shape, dims, keepdim):
    return jnp.broadcast_to(grad if keepdim else jnp.expand_dims(grad, dims), shape)


_sum.defvjp(
    lambda input, *how: (_sum(input, *how), None),
    lambda shape, dims, keepdim, _, grad: (_broadcast(grad, shape, dims, keepdim),),
)
_broadcast.defvjp(
    lambda grad, *how: (_broadcast(grad, *how), None),
    lambda shape, dims, keepdim, _, grad: (_sum(grad, shape, dims, keepdim),),
)


def sum(input, dim=None, keepdim=False):
    """The exact sum, rounded once.

    input     any shape and type.
    dim       the dimension or dimensions to sum along; None: all.
    keepdim   True: they stay, with size 1.

    The result has the type of floats; the widest integer that JAX is set up for, unsigned for unsigned ones, modulo its
    width. All else as onefold.sum. The gradient is broadcast.

    ValueError: dim is out of range or given twice.
    """
    input = jnp.asarray(input)
    return _sum(input, input.shape, _dims(dim, input.ndim), bool(keepdim))


# ---- Segments ----


@partial(jax.custom_vjp, nondiff_argnums=(2,))
def _segment_sum(x, segment_ids, num_segments):
    def work(x, ids):
        return segment.segment_sum(x, ids, num_segments)

    return _on_host(work, (num_segments, *x.shape[1:]), _segment_type(x.dtype), x, segment_ids)


@partial(jax.custom_vjp, nondiff_argnums=(2,))
def _segment_gather(rows, segment_ids, num_segments):
    if num_segments == 0:
        return jnp.zeros((len(segment_ids), *rows.shape[1:]), rows.dtype)
    ids = segment_ids.astype(jax.dtypes.canonicalize_dtype(jnp.int64))
    ids = jnp.where((ids >= 0) & (ids < num_segments), ids, num_segments)
    return jnp.take(rows, ids, axis=0, mode="fill", fill_value=0)


_segment_sum.defvjp(
    lambda x, ids, num_segments: (_segment_sum(x, ids, num_segments), ids),
    lambda num_segments, ids, grad: (_segment_gather(grad, ids, num_segments), None),
)
_segment_gather.defvjp(
    lambda rows, ids, num_segments: (_segment_gather(rows, ids, num_segments), ids),
    lambda num_segments, ids, grad: (_segment_sum(grad, ids, num_segments), None),
)


def _segment_type(dtype):
    return _total_type(dtype) if dtype == jnp.bool_ else dtype


def segment_sum(x, segment_ids, num_segments):
    """The exact sum of each segment, rounded once; 0 where it is empty.

    x              any array of shape (N, ...).
    segment_ids    integers, of shape (N,), in any order. Rows whose id is negative, or num_segments or more, are left
                   out.
    num_segments   how many segments there are, a Python int; never inferred.

    Returns an array of shape (num_segments, ...) and of x's type. All else as onefold.segment.segment_sum. The gradient
    of a row is that of its segment, of one that is left out 0.

    TypeError: num_segments is None; segment_ids are no integers. ValueError: num_segments is negative; segment_ids has
    another shape; x has no dimension.
    """
    x, segment_ids = jnp.asarray(x), jnp.asarray(segment_ids)
    if num_segments is None:
        raise TypeError("num_segments is None; it must be given, since ids do not tell it")
    num_segments = int(num_segments)
    if num_segments < 0:
        raise ValueError(f"num_segments {num_segments} is negative")
    _check_integers(segment_ids, "segment_ids")
    _check_rows(x, "x", segment_ids, "segment_ids")
    return _segment_sum(x, segment_ids, num_segments)


# ---- Scatter-add ----


@jax.custom_vjp
def _index_add(into, indices, src):
    def work(into, indices, src):
        out = onefold.array(into)
        segment.index_add(out, indices, src)
        return out

    return _on_host(work, into.shape, into.dtype, into, indices, src)


_index_add.defvjp(
    lambda into, indices, src: (_index_add(into, indices, src), indices),
    lambda indices, grad: (grad, None, _segment_gather(grad, indices, grad.shape[0])),
)


def index_add(into, indices, src):
    """Adds rows to the rows that indices name; every row of the result is the exact sum, rounded once.

    into      any array of shape (M, ...).
    indices   integers, of shape (N,), from 0 to M - 1; any number of them may be equal.
    src       of shape (N, ...) and into's type.

    Returns an array of into's shape and type. The gradient passes to into, and that of a row of src is that of the row it
    went to.

    ValueError: shapes do not match. TypeError: types differ; indices are no integers. An index that is negative, or M or
    more, is an error when the work is done.
    """
    into, indices, src = jnp.asarray(into), jnp.asarray(indices), jnp.asarray(src)
    if into.dtype != src.dtype:
        raise TypeError(f"src has type {src.dtype}, not {into.dtype} as into")
    _check_integers(indices, "indices")
    _check_rows(src, "src", indices, "indices")
    if into.ndim == 0 or into.shape[1:] != src.shape[1:]:
        raise ValueError(f"src has rows of shape {src.shape[1:]}, into has shape {into.shape}")
    return _index_add(into, indices, src)


# ---- Running sums ----


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def _cumsum(input, dim):
    dtype = _total_type(input.dtype)

    def work(x):
        out = onefold.empty(x.shape, onefold.bf16 if x.dtype == jnp.bfloat16 else dtype)
        algorithms.inclusive_scan(x, out, total=False, dim=dim)
        return out

    return _on_host(work, input.shape, dtype, input)


_cumsum.defvjp(
    lambda input, dim: (_cumsum(input, dim), None),
    lambda dim, _, grad: (jnp.flip(_cumsum(jnp.flip(grad, dim), dim), dim),),
)


def cumsum(input, dim):
    """The running sums along a dimension, each exact and rounded once.

    input   any array with a dimension.
    dim     the dimension; negative counts from the end.

    The result has input's shape, and the type that sum gives. The gradient is the running sum from the other end.

    ValueError: dim is out of range.
    """
    input = jnp.asarray(input)
    return _cumsum(input, *_dims(operator.index(dim), input.ndim))
