"""Transitions as the learner takes them: what a user has, integers, and the 32-bit words of the record stream.

A record is a run of sections, each padded to whole beats of `lanes` words: INFO (action | terminated << 31, reward,
importance weight), state, action of DDPG, next state.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcores.base.arrays import plain
from rlcores.cores.common.fixed import quantise, quantise_within
from rlcores.cores.common.vanished import Vanished
from rlcores.cores.learner.format import (
    FACTOR_FRAC,
    FACTOR_ONE,
    REWARD_FRAC,
    REWARD_WIDTH,
    LearnerBatch,
)
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.learner.words import KIND
from rlcores.errors import UserError

NO_ACTION = (1 << KIND.fields["action"]) - 1  # an action that no network has: its record trains nothing
_WORD = (-(2**31), 2**31 - 1)


@dataclass
class Records:
    """A batch of B transitions in integers, as the words of the stream carry them.

    states, next_states (B, N_s) and the actions (B, N_a) of DDPG with the fraction of the input, up to 32 bits: the
    core saturates them to 18. actions (B,) of DQN: up to 31 bits; one that the network does not have makes a record
    invalid. rewards (B,) sfix(27, 16), terminated (B,) bool, weights (B,) ufix(18, 17) up to 1.0; the core limits
    rewards and weights beyond, of up to 32 bits. All int64. valid (B,) bool, only of DDPG: where it is false a record
    trains nothing, as one of DQN with an action that does not exist; None: all are valid.
    """

    states: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    next_states: np.ndarray
    terminated: np.ndarray
    weights: np.ndarray
    valid: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.rewards)


class Lost:
    """Rewards and states of transitions that are not 0 but round to 0, counted and warned of."""

    def __init__(self, frac: int) -> None:
        """frac: the input's fraction."""
        self.rewards, self.states = Vanished("rewards", REWARD_FRAC), Vanished("numbers of states", frac)

    def see(self, batch: LearnerBatch, records: Records) -> None:
        """A batch, and its integers."""
        self.rewards.see(batch.rewards, records.rewards)
        self.states.see_all(batch.states, records.states)


def batch_of(states: Any, actions: Any, rewards: Any, next_states: Any, terminated: Any, weights: Any) -> LearnerBatch:
    """The arrays as a Batch. Raises UserError where one is missing or has no such numbers or shape."""
    others = {"actions": actions, "rewards": rewards, "next_states": next_states, "terminated": terminated}
    for name, value in others.items():
        if value is None:
            raise UserError(f"{name} is missing; a step takes states, actions, rewards, next_states and terminated")
    arrays = {name: numbers(name, value) for name, value in {"states": states, **others}.items()}
    if arrays["rewards"].ndim != 1:
        raise UserError(f"rewards has shape {arrays['rewards'].shape}; it must be (B,)")
    ends = arrays["terminated"]
    if ends.dtype != bool and not np.isin(ends, (0, 1)).all():
        raise UserError(f"terminated holds {ends[~np.isin(ends, (0, 1))][0]}; it must be true or false")
    return LearnerBatch(**arrays, weights=None if weights is None else numbers("weights", weights))


def numbers(name: str, values: Any) -> np.ndarray:
    """An array of numbers, whatever it came as. Raises UserError for anything else."""
    array = plain(name, values)
    if array.dtype.kind not in "biuf":
        raise UserError(f"{name} is not an array of numbers, but of type {array.dtype}")
    return array


def to_records(batch: LearnerBatch, frac: int, shape: LearnerShape) -> Records:
    """Integers of a batch, for a core of this shape. frac: the input's fraction.

    States and DDPG's actions beyond 32 bits become the nearest. Raises ValueError: wrong shape, NaN, an action that
    does not exist, a reward or an importance weight out of range.
    """
    count = len(batch)
    states = _matrix(batch.states, count, shape.state_size, frac, "state")
    next_states = _matrix(batch.next_states, count, shape.state_size, frac, "next state")
    rewards = _vector(batch.rewards, count, "rewards")
    terminated = _vector(batch.terminated, count, "terminated").astype(bool)
    if shape.actor:
        chosen = _matrix(batch.actions, count, shape.action_size, frac, "action")
    else:
        action_values = _vector(batch.actions, count, "actions")
        actions = shape.value.sizes[-1]
        wrong = ~((action_values >= 0) & (action_values < actions))  # NaN is neither
        wrong |= action_values != np.floor(action_values)
        if wrong.any():
            raise ValueError(f"an action is {action_values[wrong][0]}; this network has 0 to {actions - 1}")
        chosen = action_values.astype(np.int64)
    if batch.weights is None:
        weights = np.full(count, FACTOR_ONE, np.int64)
    else:
        weights = quantise(_vector(batch.weights, count, "weights"), FACTOR_FRAC, "importance weight")
        if count and (weights.min() < 0 or weights.max() > FACTOR_ONE):
            wrong = np.asarray(batch.weights)[(weights < 0) | (weights > FACTOR_ONE)][0]
            raise ValueError(f"an importance weight is {wrong:g}; it must be 0 to 1")
    rewards = quantise_within(rewards, REWARD_WIDTH, REWARD_FRAC, "reward")
    return Records(states, chosen, rewards, next_states, terminated, weights)


def _matrix(x: np.ndarray, rows: int, columns: int, frac: int, what: str) -> np.ndarray:
    x = np.asarray(x)
    if x.shape != (rows, columns):
        raise ValueError(f"the {what}s have shape {x.shape}; this batch and network need {(rows, columns)}")
    return np.minimum(np.maximum(quantise(x, frac, what), _WORD[0]), _WORD[1])


def _vector(x: np.ndarray, count: int, what: str) -> np.ndarray:
    x = np.asarray(x)
    if x.shape != (count,):
        raise ValueError(f"{what} has shape {x.shape}; this batch needs {(count,)}")
    return x


def pack_records(records: Records, lanes: int) -> np.ndarray:
    """The stream of a batch, uint32 (beats, lanes): word k of a beat is bits 32k..32k+31 of s_rec_data."""
    continuous = records.actions.ndim == 2
    if not continuous:
        action = records.actions & NO_ACTION
    elif records.valid is None:
        action = 0
    else:
        action = np.where(records.valid, 0, NO_ACTION)
    info = np.stack(
        [action | records.terminated.astype(np.int64) << KIND.at("terminated"), records.rewards, records.weights],
        axis=1,
    )
    sections = [info, records.states, records.next_states]
    if continuous:
        sections.insert(2, records.actions)
    padded = [np.pad(x, ((0, 0), (0, -x.shape[1] % lanes))) for x in sections]
    return (np.concatenate(padded, axis=1) & 0xFFFFFFFF).astype(np.uint32).reshape(-1, lanes)
