"""The stages of a step of TD3 and SAC that are no network's, in NumPy. native_stages.py has the same in the engine."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.cores.common.fixed import saturate
from rlcores.cores.learner import loss
from rlcores.cores.learner.format import ACT_WIDTH, FACTOR_ONE, VALUE_WIDTH
from rlcores.cores.policy.noise import normal
from rlcores.cores.rl import squashed
from rlcores.cores.rl.batch import Codes, codes_of
from rlcores.cores.rl.squashed import output_delta, sample

__all__ = [
    "Limited", "codes_of", "critic_errors", "exponential", "least_value", "limited_sum", "normals", "output_delta",
    "sample", "target_value",
]  # fmt: skip


@dataclass(frozen=True)
class Limited:
    """Numbers that were clipped, how many of them did not fit, and the largest magnitude of one."""

    numbers: np.ndarray
    saturated: int
    most: int


def normals(generator: Xoshiro128pp, rows: int, actions: int) -> np.ndarray:
    """Standard normal numbers, sfix(18,14), (rows, actions), of the generator: a dimension after the other."""
    return normal(generator.take(rows * actions)).reshape(actions, rows).T


def exponential(log: int) -> int:
    """squashed.exponential() of one number."""
    return int(squashed.exponential(log))


def target_value(values: Sequence[np.ndarray], less: np.ndarray | None) -> Limited:
    """The smallest of the critics' values, (R, 1) each, and of it `less`, (R,), taken off: (R,), 27 bits."""
    smallest = np.minimum.reduce([value[:, 0] for value in values])
    return _limited(smallest if less is None else smallest - less, VALUE_WIDTH)


def critic_errors(
    value: np.ndarray, target: np.ndarray, codes: Codes, frac: int, delta_frac: int
) -> tuple[Limited, Limited, int]:
    """TD errors (R,) with `frac` fraction bits; the deltas of the value, (R, 1) with delta_frac; the largest reward.

    value: (R, 1); target: target_value()'s numbers; the reward has the fraction of the value. A reward and its error
    that did not fit count twice. Source: loss.td_error() and loss.output_delta() of one action.
    """
    rows = np.zeros(len(value), np.int64)
    td, cut = loss.td_error(
        value, rows, target[:, None], codes.rewards, codes.discounts == 0,
        act_frac=frac, gamma=codes.discounts, reward_scale=FACTOR_ONE,
    )  # fmt: skip
    delta, over = loss.output_delta(td, codes.weights, act_frac=frac, delta_frac=delta_frac)
    reward = loss.scaled_reward(codes.rewards, FACTOR_ONE, frac)[0]
    return (
        Limited(td, int(cut.sum()), _most(td)),
        Limited(delta[:, None], int(over.sum()), _most(delta)),
        _most(reward),
    )


def least_value(values: Sequence[np.ndarray], slope: int) -> list[np.ndarray]:
    """Deltas (R, 1) of values (R, 1): `slope` of the smallest one of a row, the first of equals; else 0."""
    chosen = np.argmin(np.concatenate(values, axis=1), axis=1)
    return [np.where(chosen == n, slope, 0)[:, None] for n in range(len(values))]


def limited_sum(parts: Sequence[np.ndarray]) -> Limited:
    """The sum of arrays of one shape, in 18 bits."""
    return _limited(np.add.reduce(parts), ACT_WIDTH)


def _limited(exact: np.ndarray, width: int) -> Limited:
    numbers = saturate(exact, width)
    return Limited(numbers, int(np.count_nonzero(numbers != exact)), _most(numbers))


def _most(x: np.ndarray) -> int:
    return int(np.abs(x).max(initial=0))
