"""Single arguments that users give: a number, a name, a yes or no; all else is a UserError of one sentence."""

import operator
from collections.abc import Iterator, Sequence
from dataclasses import field, fields
from typing import Any

import numpy as np

from rlcores.errors import UserError

_TRUTH = (bool, np.bool_)
_NO_NUMBERS = (str, bytes, *_TRUTH)  # which float() takes


def check_int(name: str, value: Any, low: int, high: int) -> int:
    """One whole number, low to high."""
    try:
        number = operator.index(value)
    except TypeError:
        raise UserError(f"{name} is {value!r}; it must be a whole number") from None
    if isinstance(value, _TRUTH) or not low <= number <= high:
        raise UserError(f"{name} is {value!r}; it must be {low} to {high}")
    return number


def check_float(name: str, value: Any, low: float, high: float) -> float:
    """One number, low to high; neither a text that reads as one, nor true or false."""
    if isinstance(value, _NO_NUMBERS):
        raise UserError(f"{name} is {value!r}; it must be a number")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise UserError(f"{name} is {value!r}; it must be a number") from None
    if not low <= number <= high:
        raise UserError(f"{name} is {value!r}; it must be {low:g} to {high:g}")
    return number


def check_bool(name: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, _TRUTH):
        raise UserError(f"{name} is {value!r}; it must be true or false")
    return bool(value)


def choice(name: str, value: Any, allowed: Sequence[str], also: str = "") -> str:
    """One of these names. also: what else may be given there, for the message."""
    if not isinstance(value, str) or value not in allowed:
        raise UserError(f"{name} is {value!r}; it must be {' or '.join(repr(a) for a in allowed)}{also}")
    return value


def check_backend(value: Any, names: Sequence[str], member: str, what: str) -> Any:
    """One of these names, or an object that has `member`, as `what` does."""
    return (
        value
        if not isinstance(value, str) and hasattr(value, member)
        else choice("backend", value, names, f", or {what}")
    )


def ranged(default: Any, low: float, high: float) -> Any:
    """A field of a dataclass with its least and greatest value, for out_of_range()."""
    return field(default=default, metadata={"range": (low, high)})


def held(settings: Any) -> None:
    """Raises ValueError when a ranged field of a dataclass, a register of a core, is out of its range."""
    for name, value, low, high in out_of_range(settings):
        raise ValueError(f"{name} is {value}; the register holds {low} to {high}")


def out_of_range(settings: Any) -> Iterator[tuple[str, Any, float, float]]:
    """Name, value and range of each ranged field of a dataclass that holds what it may not."""
    for each in fields(settings):
        low, high = each.metadata.get("range", (None, None))
        value = getattr(settings, each.name)
        if low is not None and not low <= value <= high:
            yield each.name, value, low, high
