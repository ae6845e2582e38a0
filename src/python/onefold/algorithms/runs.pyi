from typing import Literal, overload

from numpy.typing import ArrayLike, DTypeLike

from onefold import Array, DType

@overload
def unique(
    keys: Array | ArrayLike,
    n: int | None = None,
    *,
    return_index: Literal[False] = False,
    return_inverse: Literal[False] = False,
    index_dtype: DType | DTypeLike | None = None,
) -> tuple[Array, Array]: ...
@overload
def unique(
    keys: Array | ArrayLike,
    n: int | None = None,
    *,
    return_index: bool = False,
    return_inverse: bool = False,
    index_dtype: DType | DTypeLike | None = None,
) -> tuple[Array, ...]: ...
def reduce_by_key(
    keys: Array | ArrayLike,
    values: Array | ArrayLike,
    op: str = "sum",
    n: int | None = None,
    *,
    index_dtype: DType | DTypeLike | None = None,
) -> tuple[Array, Array]: ...
