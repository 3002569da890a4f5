"""The GAE core with the signature of torchrl's `torchrl.objectives.value.functional.generalized_advantage_estimate`."""

from typing import Any

import numpy as np

from rlcores.base.arrays import flags, plain
from rlcores.base.attributes import Guarded
from rlcores.base.naming import described
from rlcores.cores.gae.api import Gae, GaeResult
from rlcores.errors import UserError
from rlcores.integrations.cleanrl import like

_ENDS = ("done", "terminated")


class AdvantageEstimate(Guarded):
    """torchrl's function for one gamma and lambda, on one core: keep it in a loop.

    gamma, lmbda: numbers, or tensors of one. options: as rlcores.Gae (config, backend, accuracy, …). .result has
    the last call's error and counters.
    """

    def __init__(self, gamma: Any, lmbda: Any, **options: Any) -> None:
        """Raises UserError when an argument is out of its range, or gamma or lmbda has more than one entry."""
        options = {"config": None, "backend": "native"} | options
        config, backend = options.pop("config"), options.pop("backend")
        self.core = Gae(config, backend, _one("gamma", gamma), _one("lmbda", lmbda), **options)
        self.result: GaeResult | None = None

    def __repr__(self) -> str:
        return described(self, repr(self.core))

    def __call__(
        self,
        state_value: Any,
        next_state_value: Any,
        reward: Any,
        done: Any,
        terminated: Any = None,
        *,
        time_dim: int = -2,
    ) -> tuple[Any, Any]:
        """Advantages and value targets, of the shape, type and device of state_value.

        All have one shape, time along time_dim; terminated: as done if None. Where an episode goes on, the value that
        follows need not be the next step's: what it differs by is a reward. Raises UserError for other shapes.
        """
        inputs = {"state_value": state_value, "next_state_value": next_state_value, "reward": reward, "done": done}
        inputs["terminated"] = done if terminated is None else terminated
        arrays = {name: (flags if name in _ENDS else plain)(name, x) for name, x in inputs.items()}
        shape = arrays["state_value"].shape
        if any(x.shape != shape for x in arrays.values()) or not -len(shape) <= time_dim < len(shape):
            shapes = ", ".join(f"{name} {x.shape}" for name, x in arrays.items())
            raise UserError(f"all must have one shape with time along dimension {time_dim}, and have {shapes}")
        values, following, rewards, ends, stops = (
            np.moveaxis(x, time_dim, 0).reshape(shape[time_dim], -1) for x in arrays.values()
        )
        values, following, rewards = (x.astype(np.float64) for x in (values, following, rewards))
        following = np.where(stops, 0.0, following)
        goes_on = ~ends[:-1]
        rewards[:-1] += np.where(goes_on, self.core.gamma * (following[:-1] - values[1:]), 0.0)
        cut = ends & ~stops
        self.result = self.core.compute(rewards, values, ends & stops, cut, following[-1], following)
        moved = [shape[time_dim], *np.delete(shape, time_dim)]
        estimates = (np.moveaxis(x.reshape(moved), 0, time_dim) for x in (self.result.advantages, self.result.returns))
        advantage, target = (like(x, state_value) for x in estimates)
        return advantage, target


def generalized_advantage_estimate(
    gamma: Any,
    lmbda: Any,
    state_value: Any,
    next_state_value: Any,
    reward: Any,
    done: Any,
    terminated: Any = None,
    *,
    time_dim: int = -2,
    **options: Any,
) -> tuple[Any, Any]:
    """Advantages and value targets of one rollout; see AdvantageEstimate, which options go to."""
    estimate = AdvantageEstimate(gamma, lmbda, **options)
    return estimate(state_value, next_state_value, reward, done, terminated, time_dim=time_dim)


def _one(name: str, value: Any) -> float:
    number = plain(name, value)
    if number.size != 1:
        raise UserError(f"{name} has {number.size} entries; the core takes one for a whole rollout")
    return float(number.reshape(()))
