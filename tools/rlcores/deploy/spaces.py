"""Gymnasium's spaces from the description of their pickle."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcores.deploy.arrays import array
from rlcores.deploy.pickled import Call
from rlcores.errors import UserError

_PACKAGES = ("gymnasium.spaces.", "gym.spaces.")


@dataclass(frozen=True)
class Box:
    """Numbers between limits, each float64 [n], flattened."""

    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class Discrete:
    """n choices."""

    n: int


def space(node: Any, what: str) -> Box | Discrete:
    """The space that a pickle describes. what: how the message names it. Raises UserError for every other space."""
    name = node.name if isinstance(node, Call) else ""
    state = node.state if isinstance(node, Call) and isinstance(node.state, dict) else {}
    short = name.rsplit(".", 1)[-1]
    if name.startswith(_PACKAGES) and short == "Box":
        return Box(array(state.get("low")).ravel(), array(state.get("high")).ravel())
    if name.startswith(_PACKAGES) and short == "Discrete":
        n = int(array(state.get("n")))
        start = int(array(state.get("start", 0)))
        if n < 1 or start:
            raise UserError(f"{what} is a Discrete space of {n} that starts at {start}; it must start at 0")
        return Discrete(n)
    raise UserError(f"{what} is {short or 'unknown'}, which is not imported; Box and Discrete are")
