"""Where PPO's advantages come from: the GAE core, or float64 with the same options."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np

from rlcores.cores.gae import float64 as gae_float
from rlcores.cores.gae import moments
from rlcores.cores.gae.api import ACCURACIES, Gae, fitting
from rlcores.cores.gae.moments import Moments
from rlcores.errors import UserError
from rlcores.train.settings import Ppo


class Advantages(ABC):
    """Advantages and returns of one rollout after the other."""

    clocks = 0  # that the simulated array worked; 0 without one
    statistics = Moments()  # of the rewards so far

    @abstractmethod
    def __call__(
        self, rewards, values, terminated, truncated, bootstrap, final_values
    ) -> tuple[np.ndarray, np.ndarray]:
        """(T, N) each, of arrays as rlcores.cores.gae.api has them."""

    def checkpoint(self) -> dict[str, np.ndarray]:
        """What is kept from rollout to rollout."""
        return _kept(self.statistics)

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        """Go on as the one that gave checkpoint() would."""
        self.statistics = _restored(kept)


class FloatAdvantages(Advantages):
    """float64; rewards standardised or scaled by the statistics of all rewards so far, this rollout's included."""

    def __init__(self, settings: Ppo) -> None:
        """Of settings: gamma, gae_lambda, reward_scaling."""
        self._settings = settings

    def __call__(self, rewards, values, terminated, truncated, bootstrap, final_values):
        s = self._settings
        rewards = np.asarray(rewards, np.float64)
        if s.reward_scaling in moments.SCALINGS[1:]:
            self.statistics = self.statistics.merged(Moments.of(rewards))
            rewards = moments.scaled(rewards, self.statistics, s.reward_scaling)
        return gae_float.rollout(rewards, values, terminated, truncated, bootstrap, final_values, s.gamma, s.gae_lambda)


class CoreAdvantages(Advantages):
    """The GAE core: its integer model, or the RTL."""

    def __init__(self, settings: Ppo, envs: int, backend: str, config: str | None = None, **options) -> None:
        """config: in configs.yaml; None: a small array for these rollouts. options: of Gae, instead of an accuracy.

        Raises RunFailed when the core does not build.
        """
        options = options or {"accuracy": settings.accuracy}
        if config is None:
            bits = options.get("qbits") or ACCURACIES.get(options.get("accuracy"), 16)
            config = fitting(settings.rollout, envs, bits)
        scaling = settings.reward_scaling if settings.reward_scaling in moments.SCALINGS else "none"
        self.gae = Gae(config, backend, settings.gamma, settings.gae_lambda, reward_scaling=scaling, **options)

    def __call__(self, rewards, values, terminated, truncated, bootstrap, final_values):
        found = self.gae.compute(rewards, values, terminated, truncated, bootstrap, final_values)
        self.clocks += found.cycles
        return found.advantages, found.returns

    @property
    def statistics(self) -> Moments:
        """The core's own."""
        return self.gae.statistics

    @statistics.setter
    def statistics(self, known: Moments) -> None:
        self.gae.statistics = known


class ByReturns(Advantages):
    """Another source, its rewards divided by the standard deviation of the discounted return up to each step.

    As Gymnasium's NormalizeReward does it (Engstrom et al. 2020): constant and sparse rewards have such a deviation,
    and values then are about 1 whatever the reward's unit.
    """

    def __init__(self, source: Advantages, settings: Ppo, envs: int) -> None:
        """Of settings: gamma."""
        self._source, self._gamma = source, settings.gamma
        self._sums = np.zeros(envs)

    @property
    def clocks(self) -> int:
        """The source's."""
        return self._source.clocks

    def __call__(self, rewards, values, terminated, truncated, bootstrap, final_values):
        rewards = np.asarray(rewards, np.float64)
        returns = np.empty_like(rewards)
        for t, ended in enumerate(np.asarray(terminated) | np.asarray(truncated)):
            returns[t] = self._sums * self._gamma + rewards[t]
            self._sums = np.where(ended, 0.0, returns[t])
        self.statistics = self.statistics.merged(Moments.of(returns))
        return self._source(rewards / self.statistics.unit, values, terminated, truncated, bootstrap, final_values)

    def checkpoint(self) -> dict[str, np.ndarray]:
        own = {"returns.sums": self._sums, "returns.statistics": _kept(self.statistics)["statistics"]}
        return own | self._source.checkpoint()

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        self._sums = np.array(kept["returns.sums"])
        self.statistics = _restored({"statistics": kept["returns.statistics"]})
        self._source.restore(kept)


def _kept(known: Moments) -> dict[str, np.ndarray]:
    return {"statistics": np.array([known.count, known.mean, known.deviation], np.float64)}


def _restored(kept: Mapping[str, np.ndarray]) -> Moments:
    count, mean, deviation = (float(x) for x in kept["statistics"])
    if not (np.isfinite([count, mean, deviation]).all() and count >= 0 and count == int(count) and deviation >= 0):
        raise UserError(f"the statistics of the rewards are {count}, {mean}, {deviation}: the checkpoint is damaged")
    return Moments(int(count), mean, deviation)


def make(settings: Ppo, envs: int, backend: str, config: str | None = None) -> Advantages:
    """The source for a backend. Raises UserError for a configuration that does not exist, RunFailed without a build."""
    source = (
        CoreAdvantages(settings, envs, backend, config) if backend in ("model", "rtl") else FloatAdvantages(settings)
    )
    return ByReturns(source, settings, envs) if settings.reward_scaling == "returns" else source
