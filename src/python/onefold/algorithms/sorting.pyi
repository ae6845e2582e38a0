from typing import Literal

from numpy.typing import ArrayLike, DTypeLike

from onefold import Array, DType

def sort(
    keys: Array | ArrayLike, n: int | None = None, *, dim: int | None = None, descending: bool = False
) -> Array: ...
def argsort(
    keys: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: int | None = None,
    descending: bool = False,
    index_dtype: DType | DTypeLike | None = None,
) -> Array: ...
def sort_by_key(
    keys: Array | ArrayLike,
    values: Array | ArrayLike,
    n: int | None = None,
    *,
    dim: int | None = None,
    descending: bool = False,
) -> tuple[Array, Array]: ...
def searchsorted(
    sorted: Array | ArrayLike,
    values: Array | ArrayLike,
    n: int | None = None,
    *,
    side: Literal["left", "right"] = "left",
    descending: bool = False,
    index_dtype: DType | DTypeLike | None = None,
) -> Array: ...
def top_k(
    src: Array | ArrayLike,
    k: int,
    n: int | None = None,
    *,
    dim: int | None = None,
    smallest: bool = False,
    index_dtype: DType | DTypeLike | None = None,
) -> tuple[Array, Array]: ...
def merge(a: Array | ArrayLike, b: Array | ArrayLike, *, descending: bool = False) -> Array: ...
def reverse(src: Array | ArrayLike, n: int | None = None, *, dim: int | None = None) -> Array: ...
