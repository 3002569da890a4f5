"""Transitions as TD3 and SAC take them, in real numbers and in integers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arrays import plain
from rlcores.cores.common.fixed import quantise, quantise_within
from rlcores.cores.learner.format import ACT_WIDTH, FACTOR_FRAC, REWARD_FRAC, REWARD_WIDTH, TANH_FRAC
from rlcores.cores.learner.network import clip_and_count
from rlcores.errors import UserError

INPUT_MOST = TANH_FRAC  # fraction bits of an input: a record has no more


@dataclass(frozen=True)
class TransitionBatch:
    """B transitions: states, next_states (B, N_s); actions (B, N_a) in -1 … 1; rewards (B,); discounts (B,) in 0 … 1.

    A discount is the factor of the value of the next state: gamma, gamma**n behind n steps, 0 at an end. So a time
    limit, which is no end, keeps it. weights (B,): importance weights in 0 … 1.
    """

    states: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    next_states: np.ndarray
    discounts: np.ndarray
    weights: np.ndarray

    def __len__(self) -> int:
        return len(self.rewards)


@dataclass(frozen=True)
class Codes:
    """The same in integers, int64: states, actions and next states with the input's fraction, in 18 bits.

    most: the largest magnitude of these.
    """

    states: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    next_states: np.ndarray
    discounts: np.ndarray
    weights: np.ndarray
    most: int


def batch_of(
    states: int, actions: int, arrays: tuple[ArrayLike | None, ...], numbered: bool = False
) -> TransitionBatch:
    """A batch of a learner of `states` and `actions` numbers, from arrays; weights may be None.

    numbered: actions are whole numbers (B,), from 0. Raises UserError: shapes that do not fit, numbers that are not
    finite, discounts or weights out of 0 … 1, actions out of -1 … 1.
    """
    names = ("states", "actions", "rewards", "next_states", "discounts", "weights")
    columns = [None if x is None else plain(name, x) for name, x in zip(names, arrays, strict=True)]
    rewards = columns[2]
    count = len(rewards) if rewards is not None and rewards.ndim == 1 else 0
    if not count:
        raise UserError("rewards must be a vector of at least one number")
    if columns[5] is None:
        columns[5] = np.ones(count)
    shapes = (
        (count, states),
        (count,) if numbered else (count, actions),
        (count,),
        (count, states),
        (count,),
        (count,),
    )
    lows = None, None if numbered else -1, None, None, 0, 0  # of numbers that are at most 1
    for k, (name, x, shape, low) in enumerate(zip(names, columns, shapes, lows, strict=True)):
        if x is None or x.shape != shape:
            raise UserError(f"{name} have shape {None if x is None else x.shape}; this learner takes {shape}")
        if x.dtype.kind not in "biuf":
            raise UserError(f"{name} are of type {x.dtype}; they must be numbers")
        if name == "discounts" and x.dtype.kind == "b":
            raise UserError("discounts are true or false; they must be numbers: gamma, and 0 where an episode ended")
        columns[k] = x = x.astype(np.float64, copy=False)
        if low is not None and x.min(initial=0) >= low and x.max(initial=0) <= 1:
            continue  # so all are finite
        if not np.isfinite(x).all():
            raise UserError(f"{name} hold {x[~np.isfinite(x)].flat[0]}; every number must be finite")
        if low is not None:
            raise UserError(f"{name} are {x.min():g} to {x.max():g}; they must be {low} to 1")
    acts = columns[1]
    if numbered and (wrong := acts[(acts % 1 != 0) | (acts < 0) | (acts >= actions)]).size:
        raise UserError(f"an action is {wrong[0]:g}; it must be 0 to {actions - 1}")
    return TransitionBatch(*columns)


def codes_of(batch: TransitionBatch, frac: int, counters: np.ndarray, reward_scale: float = 1.0) -> Codes:
    """In integers, states and actions with `frac` fraction bits; what is clipped counts in counters[0].

    Rewards are scaled before they are rounded. Raises UserError: a reward that 27 bits, 16 of them fraction, do not
    hold.
    """
    try:
        rewards = quantise_within(batch.rewards * reward_scale, REWARD_WIDTH, REWARD_FRAC, "reward")
    except ValueError as error:
        raise UserError(f"{error}; give a smaller reward_scale") from error
    # A record's numbers have a fraction of their own.
    states, actions, following = (
        clip_and_count(as_input(quantise(x, TANH_FRAC), frac), ACT_WIDTH, counters)
        for x in (batch.states, batch.actions, batch.next_states)
    )
    discounts, weights = (quantise(x, FACTOR_FRAC) for x in (batch.discounts, batch.weights))
    most = max(int(np.abs(x).max(initial=0)) for x in (states, actions, following))
    return Codes(states, actions, rewards, following, discounts, weights, most)


def as_input(action: np.ndarray, frac: int) -> np.ndarray:
    """A record's numbers and actions, 16 fraction bits, as an input with `frac`, at most 16."""
    drop = TANH_FRAC - frac
    return (action + ((1 << drop) >> 1)) >> drop
