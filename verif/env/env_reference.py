"""Gymnasium's own environments as the reference: one step from given states, in float64."""

from collections.abc import Callable

import gymnasium
import numpy as np

from rlcores.cores.env.cartpole import THETA_LIMIT, X_LIMIT
from rlcores.cores.env.environments import ENVIRONMENTS


def _cartpole(states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    envs = gymnasium.make_vec("CartPole-v1", num_envs=len(states), vectorization_mode="vector_entry_point").unwrapped
    envs.reset(seed=0)
    envs.state = states.T.copy()
    _, reward, terminated, _, _ = envs.step(actions)
    return envs.state.T, reward, terminated


# (states, actions) in the environment's units -> the states after a step, rewards, terminated.
STEP: dict[str, Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]] = {"cartpole": _cartpole}
# Least and greatest of each element of the states that a step may start from.
LIVE: dict[str, tuple[list[float], list[float]]] = {
    "cartpole": ([-X_LIMIT, -8, -THETA_LIMIT, -8], [X_LIMIT, 8, THETA_LIMIT, 8]),
}


def live_states(name: str, count: int, rng: np.random.Generator) -> np.ndarray:
    """Codes of random states, int64 (count, states)."""
    physics = ENVIRONMENTS[name]
    low, high = (physics.state_codes(limit) for limit in LIVE[name])
    return rng.integers(low, high, (count, len(low)), endpoint=True)


def random_actions(name: str, count: int, rng: np.random.Generator) -> np.ndarray:
    """Codes of random actions, int64 (count,)."""
    physics = ENVIRONMENTS[name]
    if physics.actions:
        return rng.integers(0, physics.actions, count)
    return rng.integers(-(1 << 17), 1 << 17, count)
