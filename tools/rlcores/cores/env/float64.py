"""Gymnasium's own environments as the reference: one step from given states, in float64. It must be installed."""

from collections.abc import Callable

import numpy as np

from rlcores.cores.env.cartpole import THETA_LIMIT, X_LIMIT
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.physics import ACTION_FRACTION


def _cartpole(states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    import gymnasium

    envs = gymnasium.make_vec("CartPole-v1", num_envs=len(states), vectorization_mode="vector_entry_point").unwrapped
    envs.reset(seed=0)
    envs.state = states.T.copy()
    _, reward, terminated, _, _ = envs.step(actions)
    return envs.state.T, reward, terminated


def _car(name: str) -> Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]:
    # Gymnasium has no vector of them: one car is put into each state.
    def step(states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        import gymnasium

        car = gymnasium.make(name).unwrapped
        car.reset(seed=0)
        given = actions.tolist() if car.action_space.shape == () else actions[:, None]
        found, rewards, terminated = [], [], []
        for state, action in zip(states, given, strict=True):
            car.state = state
            _, reward, end, _, _ = car.step(action)
            found.append(tuple(car.state))
            rewards.append(reward)
            terminated.append(end)
        return np.array(found, float), np.array(rewards, float), np.array(terminated)

    return step


def _pendulum(states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    import gymnasium

    # Its step is written in array operations, so that one pendulum may be many.
    pendulum = gymnasium.make("Pendulum-v1").unwrapped
    pendulum.reset(seed=0)
    pendulum.state = states.T
    _, reward, _, _, _ = pendulum.step(actions[None])
    theta, theta_dot = pendulum.state
    return np.stack([_within_a_turn(theta), theta_dot], axis=-1), reward, np.zeros(len(states), bool)


def _acrobot(states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    from gymnasium.envs.classic_control.acrobot import AcrobotEnv

    # Gymnasium's equations of motion take arrays; its Runge-Kutta step, which does not, is written again.
    acrobot = AcrobotEnv()

    def derivative(y: np.ndarray) -> np.ndarray:
        return np.stack(np.broadcast_arrays(*acrobot._dsdt([*y, actions - 1.0])[:4]))

    y, dt = states.T, acrobot.dt
    k1 = derivative(y)
    k2 = derivative(y + dt / 2 * k1)
    k3 = derivative(y + dt / 2 * k2)
    k4 = derivative(y + dt * k3)
    theta1, theta2, speed1, speed2 = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    speed1 = np.clip(speed1, -acrobot.MAX_VEL_1, acrobot.MAX_VEL_1)
    speed2 = np.clip(speed2, -acrobot.MAX_VEL_2, acrobot.MAX_VEL_2)
    terminated = -np.cos(theta1) - np.cos(theta1 + theta2) > 1.0
    new = np.stack([_within_a_turn(theta1), _within_a_turn(theta2), speed1, speed2], axis=-1)
    return new, np.where(terminated, 0.0, -1.0), terminated


def _within_a_turn(angle: np.ndarray) -> np.ndarray:
    return (angle + np.pi) % (2 * np.pi) - np.pi


# (states, actions) in the environment's units -> the states after a step, rewards, terminated.
STEP: dict[str, Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]] = {
    "cartpole": _cartpole,
    "mountaincar": _car("MountainCar-v0"),
    "mountaincar_continuous": _car("MountainCarContinuous-v0"),
    "pendulum": _pendulum,
    "acrobot": _acrobot,
}
# Least and greatest of each element of the states that a step may start from.
LIVE: dict[str, tuple[list[float], list[float]]] = {
    "cartpole": ([-X_LIMIT, -8, -THETA_LIMIT, -8], [X_LIMIT, 8, THETA_LIMIT, 8]),
    "mountaincar": ([-1.2, -0.07], [0.5, 0.07]),
    "mountaincar_continuous": ([-1.2, -0.07], [0.45, 0.07]),
    "pendulum": ([-np.pi, -8], [np.pi, 8]),
    "acrobot": ([-np.pi, -np.pi, -4 * np.pi, -9 * np.pi], [np.pi, np.pi, 4 * np.pi, 9 * np.pi]),
}


def _wall(states: np.ndarray) -> np.ndarray:
    return states[:, 0] < -1.2 + 1e-6


def _seam(*angles: int) -> Callable[[np.ndarray], np.ndarray]:
    # An angle of half a turn is one of minus half a turn.
    return lambda states: (np.abs(states[:, angles]) > np.pi - 1e-4).any(axis=1)


# Where a new state jumps, so that a hair's breadth decides: given Gymnasium's new states.
JUMPS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mountaincar": _wall,
    "mountaincar_continuous": _wall,
    "pendulum": _seam(0),
    "acrobot": _seam(0, 1),
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


def largest_error(name: str, count: int, seed: int) -> float:
    """How far a step of the integers is from Gymnasium's, of each state's range, in `count` random live states.

    States are left out where a number is limited, and the few where a hair's breadth decides a jump (JUMPS).
    """
    physics, rng = ENVIRONMENTS[name], np.random.default_rng(seed)
    states, actions = live_states(name, count, rng), random_actions(name, count, rng)
    found = physics.step(states, actions)
    units = actions if physics.actions else actions * 2.0**-ACTION_FRACTION
    wanted, _, _ = STEP[name](physics.state_numbers(states), units)
    off = np.abs(physics.state_numbers(found.state) - wanted) / np.subtract(*reversed(LIVE[name]))
    kept = ~found.limited & ~(JUMPS[name](wanted) if name in JUMPS else np.zeros(count, bool))
    return float(off[kept].max())
