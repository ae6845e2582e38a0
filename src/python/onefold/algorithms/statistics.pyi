from collections.abc import Sequence
from typing import Literal, overload

from numpy.typing import ArrayLike, DTypeLike

from onefold import Array, DType

@overload
def var(
    data: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: None = None,
    keepdim: Literal[False] = False,
    acctype: DType | DTypeLike | None = None,
) -> float: ...
@overload
def var(
    data: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    acctype: DType | DTypeLike | None = None,
) -> float | Array: ...
@overload
def std(
    data: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: None = None,
    keepdim: Literal[False] = False,
    acctype: DType | DTypeLike | None = None,
) -> float: ...
@overload
def std(
    data: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    acctype: DType | DTypeLike | None = None,
) -> float | Array: ...
@overload
def norm(
    data: Array | ArrayLike,
    ord: float = 2,
    n: int | None = None,
    *,
    dim: None = None,
    keepdim: Literal[False] = False,
    acctype: DType | DTypeLike | None = None,
) -> float: ...
@overload
def norm(
    data: Array | ArrayLike,
    ord: float = 2,
    n: int | None = None,
    *,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    acctype: DType | DTypeLike | None = None,
) -> float | Array: ...
@overload
def absmax(
    data: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: None = None,
    keepdim: Literal[False] = False,
    acctype: DType | DTypeLike | None = None,
) -> float: ...
@overload
def absmax(
    data: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    acctype: DType | DTypeLike | None = None,
) -> float | Array: ...
@overload
def count_nonzero(
    data: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: None = None,
    keepdim: Literal[False] = False,
) -> int: ...
@overload
def count_nonzero(
    data: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
) -> int | Array: ...
@overload
def dot(
    a: Array | ArrayLike,
    b: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: None = None,
    keepdim: Literal[False] = False,
    acctype: DType | DTypeLike | None = None,
) -> float: ...
@overload
def dot(
    a: Array | ArrayLike,
    b: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    acctype: DType | DTypeLike | None = None,
) -> float | Array: ...
@overload
def weighted_sum(
    data: Array | ArrayLike,
    weights: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: None = None,
    keepdim: Literal[False] = False,
    acctype: DType | DTypeLike | None = None,
) -> float: ...
@overload
def weighted_sum(
    data: Array | ArrayLike,
    weights: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    acctype: DType | DTypeLike | None = None,
) -> float | Array: ...
@overload
def weighted_mean(
    data: Array | ArrayLike,
    weights: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: None = None,
    keepdim: Literal[False] = False,
    acctype: DType | DTypeLike | None = None,
) -> float: ...
@overload
def weighted_mean(
    data: Array | ArrayLike,
    weights: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    acctype: DType | DTypeLike | None = None,
) -> float | Array: ...
