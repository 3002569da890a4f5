"""The arithmetic every core shares: round half up, saturate. Works on Python integers and on int64 arrays.

A Python integer has any width. An int64 array holds what the caller knows to fit 63 bits.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arrays import plain

Integers = TypeVar("Integers", int, np.ndarray)


def round_shift(x: Integers, bits: int) -> Integers:
    """floor(x / 2**bits + 1/2): drop `bits` fraction bits, halves up (towards plus infinity).

    `bits` 0 returns x. Raises ValueError when it is negative.
    """
    if bits < 0:
        raise ValueError(f"cannot drop {bits} fraction bits: give 0 or more")
    return x if bits == 0 else (x + (1 << (bits - 1))) >> bits


def round_divide(numerator: int, denominator: int) -> int:
    """floor(numerator / denominator + 1/2) of Python integers, denominator > 0."""
    return (2 * numerator + denominator) // (2 * denominator)


def limits(width: int, symmetric: bool = False) -> tuple[int, int]:
    """The least and the greatest signed integer of `width` bits; without -2**(width-1) when symmetric."""
    top = (1 << (width - 1)) - 1
    return (-top if symmetric else -top - 1), top


def saturate(x: Integers, width: int, symmetric: bool = False) -> Integers:
    """x clipped to `width` signed bits."""
    low, high = limits(width, symmetric)
    return np.minimum(np.maximum(x, low), high) if isinstance(x, np.ndarray) else min(max(x, low), high)


def fits(x: Integers, width: int) -> bool:
    """Whether x, or every element of it, is a signed integer of `width` bits."""
    low, high = limits(width)
    return bool(np.all((x >= low) & (x <= high)))


def quantise(x: ArrayLike, frac: int | np.ndarray, what: str = "value") -> np.ndarray:
    """floor(x * 2**frac + 1/2) as int64, unlimited. Raises ValueError, naming `what`, where x is no finite number."""
    array = plain(f"a {what}", x)
    if array.dtype.kind not in "biufO":
        raise ValueError(f"a {what} is of type {array.dtype}; it must be a finite number")
    x = np.asarray(array, np.float64)
    finite = np.isfinite(x)
    if not finite.all():
        raise ValueError(f"a {what} is {x[~finite].flat[0]}; it must be a finite number")
    # Whatever is beyond 62 bits saturates in every format there is.
    most = 2.0 ** (62 - frac)
    return np.floor(np.minimum(np.maximum(x, -most), most) * 2.0**frac + 0.5).astype(np.int64)


def quantise_within(x: ArrayLike, width: int, frac: int, what: str) -> np.ndarray:
    """quantise(), but a ValueError where the result is not a signed integer of `width` bits."""
    codes = quantise(x, frac, what)
    low, high = limits(width)
    if codes.size and (codes.min() < low or codes.max() > high):
        wrong = np.asarray(x, np.float64)[(codes < low) | (codes > high)].flat[0]
        raise ValueError(f"a {what} is {wrong:g}; sfix({width},{frac}) holds {low / 2**frac:g} to {high / 2**frac:g}")
    return codes
