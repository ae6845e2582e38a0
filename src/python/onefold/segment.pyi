from typing import Any, SupportsIndex

from numpy.typing import ArrayLike

from onefold import Array
from onefold.algorithms.rows import index_add as index_add

__all__ = [
    "empty_segment_identity",
    "ids_to_lengths",
    "ids_to_offsets",
    "index_add",
    "lengths_to_offsets",
    "offsets_to_ids",
    "offsets_to_lengths",
    "partition_ids",
    "repeat",
    "segment_count",
    "segment_max",
    "segment_max_or_constant",
    "segment_mean",
    "segment_min",
    "segment_min_or_constant",
    "segment_normalize",
    "segment_prod",
    "segment_softmax",
    "segment_sum",
    "segment_variance",
]

def segment_sum(
    x: Array | ArrayLike,
    segment_ids: Array | ArrayLike,
    num_segments: SupportsIndex,
    *,
    sorted: bool = False,
    check_sorted: bool | None = None,
) -> Array: ...
def segment_min(
    x: Array | ArrayLike,
    segment_ids: Array | ArrayLike,
    num_segments: SupportsIndex,
    *,
    sorted: bool = False,
    check_sorted: bool | None = None,
) -> Array: ...
def segment_max(
    x: Array | ArrayLike,
    segment_ids: Array | ArrayLike,
    num_segments: SupportsIndex,
    *,
    sorted: bool = False,
    check_sorted: bool | None = None,
) -> Array: ...
def segment_mean(
    x: Array | ArrayLike,
    segment_ids: Array | ArrayLike,
    num_segments: SupportsIndex,
    *,
    sorted: bool = False,
    check_sorted: bool | None = None,
) -> Array: ...
def segment_count(
    x: Array | ArrayLike,
    segment_ids: Array | ArrayLike,
    num_segments: SupportsIndex,
    *,
    sorted: bool = False,
    check_sorted: bool | None = None,
) -> Array: ...
def segment_prod(
    x: Array | ArrayLike,
    segment_ids: Array | ArrayLike,
    num_segments: SupportsIndex,
    *,
    sorted: bool = False,
    check_sorted: bool | None = None,
) -> Array: ...
def segment_variance(
    x: Array | ArrayLike,
    segment_ids: Array | ArrayLike,
    num_segments: SupportsIndex,
    *,
    sorted: bool = False,
    check_sorted: bool | None = None,
) -> Array: ...
def segment_min_or_constant(
    x: Array | ArrayLike,
    segment_ids: Array | ArrayLike,
    num_segments: SupportsIndex,
    constant: float,
    *,
    sorted: bool = False,
    check_sorted: bool | None = None,
) -> Array: ...
def segment_max_or_constant(
    x: Array | ArrayLike,
    segment_ids: Array | ArrayLike,
    num_segments: SupportsIndex,
    constant: float,
    *,
    sorted: bool = False,
    check_sorted: bool | None = None,
) -> Array: ...
def segment_softmax(
    x: Array | ArrayLike,
    segment_ids: Array | ArrayLike,
    num_segments: SupportsIndex,
    *,
    sorted: bool = False,
    check_sorted: bool | None = None,
) -> Array: ...
def segment_normalize(
    x: Array | ArrayLike,
    segment_ids: Array | ArrayLike,
    num_segments: SupportsIndex,
    *,
    sorted: bool = False,
    check_sorted: bool | None = None,
) -> Array: ...
def empty_segment_identity(dtype: Any, reduction: str, *, xp: Any) -> Any: ...
def partition_ids(lengths: Array | ArrayLike, total_length: SupportsIndex) -> Array: ...
def lengths_to_offsets(lengths: Array | ArrayLike) -> Array: ...
def offsets_to_lengths(offsets: Array | ArrayLike) -> Array: ...
def offsets_to_ids(offsets: Array | ArrayLike) -> Array: ...
def ids_to_lengths(segment_ids: Array | ArrayLike, num_segments: SupportsIndex) -> Array: ...
def ids_to_offsets(segment_ids: Array | ArrayLike, num_segments: SupportsIndex) -> Array: ...
def repeat(
    x: Array | ArrayLike,
    repeats: Array | ArrayLike,
    *,
    total_length: int | None = None,
    axis: int | None = None,
    dim: int | None = None,
) -> Array: ...
