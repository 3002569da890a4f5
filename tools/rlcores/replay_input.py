"""What a user may hand to a replay buffer: everything else is a UserError of one sentence, before anything changes."""

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.errors import UserError

_TD_FRACTION = 20


def whole(name: str, given: Any, low: int, high: int) -> int:
    """One whole number, low to high."""
    try:
        number = operator.index(given)
    except TypeError:
        raise UserError(f"{name} is {given!r}; it must be a whole number") from None
    if isinstance(given, bool | np.bool_) or not low <= number <= high:
        raise UserError(f"{name} is {given!r}; it must be {low} to {high}")
    return number


def fraction(name: str, given: Any, low: float, high: float) -> float:
    """One number, low to high."""
    try:
        number = float(given)
    except (TypeError, ValueError):
        raise UserError(f"{name} is {given!r}; it must be a number") from None
    if not low <= number <= high:
        raise UserError(f"{name} is {given!r}; it must be {low:g} to {high:g}")
    return number


def wholes(name: str, given: ArrayLike, low: int, high: int, count: int | None = None) -> np.ndarray:
    """Whole numbers low to high, of any numeric type: int64 (n,). One number alone stands for `count` equal ones."""
    array = _array(name, given, count)
    # NaN is in no range, and numbers beyond 64 bits arrive as Python integers: both end here.
    _refuse(name, array, ~((array >= low) & (array <= high)), f"it must be {low} to {high}")
    if array.dtype.kind == "f":
        _refuse(name, array, array != np.floor(array), "it must be a whole number")
    return array.astype(np.int64)


def td_errors(name: str, given: ArrayLike, count: int | None = None) -> np.ndarray:
    """TD errors as the core takes them, sfix(32,20), rounded half up: int64 (n,)."""
    array = _array(name, given, count)
    with np.errstate(invalid="ignore"):
        _refuse(name, array, ~(abs(array) < np.inf), "it must be a finite number")
        array = array.astype(np.float64)
        raw = np.floor(array * 2.0**_TD_FRACTION + 0.5)
    most = 2 ** (31 - _TD_FRACTION)
    _refuse(name, array, (raw < -(2**31)) | (raw >= 2**31), f"the core takes -{most} to below {most}")
    return raw.astype(np.int64)


def _array(name: str, given: ArrayLike, count: int | None) -> np.ndarray:
    try:
        array = np.asarray(given)
    except (TypeError, ValueError):
        raise UserError(f"{name} is not an array of numbers") from None
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind == "O" and all(type(x) is int for x in array.flat):
        pass
    elif array.dtype.kind not in "iuf":
        raise UserError(f"{name} is not an array of numbers, but of type {array.dtype}")
    if array.ndim > 1:
        raise UserError(f"{name} has shape {array.shape}; it must be one number or (n,)")
    if array.ndim == 0:
        array = np.broadcast_to(array, 1 if count is None else count)
    elif count is not None and len(array) != count:
        raise UserError(f"{name} has {len(array)} entries; here it must have {count}")
    return array


def _refuse(name: str, array: np.ndarray, wrong: np.ndarray, rule: str) -> None:
    wrong = np.asarray(wrong, bool)
    if wrong.any():
        place = int(wrong.argmax())
        raise UserError(f"{name}[{place}] is {array[place]}; {rule}")
