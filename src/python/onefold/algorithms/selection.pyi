from numpy.typing import ArrayLike, DTypeLike

from onefold import Array, DType

def compact(src: Array | ArrayLike, flags: Array | ArrayLike, n: int | None = None) -> Array: ...
def partition(
    src: Array | ArrayLike, flags: Array | ArrayLike, n: int | None = None
) -> tuple[Array, int]: ...
def nonzero(
    flags: Array | ArrayLike, n: int | None = None, *, index_dtype: DType | DTypeLike | None = None
) -> Array: ...
