from typing import Any, SupportsIndex

from numpy.typing import ArrayLike

from onefold import Array
from onefold.algorithms.rows import index_add as index_add

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
