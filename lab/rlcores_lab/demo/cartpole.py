"""PPO-shaped rollouts of Gymnasium's CartPole-v1 under scripted policies, and a small critic for them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from rlcores.cores.gae import float64 as gae_float

ENVIRONMENT = "CartPole-v1"
_X_LIMIT, _ANGLE_LIMIT = 2.4, 0.2095  # where an episode terminates
_RIDGE = 100.0  # for 16,384 steps: states that were hardly visited keep modest values


@dataclass(frozen=True)
class Observed:
    """T steps of N environments: (T, N) arrays, observations (T, N, 4), last_observations (N, 4) after step T-1.

    final_observations[t, n] is the last observation of an episode truncated at t, NaN elsewhere.
    """

    observations: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    final_observations: np.ndarray
    last_observations: np.ndarray


class CartPoles:
    """N environments, from a policy that balances (environment 0) to one that acts at random (environment N-1).

    Good ones reach the limit of 500 steps and are truncated, poor ones fall and terminate.
    """

    def __init__(self, count: int, seed: int) -> None:
        """count environments, seeded one by one from `seed`."""
        import gymnasium

        self._rng = np.random.default_rng(seed)
        self._environments = [gymnasium.make(ENVIRONMENT) for _ in range(count)]
        seeds = self._rng.integers(2**31, size=count)
        first = [e.reset(seed=int(s))[0] for e, s in zip(self._environments, seeds, strict=True)]
        self._observations = np.array(first, np.float64)
        self._random_share = np.linspace(0, 1, count) ** 2

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        for environment in self._environments:
            environment.close()

    def rollout(self, steps: int, stepped: Callable[[], object] = lambda: None) -> Observed:
        """The next `steps` steps of all environments; stepped() is called after each."""
        count = len(self._environments)
        observations = np.empty((steps, count, 4))
        final = np.full((steps, count, 4), np.nan)
        rewards = np.empty((steps, count))
        terminated, truncated = np.zeros((2, steps, count), bool)
        for t in range(steps):
            observations[t] = self._observations
            for n, (environment, action) in enumerate(zip(self._environments, self._act(), strict=True)):
                seen, rewards[t, n], terminated[t, n], cut, _ = environment.step(action)
                # At the limit of steps an episode can also fall; then it has terminated.
                truncated[t, n] = cut and not terminated[t, n]
                if terminated[t, n] or cut:
                    if truncated[t, n]:
                        final[t, n] = seen
                    seen = environment.reset()[0]
                self._observations[n] = seen
            stepped()
        return Observed(observations, rewards, terminated, truncated, final, self._observations.copy())

    def _act(self) -> list[int]:
        x, speed, angle, spin = self._observations.T
        balance = angle + 0.25 * spin + 0.04 * x + 0.08 * speed > 0
        random = self._rng.random(len(x)) < self._random_share
        return np.where(random, self._rng.random(len(x)) < 0.5, balance).astype(int).tolist()


class Critic:
    """V(observation): a random tanh layer, its output weights fitted by ridge."""

    def __init__(self, seed: int, units: int = 64) -> None:
        """units of the hidden layer, drawn from `seed`. V is 0 until fit()."""
        rng = np.random.default_rng(seed)
        self._hidden = rng.normal(size=(4, units)) / np.array([_X_LIMIT, 2.0, _ANGLE_LIMIT, 2.0])[:, None]
        self._bias = rng.normal(size=units)
        self._weights = np.zeros(units + 1)

    def __call__(self, observations: np.ndarray) -> np.ndarray:
        """Values of observations (..., 4); NaN where an observation is."""
        return self._features(observations) @ self._weights

    def fit(self, seen: Observed, gamma: float, gae_lambda: float, rounds: int = 8) -> None:
        """Fit to the returns of a rollout; each round uses the values of the one before."""
        features = self._features(seen.observations).reshape(-1, len(self._weights))
        gram = features.T @ features + _RIDGE * np.eye(len(self._weights))
        for _ in range(rounds):
            values, bootstrap, final = values_of(self, seen)
            ends = seen.terminated, seen.truncated
            returns = gae_float.rollout(seen.rewards, values, *ends, bootstrap, final, gamma, gae_lambda)[1]
            self._weights = np.linalg.solve(gram, features.T @ returns.ravel())

    def _features(self, observations: np.ndarray) -> np.ndarray:
        layer = np.tanh(observations @ self._hidden + self._bias)
        return np.concatenate([np.ones((*layer.shape[:-1], 1)), layer], axis=-1)


def values_of(critic: Critic, seen: Observed) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What a PPO buffer holds beside the rewards: values (T, N), bootstrap (N,), final_values (T, N) with NaN."""
    return critic(seen.observations), critic(seen.last_observations), critic(seen.final_observations)
