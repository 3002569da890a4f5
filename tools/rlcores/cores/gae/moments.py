"""Running mean and standard deviation of rewards, and rewards in units of them."""

import math
from dataclasses import dataclass

import numpy as np

SCALINGS = ("none", "standardise", "scale")
# A deviation below this share of the mean is the rounding of equal numbers.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Moments:
    """Count, mean and standard deviation of numbers.

    >>> both = Moments.of(np.array([1.0, 2.0])).merged(Moments.of(np.array([6.0])))
    >>> both.count, round(both.mean, 6), round(both.deviation, 6)
    (3, 3.0, 2.160247)
    """

    count: int = 0
    mean: float = 0.0
    deviation: float = 0.0

    @classmethod
    def of(cls, numbers: np.ndarray) -> "Moments":
        """Those of an array of any shape; of numbers near float64's largest too."""
        largest = float(np.abs(numbers).max(initial=0.0))
        unit = math.frexp(largest)[1]
        scaled = np.ldexp(np.asarray(numbers, np.float64), -unit)
        if not scaled.size:
            return cls()
        return cls(scaled.size, _times(float(scaled.mean()), unit), _times(float(scaled.std()), unit))

    def merged(self, other: "Moments") -> "Moments":
        """Those of both sets together (Chan, Golub and LeVeque 1979)."""
        count = self.count + other.count
        if not self.count or not other.count:
            return self if self.count else other
        mine, its = self.count / count, other.count / count
        # Halves, because a difference of two float64 may exceed the largest one.
        apart = other.mean / 2 - self.mean / 2
        deviation = math.hypot(
            self.deviation * math.sqrt(mine), other.deviation * math.sqrt(its), 2 * apart * math.sqrt(mine * its)
        )
        return Moments(count, self.mean * mine + other.mean * its, deviation)

    @property
    def constant(self) -> bool:
        """All numbers are equal, to the rounding of float64."""
        return self.deviation <= _ROUNDING * abs(self.mean)

    @property
    def unit(self) -> float:
        """What rewards are divided by: the deviation; of equal rewards their size, so that none is lost."""
        return (abs(self.mean) or 1.0) if self.constant else self.deviation


def scaled(rewards: np.ndarray, known: Moments, scaling: str) -> np.ndarray:
    """Rewards as `scaling` says: "none" as they are, "scale" r / unit, "standardise" (r - mean) / unit.

    Rewards that are all equal keep their mean in "standardise" too: +1 or -1, not 0.
    """
    if scaling == "none":
        return rewards
    shift = known.mean if scaling == "standardise" and not known.constant else 0.0
    return rewards / known.unit - shift / known.unit


def _times(x: float, exponent: int) -> float:
    # math.ldexp raises where numpy gives infinity.
    return float(np.ldexp(x, exponent))
