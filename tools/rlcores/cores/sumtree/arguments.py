"""What a user may hand to a replay buffer: everything else is a UserError of one sentence, before anything changes."""

from sys import float_info
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import check_float
from rlcores.base.arrays import plain
from rlcores.cores.sumtree.maths import DELTA_FRACTION
from rlcores.errors import UserError, warn


def epsilon(name: str, value: Any) -> int:
    """The offset of priorities as ufix(32,20): 0 only where 0 was given, else at least 2**-20, which is warned of."""
    number = check_float(name, value, 0, 4095)
    raw = round(number * 2**DELTA_FRACTION)
    if number and not raw:
        raw = 1
        warn(f"{name} is {number:g}; the core adds 2**-{DELTA_FRACTION} = {2.0**-DELTA_FRACTION:.3g}, its least")
    return raw


def wholes(name: str, values: ArrayLike | None, low: int, high: int, count: int | None = None) -> np.ndarray:
    """Whole numbers low to high, of any numeric type: int64 (n,). One number alone stands for `count` equal ones."""
    array = _array(name, values, count)
    if array.dtype.kind == "f":
        array = array.astype(np.promote_types(array.dtype, np.float64))  # the limits may not fit in less
    # NaN is in no range, and numbers beyond 64 bits arrive as Python integers: both end here.
    _refuse(name, array, ~((array >= low) & (array <= high)), f"it must be {low} to {high}")
    if array.dtype.kind == "f":
        _refuse(name, array, array != np.floor(array), "it must be a whole number")
    return array.astype(np.int64)


def td_errors(name: str, values: ArrayLike | None, count: int | None = None) -> np.ndarray:
    """TD errors, float64 (n,). Raises UserError for what is no finite number."""
    array = _array(name, values, count)
    if array.dtype.kind == "O":  # integers of more than 64 bits
        array = np.array([_near(x) for x in array])
    with np.errstate(over="ignore"):
        array = np.require(array, np.float64, ("C", "A"))
    _refuse(name, array, ~np.isfinite(array), "it must be a finite number")
    return array


def td_codes(name: str, values: ArrayLike | None, count: int | None = None) -> tuple[np.ndarray, int]:
    """TD errors as the core takes them, sfix(32,20), rounded half up: int64 (n,), and how many of them were clipped."""
    with np.errstate(over="ignore"):
        raw = np.floor(td_errors(name, values, count) * 2.0**DELTA_FRACTION + 0.5)
    clipped = np.clip(raw, -(2.0**31), 2.0**31 - 1)
    return clipped.astype(np.int64), int((clipped != raw).sum())


def _array(name: str, values: ArrayLike | None, count: int | None) -> np.ndarray:
    if hasattr(values, "generations"):
        raise UserError(
            f"{name} is a whole {type(values).__name__}; give its .indices here, and its .generations as generations"
        )
    array = plain(name, values)
    if array.size == 0:
        array = np.empty(array.shape, np.int64)
    if array.dtype.kind == "O" and all(type(x) is int for x in array.flat):
        pass  # whole numbers that 64 bits do not hold
    elif array.dtype.kind == "O" and all(type(x) in (int, float) for x in array.flat):
        array = np.vectorize(_near, otypes=[float])(array)
    elif array.dtype.kind not in "iuf":
        raise UserError(f"{name} is not an array of numbers, but of type {array.dtype}")
    if array.ndim > 1:
        raise UserError(f"{name} has shape {array.shape}; it must be one number or (n,)")
    if array.ndim == 0:
        array = np.broadcast_to(array, 1 if count is None else count)
    elif count is not None and len(array) != count:
        raise UserError(f"{name} has {len(array)} entries; here it must have {count}")
    return array


def _near(x: float) -> float:
    """A number as float64, also an integer that is larger than those."""
    return x if isinstance(x, float) else float(max(min(x, int(float_info.max)), -int(float_info.max)))


def _refuse(name: str, array: np.ndarray, wrong: np.ndarray, rule: str) -> None:
    wrong = np.asarray(wrong, bool)
    if wrong.any():
        place = int(wrong.argmax())
        raise UserError(f"{name}[{place}] is {array[place]}; {rule}")
