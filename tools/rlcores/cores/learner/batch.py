"""A batch of transitions from whatever arrays a user has."""

from typing import Any

import numpy as np

from rlcores.base.arrays import plain
from rlcores.cores.learner.format import Batch
from rlcores.errors import UserError


def batch_of(states, actions, rewards, next_states, terminated, weights) -> Batch:
    """The arrays as a Batch. Raises UserError where one is missing or has no such numbers or shape."""
    given = {"actions": actions, "rewards": rewards, "next_states": next_states, "terminated": terminated}
    for name, value in given.items():
        if value is None:
            raise UserError(f"{name} is missing; a step takes states, actions, rewards, next_states and terminated")
    arrays = {name: numbers(name, value) for name, value in {"states": states, **given}.items()}
    if arrays["rewards"].ndim != 1:
        raise UserError(f"rewards has shape {arrays['rewards'].shape}; it must be (B,)")
    ends = arrays["terminated"]
    if ends.dtype != bool and not np.isin(ends, (0, 1)).all():
        raise UserError(f"terminated holds {ends[~np.isin(ends, (0, 1))][0]}; it must be true or false")
    return Batch(**arrays, weights=None if weights is None else numbers("weights", weights))


def numbers(name: str, given: Any) -> np.ndarray:
    """An array of numbers, whatever it came as. Raises UserError for anything else."""
    array = plain(name, given)
    if array.dtype.kind not in "biuf":
        raise UserError(f"{name} is not an array of numbers, but of type {array.dtype}")
    return array
