"""Advantages for PPO written as CleanRL writes it, on the GAE core.

CleanRL's conventions (ppo.py): dones[t] says that the observation of step t is the first of an episode, next_done says
so of the observation after the last step, and next_value is its value. An episode's end is an end, terminated or
truncated: a script that bootstraps truncated episodes adds gamma times the value of the last observation to the reward
before.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from rlcores.base.arrays import flags, plain
from rlcores.base.attributes import Guarded
from rlcores.base.naming import described
from rlcores.buses.bus import Bus
from rlcores.cores.gae.api import Gae, GaeResult, narrowed
from rlcores.errors import UserError


class Advantages(Guarded):
    """The GAE core where a PPO loop has a loop over its steps backwards.

    gamma, gae_lambda  as CleanRL's arguments
    config, backend    as rlcores.Gae; None: a small core that holds the first rollout
    accuracy           "exact16" (default) or "8bit", which takes half the memory
    options            further arguments of rlcores.Gae

    Advantages and returns are in the unit of the rewards, as CleanRL's are, unless reward_scaling says otherwise.
    .result has the last rollout's error and counters.
    """

    def __init__(
        self,
        gamma: float = 0.99,
        gae_lambda: float = 0.95,
        *,
        config: str | Mapping[str, int] | None = None,
        backend: str | Bus = "native",
        accuracy: str | None = None,
        **options: Any,
    ) -> None:
        """Raises UserError when an argument is out of its range."""
        self.core = Gae(config, backend, gamma, gae_lambda, accuracy=accuracy, **options)
        self.result: GaeResult | None = None

    def __repr__(self) -> str:
        return described(self, repr(self.core))

    def __call__(self, rewards: Any, values: Any, dones: Any, next_value: Any, next_done: Any) -> tuple[Any, Any]:
        """Advantages and returns, (T, N) each, of the kind, type and device of rewards.

        rewards, values, dones: (T, N) arrays or tensors; next_value: N numbers in any shape; next_done: (N,). Raises
        UserError for other shapes, and for numbers that are not finite.
        """
        arrays = plain("rewards", rewards), plain("values", values), flags("dones", dones)
        last_value, last_done = plain("next_value", next_value), flags("next_done", next_done)
        if arrays[0].ndim != 2 or any(x.shape != arrays[0].shape for x in arrays):
            shapes = ", ".join(str(x.shape) for x in arrays)
            raise UserError(f"rewards, values and dones have shapes {shapes}; all must be (steps, environments)")
        last_value, last_done = last_value.reshape(-1), last_done.reshape(-1)
        count = arrays[0].shape[1]
        if len(last_value) != count or len(last_done) != count:
            raise UserError(
                f"next_value and next_done have {len(last_value)} and {len(last_done)} entries, not {count}"
            )
        ends = np.vstack([arrays[2][1:], last_done[None]])
        result = self.result = self.core.compute(*arrays[:2], ends, np.zeros(ends.shape, bool), last_value)
        return like(result.advantages, rewards), like(result.returns, rewards)


def advantages(
    rewards: Any,
    values: Any,
    dones: Any,
    next_value: Any,
    next_done: Any,
    gamma: float = 0.99,
    gae_lambda: float = 0.95,
    **options: Any,
) -> tuple[Any, Any]:
    """Advantages and returns of one rollout; options go to Advantages. In a loop, keep an Advantages instead."""
    return Advantages(gamma, gae_lambda, **options)(rewards, values, dones, next_value, next_done)


def like(values: np.ndarray, example: Any) -> Any:
    """`values` as `example` is: tensor or array, its floating type, its device."""
    if hasattr(example, "detach"):
        torch: Any = import_module("torch")

        kind = example.dtype if example.dtype.is_floating_point else torch.float32
        tensor = torch.as_tensor(values, dtype=kind, device=example.device)
        if not torch.isfinite(tensor).all():
            raise UserError(f"a result is beyond the largest {kind}: scale rewards and values down")
        return tensor
    kind = np.asarray(example).dtype
    return narrowed(values, kind.type if np.issubdtype(kind, np.floating) else np.float64)
