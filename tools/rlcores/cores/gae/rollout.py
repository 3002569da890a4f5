"""A PPO rollout as arrays: what is allowed in one, and the records it becomes in a GAE core."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arrays import plain
from rlcores.cores.gae.scale import BOOT, NONE, STEP, TERMINATED
from rlcores.errors import UserError


@dataclass(frozen=True)
class Rollout:
    """A checked rollout: (T, N) float64 or bool arrays, bootstrap (N,)."""

    rewards: np.ndarray
    values: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    bootstrap: np.ndarray
    final_values: np.ndarray  # 0 where not truncated

    @property
    def all_values(self) -> np.ndarray:
        """Every value that is sent: (2T, N), the rows alternating between steps and BOOT records."""
        steps, lanes = self.rewards.shape
        rows = np.zeros((2 * steps, lanes))
        rows[0::2] = self.values
        rows[1::2] = self.final_values
        rows[-1] = np.where(self.truncated[-1], self.final_values[-1], self.bootstrap)
        return rows

    @property
    def kinds(self) -> np.ndarray:
        """Kinds of the same (2T, N) records; NONE where a step needs no BOOT behind it."""
        steps, lanes = self.rewards.shape
        rows = np.empty((2 * steps, lanes), np.int64)
        rows[0::2] = np.where(self.terminated, TERMINATED, STEP)
        rows[1::2] = np.where(self.truncated, BOOT, NONE)
        rows[-1] = BOOT
        return rows

    def part(self, first: int, last: int) -> "Rollout":
        """Steps first … last-1, as a rollout of their own: it ends with the values that follow."""
        after = self.bootstrap if last == len(self.rewards) else self.values[last]
        ends = self.terminated, self.truncated
        return Rollout(
            self.rewards[first:last],
            self.values[first:last],
            *(x[first:last] for x in ends),
            after,
            self.final_values[first:last],
        )

    def of(self, lanes: np.ndarray) -> "Rollout":
        """Some of the environments, by index."""
        return Rollout(*(x[..., lanes] for x in vars(self).values()))

    @property
    def to_end(self) -> np.ndarray:
        """Steps to the end of the episode or the window, (T, N): 1 where the end is."""
        steps = len(self.rewards)
        ends = self.terminated | self.truncated
        place = np.where(ends, np.arange(steps)[:, None], steps - 1)
        place[-1] = steps - 1
        return np.minimum.accumulate(place[::-1], axis=0)[::-1] - np.arange(steps)[:, None] + 1


def check(
    rewards: ArrayLike,
    values: ArrayLike,
    terminated: ArrayLike,
    truncated: ArrayLike,
    bootstrap: ArrayLike,
    final_values: ArrayLike | Mapping[tuple[int, int], float] | None,
) -> Rollout:
    """A rollout from what a user has; see rlcores.cores.gae.api for its conventions.

    Numbers may be of any real type, of any array library and in any order in memory. A step that is terminated and
    truncated is terminated, as an environment whose last step meets Gymnasium's TimeLimit says it. Raises UserError (a
    ValueError) for a wrong shape, a number that is not finite, and a missing final value.
    """
    rewards = numbers("rewards", rewards)
    if rewards.ndim != 2 or 0 in rewards.shape:
        hint = ": with one environment give arrays[:, None]" if rewards.ndim == 1 else ""
        raise UserError(
            f"rewards have shape {rewards.shape}; they must be (T, N) with at least one step and environment{hint}"
        )
    values = numbers("values", values, rewards.shape)
    terminated = _booleans("terminated", terminated, rewards.shape)
    truncated = _booleans("truncated", truncated, rewards.shape) & ~terminated
    bootstrap = numbers("bootstrap", bootstrap, rewards.shape[1:])
    final = _final_values(final_values, truncated)
    return Rollout(rewards, values, terminated, truncated, bootstrap, final)


def _final_values(values, truncated: np.ndarray) -> np.ndarray:
    final = np.zeros(truncated.shape)
    places = np.argwhere(truncated)
    if not len(places):
        return final
    if values is None:
        t, n = places[0]
        raise UserError(
            f"environment {n} was truncated at step {t}, so final_values must give the value of its final observation"
        )
    if isinstance(values, Mapping):
        for t, n in places.tolist():
            if (t, n) not in values:
                raise UserError(f"final_values has no entry ({t}, {n}), where an episode was truncated")
            final[t, n] = numbers(f"final_values[{t}, {n}]", values[t, n], ())
    else:
        array = _array("final_values", values, truncated.shape)
        final[truncated] = array[truncated]
    if not (good := np.isfinite(final)).all():
        t, n = np.argwhere(~good)[0]
        raise UserError(f"final_values[{t}, {n}] is {final[t, n]}; it must be a finite number")
    return final


def _array(name: str, values, shape: tuple[int, ...] | None = None) -> np.ndarray:
    array = plain(name, values)
    try:
        if array.dtype.kind not in "biufO":
            raise TypeError
        array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise UserError(f"{name} is not an array of real numbers within float64") from None
    if shape is not None and array.shape != shape:
        one_more = name == "values" and array.shape == (shape[0] + 1, *shape[1:])
        hint = ": the value after the last step is bootstrap" if one_more else ""
        raise UserError(f"{name} has shape {array.shape}; with these rewards it must be {shape}{hint}")
    return array


def numbers(name: str, values: ArrayLike, shape: tuple[int, ...] | None = None) -> np.ndarray:
    """Finite real numbers, float64. Raises UserError."""
    array = _array(name, values, shape)
    if not (good := np.isfinite(array)).all():
        wrong = np.argwhere(~good)
        place = f"[{', '.join(map(str, wrong[0]))}]" if array.ndim else ""
        raise UserError(f"{name}{place} is {array[tuple(wrong[0])]}; it must be a finite number")
    return array


def _booleans(name: str, values, shape: tuple[int, ...]) -> np.ndarray:
    if type(values) is np.ndarray and values.dtype == bool and values.shape == shape:
        return values
    array = _array(name, values, shape)
    wrong = np.argwhere((array != 0) & (array != 1))
    if len(wrong):
        place = ", ".join(map(str, wrong[0]))
        raise UserError(f"{name}[{place}] is {array[tuple(wrong[0])]}; it must be true or false")
    return array == 1
