"""PyTorch's networks, as far as the drop-ins call them."""

from torch.nn import functional as functional
