"""A PPO rollout as arrays: what is allowed in one, and the records it becomes in a GAE core."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rlcores.errors import UserError
from rlcores.model.gae_scale import BOOT, NONE, STEP, TERMINATED


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


def check(
    rewards: ArrayLike,
    values: ArrayLike,
    terminated: ArrayLike,
    truncated: ArrayLike,
    bootstrap: ArrayLike,
    final_values: ArrayLike | Mapping[tuple[int, int], float] | None,
) -> Rollout:
    """A rollout from what a user has; see rlcores.gae for its conventions.

    Raises UserError (a ValueError) for a wrong shape, a number that is not finite, a step that is both terminated and
    truncated, and a missing final value.
    """
    rewards = _numbers("rewards", rewards)
    if rewards.ndim != 2 or 0 in rewards.shape:
        raise UserError(
            f"rewards have shape {rewards.shape}; they must be (T, N) with at least one step and environment"
        )
    values = _numbers("values", values, rewards.shape)
    ends = [_booleans(name, x, rewards.shape) for name, x in (("terminated", terminated), ("truncated", truncated))]
    both = np.argwhere(ends[0] & ends[1])
    if len(both):
        t, n = both[0]
        raise UserError(f"step {t} of environment {n} is both terminated and truncated; clear truncated where it ended")
    bootstrap = _numbers("bootstrap", bootstrap, rewards.shape[1:])
    final = _final_values(final_values, ends[1])
    return Rollout(rewards, values, *ends, bootstrap, final)


def _final_values(given, truncated: np.ndarray) -> np.ndarray:
    final = np.zeros(truncated.shape)
    places = np.argwhere(truncated)
    if not len(places):
        return final
    if given is None:
        t, n = places[0]
        raise UserError(
            f"environment {n} was truncated at step {t}, so final_values must give the value of its final observation"
        )
    if isinstance(given, Mapping):
        for t, n in places.tolist():
            if (t, n) not in given:
                raise UserError(f"final_values has no entry ({t}, {n}), where an episode was truncated")
            final[t, n] = given[t, n]
    else:
        array = _array("final_values", given, truncated.shape)
        final[truncated] = array[truncated]
    wrong = np.argwhere(~np.isfinite(final))
    if len(wrong):
        t, n = wrong[0]
        raise UserError(f"final_values[{t}, {n}] is {final[t, n]}; it must be a finite number")
    return final


def _array(name: str, given, shape: tuple[int, ...] | None = None) -> np.ndarray:
    try:
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise UserError(f"{name} is not an array of numbers") from None
    if shape is not None and array.shape != shape:
        raise UserError(f"{name} has shape {array.shape}; with these rewards it must be {shape}")
    return array


def _numbers(name: str, given, shape: tuple[int, ...] | None = None) -> np.ndarray:
    array = _array(name, given, shape)
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        place = ", ".join(map(str, wrong[0]))
        raise UserError(f"{name}[{place}] is {array[tuple(wrong[0])]}; it must be a finite number")
    return array


def _booleans(name: str, given, shape: tuple[int, ...]) -> np.ndarray:
    array = _array(name, given, shape)
    wrong = np.argwhere((array != 0) & (array != 1))
    if len(wrong):
        place = ", ".join(map(str, wrong[0]))
        raise UserError(f"{name}[{place}] is {array[tuple(wrong[0])]}; it must be true or false")
    return array == 1
