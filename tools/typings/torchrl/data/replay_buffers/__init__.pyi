"""torchrl's buffers, as far as the drop-ins call them."""

from typing import Any

class Storage:
    max_size: int
    def __init__(self, max_size: int) -> None: ...

class TensorDictReplayBuffer:
    # Further arguments go on to torchrl's ReplayBuffer.
    def __init__(self, *, storage: Storage, **kwargs: Any) -> None: ...
