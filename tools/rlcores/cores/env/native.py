"""Environments on the native engine: the answers of the model, many million of them a second."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from rlcores.base.arrays import compact
from rlcores.cores.common.draws import state_of
from rlcores.cores.env import beats
from rlcores.cores.env.model import COUNTERS
from rlcores.cores.env.physics import REWARD_FRACTION, Physics
from rlcores.native import engine


class Answers(NamedTuple):
    """What actions were answered, in the environment's units, which hold the codes exactly.

    obs, final     float32 (n, observations): what to act on next, and what the step led to (docs/env.md)
    reward         float64 (n,)
    terminated, truncated   bool (n,)
    """

    obs: np.ndarray
    final: np.ndarray
    reward: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray


class NativeEnvs:
    """N environments of one physics, as EnvModel. Threads may share them; their calls take turns.

    >>> from rlcores.cores.env.cartpole import CartPole
    >>> envs = NativeEnvs(CartPole(), n_envs=2)
    >>> envs.start(seed=7)["first"]
    array([ True,  True])
    >>> envs.answers(np.array([0, 1])).reward
    array([1., 1.])
    """

    def __init__(self, physics: Physics, n_envs: int = 1, time_limit: int | None = None) -> None:
        """As EnvModel. Raises ValueError, also for an environment that the engine does not have."""
        if n_envs < 1:
            raise ValueError(f"n_envs is {n_envs}; there is at least one environment")
        self.physics, self.n_envs = physics, n_envs
        self.time_limit = physics.time_limit if time_limit is None else time_limit
        self._engine = engine.Environments(physics.name, n_envs, self.time_limit)
        self._running, self._before = False, dict.fromkeys(COUNTERS, 0)  # before: counted by what this is a copy of
        self._widths = 2.0 ** np.array(physics.observations)

    @property
    def engine(self) -> "engine.Environments":
        """The engine's side of it."""
        return self._engine

    @property
    def counters(self) -> dict[str, int]:
        """As EnvModel.counters."""
        counted = zip(COUNTERS, self._engine.counters(), strict=True)
        return {name: self._before[name] + count & 0xFFFFFFFF for name, count in counted}

    @property
    def saturated(self) -> int:
        """As EnvModel.saturated."""
        return self.counters["saturated"]

    def start(self, seed: int = 0, state: tuple[int, ...] | None = None) -> np.ndarray:
        """As EnvModel.start."""
        obs = self.begin(seed, state)
        none = np.zeros(self.n_envs, bool)
        return self._records(Answers(obs, obs, np.zeros(self.n_envs), none, none), first=True)

    def step(self, actions: np.ndarray) -> np.ndarray:
        """As EnvModel.step."""
        return self._records(self.answers(actions))

    def save(self) -> dict[str, np.ndarray]:
        """As EnvModel.save."""
        state = self._room()
        self._engine.going(False, *state.values())
        return state

    def load(self, kept: Mapping[str, np.ndarray]) -> None:
        """As EnvModel.load."""
        arrays = [compact(kept[name], np.int64) for name in self._room()]
        self._engine.going(True, *(np.atleast_1d(x).copy() for x in arrays))
        self._running = True

    def __getstate__(self) -> dict:
        """For pickle and copy: all of it."""
        arguments = {"physics": self.physics, "n_envs": self.n_envs, "time_limit": self.time_limit}
        return {"arguments": arguments, "going": self.save() if self._running else None, "counters": self.counters}

    def __setstate__(self, state: dict) -> None:
        self.__init__(**state["arguments"])
        self._before = state["counters"]
        if state["going"] is not None:
            self.load(state["going"])

    def _room(self) -> dict[str, np.ndarray]:
        sizes = {"state": (self.n_envs, len(self.physics.states)), "elapsed": (self.n_envs,)}
        sizes |= {"generators": (self.physics.draws, 4), "turn": (1,)}
        return {name: np.zeros(shape, np.int64) for name, shape in sizes.items()}

    def begin(self, seed: int = 0, state: tuple[int, ...] | None = None) -> np.ndarray:
        """start(), and only what is seen first: float32 (n_envs, observations)."""
        obs = np.empty((self.n_envs, len(self.physics.observations)), np.float32)
        self._engine.start(list(state_of(seed) if state is None else state), obs)
        self._running = True
        return obs

    def answers(self, actions: np.ndarray) -> Answers:
        """step(), in the environment's units. actions: codes as step()'s, (n,) or (n, components)."""
        actions = compact(actions, np.int64)
        n = len(actions)
        obs, final = np.empty((2, n, len(self.physics.observations)), np.float32)
        terminated, truncated = np.empty((2, n), bool)
        answers = Answers(obs, final, np.empty(n), terminated, truncated)
        self._engine.step(actions.reshape(-1), *answers)
        return answers

    def _records(self, answers: Answers, first: bool = False) -> np.ndarray:
        records = np.empty(len(answers.reward), beats.dtype(len(self.physics.observations)))
        records["first"], records["terminated"], records["truncated"] = first, answers.terminated, answers.truncated
        records["reward"] = answers.reward * 2.0**REWARD_FRACTION
        records["obs"], records["final"] = answers.obs * self._widths, answers.final * self._widths
        return records
