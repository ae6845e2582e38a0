from typing import Any

import numpy
from numpy.typing import ArrayLike

from onefold import Array

def copy(src: Array | ArrayLike, dst: Array | numpy.ndarray[Any, Any], n: int | None = None) -> None: ...
def copy_with_offset(
    src: Array | ArrayLike, dst: Array | numpy.ndarray[Any, Any], dst_offset: int, n: int | None = None
) -> None: ...
def fill_value(dst: Array | numpy.ndarray[Any, Any], value: ArrayLike, n: int | None = None) -> None: ...
