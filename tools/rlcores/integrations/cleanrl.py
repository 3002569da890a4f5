"""Advantages for PPO written as CleanRL writes it, on the GAE core.

CleanRL's conventions (ppo.py): dones[t] says that the observation of step t is the first of an episode, next_done says
so of the observation after the last step, and next_value is its value. An episode's end is an end, terminated or
truncated: a script that bootstraps truncated episodes adds gamma times the value of the last observation to the reward
before.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcores import configs
from rlcores.bus import Bus
from rlcores.errors import UserError
from rlcores.gae import Gae, Result

_CONFIG = "demo"


class Advantages:
    """The GAE core where a PPO loop has a loop over its steps backwards.

    gamma, gae_lambda  as CleanRL's arguments
    config             name in configs.yaml, or Verilog parameters; None: that of the demo, with lanes as long as the
                       first rollout needs
    backend            "model", "rtl", or a bus (rlcores.backends)
    reward_scaling     "none": advantages and returns are in the unit of the rewards, as CleanRL's are, and every
                       rollout chooses its own scale; "standardise" and "scale": in the unit of standardised rewards,
                       with statistics over all rollouts (see rlcores.gae)
    options            further arguments of rlcores.gae.Gae

    What the core computes is exact for the rewards and values that it quantised; .result has both, and the counters.
    """

    def __init__(
        self,
        gamma: float = 0.99,
        gae_lambda: float = 0.95,
        *,
        config: str | Mapping[str, int] | None = None,
        backend: str | Bus = "model",
        reward_scaling: str = "none",
        **options: Any,
    ) -> None:
        """Raises UserError when an argument is out of its range; the core itself is made with the first rollout."""
        self._arguments = {"gamma": gamma, "lam": gae_lambda, "reward_scaling": reward_scaling, **options}
        self._config, self._backend = config, backend
        self._core: Gae | None = None
        self.result: Result | None = None
        if config is not None or not isinstance(backend, str):
            self._core = Gae(config or _CONFIG, backend, **self._arguments)
        else:
            # Refuse wrong arguments now, at no cost.
            Gae("tiny", "model", **self._arguments)

    def __call__(self, rewards: Any, values: Any, dones: Any, next_value: Any, next_done: Any) -> tuple[Any, Any]:
        """Advantages and returns, (T, N) each, of the kind, type and device of rewards.

        rewards, values, dones: (T, N) arrays or tensors; next_value: N numbers in any shape; next_done: (N,). Raises
        UserError for other shapes, and for numbers that are not finite.
        """
        arrays = [_array(x) for x in (rewards, values, dones)]
        if arrays[0].ndim != 2 or any(x.shape != arrays[0].shape for x in arrays):
            shapes = ", ".join(str(x.shape) for x in arrays)
            raise UserError(f"rewards, values and dones have shapes {shapes}; all must be (steps, environments)")
        last_value, last_done = _array(next_value).reshape(-1), _array(next_done).reshape(-1)
        count = arrays[0].shape[1]
        if len(last_value) != count or len(last_done) != count:
            raise UserError(
                f"next_value and next_done have {len(last_value)} and {len(last_done)} entries, not {count}"
            )
        result = self.result = self._compute(arrays[0], arrays[1], arrays[2], last_value, last_done)
        return _like(result.advantages, rewards), _like(result.returns, rewards)

    def _compute(self, rewards, values, dones, last_value, last_done) -> Result:
        ends = np.vstack([dones[1:], last_done[None]]) != 0
        if self._core is None:
            steps = len(rewards)
            config = configs.load("gae", _CONFIG)
            self._core = Gae(config | {"DEPTH": max(steps, 16)}, self._backend, **self._arguments)
        if self._core.reward_scaling == "none":
            # Nothing is carried from one rollout to the next, so each may have rewards of any size.
            self._core.reset_statistics()
        return self._core.compute(rewards, values, ends, np.zeros(ends.shape, bool), last_value)


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


def _array(given: Any) -> np.ndarray:
    """A float64 array of an array, a tensor on any device, or numbers."""
    if hasattr(given, "detach"):
        given = given.detach().cpu().numpy()
    return np.asarray(given, np.float64)


def _like(found: np.ndarray, given: Any) -> Any:
    """`found` as `given` is: tensor or array, its floating type, its device."""
    if hasattr(given, "detach"):
        import torch

        kind = given.dtype if given.dtype.is_floating_point else torch.float32
        return torch.as_tensor(found, dtype=kind, device=given.device)
    kind = np.asarray(given).dtype
    return found.astype(kind if np.issubdtype(kind, np.floating) else np.float64)
