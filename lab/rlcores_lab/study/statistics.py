"""What a study says of its seeds: a mean, and how sure it is."""

import math
from collections.abc import Sequence

import numpy as np

# Student's t at 97.5 % for 1, 2, ... degrees of freedom.
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)


def student(freedom: float) -> float:
    """Student's t of a 95 % interval for `freedom` degrees of freedom, rounded down, 15 at most."""
    return _T[min(max(int(freedom), 1), len(_T)) - 1]


def half(x: Sequence[float]) -> float:
    """Half of the 95 % interval of the mean of independent numbers; infinite for one number.

    >>> round(half([1.0, 2.0, 3.0]), 3)
    2.484
    """
    if len(x) < 2:
        return math.inf
    return float(student(len(x) - 1) * np.std(x, ddof=1) / math.sqrt(len(x)))


def interval(x: Sequence[float]) -> tuple[float, float]:
    """The mean and half().

    >>> interval([2.0])
    (2.0, inf)
    """
    return float(np.mean(x)), half(x)


def shown(pair: tuple[float, float]) -> str:
    """A mean and its half interval as text.

    >>> shown((2.0, 2.484)), shown((2.0, math.inf))
    ('2.0 ± 2.5', '2.0')
    """
    middle, half = pair
    return f"{middle:.1f} ± {half:.1f}" if math.isfinite(half) else f"{middle:.1f}"
