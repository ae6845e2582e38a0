from collections.abc import Sequence
from typing import SupportsIndex

from jax import Array
from jax.typing import ArrayLike

def sum(
    input: ArrayLike,
    dim: SupportsIndex | Sequence[SupportsIndex] | None = None,
    keepdim: bool = False,
) -> Array: ...
def segment_sum(x: ArrayLike, segment_ids: ArrayLike, num_segments: SupportsIndex) -> Array: ...
def index_add(into: ArrayLike, indices: ArrayLike, src: ArrayLike) -> Array: ...
def cumsum(input: ArrayLike, dim: SupportsIndex) -> Array: ...
