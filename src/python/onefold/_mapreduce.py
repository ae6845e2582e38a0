"""mapreduce: one pass that maps every element and folds what comes of it, to a number or along dimensions."""

import builtins
import numbers
import operator

import numpy

from onefold import _core
from onefold._core import Array
from onefold._creation import asarray

MAPS = {"identity": 0, "abs": 1, "square": 2, "product": 3}
MAP_FUNCTIONS = {None: 0, builtins.abs: 1, operator.abs: 1, operator.mul: 3}

OPERATIONS = {
    name: _core.OPERATIONS[name]
    for name in ("sum", "prod", "min", "max", "any", "all", "mean", "absmax", "argmin", "argmax", "count_nonzero")
}
OPERATIONS["count"] = OPERATIONS["count_nonzero"]
OPERATION_FUNCTIONS = {
    operator.add: OPERATIONS["sum"],
    operator.mul: OPERATIONS["prod"],
    builtins.min: OPERATIONS["min"],
    builtins.max: OPERATIONS["max"],
}
LOGICAL_FUNCTIONS = {operator.or_: OPERATIONS["any"], operator.and_: OPERATIONS["all"]}


class Workspace:
    """The scratch memory of a reduction; onefold.workspace makes one.

    nbytes   its size.

    It serves any number of calls like the one that it was made for, one at a time.
    """

    __slots__ = ("_capsule", "_nbytes", "__weakref__")

    def __init__(self, capsule, nbytes):
        self._capsule = capsule
        self._nbytes = nbytes

    @property
    def nbytes(self):
        """Its size in bytes."""
        return self._nbytes

    def __repr__(self):
        return f"<onefold.Workspace of {self.nbytes} bytes>"


def _dtype_of(src):
    """The type of an array's components."""
    try:
        return _core.empty((0,), src.dtype, "aos", None).dtype.scalar
    except (AttributeError, TypeError):
        return asarray(src).dtype.scalar


def _chosen(object, argument, names, functions):
    """The number that a name or a function stands for; None: a function that is not ours."""
    if isinstance(object, str):
        if object in names:
            return names[object]
        raise ValueError(f"{argument} {object!r} is none of {', '.join(names)}")
    if object is None or callable(object):
        try:
            return functions.get(object)
        except TypeError:  # not hashable
            return None
    raise TypeError(f"{argument} {object!r} is neither a name nor a function")


def _map_of(f, sources):
    number = _chosen(f, "f", MAPS, MAP_FUNCTIONS)
    if number is None:
        raise NotImplementedError(
            f"f {f!r}: functions of your own come with kernels; there are None, {', '.join(MAPS)}, abs and operator.mul"
        )
    takes = 2 if number == MAPS["product"] else 1
    if len(sources) != takes:
        raise ValueError(f"f {f!r} takes {takes} arrays, not {len(sources)}")
    return number


def _operation_of(op, map_number, sources):
    number = None if op is None else _chosen(op, "op", OPERATIONS, OPERATION_FUNCTIONS)
    if op is operator.or_ or op is operator.and_:  # of other types they go bit by bit
        if map_number == MAPS["identity"] and _dtype_of(sources[0]).kind == "b":
            number = OPERATIONS["any" if op is operator.or_ else "all"]
    if number is None:
        raise NotImplementedError(
            f"op {op!r}: functions of your own come with kernels; there are {', '.join(OPERATIONS)}, operator.add,"
            " operator.mul, min and max, and of bools operator.or_ and operator.and_"
        )
    return number


def _multiplies_floats(map_number, sources, acctype):
    """Whether the product of such sources is a float."""
    nothing = [_core.empty((0,), _dtype_of(src), "aos", None) for src in sources]
    second = nothing[1] if len(nothing) > 1 else None
    product = _core.reduce_array(OPERATIONS["prod"], nothing[0], second, None, False, acctype, None, None, map_number)
    return product.dtype.kind == "f"


def _check_place(backend, sources):
    if backend is None:
        return
    name = _core.device_find(backend)
    for src in sources:
        held = src.device if isinstance(src, Array) else "cpu"
        if held != name:
            raise ValueError(f"backend is {name}, but an array is on {held}")


def _read(f, op, sources, neutral, acctype, order, alg, backend):
    """The numbers of operation and map, and the second source or None, when all the rest can be done."""
    map_number = _map_of(f, sources)
    operation = _operation_of(op, map_number, sources)
    if neutral is not None and not isinstance(neutral, (numbers.Real, numpy.generic)):
        raise TypeError(f"neutral {neutral!r} is no number")
    if order is not None:
        if not (isinstance(order, str) and order == "index"):
            raise ValueError(f'order {order!r} is neither None nor "index"')
        if operation == OPERATIONS["prod"] and _multiplies_floats(map_number, sources, acctype):
            raise NotImplementedError('order "index" is not there for products of floats')
    if alg is not None and not (isinstance(alg, str) and alg == "auto"):
        raise ValueError(f'alg {alg!r} is neither None nor "auto"')
    _check_place(backend, sources)
    return operation, map_number, sources[1] if len(sources) > 1 else None


