"""Numbers other than 0 that a format rounds to 0: a setting is refused, numbers in arrays are warned of."""

import math

import numpy as np
from numpy.typing import ArrayLike

from rlcores.errors import UserError, WarningCounter


def kept(name: str, x: float, code: int, frac: int) -> int:
    """The code of a setting x with `frac` fraction bits. Raises UserError where 0 would stand for another number.

    >>> kept("tau", 0.005, 655, 17)
    655
    >>> kept("tau", 1e-6, 0, 17)
    Traceback (most recent call last):
        ...
    rlcores.errors.UserError: tau is 1e-06; the core has 0, or 7.63e-06 and more
    """
    if x > 0 and not code:
        raise UserError(f"{name} is {x}; the core has 0, or {2.0**-frac:.3g} and more")
    return code


def whole(name: str, x: float, frac: int) -> int:
    """A real number as an integer with `frac` fraction bits. Raises UserError where 0 would stand for another one."""
    if not math.isfinite(x):
        raise UserError(f"{name} is {x}; it must be a finite number")
    return kept(name, x, math.floor(x * 2**frac + 0.5), frac)


class Vanished:
    """Counts numbers of arrays that are not 0 but round to 0, and warns where they are half or more of them.

    So a reward of a millionth among rewards of about 1, of which training would see nothing, is no warning. A
    CoreWarning says how many: at the first, the tenth, the hundredth … number.

    >>> rewards = Vanished("rewards", 16)
    >>> rewards.see(np.array([1e-6, 1.0, 0.0, -2.0]), np.array([0, 65536, 0, -131072]))
    >>> rewards.lost, rewards.kept
    (1, 2)
    """

    def __init__(self, what: str, frac: int) -> None:
        """what: the numbers, in the plural; frac: fraction bits of their codes."""
        self.what, self.frac = what, frac
        self.lost = self.kept = 0
        self._tally = WarningCounter()

    def see(self, x: ArrayLike, codes: np.ndarray) -> None:
        """An array as it was given, of numbers, and its codes."""
        self.count(x, int(np.count_nonzero(codes)))

    def count(self, x: ArrayLike, kept: int) -> None:
        """An array of numbers as it was given; `kept` of their codes are not 0."""
        lost = int(np.count_nonzero(x)) - kept
        self.kept += kept
        if not lost:
            return
        self.lost += lost
        if self.lost >= self.kept:
            self._tally.add(
                self.what,
                lost,
                f"{lost} of {lost + kept} {self.what} that are not 0 became 0, for the core has steps of "
                f"2**-{self.frac} = {2.0**-self.frac:.3g}: multiply them by a constant first",
            )

    def see_all(self, x: ArrayLike, codes: np.ndarray) -> None:
        """The same, of an array that is looked at only where all its codes are 0."""
        if not codes.any():
            self.count(x, 0)
