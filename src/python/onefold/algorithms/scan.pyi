from collections.abc import Callable
from typing import Any

import numpy
from numpy.typing import ArrayLike

from onefold import Array

FUNCTIONS: dict[Callable[..., Any], str]

def exclusive_scan(
    src: Array | ArrayLike,
    dst: Array | numpy.ndarray[Any, Any],
    n: int | None = None,
    *,
    total: bool = True,
    init: float | None = None,
    op: str | Callable[..., Any] = "sum",
    dim: int | None = None,
) -> Any: ...
def inclusive_scan(
    src: Array | ArrayLike,
    dst: Array | numpy.ndarray[Any, Any],
    n: int | None = None,
    *,
    total: bool = True,
    init: float | None = None,
    op: str | Callable[..., Any] = "sum",
    dim: int | None = None,
) -> Any: ...
