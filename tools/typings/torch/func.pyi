"""PyTorch's transforms of functions, as far as the drop-ins call them."""

from collections.abc import Callable

from torch import Tensor

def vmap(func: Callable[..., Tensor]) -> Callable[..., Tensor]: ...
