"""Where PPO's advantages come from: the GAE core, or float64 with the same options."""

import json
from collections.abc import Mapping
from typing import Protocol

import numpy as np

from rlcores.gae import Gae
from rlcores.model import gae_float
from rlcores.train.settings import Ppo


class Advantages(Protocol):
    """Advantages and returns of one rollout after the other."""

    clocks: int  # that the simulated array worked; 0 without one

    def __call__(
        self, rewards, values, terminated, truncated, bootstrap, final_values
    ) -> tuple[np.ndarray, np.ndarray]:
        """(T, N) each, of arrays as rlcores.gae has them."""

    def checkpoint(self) -> dict[str, np.ndarray]:
        """What is kept from rollout to rollout."""

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        """Go on as the one that gave checkpoint() would."""


class FloatAdvantages:
    """float64; rewards standardised or scaled by the statistics of all rewards so far, this rollout's included."""

    clocks = 0

    def __init__(self, settings: Ppo) -> None:
        """Of settings: gamma, lam, reward_scaling."""
        self._settings = settings
        self._sums = np.zeros(3)  # count, sum, sum of squares

    def __call__(self, rewards, values, terminated, truncated, bootstrap, final_values):
        """See Advantages."""
        s = self._settings
        rewards = np.asarray(rewards, np.float64)
        if s.reward_scaling != "none":
            self._sums += rewards.size, rewards.sum(), (rewards**2).sum()
            count, total, squares = self._sums
            mean = total / count
            deviation = np.sqrt(max(squares / count - mean * mean, 0.0))
            # As in the core: rewards without deviation are quantised to 0.
            shift = mean if s.reward_scaling == "standardise" else 0.0
            rewards = (rewards - shift) / deviation if deviation > 1e-12 * max(abs(mean), 1e-300) else rewards * 0
        return gae_float.rollout(rewards, values, terminated, truncated, bootstrap, final_values, s.gamma, s.lam)

    def checkpoint(self) -> dict[str, np.ndarray]:
        """See Advantages."""
        return {"sums": self._sums}

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        """See Advantages."""
        self._sums[:] = kept["sums"]


class CoreAdvantages:
    """The GAE core: its integer model, or the RTL."""

    def __init__(self, settings: Ppo, envs: int, backend: str, config: str | None = None) -> None:
        """config: in configs.yaml; None: a small array for these rollouts. Raises RunFailed when it does not build."""
        self.gae = Gae(
            config or small_parameters(envs, settings.rollout, settings.qbits),
            backend,
            settings.gamma,
            settings.lam,
            qbits=settings.qbits,
            reward_scaling=settings.reward_scaling,
            reward_range=settings.reward_range,
        )
        self.clocks = 0
        self._past: list[np.ndarray] = []
        self._keep = settings.reward_scaling != "none"

    def __call__(self, rewards, values, terminated, truncated, bootstrap, final_values):
        """See Advantages."""
        found = self.gae.compute(rewards, values, terminated, truncated, bootstrap, final_values)
        self.clocks += found.cycles
        if self._keep:
            self._past.append(np.array(rewards, np.float64))
        return found.advantages, found.returns

    def checkpoint(self) -> dict[str, np.ndarray]:
        """The scales that were chosen, and all rewards: the core's sums can be measured again, but not written."""
        past = np.concatenate(self._past) if self._past else np.zeros((0, 1))
        return {"scales": np.array(json.dumps(self.gae.scales)), "rewards": past}

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        """See Advantages."""
        past = np.asarray(kept["rewards"])
        self._past = [past] if len(past) else []
        self.gae.resume(json.loads(str(kept["scales"])), past)


def small_parameters(envs: int, steps: int, qbits: int = 8) -> dict[str, int]:
    """Verilog parameters of a small array: four rows, a lane an environment, a truncation every eighth step."""
    lanes = 1 << max(2, (envs - 1).bit_length())
    depth = min(4096, 1 << (steps + steps // 8).bit_length())
    return {
        "ROWS": 4,
        "LANES": lanes,
        "DEPTH": depth,
        "LOOKAHEAD": 2,
        "INTERLEAVE": 1,
        "SPAN": 1,
        "QBITS": max(8, qbits),
        "OUT_BITS": 16,
        "BEAT": 2,
    }


def make(settings: Ppo, envs: int, backend: str, config: str | None = None) -> Advantages:
    """The source for a backend. Raises UserError for a configuration that does not exist, RunFailed without a build."""
    if backend in ("model", "rtl"):
        return CoreAdvantages(settings, envs, backend, config)
    return FloatAdvantages(settings)
