"""TensorDict, as far as the drop-ins call it."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

class TensorDict:
    def __init__(self, source: Mapping[str, Any], batch_size: Sequence[int]) -> None: ...
    def unflatten_keys(self, separator: str = ...) -> Self: ...
