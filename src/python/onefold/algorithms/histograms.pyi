from typing import Any, Literal

import numpy
from numpy.typing import ArrayLike

from onefold import Array

def histogram(
    data: Array | ArrayLike,
    bins: int = 10,
    range: tuple[float, float] | None = None,
    n: int | None = None,
    *,
    outside: Literal["clamp", "drop"] = "clamp",
    weights: Array | ArrayLike | None = None,
) -> tuple[Array, numpy.ndarray[Any, numpy.dtype[numpy.float64]]]: ...
