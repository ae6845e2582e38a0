from typing import Any

import numpy
from numpy.typing import ArrayLike

from onefold import Array

def gather(
    src: Array | ArrayLike, indices: Array | ArrayLike, n: int | None = None, *, unchecked: bool = False
) -> Array: ...
def scatter(
    src: Array | ArrayLike,
    indices: Array | ArrayLike,
    dst: Array | numpy.ndarray[Any, Any],
    n: int | None = None,
    *,
    unchecked: bool = False,
) -> None: ...
def repeat(
    x: Array | ArrayLike,
    repeats: Array | ArrayLike,
    *,
    total_length: int | None = None,
    dim: int | None = None,
) -> Array: ...
def index_add(
    into: Array | numpy.ndarray[Any, Any], indices: Array | ArrayLike, src: Array | ArrayLike
) -> None: ...
