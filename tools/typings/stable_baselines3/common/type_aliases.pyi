"""Stable-Baselines3's batches, as far as the drop-ins make them."""

from typing import NamedTuple

from torch import Tensor

class DictReplayBufferSamples(NamedTuple):
    observations: dict[str, Tensor]
    actions: Tensor
    next_observations: dict[str, Tensor]
    dones: Tensor
    rewards: Tensor
    discounts: Tensor | None = ...