def mapreduce(
    f,
    op,
    src,
    *srcs,
    init=None,
    neutral=None,
    acctype=None,
    dims=None,
    order=None,
    alg=None,
    backend=None,
    workspace=None,
):
    """What f makes of every element, folded with op: a number, or along dims an Array.

    f           None or "identity", "square", "abs" or abs, "product" or operator.mul.
    op          "sum" or operator.add, "prod" or operator.mul, "min" or min, "max" or max, "any", "all", of bools also
                operator.or_ and operator.and_, "count"; without init also "mean", "absmax", "argmin", "argmax".
    src, srcs   arrays of one shape, of which f takes one element each: "product" two, the others one.
    init        a number that joins in once, exactly, and is the result of nothing. None: there is none.
    neutral     a number that op leaves others as they are with; changes no bit.
    acctype     a type of scalars for the result. None: as for the functions of these names.
    dims        None: the result is a Python bool, int or float, all digits of an integer. An int or a tuple of ints:
                along these dimensions, which stay with size 1; vectors and matrices are folded component by
                component. (): only f is done.
    order       None, or "index": strictly from left to right.
    alg         None or "auto".
    backend     None, or where the arrays are.
    workspace   what onefold.workspace made for the same call.

    Maps are exact: squares and products of floats are not rounded before they are added; of integers they are taken
    modulo 2**64. Several arrays are read without making the mapped one. Of no elements: init as it is, or else the
    operation's value: 0 for "sum", "count" and "absmax", 1 for "prod", False for "any", True for "all", NaN for
    "mean".

    ValueError: "min", "max", "argmin" or "argmax" of no elements without init; f, op, order or alg is no name of one;
    f takes another number of arrays; shapes differ; dims; a workspace made for another call or in use. TypeError: src
    is no array of numbers; a float init for integers without a float acctype; acctype cannot hold the result.
    NotImplementedError: f or op is a function of your own; order="index" for products of floats.
    """
    sources = (src, *srcs)
    operation, map_number, second = _read(f, op, sources, neutral, acctype, order, alg, backend)
    return _core.reduce(operation, src, second, dims, True, acctype, init, None, map_number, None, workspace)


def reduce(
    op,
    src,
    *,
    init=None,
    neutral=None,
    acctype=None,
    dims=None,
    order=None,
    alg=None,
    backend=None,
    workspace=None,
):
    """mapreduce without a map: every element of src, folded with op. Arguments and errors as there."""
    operation, map_number, _ = _read(None, op, (src,), neutral, acctype, order, alg, backend)
    return _core.reduce(operation, src, None, dims, True, acctype, init, None, map_number, None, workspace)


def count(*args, init=None, neutral=None, dims=None, order=None, alg=None, backend=None, workspace=None):
    """How many elements, after f, are not zero: count(src) or count(f, src, *srcs). An int, or along dims an Array.

    init   an integer to count on from.

    NaN counts, -0.0 does not. Other arguments and errors as for mapreduce.
    """
    if not args:
        raise TypeError("count takes an array")
    f, sources = (None, args) if len(args) == 1 else (args[0], args[1:])
    operation, map_number, second = _read(f, "count", sources, neutral, None, order, alg, backend)
    return _core.reduce(operation, sources[0], second, dims, True, None, init, None, map_number, None, workspace)


def mapreducedim(
    f,
    op,
    R,
    src,
    *srcs,
    init=None,
    neutral=None,
    overwrite=False,
    acctype=None,
    order=None,
    alg=None,
    backend=None,
    workspace=None,
):
    """Folds what f makes of every element into an array that is there, along the dimensions where it has size 1 and src
    does not.

    R           an Array, or an array of numpy's that can be written to, of the shape of src but for those dimensions;
                trailing ones of size 1 may be left off. It must not share memory with src. Of vectors and matrices it
                has such elements too.
    init        each element becomes op(init, what is folded). None: op(element, what is folded), and for a sum the
                old element is one more exact term, rounded once to R's type.
    overwrite   True, without init: each element becomes what is folded.

    Other arguments as for mapreduce. Where there is nothing to fold, the element becomes init, or stays as it is.
    Returns R.

    ValueError: shapes do not match; R shares memory with src, or is read-only; "mean", "absmax", "argmin" or "argmax"
    without overwrite. TypeError: R is no array, or of a type that cannot hold the result. Others as for mapreduce. R
    is unchanged then; but after Ctrl-C it is written to until the work ends.
    """
    sources = (src, *srcs)
    operation, map_number, second = _read(f, op, sources, neutral, acctype, order, alg, backend)
    _core.reduce_into(
        operation, src, second, None, False, acctype, init, None, map_number, None, workspace, R, overwrite
    )
    return R


def workspace(f, op, src, *srcs, R=None, init=None, overwrite=False, acctype=None, dims=None):
    """The scratch memory that a call of mapreduce with these arguments, or with R one of mapreducedim, would allocate.

    Given to such calls as `workspace`, it saves them that. It serves arrays of the same type, shape and strides, one
    call at a time. Errors as for the call.
    """
    operation, map_number, second = _read(f, op, (src, *srcs), None, acctype, None, None, None)
    made = _core.workspace(
        operation, src, second, dims, False, acctype, init, None, map_number, None, None, R, overwrite
    )
    return Workspace(*made)
