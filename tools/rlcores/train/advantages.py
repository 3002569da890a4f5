"""PPO's advantages and returns from the GAE core, one rollout after the other."""

from collections.abc import Mapping

import numpy as np

from rlcores.cores.gae import moments
from rlcores.cores.gae.api import ACCURACIES, Gae, fitting
from rlcores.cores.gae.moments import Moments
from rlcores.errors import UserError
from rlcores.train.algorithms.ppo import PpoRunSettings


class Advantages:
    """The GAE core: its integer model, or the RTL."""

    clocks = 0  # that the simulated array worked

    def __init__(self, settings: PpoRunSettings, envs: int, backend: str, config: str | None = None, **options) -> None:
        """config: in configs.yaml; None: a small array for these rollouts. options: of Gae, instead of an accuracy.

        Raises RunFailed when the core does not build.
        """
        options = options or {"accuracy": settings.accuracy}
        if config is None:
            bits = options.get("qbits") or ACCURACIES.get(options.get("accuracy"), 16)
            config = fitting(settings.rollout, envs, bits)
        scaling = settings.reward_scaling if settings.reward_scaling in moments.SCALINGS else "none"
        self.gae = Gae(config, backend, settings.gamma, settings.gae_lambda, reward_scaling=scaling, **options)

    def __call__(
        self, rewards, values, terminated, truncated, bootstrap, final_values
    ) -> tuple[np.ndarray, np.ndarray]:
        """(T, N) each, of arrays as rlcores.cores.gae.api has them."""
        result = self.gae.compute(rewards, values, terminated, truncated, bootstrap, final_values)
        self.clocks += result.cycles
        return result.advantages, result.returns

    def checkpoint(self) -> dict[str, np.ndarray]:
        """What is kept from rollout to rollout."""
        return _kept(self.gae.statistics)

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        """Go on as the one that gave checkpoint() would."""
        self.gae.statistics = _restored(kept)


class ByReturns(Advantages):
    """The same, rewards divided by the standard deviation of the discounted return up to each step.

    As Gymnasium's NormalizeReward does it (Engstrom et al. 2020): constant and sparse rewards have such a deviation,
    and values then are about 1 whatever the reward's unit.
    """

    def __init__(self, settings: PpoRunSettings, envs: int, *arguments) -> None:
        super().__init__(settings, envs, *arguments)
        self._gamma, self._sums, self._returns = settings.gamma, np.zeros(envs), Moments()

    def __call__(self, rewards, values, terminated, truncated, bootstrap, final_values):
        rewards = np.asarray(rewards, np.float64)
        returns = np.empty_like(rewards)
        for t, ended in enumerate(np.asarray(terminated) | np.asarray(truncated)):
            returns[t] = self._sums * self._gamma + rewards[t]
            self._sums = np.where(ended, 0.0, returns[t])
        self._returns = self._returns.merged(Moments.of(returns))
        return super().__call__(rewards / self._returns.unit, values, terminated, truncated, bootstrap, final_values)

    def checkpoint(self) -> dict[str, np.ndarray]:
        own = {"returns.sums": self._sums, "returns.statistics": _kept(self._returns)["statistics"]}
        return own | super().checkpoint()

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        self._sums = np.array(kept["returns.sums"])
        self._returns = _restored({"statistics": kept["returns.statistics"]})
        super().restore(kept)


def _kept(known: Moments) -> dict[str, np.ndarray]:
    return {"statistics": np.array([known.count, known.mean, known.deviation], np.float64)}


def _restored(kept: Mapping[str, np.ndarray]) -> Moments:
    count, mean, deviation = (float(x) for x in kept["statistics"])
    if not (np.isfinite([count, mean, deviation]).all() and count >= 0 and count == int(count) and deviation >= 0):
        raise UserError(f"the statistics of the rewards are {count}, {mean}, {deviation}: the checkpoint is damaged")
    return Moments(int(count), mean, deviation)


def make(settings: PpoRunSettings, *arguments) -> Advantages:
    """The source for a plan's settings; arguments as of Advantages."""
    return (ByReturns if settings.reward_scaling == "returns" else Advantages)(settings, *arguments)
