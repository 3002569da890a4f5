"""PPO-shaped rollouts of Gymnasium's CartPole-v1 under scripted policies, and a small critic for them."""

from collections.abc import Callable

import numpy as np

from rlcores.cores.gae import float64 as gae_float
from rlcores.train.actor import Actor, Rollout, RoundRequest

ENVIRONMENT = "CartPole-v1"
_X_LIMIT, _ANGLE_LIMIT = 2.4, 0.2095  # where an episode terminates
_RIDGE = 100.0  # for 16,384 steps: states that were hardly visited keep modest values


class CartPoles:
    """N environments, from a policy that balances (environment 0) to one that acts at random (environment N-1).

    Good ones reach the limit of 500 steps and are truncated, poor ones fall and terminate.
    """

    def __init__(self, count: int, seed: int) -> None:
        """count environments and their policies, by a seed."""
        self._actor = Actor(ENVIRONMENT, None, (1.0,) * 4, seed, (0, count))
        self._rng, self._random_share, self._rounds = np.random.default_rng(seed), np.linspace(0, 1, count) ** 2, 0

    def rollout(self, steps: int, stepped: Callable[[], object] = lambda: None) -> Rollout:
        """The next `steps` steps of all environments; stepped() is called at each."""

        def act(states: np.ndarray) -> np.ndarray:
            stepped()
            x, speed, angle, spin = states.T
            balance = angle + 0.25 * spin + 0.04 * x + 0.08 * speed > 0
            random = self._rng.random(len(x)) < self._random_share
            return np.eye(2)[np.where(random, self._rng.random(len(x)) < 0.5, balance).astype(int)]

        self._rounds += 1
        return self._actor.collect(RoundRequest(self._rounds - 1, steps, "epsilon", act, np.zeros(steps)))


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

    def fit(self, seen: Rollout, gamma: float, gae_lambda: float, rounds: int = 8) -> None:
        """Fit to the returns of a rollout; each round uses the values of the one before."""
        features = self._features(seen.states).reshape(-1, len(self._weights))
        gram = features.T @ features + _RIDGE * np.eye(len(self._weights))
        for _ in range(rounds):
            values, bootstrap, final = values_of(self, seen)
            ends = seen.terminated, seen.truncated
            returns = gae_float.rollout(seen.rewards, values, *ends, bootstrap, final, gamma, gae_lambda)[1]
            self._weights = np.linalg.solve(gram, features.T @ returns.ravel())

    def _features(self, observations: np.ndarray) -> np.ndarray:
        layer = np.tanh(observations @ self._hidden + self._bias)
        return np.concatenate([np.ones((*layer.shape[:-1], 1)), layer], axis=-1)


def values_of(critic: Critic, seen: Rollout) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What a PPO buffer holds beside the rewards: values (T, N), bootstrap (N,), final_values (T, N) with NaN."""
    final = np.where(seen.truncated, critic(seen.following), np.nan)
    return critic(seen.states), critic(seen.last), final
