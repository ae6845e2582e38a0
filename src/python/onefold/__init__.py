"""Typed arrays, and reductions whose every answer is a function of the values alone.

Every sum is the exact sum, rounded once: the same bits for any number of threads, instruction set, layout or device.

    >>> import onefold
    >>> x = onefold.array([1e16, 1.0, -1e16, 1.0], onefold.f64)
    >>> x.sum()
    2.0

Arrays of numpy's are taken wherever an Array is, without a copy. `onefold.algorithms` (statistics, scans, sorting,
runs) and `onefold.segment` are imported by name.
"""

from onefold._core import Array, DType, __version__
from onefold._creation import (
    arange,
    array,
    asarray,
    concat,
    copyto,
    empty,
    empty_like,
    full,
    full_like,
    ones,
    ones_like,
    soa,
    tensor,
    zeros,
    zeros_like,
)
from onefold._devices import (
    Backend,
    Device,
    device,
    devices,
    get_backend,
    get_instruction_set,
    get_threads,
    instruction_sets,
    set_default_device,
    set_instruction_set,
    set_threads,
)
from onefold._dtypes import (
    bf16,
    bool_,
    f16,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    mat,
    mat2,
    mat3,
    mat4,
    u8,
    u16,
    u32,
    u64,
    vec,
    vec2,
    vec3,
    vec4,
)
from onefold._interchange import array_from_ptr, from_dlpack
from onefold._mapreduce import Workspace, count, mapreduce, mapreducedim, reduce, workspace
from onefold._reductions import (
    absmax,
    all,
    amax,
    amin,
    any,
    argmax,
    argmin,
    count_nonzero,
    dot,
    mean,
    norm,
    prod,
    std,
    sum,
    var,
    weighted_mean,
)

__all__ = [name for name in dir() if not name.startswith("_")]
