"""Settings of the learner's loss, each declared here alone: in real numbers, as a register, and in the gradient.

From LossRegisters `rlcores generate` writes the ports of the RTL (rlc_rl_td_loss.vh) and the parameters of the engine
(loss_settings.hpp); API, driver, model and float64 reference take them as they stand here. What is left by hand for a
new one: its register in learner.rdl, and what rlc_rl_td_error.v and the engine's learner.cpp do with it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from types import NoneType
from typing import Any, TypedDict, get_args

import numpy as np

from rlcores.cores.common.vanished import whole

FACTOR_FRAC = 17  # discount, reward scale, importance weight: ufix(18, 17), at most 1.0
FACTOR_ONE = 1 << FACTOR_FRAC

# The units of rlc_rl_td_loss that take a setting: a record's reward, the choice of the next action, the TD error.
REWARD, PICK, TD = "reward", "pick", "td"


def factor(name: str, x: float, _: int = 0) -> int:
    """A number of 0 to 1 as ufix(18, 17). Raises ValueError."""
    code = whole(name, x, FACTOR_FRAC)
    if not 0 <= x <= 1:
        raise ValueError(f"{name} is {x}; it must be 0 to 1")
    return code


def _limit(name: str, x: float | None, frac: int) -> int:
    code = 0 if x is None else whole(name, x, frac)
    if x is not None and x <= 0:
        raise ValueError(f"{name} is {x}; it must be above 0, or None for the squared loss")
    return code


class LossOptions(TypedDict, total=False):
    """What a user may give."""

    gamma: float
    reward_scale: float
    huber: float | None
    double: bool


@dataclass(frozen=True)
class LossSettings:
    """The same with their defaults, in real numbers."""

    gamma: float = 0.99
    reward_scale: float = 1.0
    huber: float | None = 1.0  # limit of the TD error in the gradient; None: squared error, loss = td**2 / 2
    double: bool = False

    def clipped(self, td: np.ndarray) -> np.ndarray:
        """TD errors as they count in the gradient."""
        return td if self.huber is None else np.clip(td, -self.huber, self.huber)


def _register(default: Any, most: int, unit: str, code: Callable[[str, Any, int], int]) -> Any:
    """A register of 0 to `most`, the unit that takes it, and how a real number becomes it: code(name, x, frac)."""
    return field(default=default, metadata={"range": (0, most), "unit": unit, "code": code})


@dataclass(frozen=True)
class LossRegisters:
    """The same as integers. gamma, reward_scale: 17 fraction bits. huber: those of Q, 0 is the squared error."""

    gamma: int = _register(129761, FACTOR_ONE, TD, factor)  # 0.99
    reward_scale: int = _register(FACTOR_ONE, FACTOR_ONE, REWARD, factor)
    huber: int = _register(0, 2**26 - 1, TD, _limit)
    double: bool = _register(False, 1, PICK, lambda _, x, __: x)

    def clipped(self, td: np.ndarray) -> np.ndarray:
        """TD errors as they count in the gradient, with the fraction of Q."""
        return np.clip(td, -self.huber, self.huber) if self.huber else td


def codes(options: Mapping[str, Any], frac: int) -> dict[str, Any]:
    """The registers of these settings; `frac`: fraction bits of Q. Raises ValueError where one cannot hold a number."""
    code = {f.name: f.metadata["code"] for f in fields(LossRegisters)}
    return {name: code[name](name, value, frac) for name, value in options.items()}


def bits(name: str) -> int:
    """Of a register."""
    return next(f.metadata["range"][1] for f in fields(LossRegisters) if f.name == name).bit_length()


def of(*units: str) -> list[str]:
    """The names of the settings that these units take."""
    return [f.name for f in fields(LossRegisters) if f.metadata["unit"] in units]


# Settings of real numbers that may be None.
OPTIONAL = {name for name, kind in LossSettings.__annotations__.items() if NoneType in get_args(kind)}

# What DDPG's critic takes, and with the choice of the next action what DQN takes, as the engine has them.
critic_loss = attrgetter(*of(REWARD, TD))
dqn_loss = attrgetter(*of(REWARD, TD), *of(PICK))
