"""The settings of prioritised replay: one frozen object that sampler, buffer, replay learner and server share.

Every name, range and default stands here once. The parts of the library that have such settings take them by these
names, check them by making this object, and keep it as `.settings`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from sys import float_info
from typing import Any

from rlcores.base.arguments import check_bool, check_float, check_int, ranged
from rlcores.cores.common.draws import seed_of
from rlcores.cores.sumtree.maths import POWER_ONE
from rlcores.errors import UserError

MOST_SLOTS = 1 << 24
MOST_BATCH = 32768
MOST_ALPHA = 2.0  # of the software; the core's register ends at 1


@dataclass(frozen=True, kw_only=True)
class ReplaySettings:
    """What a prioritised replay is. Raises UserError when one is out of its range.

    buffer_size       transitions, 1 to 2**24, any number
    alpha             exponent of the priorities, 0 to 2; above 1 with the backends "native" and "model"
    beta              exponent of the importance weights, 0 to 1
    priority_epsilon  added to |TD error|, 0 or more
    batch_size        transitions a batch has unless told otherwise, 1 to 32768
    stratified        each sample of a batch comes from its own equal part of the total
    seed              64-bit seed of the draws; None: from the system's entropy

    >>> settings = ReplaySettings(buffer_size=1000)
    >>> settings.alpha, settings.alpha_code, settings.batch_size
    (0.6, 19661, 64)
    """

    buffer_size: int = ranged(1 << 20, 1, MOST_SLOTS)
    alpha: float = ranged(0.6, 0.0, MOST_ALPHA)
    beta: float = ranged(0.4, 0.0, 1.0)
    priority_epsilon: float = ranged(1e-6, 0.0, float_info.max)
    batch_size: int = ranged(64, 1, MOST_BATCH)
    stratified: bool = True
    seed: int | None = None

    def __post_init__(self) -> None:
        for name, value in _checked(vars(self), {}).items():
            object.__setattr__(self, name, value)

    @classmethod
    def within(cls, limits: Mapping[str, tuple[float, float]], **values: Any) -> "ReplaySettings":
        """The settings of a part of the library that takes narrower ranges of some."""
        return cls(**_checked(values, limits))

    def but(self, **changes: Any) -> "ReplaySettings":
        """The same with other values."""
        return replace(self, **changes)

    @property
    def first_seed(self) -> int:
        """The seed that the draws begin at: as given, or from the system's entropy."""
        return seed_of(self.seed)

    @property
    def alpha_code(self) -> int:
        """alpha as ufix(17,15), as the core has it."""
        return power_code("alpha", self.alpha)

    @property
    def beta_code(self) -> int:
        """beta as ufix(16,15), as the core has it."""
        return power_code("beta", self.beta)


# Whole numbers where the limits are.
_RANGES = {each.name: each.metadata["range"] for each in fields(ReplaySettings) if "range" in each.metadata}


def power_code(name: str, power: float) -> int:
    """alpha or beta as a code with 15 bits of fraction. Raises UserError when it is out of its range."""
    return round(check_float(name, power, *_RANGES[name]) * POWER_ONE)


def need_software(alpha: float, backend: Any) -> None:
    """Raise UserError where an exponent is beyond what the core's register holds, and a core has it."""
    if alpha > 1 and backend not in ("native", "model"):
        raise UserError(f"alpha is {alpha:g}; above 1 it is of the backends native and model")


def _checked(values: Mapping[str, Any], limits: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    """Values in their types. Raises UserError for the first one out of its range."""
    ranges = _RANGES | dict(limits)
    return {name: _check(name, value, ranges.get(name)) for name, value in values.items()}


def _check(name: str, value: Any, limits: tuple[float, float] | None) -> Any:
    if name == "seed":
        return seed_of(value)
    if limits is None:
        return check_bool(name, value)
    low, high = limits
    if isinstance(low, int) and isinstance(high, int):
        return check_int(name, value, low, high)
    return check_float(name, value, low, high)
