"""What an environment's physics is to the shell around it, and the numbers at the stream between environment and agent.

A state is int64 of shape (..., states): what the core keeps of one environment, 32 bits an element in formats of the
physics' own. An observation is (..., observations), 18 bits an element. An action is one number: the index of a
discrete one, or sfix(18,15) in the physics' units. A physics is exact integer arithmetic; tests hold it to Gymnasium's
float64.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from rlcores.cores.common.fixed import limits, round_shift

STATE_WIDTH = 32  # bits of an element of a state
OBS_WIDTH = 18  # of an observation
ACTION_WIDTH, ACTION_FRACTION = 18, 15  # of a continuous action
COMPONENTS_MOST, OBSERVATIONS_MOST = 16, 64  # numbers of an action and of an observation in a beat
REWARD_WIDTH, REWARD_FRACTION = 27, 19
DRAW_WIDTH = 32  # of a word of the generator


class Step(NamedTuple):
    """What one step gives."""

    state: np.ndarray  # (..., states), after the step
    obs: np.ndarray  # (..., observations), of that state
    reward: np.ndarray  # (...), sfix(27,19)
    terminated: np.ndarray  # (...), bool
    saturated: np.ndarray  # (...), bool: a number did not fit its format, and was clipped


class Area(NamedTuple):
    """Resources of a leaf, counted by `rlcores synth`. bram36 counts RAMB18s as halves."""

    lut: int
    ff: int
    dsp: int
    bram36: float = 0


class Physics(ABC):
    """One environment: its formats, a step, and what an episode starts with. It holds no state.

    name           as parameter ENV calls it
    gymnasium      Gymnasium's name of it; rlcores/... is one that the library registers (plants.py)
    states         fraction bits of each element of a state
    observations   fraction bits of each element of an observation
    draws          words of 32 bits that a reset takes, each from a generator of its own
    actions        number of discrete actions; 0: the action is continuous
    components     numbers of an action; 1 for a discrete one
    action_range   least and greatest continuous action that has an effect
    paid           a continuous action beyond them counts in the reward
    time_limit     steps after which Gymnasium truncates an episode
    latency        clocks of a step in the RTL: LATENCY of env.yaml
    reset_latency  clocks of a reset: RESET_LATENCY
    obs_range      least and greatest observation, for a space of Gymnasium
    units          of each element of a state, in those of Gymnasium: radians of a turn
    live           least and greatest of each element of the states that a step may start from
    error          largest distance of one step from `reference`, of each element's range in `live`
    leaf           its RTL is rlc_env_LEAF; leaf_parameters: values of its own Verilog parameters
    area           resources of the leaf, by Yosys for UltraScale+
    said           for the table of docs/env.md: its state, observation, action and reward
    """

    name: ClassVar[str]
    gymnasium: ClassVar[str]
    states: ClassVar[tuple[int, ...]]
    observations: ClassVar[tuple[int, ...]]
    draws: ClassVar[int]
    actions: ClassVar[int]
    action_range: ClassVar[tuple[float, float]] = (0.0, 0.0)
    paid: ClassVar[bool] = False
    components: ClassVar[int] = 1
    time_limit: ClassVar[int]
    latency: ClassVar[int]
    reset_latency: ClassVar[int]
    obs_range: ClassVar[tuple[tuple[float, ...], tuple[float, ...]]]
    units: ClassVar[float | np.ndarray] = 1.0
    live: ClassVar[tuple[Sequence[float], Sequence[float]]]
    error: ClassVar[float] = 2.0**-18
    leaf: ClassVar[str]
    leaf_parameters: ClassVar[Mapping[str, int]] = {}
    area: ClassVar[Area]
    said: ClassVar[tuple[str, str, str, str]]

    @abstractmethod
    def step(self, state: np.ndarray, action: np.ndarray) -> Step:
        """One step of any number of environments. state: int64 (..., states). action: int64 (...), or of a vector's
        numbers (..., components)."""

    @abstractmethod
    def reset(self, draw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """State and observation that an episode starts with. draw: int64 (..., draws), words of 32 bits."""

    @abstractmethod
    def reference(self, states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One step in float64: states (n, states) and actions (n,) or (n, components) in the environment's units.

        The states after it, rewards (n,), and where it terminated. Gymnasium's own code where Gymnasium has it, which
        must be installed then.
        """

    def seen(self, states: np.ndarray) -> np.ndarray:
        """What is seen of states, both in the environment's units: all of it, unless an environment says otherwise.

        Those that Gymnasium has say nothing: it shows theirs.
        """
        return states

    def random_states(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Codes of states that a step may start from, int64 (count, states): uniform in `live`."""
        low, high = (self.state_codes(end) for end in self.live)
        return rng.integers(low, high, (count, len(low)), endpoint=True)

    def random_actions(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Codes of random actions, int64 (count,), or (count, components) where there are several."""
        if self.actions:
            return rng.integers(0, self.actions, count)
        shape = (count, self.components) if self.components > 1 else count
        return rng.integers(-(1 << ACTION_WIDTH - 1), 1 << ACTION_WIDTH - 1, shape)

    def action_numbers(self, actions: np.ndarray) -> np.ndarray:
        """Codes of actions in the environment's units."""
        return actions if self.actions else actions * 2.0**-ACTION_FRACTION

    def jumps(self, reached: np.ndarray) -> np.ndarray:
        """Where a hair's breadth decides a new state (n,), given those of `reference`: left out of comparisons."""
        return np.zeros(len(reached), bool)

    def numbers(self, obs: np.ndarray) -> np.ndarray:
        """Observations in the environment's units, float64 of obs's shape."""
        return np.asarray(obs) * 2.0 ** -np.array(self.observations, float)

    def state_numbers(self, state: np.ndarray) -> np.ndarray:
        """States in the environment's units, float64 of state's shape."""
        return np.asarray(state) * 2.0 ** -np.array(self.states, float) * self.units

    def state_codes(self, numbers: np.ndarray) -> np.ndarray:
        """The nearest states, int64; numbers beyond the format's range are clipped."""
        codes = np.floor(np.asarray(numbers, float) / self.units * 2.0 ** np.array(self.states, float) + 0.5)
        return np.clip(codes, *limits(STATE_WIDTH)).astype(np.int64)


def wrap(x: np.ndarray, width: int) -> np.ndarray:
    """The low `width` bits of x as a signed number."""
    return ((x + (1 << width - 1)) & ((1 << width) - 1)) - (1 << width - 1)


def within_a_turn(angle: np.ndarray) -> np.ndarray:
    """Radians without whole turns, -pi to pi."""
    return (angle + np.pi) % (2 * np.pi) - np.pi


def at_half_a_turn(angles: np.ndarray) -> np.ndarray:
    """Where one of the angles (n, k) is so near half a turn, in radians, that it may as well be minus half a turn."""
    return (np.abs(angles) > np.pi - 1e-4).any(axis=1)


def limit(x: np.ndarray, width: int, symmetric: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """x clipped to `width` signed bits, and whether that changed it."""
    low, high = limits(width, symmetric)
    return np.clip(x, low, high), (x < low) | (x > high)


def observe(state: np.ndarray, drops: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """An observation that is the state itself with `drops` bits fewer, and whether an element was clipped.

    |code| < 2**17: a net may negate it.
    """
    rounded = np.stack([round_shift(state[..., i], drop) for i, drop in enumerate(drops)], axis=-1)
    obs, saturated = limit(rounded, OBS_WIDTH, symmetric=True)
    return obs, saturated.any(axis=-1)
