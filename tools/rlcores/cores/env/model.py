"""The environment core without its clock: the integer model of rlc_env, equal to it beat for beat.

N environments take turns 0 … N-1 for ever; no number of a turn travels. start() gives N beats with `first`; then each
action is answered by one beat, in order. Every turn takes one word from each of the physics' generators, whether an
episode ends there or not; generator e is rlc_xoshiro128pp with the state stream_state(state_of(seed), e).
"""

from collections.abc import Mapping

import numpy as np

from rlcores.cores.common.draws import Xoshiro128pp, state_of, stream_state
from rlcores.cores.env import beats
from rlcores.cores.env.physics import ACTION_WIDTH, Physics

COUNTERS = ("steps", "terminated", "truncated", "saturated", "illegal")


class EnvModel:
    """N environments of one physics.

    counters: steps, episodes that ended terminated, and truncated, steps in which a number was clipped, and illegal
    actions, since the model was made.

    >>> from rlcores.cores.env.cartpole import CartPole
    >>> envs = EnvModel(CartPole(), n_envs=2)
    >>> envs.start(seed=7)["first"]
    array([ True,  True])
    >>> envs.step(np.array([0, 1, 1]))["terminated"]
    array([False, False, False])
    """

    def __init__(self, physics: Physics, n_envs: int = 1, time_limit: int | None = None) -> None:
        """time_limit: steps after which an episode is truncated; 0: never. Default: Gymnasium's. Raises ValueError."""
        if n_envs < 1:
            raise ValueError(f"n_envs is {n_envs}; there is at least one environment")
        self.physics, self.n_envs = physics, n_envs
        self.time_limit = physics.time_limit if time_limit is None else time_limit
        self.counters: dict[str, int] = dict.fromkeys(COUNTERS, 0)
        self._dtype = beats.dtype(len(physics.observations))
        self.running = False

    @property
    def saturated(self) -> int:
        """Steps in which a number was clipped."""
        return self.counters["saturated"]

    def start(self, seed: int = 0, state: tuple[int, ...] | None = None) -> np.ndarray:
        """Restart all episodes, from a seed of 64 bits or a generator's state: N first beats.

        They are of dtype beats.dtype(). Raises ValueError for a seed that does not fit.
        """
        state = state_of(seed) if state is None else state
        self._generators = [Xoshiro128pp(stream_state(state, e)) for e in range(self.physics.draws)]
        self._state, obs = self.physics.reset(self._draw(self.n_envs))
        self._elapsed = np.zeros(self.n_envs, np.int64)
        self._turn = 0
        self.running = True
        records = np.zeros(self.n_envs, self._dtype)
        records["first"], records["obs"], records["final"] = True, obs, obs
        return records

    def step(self, actions: np.ndarray) -> np.ndarray:
        """Answer actions (n,), or vectors (n, components), in the order of the turns, any number of them.

        n beats of dtype beats.dtype(). An action is the index of a discrete one, unsigned 18 bits, or sfix(18,15).
        Raises ValueError before start().
        """
        if not self.running:
            raise ValueError("there is no episode before start()")
        actions = np.asarray(actions, np.int64)
        records = np.empty(len(actions), self._dtype)
        done = 0
        while done < len(actions):
            count = min(self.n_envs - self._turn, len(actions) - done)
            records[done : done + count] = self._turns(
                slice(self._turn, self._turn + count), actions[done : done + count]
            )
            self._turn = (self._turn + count) % self.n_envs
            done += count
        return records

    def save(self) -> dict[str, np.ndarray]:
        """What goes on from here, by name, int64: states, steps of the present episodes, generators, and the turn."""
        generators = np.array([generator.state for generator in self._generators], np.int64)
        return {
            "state": self._state.copy(),
            "elapsed": self._elapsed.copy(),
            "generators": generators,
            "turn": np.array([self._turn]),
        }

    def load(self, kept: Mapping[str, np.ndarray]) -> None:
        """Go on as the environments that gave save(). Raises ValueError."""
        states = kept["state"]
        if states.shape != (self.n_envs, len(self.physics.states)) or len(kept["generators"]) != self.physics.draws:
            raise ValueError("these are states of other environments")
        self._generators = [Xoshiro128pp(words.tolist()) for words in kept["generators"]]
        self._state, self._elapsed = states.copy(), kept["elapsed"].copy()
        self._turn, self.running = int(kept["turn"][0]), True

    def _turns(self, who: slice, actions: np.ndarray) -> np.ndarray:
        physics = self.physics
        illegal = np.zeros(len(actions), bool)
        if physics.actions:
            actions = actions & (1 << ACTION_WIDTH) - 1
            illegal = actions >= physics.actions
            actions = np.where(illegal, physics.actions - 1, actions)
        step = physics.step(self._state[who], actions)
        start, start_obs = physics.reset(self._draw(len(actions)))
        elapsed = self._elapsed[who] + 1
        truncated = elapsed == self.time_limit
        ended = step.terminated | truncated
        self._state[who] = np.where(ended[:, None], start, step.state)
        self._elapsed[who] = np.where(ended, 0, elapsed)
        for name, events in (
            ("steps", np.ones(len(actions), bool)), ("terminated", step.terminated), ("truncated", truncated),
            ("saturated", step.saturated), ("illegal", illegal),
        ):  # fmt: skip
            self.counters[name] = self.counters[name] + int(events.sum()) & 0xFFFFFFFF
        records = np.zeros(len(actions), self._dtype)
        records["terminated"], records["truncated"], records["reward"] = step.terminated, truncated, step.reward
        records["final"], records["obs"] = step.obs, np.where(ended[:, None], start_obs, step.obs)
        return records

    def _draw(self, count: int) -> np.ndarray:
        return np.stack([generator.take(count).astype(np.int64) for generator in self._generators], axis=-1)
